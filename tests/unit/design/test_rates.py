"""Ports that are held to what the way behind them carries: to how much, and that it is read."""

import json
from copy import deepcopy

import pytest
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid
from tests.unit.design.test_dci import compiled
from tests.unit.design.test_dci import texts as texts_of

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.nos.lowering import spell
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.written import examined, prove

ONE = {"east": {"cages": "20"}, "west": {"cages": "22"}}


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("eos", "whether the `shape rate` of a port-channel is per member or in total"),
        ("sonic", ""),
        ("linux", ""),
    ],
)
def test_each_port_of_a_bundle_has_its_part_of_the_rate(platform: str, words: str) -> None:
    """50 Gb/s over two ports; hashing fills neither more than its part, so the way has no more."""
    result = compiled(platform, rate="50G", transfers=None)
    found = [item.message for item in result.findings if item.severity is Severity.ERROR]
    assert bool(found) == bool(words)
    assert all(words in message for message in found)
    assert result.site is not None
    leaf = next(
        switch_slice
        for _, switch_slice in slices(result.site)
        if switch_slice.switch.name == "east-leaf01"
    )
    held = [item.rate for item in leaf.interfaces if item.rate is not None]
    assert held == [25 * 10**9] * 2


def test_a_rate_above_what_cages_carry_is_refused() -> None:
    findings = compiled("linux", rate="150G", ends=ONE).findings
    found = {item.path: item.message for item in findings if item.code is Code.BAD_VALUE}
    message = "wan cannot be limited to 150G: its cages carry 1 x 100G"
    assert found == {("dci", "wan", "ends", end, "cages"): message for end in ("east", "west")}


def test_a_way_that_carries_as_much_as_its_port_holds_nothing() -> None:
    result = compiled(rate="100G", ends=ONE)
    assert result.ok, result.findings
    assert result.site is not None
    assert not [
        i for _, switch_slice in slices(result.site) for i in switch_slice.interfaces if i.rate
    ]


@pytest.mark.parametrize(
    ("platform", "path", "old", "new"),
    [
        ("eos", "eos.cfg", "shape rate 2000000 kbps", "shape rate 2000001 kbps"),
        ("eos", "eos.cfg", "   shape rate 2000000 kbps\n", ""),
        ("linux", "etc/fabricgen/tc.batch", "htb rate 2000000000bit", "htb rate 3000000000bit"),
        ("sonic", "config_db.json", '"pir": "250000000"', '"pir": "250000001"'),
        (
            "sonic",
            "config_db.json",
            '"scheduler": "scheduler.port.250000000"',
            '"scheduler": "scheduler.best-effort"',
        ),
    ],
)
def test_a_rate_is_read_back(platform: str, path: str, old: str, new: str) -> None:
    """Each broken once, by whichever of the two readers sees it: of queues or of lines."""
    result = compiled(platform, rate="2G", ends=ONE, transfers=None)
    assert result.ok, result.findings
    assert result.site is not None
    found = {}
    for broken in (False, True):
        rendered = {
            switch_slice.switch: (switch_slice, texts_of(switch_slice))
            for _, switch_slice in slices(result.site)
        }
        leaf = next(switch for switch in rendered if switch.name == "east-leaf01")
        text = rendered[leaf][1][path]
        assert old in text
        rendered[leaf][1][path] = text.replace(old, new, 1) if broken else text
        chain = verify(result.site, [(s, texts) for s, (_, texts) in rendered.items()], spell)
        lines = examined(prove(switch_slice, texts) for switch_slice, texts in rendered.values())
        found[broken] = [*chain.findings, *lines.findings]
    assert found[False] == []
    assert found[True]


def test_an_asic_of_linux_is_refused() -> None:
    words = {"dci": {"wan": {"rate": "50G", "ends": ONE, "transfers": None}}}
    site = deepcopy(laid(SITES["joined"], words))
    for hall in site["fabrics"].values():
        hall |= {
            tier: {**hall[tier], "platform": "linux", "model": "SN3700"}
            for tier in ("leaf", "spine")
        }
    found = compile_site(load_texts({"site.yaml": json.dumps(site)})).findings
    assert any(
        "bypasses htb: the rate 50G of wan would have no effect" in item.message for item in found
    )

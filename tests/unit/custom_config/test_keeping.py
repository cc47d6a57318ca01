"""What others own in a site: patterns that fit what is rendered, or that nobody takes."""

from __future__ import annotations

import json
import re

import pytest
from tests.keys.case import at
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.compiler import Compiled, compile_site, files, slices
from fabricgen.compile.custom_config.keeping import contradictions
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.operate.deploy.targets import targets_of

LEAF = ("frontend", "switches", "fe-leaf01")


def compiled(platform: str, *said: tuple[tuple[str, ...], dict[str, str]]) -> Compiled:
    words = SITES["tenants"]
    for place, keep in said:
        words = laid(words, at(*place, "unmanaged", words=keep))
    return compile_site(load_texts({"site.yaml": json.dumps(words)}), platform)


@pytest.mark.parametrize(
    ("platform", "kind", "text", "why"),
    [
        (
            "eos",
            "eos",
            "router bgp *\n   neighbor * ~",
            r"line 2: .* matches eos.cfg:\d+ `neighbor ",
        ),
        ("eos", "eos", "hostname *", r"matches eos.cfg:\d+ `hostname fe-leaf01` of fe-leaf01"),
        ("linux", "frr", "~", r"matches etc/frr/frr.conf:\d+ `frr "),
        ("linux", "interfaces", "iface * ~", r"matches etc/network/interfaces:\d+ `iface "),
        ("linux", "files", "/etc/frr/*", r"`/etc/frr/\*` also matches etc/frr/"),
        ("sonic", "config_db", "PORT", r"`PORT` also matches config_db.json `PORT\|Ethernet0`"),
        ("sonic", "config_db", "VRF|*", r"`VRF\|\*` also matches config_db.json `VRF\|"),
    ],
)
def test_what_is_rendered_is_nobody_elses(platform: str, kind: str, text: str, why: str) -> None:
    said = [
        each.message
        for each in compiled(platform, (LEAF, {kind: text})).findings
        if each.code == Code.KEPT_IS_RENDERED
    ]
    assert len(said) == 1
    assert re.search(why, said[0])


@pytest.mark.parametrize(
    ("platform", "kind", "text", "code"),
    [
        ("eos", "eos", "a ~ b", Code.KEPT_REFUSED),
        ("sonic", "config_db", "TELEMETRY", Code.KEPT_REFUSED),
        ("linux", "eos", "daemon mine", Code.UNSUPPORTED),
        ("eos", "files", "/etc/x", Code.UNSUPPORTED),
    ],
)
def test_what_no_switch_can_keep_is_an_error(
    platform: str, kind: str, text: str, code: Code
) -> None:
    result = compiled(platform, (LEAF, {kind: text}))
    assert [each.code for each in result.findings if "unmanaged" in map(str, each.path)] == [code]


def test_own_lines_are_rendered_as_well() -> None:
    words = laid(
        SITES["tenants"], at(*LEAF, "custom_config", words={"eos": "load-interval default 30"})
    )
    words = laid(words, at(*LEAF, "unmanaged", words={"eos": "load-interval ~"}))
    result = compile_site(load_texts({"site.yaml": json.dumps(words)}), "eos")
    assert Code.KEPT_IS_RENDERED in [each.code for each in result.findings]


@pytest.mark.parametrize(
    "place", [("site",), ("frontend",), ("frontend", "leaf"), ("frontend", "switches", "fe-leaf01")]
)
def test_each_place_that_may_have_them_is_heard(place: tuple[str, ...]) -> None:
    result = compiled("eos", (place, {"eos": "logging host 192.0.2.9"}))
    assert result.site is not None
    targets = targets_of(result.site)
    assert targets["fe-leaf01"].unmanaged == {"eos": "logging host 192.0.2.9\n"}
    assert bool(targets["fe-spine1"].unmanaged) is (len(place) == 1)


def test_the_wider_and_the_narrower_place_are_kept_both() -> None:
    wide, narrow = ("site",), LEAF
    result = compiled("eos", (wide, {"eos": "logging host 1"}), (narrow, {"eos": "daemon x"}))
    assert result.site is not None
    assert targets_of(result.site)["fe-leaf01"].unmanaged["eos"] == "logging host 1\ndaemon x\n"


def test_what_is_kept_and_contradicts_the_design_names_both_lines() -> None:
    result = compiled("eos", (LEAF, {"eos": "interface *\n   mtu ~\n"}))
    site = result.site
    assert site is not None
    switch_slice = next(each for _, each in slices(site) if each.switch.name == "fe-leaf01")
    rendered = next(
        group for owner, group in files(site) if getattr(owner, "name", "") == "fe-leaf01"
    )
    texts = {file.path.removeprefix("frontend/fe-leaf01/"): file.text for file in rendered}
    port = next(each for each in texts["eos.cfg"].split("!\n") if "mtu 9214" in each)
    said = list(
        contradictions(switch_slice, texts, {"eos": f"{port.splitlines()[0]}\n   mtu 1500\n"})
    )
    assert len(said) == 1
    assert "`mtu 1500` sets" in said[0]
    assert "differently than eos.cfg:" in said[0]
    assert not list(contradictions(switch_slice, texts, {"eos": "logging host 192.0.2.9\n"}))

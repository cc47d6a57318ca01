"""Each law names its fault on every platform that shows it, and is silent on sound files."""

import re
from pathlib import Path

import pytest
from tests.unit.invariants.faults import EOS, FAULTS, L1, Fault, sub, written
from tests.unit.invariants.oddities import ODDITIES
from tests.unit.invariants.small import SITES, network, said, texts
from tests.unit.invariants.twice import TWICE

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.prove.audit.judged import judged
from fabricgen.prove.invariants.laws import LAWS, unjudged

OURS = ("eos", "sonic", "linux")
EVERY = (*FAULTS, *ODDITIES, *TWICE)
each_fault = pytest.mark.parametrize("fault", EVERY, ids=lambda f: f"{f.platform}: {f.name}")


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("site", SITES)
def test_sound_files_break_no_law(site: str, platform: str) -> None:
    assert said(texts(site, platform), platform) == []


@each_fault
def test_a_fault_breaks_its_law(fault: Fault) -> None:
    assert {each.split()[0] for each in said(fault.planted(), fault.platform)} >= {fault.code.value}


@each_fault
def test_a_fault_is_named_by_judge_where_it_is(fault: Fault, tmp_path: Path) -> None:
    written(tmp_path, fault)
    every = (each for result in judged(tmp_path).examined for each in result.findings)
    mine = [each for each in every if each.code is fault.code]
    assert mine
    changed = {
        f"{switch}/{path}"
        for switch, own in fault.planted().items()
        for path, text in own.items()
        if text != texts(fault.site, fault.platform)[switch][path]
    }
    named = set()
    for each in (each for each in mine if each.position is not None):
        assert each.position is not None
        places = [each.position.file, *re.findall(r"(/\S+?):\d+", each.message)]
        named |= {place.removeprefix(f"{tmp_path}/") for place in places}
    assert named & changed


def test_each_law_has_a_source_and_a_fault() -> None:
    place = Path(__file__).parents[3] / "docs" / "prove" / "invariants.md"
    page = place.read_text(encoding="utf-8")
    rows = [
        f"| {law.name} | [{law.code}](../diagnostics/{law.code}.md) | {law.source} |"
        for law in LAWS
    ]
    assert [row for row in rows if row not in page] == []
    assert {law.code for law in LAWS} == {fault.code for fault in EVERY}


@pytest.mark.parametrize("platform", OURS)
def test_laws_that_files_cannot_show_are_listed(platform: str) -> None:
    told = " ".join(unjudged(network(texts("rails", platform), platform)))
    dumb = {
        "eos": {"one routing table per VRF", "ports of 100G and more have FEC"},
        "sonic": {"one routing table per VRF", "one router MAC per tunnel endpoint"},
        "linux": {"ports of 100G and more have FEC"},
    }
    for law in LAWS:
        if law.name in dumb[platform]:
            assert f"no line of {platform} shows" in told
            assert law.name in told
    assert "EVPN sessions between loopbacks" not in told


def test_a_described_end_is_believed_only_where_the_other_end_agrees() -> None:
    every = texts("rails", "eos")
    leaf = every["fe-leaf01"]
    leaf["eos.cfg"] = leaf["eos.cfg"].replace(
        "to fe-spine1:Ethernet1/1", "to fe-spine2:Ethernet1/1"
    )
    found = network(every, "eos")
    law = next(each for each in LAWS if each.name.startswith("subnets of links"))
    assert [each.severity for each in law.breaches(found)] == [Severity.WARNING]


@pytest.mark.parametrize(
    ("domain", "over", "clashes"),
    [("MLAG", "Vlan4094", False), ("MLAG", "Vlan4093", True), ("OTHER", "Vlan4094", True)],
)
def test_an_mlag_pair_has_one_domain_over_one_vlan(
    domain: str, over: str, *, clashes: bool
) -> None:
    every = texts("rails", "eos")
    sub(L1, EOS, "address 10.65.0.1/32", "address 10.65.0.2/32")(every)
    for leaf, name, vlan in (("fe-leaf01", "MLAG", "Vlan4094"), ("fe-leaf02", domain, over)):
        pair = f"mlag configuration\n   domain-id {name}\n   local-interface {vlan}\n!\nend\n"
        every[leaf]["eos.cfg"] = every[leaf]["eos.cfg"].removesuffix("end\n") + pair
    found = {each.split()[0] for each in said(every, "eos")}
    assert (Code.JUDGED_TUNNEL.value in found) is clashes

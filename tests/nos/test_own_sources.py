"""Packets from outside with a source inside the VRF are dropped, on every platform that can."""

import json
import random

import pytest
from tests.keys.sites import SITES
from tests.nos.read_lists import facts_of, files_of, permits
from tests.nos.tenants import edged, fenced, flooded

from fabricgen.compile.compiler import Compiled, compile_site, slices
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import Ip, address_of
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.zones import Packet
from fabricgen.prove.written import prove

INSIDE = {"red": {4: "10.110.0.0/24", 6: "2001:db8:110::/64"}, "blue": {4: "10.120.0.0/24"}}
SOURCES = {
    4: ("10.110.0.9", "10.120.0.9", "203.0.113.9", "192.0.2.0", "10.109.255.255", "10.111.0.0"),
    6: ("2001:db8:110::9", "2001:db8:111::9", "fe80::1", "2001:db8:ff::"),
}
TARGETS = {4: "10.110.0.5", 6: "2001:db8:110::5"}


def compiled(text: str, platform: str) -> Compiled:
    return compile_site(load_texts({"site.yaml": text}), platform)


def borders(made: Compiled) -> list[SwitchSlice]:
    assert made.site is not None
    return [switch_slice for _, switch_slice in slices(made.site) if switch_slice.external]


def _inside(vrf: str, source: Ip) -> bool:
    net = INSIDE[vrf].get(source.version)
    if net is None:
        return False
    host, _, length = net.partition("/")
    return address_of(host)._replace(length=int(length)).holds(source)


@pytest.mark.parametrize("platform", ["eos", "linux", "sonic"])
def test_a_source_inside_the_vrf_is_dropped_at_each_port_outside(platform: str) -> None:
    """The files judge drawn packets as the design does, and the design as RFC 3704 says."""
    made = compiled(edged("7050CX3-32S", platform), platform)
    rng, judged = random.Random(5), 0
    for switch_slice in borders(made):
        files = files_of(switch_slice)
        facts = facts_of(switch_slice, files)
        assert prove(switch_slice, files).findings == ()
        for guard in switch_slice.guards:
            peer = next(each for each in switch_slice.external if each.label == guard.peer)
            (judge,) = guard.lists
            for _ in range(60):
                source = address_of(rng.choice(SOURCES[peer.version]))
                packet = Packet(source, address_of(TARGETS[peer.version]), "tcp", 40_000, 443)
                expected = not _inside(peer.vrf, source)
                assert guard.allows(packet)[0] is expected, (peer.label, packet)
                if platform != "sonic" or peer.interface.tag is None:
                    assert permits(facts, judge.name, packet) is expected
                    judged += 1
    assert judged > 100


@pytest.mark.parametrize("platform", ["eos", "linux"])
def test_every_port_outside_asks_its_list(platform: str) -> None:
    for switch_slice in borders(compiled(edged("7050CX3-32S", platform), platform)):
        facts = facts_of(switch_slice, files_of(switch_slice))
        asked = [own["guarded"] for key, own in facts.items() if "guarded" in own]
        names = {name for each in asked for name in each}
        assert names == {each.name for guard in switch_slice.guards for each in guard.lists}
        families = {(peer.vrf, peer.version) for peer in switch_slice.external}
        dropped = {(vrf, v) for vrf, v in families if v in INSIDE[vrf]}
        assert len(switch_slice.guards) == sum(
            (p.vrf, p.version) in dropped for p in switch_slice.external
        )


def test_a_share_of_a_link_on_sonic_is_warned_of() -> None:
    made = compiled(fenced("7050CX3-32S", "sonic"), "sonic")
    found = [each for each in made.findings if each.code is Code.OWN_SOURCES]
    assert found
    assert {each.severity for each in found} == {Severity.WARNING}
    assert all("never to a sub-interface" in each.message for each in found)


def test_an_asic_that_passes_nftables_by_is_warned_of() -> None:
    made = compiled(edged("SN3700", "linux"), "linux")
    found = [each for each in made.findings if each.code is Code.OWN_SOURCES]
    assert found
    assert all("bypasses nftables" in each.message for each in found)


def test_a_link_between_own_sites_takes_its_own_prefixes_back() -> None:
    made = compiled(json.dumps(SITES["joined"]), "eos")
    pieces = borders(made)
    joined = {peer.label for switch_slice in pieces for peer in switch_slice.external if peer.joins}
    assert joined
    assert not joined & {guard.peer for switch_slice in pieces for guard in switch_slice.guards}


ZONED = """
zones:
  web: {vlans: [red/web]}
  wan: {outside: [red/red/isp2]}
"""


def sent_back(old: str = "", new: str = "") -> Compiled:
    """Compile a VRF whose second router may send its own packets back into it."""
    text = flooded("eos").replace("protocol: ospf,", "protocol: ospf, own_sources: pass,")
    return compiled(text.replace(old, new) if old else text, "eos")


def test_a_router_that_sends_packets_back_has_no_list() -> None:
    labels = {guard.peer for switch_slice in borders(sent_back()) for guard in switch_slice.guards}
    assert labels == {"red_isp1"}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "vlans: {web: {id: 110, subnet: 10.110.0.0/24}}",
            "",
            "no subnet whose packets router isp2",
        ),
        ("tenants:", f"{ZONED}tenants:", "zone wan permits only its own prefixes from router"),
    ],
)
def test_where_nothing_could_be_sent_back_it_is_refused(old: str, new: str, said: str) -> None:
    found = [each for each in sent_back(old, new).findings if said in each.message]
    assert {each.path[-1] for each in found} == {"own_sources"}

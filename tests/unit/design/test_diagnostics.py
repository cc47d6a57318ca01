"""Diagnostic addresses: who has which, who learns of them, and who is refused."""

import pytest
from tests.unit.checks.sites import MANAGEMENT

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.addressing import address_of
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.zones import ICMP, Packet

SITE = (
    MANAGEMENT
    + """
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  leaf_groups: {racks: {leafs: 1-3, servers: {per_leaf: 2, speed: 100G}}}
tenants:
  web:
    vrfs:
      web:
        id: 1
        diagnostics: {subnet: 10.250.1.0/24}
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}}
    attachments: [{group: racks, servers: "1", access: web}]
  files:
    vrfs:
      files:
        id: 2
        diagnostics: {subnet: 10.250.2.0/24}
        vlans: {files: {id: 120, subnet: 10.120.0.0/24}}
    attachments: [{group: racks, servers: "2", access: files}]
"""
)
ZONES = """
zones:
  web: {vrfs: [web/web]}
  files: {vrfs: [files/files]}
"""


def designed(text: str) -> Site:
    site = compile_site(load_texts({"site.yaml": text})).site
    assert site is not None
    return site


def addresses(text: str, vrf: str = "web") -> dict[str, str]:
    fabric = designed(text).fabrics[0]
    assert fabric.overlay is not None
    own = fabric.overlay.vrfs[vrf].diagnostics
    assert own is not None
    leafs: list[Switch] = [each for each in fabric.topology.switches if each.is_leaf]
    return {leaf.name: str(own.address(leaf)) for leaf in leafs}


def test_leaf_n_has_the_nth_address_and_keeps_it_when_the_fabric_grows() -> None:
    small, large = addresses(SITE), addresses(SITE.replace("1-3", "1-7"))
    assert small == {f"fe-leaf0{n}": f"10.250.1.{n}/32" for n in (1, 2, 3)}
    assert small.items() <= large.items()


def test_another_vrf_takes_them_only_where_the_routes_are_shared() -> None:
    def taken(text: str) -> dict[str, set[str]]:
        overlay = designed(text).fabrics[0].overlay
        assert overlay is not None
        return {
            name: {rule.prefix.prefix for each in vrf.takes for rule in each.prefixes}
            for name, vrf in overlay.vrfs.items()
        }

    assert taken(SITE) == {"web": set(), "files": set()}
    shared = SITE.replace("        id: 2\n", "        id: 2\n        share_routes: [web]\n")
    assert taken(shared) == {
        "web": {"10.120.0.0/24", "10.250.2.0/24"},
        "files": {"10.110.0.0/24", "10.250.1.0/24"},
    }


def test_a_zone_lets_servers_answer_probes_of_their_vrf_and_nothing_else_there() -> None:
    zones = designed(SITE + ZONES).fabrics[0].overlay
    assert zones is not None
    guard, leaf = zones.zones.vlans[110], "10.250.1.2"
    assert guard.allows(_packet(leaf, ICMP, 0))[0]
    assert not guard.allows(_packet(leaf, ICMP, 8))[0]
    assert not guard.allows(_packet(leaf, "tcp", 0))[0]
    assert not guard.allows(_packet("10.250.2.2", ICMP, 0))[0]


def _packet(to: str, protocol: str, message: int) -> Packet:
    source, target = address_of("10.110.0.20"), address_of(to)
    return Packet(source=source, target=target, protocol=protocol, message=message)


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        (
            "10.250.1.0/24",
            "10.250.1.0/30",
            Code.POOL_TOO_SMALL,
            "10.250.1.0/30 has 4 addresses, of which 2 are for leafs, but the last leaf is 3",
        ),
        ("10.250.1.0/24", '"2001:db8::/64"', Code.BAD_VALUE, "2001:db8::/64 is IPv6, but probes"),
        (
            "subnet: 10.110.0.0/24",
            'subnet: "2001:db8:1::/64"',
            Code.BAD_VALUE,
            "no VLAN of the VRF has an IPv4 subnet",
        ),
        (
            "10.250.2.0/24",
            "10.250.0.0/16",
            Code.DIAGNOSTICS_OVERLAP,
            "10.250.0.0/16, overlap with 10.250.1.0/24 of the diagnostic addresses of VRF web",
        ),
        (
            "10.250.1.0/24",
            "10.65.0.0/24",
            Code.DIAGNOSTICS_OVERLAP,
            "overlap with 10.65.0.0/16 of the pool `vteps` of the fabric",
        ),
    ],
)
def test_subnets_that_cannot_be(old: str, new: str, code: Code, said: str) -> None:
    found = compile_site(load_texts({"site.yaml": SITE.replace(old, new)})).findings
    assert [each.code for each in found if said in each.message] == [code]


def test_a_packet_from_outside_with_a_diagnostic_address_is_dropped() -> None:
    peer = "{leaf: 1, cage: 24, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}"
    text = SITE.replace("        id: 1\n", f"        id: 1\n        external: {{isp: {peer}}}\n")
    overlay = designed(text).fabrics[0].overlay
    assert overlay is not None
    (guard,) = overlay.zones.peers.values()
    inside = address_of("10.110.0.20")
    assert not guard.allows(Packet(source=address_of("10.250.1.2"), target=inside))[0]
    assert guard.allows(Packet(source=address_of("198.51.100.1"), target=inside))[0]

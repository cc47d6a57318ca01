"""EOS: external peers of the text are those of the slice, and only their lists pass."""

import re

from tests.nos.eos.sites import BORDER, FRONT, Made, site, switches

from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell

VRF_NEIGHBOR = re.compile(r"(\S+) remote-as (\d+)")


def borders() -> list[Made]:
    made = [item for item in switches(BORDER) if item.switch_slice.external]
    assert [item.switch_slice.switch.name for item in made] == ["fe-leaf02", "fe-leaf04"]
    return made


def test_each_port_is_routed_in_the_vrf_of_its_peer() -> None:
    for made in borders():
        for item in made.switch_slice.interfaces:
            if item.use is not Use.EXTERNAL:
                continue
            port = spell(made.switch_slice.switch, item.port)
            assert made.interface(port).lines == [
                f"description {made.switch_slice.switch.name}:{port} to outside:{item.outside}",
                f"mtu {item.mtu}",
                "speed 100g-4",
                "no switchport",
                f"vrf {item.vrf}",
                f"ip address {item.address}",
                f"ip access-group ZONE-red_{item.outside} in",
                "no qos trust",
            ]


def test_neighbors_of_a_vrf_are_its_external_peers() -> None:
    for made in borders():
        peers = made.switch_slice.external
        for vrf in made.switch_slice.vrfs:
            block = made.bgp.block(f"vrf {vrf.name}")
            found = [VRF_NEIGHBOR.fullmatch(rest) for rest in block.rests("neighbor ")]
            told = [(match[1], int(match[2])) for match in found if match]
            mine = sorted((p for p in peers if p.vrf == vrf.name), key=lambda p: p.remote)
            assert told == [(peer.remote.host, peer.peer_asn) for peer in mine]
            families = block.starting("address-family")
            assert [line for family in families for line in family.lines] == [
                f"neighbor {peer.remote.host} activate" for peer in mine
            ]
            for peer in mine:
                rests = block.rests(f"neighbor {peer.remote.host} ")
                assert ("bfd" in rests) is peer.bfd
                assert f"description outside:{peer.name}" in rests
                assert rests[-3:] == [
                    f"route-map IN-{vrf.name}_{peer.name} in",
                    f"route-map OUT-{vrf.name}_{peer.name} out",
                    "maximum-routes 12000",
                ]


def test_what_passes_is_what_the_slice_says_and_nothing_else() -> None:
    for made in borders():
        for peer in made.switch_slice.external:
            for name, rules in (("IN", peer.accept), ("OUT", peer.announce)):
                label = f"{name}-{peer.vrf}_{peer.name}"
                assert made.config.block(f"ip prefix-list {label}").lines == [
                    f"seq {rule.sequence} permit {rule.prefix.prefix}" for rule in rules
                ]
                (entry,) = made.config.starting(f"route-map {label} ")
                assert entry.line == f"route-map {label} permit 10"
                assert entry.lines == [
                    f"match ip address prefix-list {label}",
                    "set community none",
                    "set extcommunity none",
                ]


def test_a_border_leaf_without_a_vlan_has_the_vrf_and_its_vni() -> None:
    made = site(BORDER)["fe-leaf04"]
    assert made.switch_slice.vlans == ()
    assert made.config.has("vrf instance red")
    assert made.config.has("ip routing vrf red")
    assert made.interface("Vxlan1").rests("vxlan vrf ") == ["red vni 50001"]
    assert not made.config.starting("interface Vlan")


def test_other_switches_have_none_of_it() -> None:
    for made in (*switches(FRONT), site(BORDER)["fe-leaf01"], site(BORDER)["fe-spine1"]):
        assert "outside" not in made.text
        assert not made.config.starting("ip prefix-list IN-")
        assert not made.config.starting("route-map OUT-")

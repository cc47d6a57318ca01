"""From frr.conf, read back: the external peers of the slice, and that only their lists pass."""

from tests.nos.frr.blocks import blocks
from tests.nos.linux.switches import Rendered, rendered, switch

from fabricgen.nos.shared.frr.lower import lower_frr
from fabricgen.nos.shared.frr.names import FrrNames


def borders() -> list[Rendered]:
    found = [item for item in rendered("border") if item.switch_slice.external]
    assert [item.switch_slice.switch.name for item in found] == ["fe-leaf02", "fe-leaf04"]
    return found


def test_neighbors_of_a_vrf_are_its_external_peers() -> None:
    for item in borders():
        root, switch_slice = blocks(item.frr), item.switch_slice
        for vrf in switch_slice.vrfs:
            block = root.block(f"router bgp {switch_slice.asn} vrf {vrf.name}")
            peers = sorted(
                (p for p in switch_slice.external if p.vrf == vrf.name), key=lambda p: p.remote
            )
            wanted: list[str] = []
            active: list[str] = []
            for peer in peers:
                label = f"{peer.vrf}_{peer.name}"
                words = [f"remote-as {peer.peer_asn}", f"description outside:{peer.name}"]
                words += ["bfd", "bfd profile UNDERLAY"] if peer.bfd else []
                wanted += [f"{peer.remote.host} {word}" for word in words]
                words = ["activate", "maximum-prefix 12000"]
                words += [f"route-map IN-{label} in", f"route-map OUT-{label} out"]
                active += [f"{peer.remote.host} {word}" for word in words]
            assert block.rests("neighbor ") == wanted
            assert block.block("address-family ipv4 unicast").rests("neighbor ") == active
            assert "ipv4 unicast" in block.block("address-family l2vpn evpn").rests("advertise ")
            for other in block.starting("address-family ipv6"):
                assert not other.rests("neighbor ")


def test_what_passes_is_what_the_slice_says_and_nothing_else() -> None:
    for item in borders():
        root = blocks(item.frr)
        for peer in item.switch_slice.external:
            for way, rules in (("IN", peer.accept), ("OUT", peer.announce)):
                label = f"{way}-{peer.vrf}_{peer.name}"
                assert root.rests(f"ip prefix-list {label} ") == [
                    f"seq {rule.sequence} permit {rule.prefix.prefix}" for rule in rules
                ]
                (entry,) = root.starting(f"route-map {label} ")
                assert entry.line == f"route-map {label} permit 10"
                assert [line.line for line in entry.below] == [
                    f"match ip address prefix-list {label}",
                    "set community none",
                    "set extcommunity none",
                ]


def test_lists_and_maps_stand_in_the_order_frr_prints() -> None:
    for item in borders():
        root = blocks(item.frr)
        for word in ("ip prefix-list ", "route-map "):
            names = [rest.split()[0] for rest in root.rests(word)]
            assert names == sorted(names)


def test_other_switches_have_none_of_it() -> None:
    for item in (*rendered("front"), switch("border", "fe-leaf01"), switch("border", "fe-spine1")):
        root = blocks(item.frr)
        assert not root.starting("ip prefix-list IN-")
        assert not root.starting("route-map OUT-")
        assert "outside" not in item.frr


def test_another_os_spells_the_vrf_and_keeps_the_names_of_the_policy() -> None:
    names = FrrNames(
        port=str,
        outward=str,
        loopback="lo",
        version="8.4.4",
        multipath=256,
        vrf=lambda name: f"Vrf_{name}",
    )
    view = lower_frr(switch("border", "fe-leaf04").switch_slice, names)
    assert view.bgp is not None
    (red,) = view.bgp.vrfs
    assert red.name == "Vrf_red"
    peer = red.families[0].peers[0].external
    assert (peer.remote.host, peer.inward, peer.outward) == (
        "192.0.2.0",
        "IN-red_isp",
        "OUT-red_isp",
    )

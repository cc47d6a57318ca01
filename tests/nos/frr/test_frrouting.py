"""From frr.conf, read back: the sessions, VNIs and policy of the slice, and nothing else."""

from dataclasses import replace

import pytest
from tests.nos.frr.blocks import Block, blocks
from tests.nos.linux.switches import LINUX, SITES, Rendered, rendered, switch

from fabricgen.core.provenance import Provenance
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.routing import FROM_ABOVE, AllowedPrefix
from fabricgen.nos.shared.border import PrefixLine
from fabricgen.nos.shared.frr.lower import lower_frr
from fabricgen.nos.shared.frr.names import FrrNames

WITH_SESSIONS = [site for site in SITES if not site.startswith("rail")]


def bgp(item: Rendered) -> Block:
    return blocks(item.frr).block(f"router bgp {item.switch_slice.asn}")


def neighbors(block: Block) -> dict[str, dict[str, str]]:
    """Return what is said of each neighbor and each group."""
    found: dict[str, dict[str, str]] = {}
    for rest in block.rests("neighbor "):
        name, word, *more = rest.split()
        if word == "interface":
            word, *more = more
        found.setdefault(name, {})[" ".join([word, *more[:-1]])] = more[-1] if more else ""
    return found


@pytest.mark.parametrize("site", WITH_SESSIONS)
def test_neighbors_are_the_sessions_of_the_slice(site: str) -> None:
    for item in rendered(site):
        told = neighbors(bgp(item))
        wanted = {}
        for session in item.switch_slice.sessions:
            tier = "ABOVE" if session.up else "BELOW"
            group = f"EVPN-{tier}" if session.overlay else tier
            assert session.remote or session.interface
            name = (
                session.remote.host
                if session.remote
                else LINUX.port_name(SHIPPED.known("LAB-64"), session.interface.port)  # type: ignore[union-attr]
            )
            wanted[name] = (group, str(session.peer_asn), session.peer.name)
        have = {
            name: (words["peer-group"], words["remote-as"], words["description"])
            for name, words in told.items()
            if "remote-as" in words
        }
        assert have == wanted


@pytest.mark.parametrize("site", WITH_SESSIONS)
def test_both_ends_of_a_session_agree(site: str) -> None:
    by_name = {item.switch_slice.switch.name: item for item in rendered(site)}
    for item in by_name.values():
        for words in neighbors(bgp(item)).values():
            if "remote-as" in words:
                peer = by_name[words["description"]]
                assert words["remote-as"] == str(peer.switch_slice.asn)


@pytest.mark.parametrize("site", WITH_SESSIONS)
def test_only_loopbacks_tunnels_and_nics_may_be_announced(site: str) -> None:
    for item in rendered(site):
        root = blocks(item.frr)
        rules = root.rests("ip prefix-list ALLOWED seq ")
        assert [rule.split()[2] for rule in rules] == [
            allowed.prefix.prefix for allowed in item.switch_slice.routing.allowed
        ]
        family = bgp(item).block("address-family ipv4 unicast")
        assert family.rests("redistribute ") == ["connected route-map CONNECTED"]
        assert not family.rests("network ")
        assert root.block("route-map CONNECTED permit 10").below[0].line.endswith("ALLOWED")


@pytest.mark.parametrize("site", WITH_SESSIONS)
def test_routes_from_above_never_go_back_up(site: str) -> None:
    for item in rendered(site):
        root, family = blocks(item.frr), bgp(item).block("address-family ipv4 unicast")
        groups = {"ABOVE" if s.up else "BELOW" for s in item.switch_slice.sessions if not s.overlay}
        for group in groups:
            assert f"{group} activate" in family.rests("neighbor ")
            assert f"{group} route-map FROM-{group} in" in family.rests("neighbor ")
            assert f"{group} route-map TO-{group} out" in family.rests("neighbor ")
        if "ABOVE" not in groups:
            assert not root.rests("bgp community-list ")
            continue
        assert root.rests("bgp community-list standard FROM-ABOVE seq 5 permit ") == [FROM_ABOVE]
        marked = root.block("route-map FROM-ABOVE permit 10")
        assert marked.rests("set ") == [f"community {FROM_ABOVE} additive"]
        denied = root.block("route-map TO-ABOVE deny 10")
        assert denied.rests("match ") == ["community FROM-ABOVE"]
        assert len(root.starting("route-map TO-ABOVE")) == 2


@pytest.mark.parametrize("site", ["front", "border"])
def test_evpn_routes_from_above_never_go_back_up(site: str) -> None:
    for item in rendered(site):
        root, family = blocks(item.frr), bgp(item).block("address-family l2vpn evpn")
        told = family.rests("neighbor ")
        if item.switch_slice.vtep is None:
            assert told == ["EVPN-BELOW activate"]
            assert not root.starting("route-map EVPN")
            continue
        assert told == [
            "EVPN-ABOVE activate",
            "EVPN-ABOVE route-map EVPN-FROM-ABOVE in",
            "EVPN-ABOVE route-map EVPN-TO-ABOVE out",
        ]
        marked = root.block("route-map EVPN-FROM-ABOVE permit 10")
        assert [line.line for line in marked.below] == [f"set community {FROM_ABOVE} additive"]
        denied = root.block("route-map EVPN-TO-ABOVE deny 10")
        assert [line.line for line in denied.below] == ["match community FROM-ABOVE"]
        assert root.block("route-map EVPN-TO-ABOVE permit 20").below == []


def test_each_link_kind_has_its_own_words() -> None:
    spine = bgp(switch("unnumbered", "be-spine1"))
    assert all(
        len(rest.split()) == 4 for rest in spine.rests("neighbor swp") if "interface" in rest
    )
    assert not [name for name in neighbors(spine) if "." in name or ":" in name]
    six = neighbors(bgp(switch("numbered-v6", "be-spine1")))
    assert "capability" in six["BELOW"]
    assert [name for name in six if ":" in name]
    four = neighbors(bgp(switch("numbered", "be-spine1")))
    assert "capability" not in four["BELOW"]


def test_bfd_is_said_twice_on_links_and_not_on_loopbacks() -> None:
    item = switch("front", "fe-leaf01")
    told = bgp(item).rests("neighbor ")
    assert "ABOVE bfd" in told
    assert "ABOVE bfd profile UNDERLAY" in told
    assert not [rest for rest in told if rest.startswith("EVPN") and "bfd" in rest]
    assert "bfd" not in switch("no-bfd", "be-spine1").frr


PROFILE = "profile UNDERLAY-200x4"
"""Named after its timers: FRR has no way back to a default within a profile."""


def test_bfd_timers_are_said_only_where_they_are_not_the_defaults() -> None:
    default = blocks(switch("numbered", "be-spine1").frr).block("bfd")
    assert default.block("profile UNDERLAY").below == []
    other = blocks(switch("unnumbered", "be-spine1").frr).block("bfd").block(PROFILE)
    assert [line.line for line in other.below] == [
        "detect-multiplier 4",
        "transmit-interval 200",
        "receive-interval 200",
    ]


def test_a_leaf_advertises_its_vnis_with_its_own_rd_and_the_common_rt() -> None:
    for item in rendered("front"):
        family, switch_slice = bgp(item).block("address-family l2vpn evpn"), item.switch_slice
        assert switch_slice.overlay is not None
        assert bool(family.rests("advertise-all-vni")) == (switch_slice.vtep is not None)
        vnis = {int(block.line.split()[1]): block for block in family.starting("vni ")}
        assert set(vnis) == {vlan.vni for vlan in switch_slice.vlans}
        for vlan in switch_slice.vlans:
            assert vlan.vni is not None
            block = vnis[vlan.vni]
            assert block.rests("rd ") == [route_distinguisher(switch_slice.loopback, vlan)]
            target = switch_slice.overlay.exported(vlan)[0]
            assert block.rests("route-target ") == [f"import {target}", f"export {target}"]


def test_a_vrf_has_its_l3vni_and_announces_its_subnets() -> None:
    for item in rendered("front"):
        root, switch_slice = blocks(item.frr), item.switch_slice
        assert switch_slice.overlay is not None
        told = {b.line.split()[1]: b.rests("vni ") for b in root.starting("vrf ")}
        assert told == {vrf.name: [str(vrf.vni)] for vrf in switch_slice.vrfs}
        assert len(root.starting("router bgp ")) == 1 + len(switch_slice.vrfs)
        for vrf in switch_slice.vrfs:
            block = root.block(f"router bgp {switch_slice.asn} vrf {vrf.name}")
            family = block.block("address-family l2vpn evpn")
            assert family.rests("rd ") == [route_distinguisher(switch_slice.loopback, vrf)]
            target = switch_slice.overlay.exported(vrf)[0]
            assert family.rests("route-target ") == [f"import {target}", f"export {target}"]
            assert block.block("address-family ipv4 unicast").rests("redistribute ") == [
                "connected"
            ]


def test_a_vrf_with_ipv6_subnets_announces_them_too() -> None:
    root = blocks(switch("front", "fe-leaf01").frr)
    (asn,) = (b.line.split()[2] for b in root.starting("router bgp ") if "vrf" not in b.line)
    red = root.block(f"router bgp {asn} vrf red")
    assert red.block("address-family ipv6 unicast").rests("redistribute ") == ["connected"]
    evpn = red.block("address-family l2vpn evpn")
    assert evpn.rests("advertise ") == ["ipv4 unicast", "ipv6 unicast"]
    blue = root.block(f"router bgp {asn} vrf blue")
    assert not blue.starting("address-family ipv6")


@pytest.mark.parametrize("site", ["rail-p2p", "rail-subnet"])
def test_a_switch_without_sessions_has_no_bgp(site: str) -> None:
    for item in rendered(site):
        assert [b.line.split()[0] for b in blocks(item.frr).below] == [
            "frr",
            "frr",
            "hostname",
            "log",
            "no",  # zebra nexthop kernel enable
            "service",
        ]


def test_the_width_of_ecmp_is_unsaid_where_it_is_the_default() -> None:
    switch_slice = switch("numbered", "be-spine1").switch_slice
    assert "maximum-paths 64" in switch("numbered", "be-spine1").frr
    narrow = FrrNames(
        port=lambda port: f"e{port.cage}", loopback="lo", version="8.4.4", multipath=64, outward=str
    )
    view = lower_frr(switch_slice, narrow)
    assert view.bgp is not None
    assert view.bgp.paths is None


def test_another_os_gives_its_own_names() -> None:
    names = FrrNames(
        port=lambda port: f"Ethernet{port.cage}",
        outward=str,
        loopback="Loopback0",
        vrf=lambda name: f"Vrf_{name}",
        version="10.3",
        multipath=256,
        preamble=("no fpm use-next-hop-groups", "fpm address 127.0.0.1"),
    )
    view = lower_frr(switch("front", "fe-leaf01").switch_slice, names)
    assert view.system.preamble[0] == "no fpm use-next-hop-groups"
    assert view.system.nexthop_objects
    assert view.vrfs is not None
    assert view.bgp is not None
    assert [vrf.name for vrf in view.vrfs.vrfs] == ["Vrf_blue", "Vrf_red"]
    assert {vrf.name for vrf in view.bgp.vrfs} == {"Vrf_blue", "Vrf_red"}
    assert {group.source for group in view.bgp.overlay} == {"Loopback0"}
    unnumbered = lower_frr(switch("unnumbered", "be-su01-leaf1").switch_slice, names)
    assert unnumbered.bgp is not None
    assert all(peer.name.startswith("Ethernet") for peer in unnumbered.bgp.unnumbered)


@pytest.mark.parametrize(
    ("site", "name"),
    [("unnumbered", "be-su01-leaf1"), ("numbered", "be-spine1"), ("front", "fe-leaf01")],
)
def test_neighbors_stand_as_frr_prints_them_whatever_order_they_are_told_in(
    site: str, name: str
) -> None:
    """By group, then by the place of the interface on the faceplate, or by the address."""
    switch_slice = switch(site, name).switch_slice
    names = FrrNames(
        port=lambda port: f"e{port.cage}",
        loopback="lo",
        version="8.4.4",
        multipath=256,
        outward=str,
    )
    turned = replace(switch_slice, sessions=tuple(reversed(switch_slice.sessions)))
    bgp, again = lower_frr(switch_slice, names).bgp, lower_frr(turned, names).bgp
    assert bgp is not None
    assert again is not None
    for neighbors in ("numbered", "unnumbered"):
        own = [peer.name for peer in getattr(bgp, neighbors)]
        assert [peer.name for peer in getattr(again, neighbors)] == own
    assert len(bgp.numbered) + len(bgp.unnumbered) == len(switch_slice.sessions) > 1


@pytest.mark.parametrize(
    ("length", "shortest", "longest", "text"),
    [
        (16, 32, 32, " ge 32 le 32"),
        (12, 31, 31, " ge 31 le 31"),
        (26, 26, 26, ""),
        (26, 26, 31, " le 31"),
    ],
)
def test_lengths_follow_the_rule_of_prefix_lists(
    length: int, shortest: int, longest: int, text: str
) -> None:
    allowed = AllowedPrefix(prefix=Ip(10 << 24, length), longest=longest, shortest=shortest)
    line = PrefixLine(name="ALLOWED", seq=10, allowed=allowed, because=Provenance((), ""))
    assert line.lengths == text


def test_groups_come_before_neighbors_in_the_order_frr_prints() -> None:
    names = [rest.split()[0] for rest in bgp(switch("front", "fe-spine1")).rests("neighbor ")]
    first = list(dict.fromkeys(names))
    assert first[:2] == ["BELOW", "EVPN-BELOW"]
    links, loopbacks = first[2:5], first[5:]
    assert links == sorted(links, key=lambda text: tuple(map(int, text.split("."))))
    assert loopbacks == sorted(loopbacks, key=lambda text: tuple(map(int, text.split("."))))
    assert all(name.startswith("10.72.") for name in links)

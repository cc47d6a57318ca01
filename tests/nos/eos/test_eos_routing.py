"""EOS: sessions, policy, VLANs and VRFs of the text are those of the slice; nothing else passes."""

import re

from tests.nos.eos.sites import (
    BUNDLED,
    FRONT,
    OVER_IPV6,
    RAIL_ONLY,
    RAILS,
    RELAYED,
    UNNUMBERED,
    Made,
    every_site,
    site,
    switches,
)

from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.nos.lowering import spell

NEIGHBOR = re.compile(r"^neighbor (?:interface )?(\S+) .*remote-as (\d+)$", re.MULTILINE)


@every_site
def test_neighbors_are_those_of_the_slice(text: str) -> None:
    for made in switches(text):
        expected = {
            (
                str(item.remote.host)
                if item.remote
                else spell(made.switch_slice.switch, item.interface.port)
                if item.interface
                else "",
                str(item.peer_asn),
            )
            for item in made.switch_slice.sessions
        }
        if made.switch_slice.pair is not None:
            expected.add((made.switch_slice.pair.remote.host, str(made.switch_slice.asn)))
        for link in (
            made.switch_slice.gateway.links if made.switch_slice.gateway is not None else ()
        ):
            asn = str(link.peer_asn)
            expected |= {(link.remote.host, asn), (link.loopback.host, asn)}
        if not expected:
            assert not made.config.starting("router bgp")
            continue
        said = set(NEIGHBOR.findall("\n".join(made.bgp.lines)))
        assert said == expected


@every_site
def test_every_neighbor_is_in_a_group_with_a_family(text: str) -> None:
    for made in switches(text):
        if not made.switch_slice.sessions:
            continue
        lines = made.bgp.lines
        groups = {line.split()[1] for line in lines if line.endswith(" peer group")}
        used = set(re.findall(r"peer[ -]group ([A-Z]\S+)", "\n".join(lines)))
        families = list(made.bgp.starting("address-family"))
        active = {
            line.split()[1]
            for family in families
            for line in family.rests("")
            if line.endswith(" activate")
        }
        assert groups == used == active


def test_the_underlay_lets_nothing_else_pass() -> None:
    made = site(FRONT)["fe-leaf01"]
    config, bgp = made.config, made.bgp
    assert bgp.has("neighbor UNDERLAY-ABOVE route-map FROM-ABOVE in")
    assert bgp.has("neighbor UNDERLAY-ABOVE route-map TO-ABOVE out")
    assert bgp.has("neighbor UNDERLAY-ABOVE send-community")
    assert bgp.has("redistribute connected route-map CONNECTED")
    assert config.block("ip prefix-list ALLOWED").lines == [
        f"seq {10 * place} permit {item.prefix.prefix} eq {item.longest}"
        for place, item in enumerate(made.switch_slice.routing.allowed, 1)
    ]
    assert config.block("route-map CONNECTED permit 10").lines == [
        "match ip address prefix-list ALLOWED"
    ]


def test_no_valleys() -> None:
    config = site(FRONT)["fe-leaf01"].config
    assert config.has("ip community-list FROM-ABOVE permit 64512:100")
    for name in ("FROM-ABOVE", "EVPN-FROM-ABOVE"):
        block = config.block(f"route-map {name} permit 10")
        assert block.has("set community 64512:100 additive")
    for name in ("TO-ABOVE", "EVPN-TO-ABOVE"):
        first, last = config.starting(f"route-map {name} ")
        assert (first.line, first.lines) == (
            f"route-map {name} deny 10",
            ["match community FROM-ABOVE"],
        )
        assert last.line == f"route-map {name} permit 20"


def test_a_spine_has_no_policy_for_a_tier_above() -> None:
    made = site(RAILS)["be-spine1"]
    names = {line.split()[0] for line in made.config.rests("route-map ")}
    assert names == {"CONNECTED", "FROM-BELOW", "TO-BELOW"}


def test_bgp_head() -> None:
    made = site(RAILS)["be-su01-leaf1"]
    paths = made.switch_slice.routing.ecmp
    assert made.bgp.lines[:4] == [
        f"router-id {made.switch_slice.loopback.host}",
        "update wait-install",
        "no bgp default ipv4-unicast",
        f"maximum-paths {paths} ecmp {paths}",
    ]
    assert made.bgp.has("neighbor UNDERLAY-ABOVE bfd")
    assert made.config.block("router bfd").lines == ["interval 300 min-rx 300 multiplier 3 default"]


def test_evpn_runs_between_loopbacks() -> None:
    group = "neighbor EVPN-ABOVE "
    assert site(FRONT)["fe-leaf01"].bgp.rests(group)[1:] == [
        "update-source Loopback0",
        "bfd",
        "ebgp-multihop 3",
        "send-community",
        "maximum-routes 0",
    ]


def test_only_spines_leave_the_next_hop_of_evpn_alone() -> None:
    assert site(FRONT)["fe-spine1"].bgp.has("neighbor EVPN-BELOW next-hop-unchanged")
    assert "next-hop-unchanged" not in site(FRONT)["fe-leaf01"].text


def test_unnumbered_links() -> None:
    made = site(UNNUMBERED)["fe-leaf01"]
    fabric = [item for item in made.switch_slice.interfaces if item.use is Use.FABRIC]
    for item in fabric:
        block = made.interface(spell(made.switch_slice.switch, item.port))
        assert block.has("ipv6 enable")
        assert not block.starting("ip address")
    assert len(made.bgp.starting("neighbor interface ")) == len(fabric)
    over_ipv6(made)


def test_ipv6_links() -> None:
    made = site(OVER_IPV6)["fe-leaf01"]
    for item in made.switch_slice.interfaces:
        if item.use is Use.FABRIC:
            block = made.interface(spell(made.switch_slice.switch, item.port))
            assert block.has(f"ipv6 address {item.address}")
            assert not block.starting("ip address")
    over_ipv6(made)


def over_ipv6(made: Made) -> None:
    """IPv4 routes with IPv6 next hops (RFC 8950), and forwarding on ports without IPv4."""
    assert made.config.has("ip routing ipv6 interfaces")
    assert made.config.has("ipv6 unicast-routing")
    assert made.bgp.block("address-family ipv4").has(
        "neighbor UNDERLAY-ABOVE next-hop address-family ipv6 originate"
    )


def test_vlans_and_vnis() -> None:
    for made in switches(FRONT):
        switch_slice, config = made.switch_slice, made.config
        if not switch_slice.vlans:
            assert not config.starting("interface Vxlan1")
            continue
        vxlan = config.block("interface Vxlan1")
        assert vxlan.has("vxlan source-interface Loopback1")
        assert sorted(vxlan.rests("vxlan vlan ")) == sorted(
            f"{vlan.id} vni {vlan.vni}" for vlan in switch_slice.vlans
        )
        assert sorted(vxlan.rests("vxlan vrf ")) == sorted(
            f"{vrf.name} vni {vrf.vni}" for vrf in switch_slice.vrfs
        )
        for vlan in switch_slice.vlans:
            assert config.block(f"vlan {vlan.id}").lines == [f"name {vlan.name}"]


def test_vlans_of_a_vrf_are_one_instance_where_asked() -> None:
    """Its numbers are the VRF's, so a VLAN more moves none; a VLAN without a VRF stays alone."""
    made = site(BUNDLED)["fe-leaf01"].bgp
    assert made.block("vlan-aware-bundle red").lines == [
        "rd 10.64.0.1:13001",
        "route-target both 64999:50001",
        "redistribute learned",
        "vlan 110-112",
    ]
    assert made.block("vlan-aware-bundle blue").rests("vlan ") == ["120"]
    assert made.block("vlan 130").has("route-target both 64999:10130")
    assert not made.has("vlan 110")


def test_distinguishers_and_targets() -> None:
    made = site(FRONT)["fe-leaf01"]
    switch_slice, overlay = made.switch_slice, made.switch_slice.overlay
    assert overlay is not None
    for vlan in switch_slice.vlans:
        assert vlan.vni is not None
        assert made.bgp.block(f"vlan {vlan.id}").lines == [
            f"rd {route_distinguisher(switch_slice.loopback, vlan)}",
            f"route-target both {overlay.exported(vlan)[0]}",
            "redistribute learned",
        ]
    for vrf in switch_slice.vrfs:
        block, target = made.bgp.block(f"vrf {vrf.name}"), overlay.exported(vrf)[0]
        assert block.has(f"rd {route_distinguisher(switch_slice.loopback, vrf)}")
        assert block.rests("route-target ") == [f"import evpn {target}", f"export evpn {target}"]
        assert block.has(f"router-id {switch_slice.loopback.host}")
        assert block.has("redistribute connected")


def test_each_leaf_asks_dhcp_servers_from_its_own_address() -> None:
    made = site(RELAYED)
    for number, name in ((1, "fe-leaf01"), (2, "fe-leaf02")):
        config = made[name].config
        assert config.has("ip dhcp relay information option")
        assert config.block("interface Loopback2").lines == [
            "description DHCP relay of red",
            "vrf red",
            f"ip address 10.98.1.{number}/32",
            f"ipv6 address 2001:db8:98::{number}/128",
        ]
        relayed = "ip helper-address 10.110.0.{} source-interface Loopback2"
        assert config.block("interface Vlan110").lines[3:] == [
            relayed.format(5),
            relayed.format(6),
            "ip address virtual 10.110.0.1/24",
        ]
        assert config.block("interface Vlan111").lines[3:] == [
            relayed.format(5),
            relayed.format(6),
            (
                "ipv6 dhcp relay destination 2001:db8:112::5 local-interface Loopback2 "
                "link-address 2001:db8:111::1"
            ),
            "ipv6 enable",
            "ipv6 nd managed-config-flag",
            "ipv6 nd prefix 2001:db8:111::/64 infinite infinite no-autoconfig",
            "ip address virtual 10.111.0.1/24",
            "ipv6 address virtual 2001:db8:111::1/64",
        ]
        assert config.block("interface Vlan112").lines[3:] == [
            "ipv6 enable",
            "ipv6 nd prefix 2001:db8:112::/64",
            "ipv6 address virtual 2001:db8:112::1/64",
        ]
    assert not made["fe-spine1"].config.has("ip dhcp relay information option")


def test_anycast_gateways() -> None:
    config = site(FRONT)["fe-leaf01"].config
    assert config.block("interface Vlan110").lines == [
        "description red-web",
        "mtu 9164",
        "vrf red",
        "ip address virtual 10.110.0.1/24",
    ]
    assert config.block("interface Vlan111").lines[-4:] == [
        "ipv6 enable",
        "ipv6 nd ra disabled",
        "ip address virtual 10.111.0.1/24",
        "ipv6 address virtual 2001:db8:111::1/64",
    ]
    assert config.block("interface Vlan112").lines[-3:] == [
        "ipv6 enable",
        "ipv6 nd ra disabled",
        "ipv6 address virtual 2001:db8:112::1/64",
    ]
    assert not config.starting("interface Vlan130")
    assert config.has("ip virtual-router mac-address 00:1c:73:00:00:99")
    assert config.rests("ip routing vrf ") == ["blue", "red"]
    assert config.rests("ipv6 unicast-routing vrf ") == ["red"]
    assert config.rests("vrf instance ") == ["blue", "mgmt", "red"]


def test_rail_only_leafs_route_without_bgp() -> None:
    for made in switches(RAIL_ONLY):
        assert made.config.has("ip routing")
        for word in ("router b", "route-map", "ip prefix-list", "ip community-list"):
            assert not made.config.starting(word)


def test_bfd_watches_evpn_where_the_far_end_is_eos_as_well() -> None:
    leaf = site(FRONT)["fe-leaf01"]
    assert leaf.bgp.has("neighbor EVPN-ABOVE bfd")
    timers = "interval 300 min-rx 300 multiplier 3"
    assert leaf.config.block("router bfd").lines == [f"{timers} default", f"multihop {timers}"]
    mixed = site(FRONT.replace("platform: eos, count: 2", "platform: linux, count: 2"))
    assert not mixed["fe-leaf01"].bgp.has("neighbor EVPN-ABOVE bfd")
    assert mixed["fe-leaf01"].config.block("router bfd").lines == [f"{timers} default"]


def test_routes_of_a_vrf_wait_for_the_hardware_too() -> None:
    made = site(FRONT)["fe-leaf01"]
    for vrf in made.switch_slice.vrfs:
        assert made.bgp.block(f"vrf {vrf.name}").has("update wait-install")

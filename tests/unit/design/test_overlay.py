"""Tenants: numbers from bases and ids, ports from attachments, and each refusal at its place."""

import pytest
from tests.unit.design.sites import Keys, fabric, findings, frontend, only

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.overlay import Overlay

WEB: Keys = {"id": 110, "subnet": "10.110.0.0/24"}
DB: Keys = {"id": 111, "subnet": "10.111.0.0/24", "gateway": "10.111.0.254"}


def site(red: Keys, blue: Keys | None = None, **overlay: object) -> Keys:
    tenants = {"red": red} | ({"blue": blue} if blue else {})
    return frontend(overlay=overlay) | {"tenants": tenants}


def routed(number: int = 1, name: str = "red", **vlans: Keys) -> Keys:
    return {"vrfs": {name: {"id": number, "vlans": vlans}}}


def relayed(server: str, **relay: str) -> Keys:
    words = routed(web=WEB)
    words["vrfs"]["red"]["dhcp_relay"] = {"servers": [server], **relay}
    return words


def designed(keys: Keys) -> Overlay:
    overlay = fabric(keys).overlay
    assert overlay is not None
    return overlay


def test_numbers_are_a_base_and_an_id() -> None:
    bases: Keys = {"l2vni_base": 20_000, "l3vni_base": 60_000, "transit_vlan_base": 2_000}
    overlay = designed(site({**routed(7, web=WEB), "vlans": {"raw": {"id": 90}}}, **bases))
    assert [(vlan.id, vlan.vni, vlan.vrf) for vlan in overlay.vlans.values()] == [
        (90, 20_090, None),
        (110, 20_110, "red"),
    ]
    vrf = overlay.vrfs["red"]
    assert (vrf.id, vrf.vni, vrf.transit_vlan) == (7, 60_007, 2_007)
    assert vrf.because.rule == "L3VNI = 60000 + id 7; transit VLAN = 2000 + id"
    assert vrf.because.main == ("tenants", "red", "vrfs", "red")
    web = overlay.vlans[110]
    assert (web.name, web.tenant, str(web.gateway(4))) == ("red-web", "red", "10.110.0.1/24")
    assert web.because.rule == "L2VNI = 20000 + VLAN id 110"
    assert web.because.main == ("tenants", "red", "vrfs", "red", "vlans", "web")
    assert overlay.vlans[90].because.main == ("tenants", "red", "vlans", "raw")
    assert not overlay.vlans[90].gateways


def test_rules_are_those_of_the_intent() -> None:
    mac = "00:1c:73:aa:bb:cc"
    rules = designed(site({}, anycast_mac=mac, route_target_asn=7)).rules
    assert rules is not None
    assert (rules.anycast_mac, rules.route_target_asn) == (mac, 7)
    assert rules.path == ("frontend", "overlay")


def test_a_gateway_that_is_given_is_kept() -> None:
    assert str(designed(site(routed(db=DB))).vlans[111].gateway(4)) == "10.111.0.254/24"


def test_a_vlan_and_a_vrf_have_the_vni_and_name_that_are_said() -> None:
    words = routed(web={**WEB, "vni": 5110, "name": "Web_Tier", "subnet6": "2001:db8::/64"}, db=DB)
    words["vrfs"]["red"]["vni"] = 5001
    overlay = designed(site(words))
    web, red = overlay.vlans[110], overlay.vrfs["red"]
    assert (web.vni, web.name, web.text, red.vni) == (5110, "Web_Tier", "Web_Tier", 5001)
    assert [str(each) for each in web.gateways] == ["10.110.0.1/24", "2001:db8::1/64"]
    assert overlay.vlans[111].vni == 10111


def test_an_attachment_is_for_the_servers_and_leafs_it_names() -> None:
    whole = {"group": "racks", "trunk": ["db"]}
    part = {"group": "racks", "servers": "2-3", "leafs": "2", "access": "web"}
    ports = designed(site({**routed(web=WEB, db=DB), "attachments": [whole, part]})).ports
    carried = {
        leaf: {
            server: (each.untagged.id if each.untagged else None, [v.id for v in each.tagged])
            for server, each in servers.items()
        }
        for leaf, servers in ports.items()
    }
    plain, both = (None, [111]), (110, [111])
    assert carried == {
        "fe-leaf01": {1: plain, 2: plain, 3: plain, 4: plain},
        "fe-leaf02": {1: plain, 2: both, 3: both, 4: plain},
    }
    because = ports["fe-leaf02"][2].because
    assert because.paths == tuple(("tenants", "red", "attachments", number) for number in (0, 1))


def test_the_native_vlan_of_a_trunk_is_untagged_and_the_rest_in_order() -> None:
    item = {"group": "racks", "servers": "1", "trunk": ["db", "web", "raw"], "native": "web"}
    red = {**routed(web=WEB, db=DB), "vlans": {"raw": {"id": 90}}, "attachments": [item]}
    carries = designed(site(red)).ports["fe-leaf01"][1]
    assert carries.untagged is not None
    assert (carries.untagged.id, [vlan.id for vlan in carries.tagged]) == (110, [90, 111])


RED = ("tenants", "red")
RED_VLANS = (*RED, "vrfs", "red", "vlans")
BLUE_VRF = ("tenants", "blue", "vrfs", "blue")


@pytest.mark.parametrize(
    ("keys", "code", "path", "message"),
    [
        (
            site(routed(web=WEB), routed(2, name="red", db=DB)),
            Code.DUPLICATE_ID,
            ("tenants", "blue", "vrfs", "red"),
            "the VRF name 'red' is also used by red/red",
        ),
        (
            site(routed(web=WEB, db={**DB, "name": "red-web"})),
            Code.DUPLICATE_ID,
            (*RED_VLANS, "db", "name"),
            "the VLAN name red-web is also used by VLAN 110",
        ),
        (
            site(routed(web={**WEB, "subnet6": "10.1.0.0/24"})),
            Code.BAD_VALUE,
            (*RED_VLANS, "web", "subnet6"),
            "a VLAN has at most one IPv4 subnet and one IPv6 subnet",
        ),
        (
            site(relayed("10.110.0.5", sources6="2001:db8:98::/64", sources="10.98.1.0/24")),
            Code.BAD_VALUE,
            (*RED_VLANS[:-1], "dhcp_relay", "sources6"),
            "no DHCP server has an IPv6 address, so 2001:db8:98::/64 has no effect",
        ),
        (
            site(relayed("10.110.0.5", sources="2001:db8:98::/64")),
            Code.BAD_VALUE,
            (*RED_VLANS[:-1], "dhcp_relay", "sources"),
            "no DHCP server has an IPv4 address, so 2001:db8:98::/64 has no effect",
        ),
        (
            site(relayed("10.110.0.5")),
            Code.MISSING_KEY,
            (*RED_VLANS[:-1], "dhcp_relay", "sources"),
            "leafs have no source address for requests to the DHCP server 10.110.0.5",
        ),
        (
            site(relayed("2001:db8::5", sources6="2001:db8:98::/64")),
            Code.BAD_VALUE,
            (*RED_VLANS[:-1], "dhcp_relay", "servers"),
            "no VLAN of the VRF advertises DHCPv6 to its servers",
        ),
        (
            site(relayed("10.110.0.5", sources="10.98.1.0/31")),
            Code.POOL_TOO_SMALL,
            (*RED_VLANS[:-1], "dhcp_relay", "sources"),
            "10.98.1.0/31 has no address for leaf 2",
        ),
        (
            site(routed(web={**WEB, "announce": "dhcp"})),
            Code.BAD_VALUE,
            (*RED_VLANS, "web", "announce"),
            "router advertisements need IPv6, but this VLAN has no IPv6 subnet",
        ),
        (
            site(routed(web={**WEB, "subnet6": "2001:db8::/80", "announce": "slaac"})),
            Code.BAD_VALUE,
            (*RED_VLANS, "web", "announce"),
            "servers derive addresses only from a /64, but the subnet is 2001:db8::/80",
        ),
        (
            site({"vlans": {"raw": {"id": 90, "announce": "slaac"}}}),
            Code.BAD_VALUE,
            (*RED, "vlans", "raw", "announce"),
            "a VLAN outside a VRF is bridged only and has no announce",
        ),
        (
            site(routed(web={"id": 110, "subnet": "2001:db8::/64", "multicast": "snooped"})),
            Code.BAD_VALUE,
            (*RED_VLANS, "web", "multicast"),
            "the IGMP querier needs an IPv4 gateway address, but this VLAN has none",
        ),
        (
            site({"vlans": {"raw": {"id": 90, "multicast": "snooped"}}}),
            Code.BAD_VALUE,
            (*RED, "vlans", "raw", "multicast"),
            "the IGMP querier needs an IPv4 gateway address, but this VLAN has none",
        ),
        (
            site(routed(web={**WEB, "multicast": "snooped"}, db=DB), service="vlan-aware"),
            Code.BAD_VALUE,
            (*RED_VLANS, "web", "multicast"),
            (
                "the VLANs of a VRF are one EVPN instance, which advertises groups for "
                "all VLANs or for none"
            ),
        ),
        (
            site(routed(web={**WEB, "gateway6": "2001:db8::1"})),
            Code.BAD_VALUE,
            (*RED_VLANS, "web", "gateway6"),
            "this key needs a `subnet6`",
        ),
        (
            site(routed(web=WEB), routed(1, name="blue", db=DB)),
            Code.DUPLICATE_ID,
            (*BLUE_VRF, "id"),
            "the VRF id 1 is also used by red/red",
        ),
        (
            site(routed(web=WEB), routed(2, name="blue", db={**DB, "id": 110})),
            Code.DUPLICATE_ID,
            (*BLUE_VRF, "vlans", "db", "id"),
            "the VLAN id 110 is also used by red/red-web",
        ),
        (
            site({**routed(web=WEB), "vlans": {"web": {"id": 90}}}),
            Code.DUPLICATE_ID,
            (*RED, "vlans", "web"),
            "the tenant has two VLANs named 'web'",
        ),
        (
            site(routed(500, web=WEB)),
            Code.VNI_CLASH,
            (*RED, "vrfs", "red", "id"),
            "the transit VLAN 3500 of this VRF is in 3500-4093, which is reserved for routed ports",
        ),
        (
            site(routed(web={**WEB, "id": 3001})),
            Code.VNI_CLASH,
            (*RED, "vrfs", "red", "vlans", "web", "id"),
            "VLAN ids above 3000 are reserved for transit VLANs of VRFs and for routed ports",
        ),
        (
            site({"vlans": {"raw": {"id": 90, "subnet": "10.9.0.0/24"}}}),
            Code.BAD_VALUE,
            (*RED, "vlans", "raw", "subnet"),
            "a VLAN outside a VRF is bridged only and has no subnet",
        ),
        (
            site(routed(web={**WEB, "subnet": "10.110.0.0/31"})),
            Code.POOL_TOO_SMALL,
            (*RED, "vrfs", "red", "vlans", "web", "subnet"),
            "10.110.0.0/31 has no room for a gateway and hosts",
        ),
        (
            site(routed(web={**WEB, "gateway": "10.110.0.255"})),
            Code.BAD_VALUE,
            (*RED, "vrfs", "red", "vlans", "web", "gateway"),
            "the gateway is not a host of 10.110.0.0/24",
        ),
    ],
)
def test_a_clash_is_refused_at_the_key_to_change(
    keys: Keys, code: Code, path: tuple[str, ...], message: str
) -> None:
    found = only(keys)
    assert (found.code, found.severity) == (code, Severity.ERROR)
    assert (found.path, found.message) == (path, message)


@pytest.mark.parametrize(
    "keys",
    [
        site(routed(499, web=WEB)),
        site(routed(web={**WEB, "id": 3000})),
        site(routed(web={**WEB, "subnet": "10.110.0.0/30"})),
        site(routed(web={**WEB, "gateway": "10.110.0.254"})),
        site(routed(web={**WEB, "subnet6": "2001:db8::/80", "announce": "dhcp"})),
    ],
)
def test_what_just_fits_is_taken(keys: Keys) -> None:
    assert findings(keys) == []


def test_a_description_that_is_printed_nowhere_is_warned_of() -> None:
    found = only(site({"description": "Training", "vlans": {"raw": {"id": 90}}}))
    assert (found.code, found.severity) == (Code.BAD_VALUE, Severity.WARNING)
    assert found.path == (*RED, "description")
    assert (
        designed(site({"description": "Training", **routed(web=WEB)})).vrfs["red"].description
        == "Training"
    )


def test_servers_with_two_untagged_vlans_are_counted() -> None:
    parts = [{"group": "racks", "servers": "2-4", "access": name} for name in ("web", "db")]
    found = only(site({**routed(web=WEB, db=DB), "attachments": parts}))
    assert (found.code, found.path) == (Code.PORT_USED_TWICE, (*RED, "attachments", 1))
    assert found.message == "server 2 (and 2 more) already has the untagged VLAN red-web"

"""List faults of VLANs, VRFs, VNIs, tunnels, BGP and routes."""

from tests.written.eos.planting import (
    _ACCESS,
    _CATEGORIES,
    ACLS,
    BFD,
    BORDER,
    DETAIL,
    EDGE,
    EVPN,
    FAR,
    IMET,
    INSTANCES,
    LEAF,
    PEER,
    ROUTE,
    SEGMENT,
    SPINE,
    SUMMARY,
    SWITCHPORTS,
    VLANS,
    VNIS,
    VRFS,
    VXLAN,
    Fault,
    added,
    both,
    fewer,
    invalid_type5,
    lose,
    lost_type5,
    no_route,
    peer,
    put,
    route_to,
    rule,
    text,
    unprogrammed,
    vtep_lost,
    without_imet,
)

FAULTS = (
    # VLANs
    Fault(
        "a trunk lacks a VLAN",
        LEAF,
        put(
            *(SWITCHPORTS, "switchports", EDGE, "switchportInfo"),
            *("trunkAllowedVlans", "100"),
        ),
        "PortVlans",
        "carries VLAN 100",
    ),
    Fault(
        "a trunk has another VLAN as well",
        LEAF,
        put(
            *(SWITCHPORTS, "switchports", EDGE, "switchportInfo"),
            *("trunkAllowedVlans", "100-102"),
        ),
        "PortVlans",
        "102",
    ),
    Fault(
        "a trunk has every VLAN",
        LEAF,
        put(
            *(SWITCHPORTS, "switchports", EDGE, "switchportInfo"),
            *("trunkAllowedVlans", "ALL"),
        ),
        "PortVlans",
        "1-4094",
    ),
    Fault(
        "a trunk has no VLAN",
        LEAF,
        put(
            *(SWITCHPORTS, "switchports", EDGE, "switchportInfo"),
            *("trunkAllowedVlans", "NONE"),
        ),
        "PortVlans",
        EDGE,
    ),
    Fault(
        "another native VLAN",
        LEAF,
        put(
            *(SWITCHPORTS, "switchports", EDGE, "switchportInfo"),
            *("trunkingNativeVlanId", 101),
        ),
        "PortVlans",
        "untagged VLAN 101",
    ),
    Fault(
        "an access port instead of a trunk",
        *(LEAF, put(SWITCHPORTS, "switchports", EDGE, _ACCESS), "PortVlans", EDGE),
    ),
    Fault(
        "an unused port in a VLAN",
        LEAF,
        put(SWITCHPORTS, "switchports", "Ethernet28/1", _ACCESS),
        "PortVlans",
        "Ethernet28/1",
    ),
    Fault(
        "a port-channel lacks a VLAN",
        SEGMENT,
        put(
            *(SWITCHPORTS, "switchports", "Port-Channel1", "switchportInfo"),
            *("trunkAllowedVlans", "NONE"),
        ),
        "PortVlans",
        "Port-Channel1",
    ),
    Fault("a VLAN is missing", LEAF, lose(VLANS, "vlans", "100"), "Vlans", "VLAN 100"),
    Fault(
        "a VLAN of another name",
        *(LEAF, put(VLANS, "vlans", "100", "name", "VLAN0100"), "Vlans", "VLAN0100"),
    ),
    Fault(
        "one VLAN more",
        LEAF,
        added(VLANS, "vlans", "666", {"name": "test", "status": "active", "dynamic": False}),
        "Vlans",
        "VLAN 666",
    ),
    # VRFs and VNIs
    Fault("a VRF is missing", LEAF, lose(VRFS, "vrfs", "training"), "Vrfs", "VRF training"),
    Fault(
        "one VRF more",
        LEAF,
        added(VRFS, "vrfs", "guest", {"routeDistinguisher": "", "interfaces": []}),
        "Vrfs",
        "VRF guest",
    ),
    Fault(
        "another RD of a VRF",
        LEAF,
        put(VRFS, "vrfs", "training", "routeDistinguisher", "10.64.0.1:9"),
        "RouteTargets",
        "10.64.0.1:9",
    ),
    Fault(
        "a gateway is in no VRF",
        LEAF,
        put(VRFS, "vrfs", "training", "interfaces", []),
        "PortVrf",
        "Vlan100",
    ),
    Fault(
        "a gateway is in another VRF",
        LEAF,
        both(
            put(VRFS, "vrfs", "training", "interfaces", ["Vlan101"]),
            put(VRFS, "vrfs", "mgmt", "interfaces", ["Management1", "Vlan100"]),
        ),
        "PortVrf",
        "is in VRF mgmt",
    ),
    Fault(
        "another VNI of a VLAN",
        LEAF,
        both(
            lose(VNIS, "vxlanIntfs", "Vxlan1", "vniBindings", "10100"),
            added(VNIS, "vxlanIntfs", "Vxlan1", "vniBindings", "10999", {"vlan": 100}),
        ),
        "Vnis",
        "10999",
    ),
    Fault(
        "a VNI is missing",
        *(LEAF, lose(VNIS, "vxlanIntfs", "Vxlan1", "vniBindings", "10101"), "Vnis", "10101"),
    ),
    Fault(
        "the VNI of a VRF is missing",
        LEAF,
        lose(VNIS, "vxlanIntfs", "Vxlan1", "vniBindingsToVrf", "50001"),
        "Vnis",
        "50001",
    ),
    Fault(
        "the VNI of another VRF",
        LEAF,
        put(VNIS, "vxlanIntfs", "Vxlan1", "vniBindingsToVrf", "50001", "vrfName", "mgmt"),
        "Vnis",
        "is in VRF mgmt",
    ),
    Fault(
        "a VNI of another VLAN",
        LEAF,
        put(VNIS, "vxlanIntfs", "Vxlan1", "vniBindings", "10101", "vlan", 102),
        "Vnis",
        "VLAN 102",
    ),
    Fault(
        "an import target is missing",
        LEAF,
        text(INSTANCES, "import: Route-Target-AS:64999:10100", "import: "),
        "RouteTargets",
        "imports route target nothing",
    ),
    Fault(
        "an export target is another",
        LEAF,
        text(INSTANCES, "export: Route-Target-AS:64999:10100", "export: Route-Target-AS:1:1"),
        "RouteTargets",
        "exports route target 1:1",
    ),
    Fault(
        "an RD is another",
        LEAF,
        text(INSTANCES, "distinguisher: 10.64.0.1:100", "distinguisher: 10.64.0.1:7"),
        "RouteTargets",
        "10.64.0.1:7",
    ),
    Fault(
        "a VLAN is not in EVPN",
        LEAF,
        text(INSTANCES, "EVPN instance: VLAN 100\n", "EVPN instance: VLAN 900\n"),
        "RouteTargets",
        "10100",
    ),
    # the tunnel
    Fault(
        "another source of tunnels",
        LEAF,
        put(VXLAN, "interfaces", "Vxlan1", "srcIpIntf", "Loopback0"),
        "Vtep",
        "Loopback0",
    ),
    Fault(
        "another source address of tunnels",
        LEAF,
        put(VXLAN, "interfaces", "Vxlan1", "srcIpAddr", "10.64.0.1"),
        "Vnis",
        "starts its tunnels at 10.64.0.1",
    ),
    Fault(
        "another UDP port",
        *(LEAF, put(VXLAN, "interfaces", "Vxlan1", "udpPort", 8472), "Vtep", "8472"),
    ),
    Fault(
        "the switch finds a fault",
        LEAF,
        put(*_CATEGORIES, "mlag", "allCheckPass", False),  # noqa: FBT003 - a value of JSON
        "VxlanSanity",
        "mlag",
    ),
    Fault("a leaf is not in a flood list", LEAF, vtep_lost("100"), "FloodLists", "VLAN 100"),
    Fault(
        "a flood list is empty",
        LEAF,
        put(*(VXLAN, "interfaces", "Vxlan1", "vlanToVtepList", "101", "remoteVtepAddr"), []),
        "FloodLists",
        "VLAN 101",
    ),
    Fault(
        "a stranger is in a flood list",
        LEAF,
        put(
            *(VXLAN, "interfaces", "Vxlan1", "vlanToVtepList", "101", "remoteVtepAddr"),
            ["10.9.9.9"],
        ),
        "FloodLists",
        "10.9.9.9",
    ),
    # BGP
    Fault(
        "a session is down",
        *(LEAF, peer(PEER, peerState="Active"), "BgpSessions", "the session is Active"),
    ),
    Fault(
        "an EVPN session is down",
        *(LEAF, peer(EVPN, peerState="Idle"), "BgpSessions", "the session is Idle"),
    ),
    Fault(
        "a session is missing",
        *(LEAF, lose(SUMMARY, "vrfs", "default", "peers", PEER), "BgpPeers", "not configured"),
    ),
    Fault("another ASN", LEAF, peer(PEER, peerAsn="65535.65531"), "BgpPeers", "4294967291"),
    Fault(
        "a small ASN",
        *(LEAF, peer(PEER, peerAsn="65001"), "BgpPeers", "65001"),
    ),
    Fault(
        "a family is not negotiated",
        LEAF,
        put(
            *(SUMMARY, "vrfs", "default", "peers", EVPN),
            *("l2VpnEvpn", "afiSafiState", "advertised"),
        ),
        "BgpFamilies",
        EVPN,
    ),
    Fault(
        "one family more",
        LEAF,
        added(
            *(SUMMARY, "vrfs", "default", "peers", PEER),
            *("l2VpnEvpn", {"afiSafiState": "negotiated", "nlrisAccepted": 1}),
        ),
        "BgpFamilies",
        PEER,
    ),
    Fault(
        "an unknown session",
        LEAF,
        added(
            *(SUMMARY, "vrfs", "default", "peers", "10.9.9.9"),
            {"peerState": "Established", "peerAsn": "65000", "ipv4Unicast": {}},
        ),
        "BgpPeers",
        "10.9.9.9",
    ),
    Fault(
        "the session of a router is down",
        BORDER,
        put(*(SUMMARY, "vrfs", "training", "peers", "192.0.2.0"), "peerAsn", "65501"),
        "BgpPeers",
        "65501",
    ),
    Fault(
        "an unnumbered session is down",
        ("unnumbered", "fe-leaf01"),
        put(*(SUMMARY, "vrfs", "default", "peers", "fe80::1%Et29/1"), "peerState", "Connect"),
        "BgpSessions",
        "Ethernet29/1",
    ),
    Fault(
        "no filter of received routes",
        LEAF,
        lose(DETAIL, "vrfs", "default", "peerList", 2, "routeMapInbound"),
        "BgpPolicies",
        "policies",
    ),
    Fault(
        "no filter of sent routes",
        LEAF,
        lose(DETAIL, "vrfs", "default", "peerList", 2, "routeMapOutbound"),
        "BgpPolicies",
        "policies",
    ),
    Fault(
        "prefixes are refused",
        LEAF,
        put(*(SUMMARY, "vrfs", "default", "peers", PEER), "ipv4Unicast", "nlrisReceived", 25),
        "BgpRefused",
        "5 prefixes",
    ),
    Fault(
        "no prefix is accepted",
        LEAF,
        both(
            *(
                put(*(SUMMARY, "vrfs", "default", "peers", EVPN), "l2VpnEvpn", key, 0)
                for key in ("nlrisReceived", "nlrisAccepted")
            )
        ),
        "BgpReceived",
        "no evpn prefix",
    ),
    # BFD
    Fault(
        "BFD is down",
        LEAF,
        put(
            *(BFD, "vrfs", "default", "ipv4Neighbors", PEER, "peerStats"),
            *("", "status", "down"),
        ),
        "Bfd",
        PEER,
    ),
    Fault(
        "BFD is missing",
        *(LEAF, lose(BFD, "vrfs", "default", "ipv4Neighbors", PEER), "BfdTimers", "no BFD"),
    ),
    Fault(
        "slow BFD",
        LEAF,
        put(
            *(BFD, "vrfs", "default", "ipv4Neighbors", PEER, "peerStats"),
            *("", "peerStatsDetail", "operTxInterval", 1_000_000),
        ),
        "BfdTimers",
        "1000 ms times 3",
    ),
    Fault(
        "patient BFD",
        LEAF,
        put(
            *(BFD, "vrfs", "default", "ipv4Neighbors", EVPN, "peerStats"),
            *("", "peerStatsDetail", "detectMult", 50),
        ),
        "BfdTimers",
        "times 50",
    ),
    # routes
    Fault("one path less", LEAF, route_to(FAR, fewer), "Ecmp", "10.65.0.2/32"),
    Fault("no route", LEAF, no_route(ROUTE), "Ecmp", "have no route"),
    Fault(
        "a route by another port",
        LEAF,
        put(
            *(ROUTE, "vrfs", "default", "routes", "10.64.255.254/32"), "vias", [{"interface": EDGE}]
        ),
        "Ecmp",
        EDGE,
    ),
    Fault(
        "a route is not in the chip", LEAF, route_to(FAR, unprogrammed), "HardwareFib", "10.65.0.2"
    ),
    Fault(
        "a spine's route is not in the chip",
        SPINE,
        route_to("show ip route vrf default 10.64.0.1/32", unprogrammed),
        "HardwareFib",
        "10.64.0.1/32",
    ),
    Fault("an EVPN route of type 3 is lost", LEAF, without_imet, "EvpnImet", "10100"),
    Fault(
        "no EVPN route of type 3 is valid",
        *(LEAF, text(IMET, "valid, external", "invalid"), "EvpnImet", "10100"),
    ),
    Fault("an EVPN route of type 5 is lost", LEAF, lost_type5, "EvpnPrefixes", "10.100.0.0/22"),
    Fault("no EVPN route of type 5 is valid", LEAF, invalid_type5, "EvpnPrefixes", "10.100.0.0/22"),
    # access lists
    Fault("a rule permits", BORDER, rule(0, "permit ip 10.100.0.0/22 any"), "AclRules", "permit"),
    Fault(
        "a rule of another source",
        BORDER,
        rule(0, "deny ip 10.9.0.0/22 any"),
        "AclRules",
        "10.9.0.0/22",
    ),
    Fault("a rule is missing", BORDER, lose(ACLS, "aclList", 0, "sequence", 0), "AclRules", "100"),
    Fault("a list is missing", BORDER, put(ACLS, "aclList", []), "AclRules", "ZONE-training"),
)

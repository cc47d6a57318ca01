"""Faults of identity, ports, VLANs, cables and access lists."""

from tests.written.sonic.databases import APPL, CONFIG, STATE
from tests.written.sonic.planting import SERVER, UP, Fault, add, all_of, lose, printed, put
from tests.written.sonic.site import BONDED, LOSSLESS, SPINE

FAULTS = (
    # identity
    Fault(
        "Identity",
        "host name",
        LOSSLESS,
        put(CONFIG, "DEVICE_METADATA|localhost", hostname="x"),
        "host",
    ),
    Fault(
        "Identity",
        "another hwsku of the model",
        LOSSLESS,
        put(CONFIG, "DEVICE_METADATA|localhost", hwsku="Arista-7060X6-64PE-C256S2"),
        "hwsku",
    ),
    Fault(
        "Identity",
        "hwsku of another model",
        LOSSLESS,
        put(CONFIG, "DEVICE_METADATA|localhost", hwsku="Mellanox-SN5600-V256"),
        "SN5600",
    ),
    Fault(
        "Identity",
        "unknown hwsku",
        LOSSLESS,
        put(CONFIG, "DEVICE_METADATA|localhost", hwsku="Nobody-1"),
        "Nobody-1",
    ),
    # ports
    Fault(
        "PortLink",
        "port down",
        LOSSLESS,
        put(APPL, f"PORT_TABLE:{UP}", oper_status="down"),
        f"{UP} (port to be-spine1) is not shut, but has no link",
    ),
    Fault(
        "PortLink",
        "port shut",
        LOSSLESS,
        put(APPL, f"PORT_TABLE:{UP}", admin_status="down"),
        "is shut",
    ),
    Fault(
        "PortLink",
        "unused port open",
        LOSSLESS,
        put(APPL, "PORT_TABLE:Ethernet8", admin_status="up"),
        "Ethernet8",
    ),
    Fault(
        "PortLink",
        "port missing",
        LOSSLESS,
        lose(APPL, f"PORT_TABLE:{UP}"),
        "is missing, but in the model",
    ),
    Fault(
        "PortMtu", "MTU", LOSSLESS, put(APPL, f"PORT_TABLE:{SERVER}", mtu="1500"), "has MTU 1500"
    ),
    Fault(
        "PortMtu",
        "MTU of a port-channel",
        BONDED,
        put(APPL, "LAG_TABLE:PortChannel1", mtu="1500"),
        "MTU",
    ),
    Fault(
        "PortSpeed",
        "agreed speed",
        LOSSLESS,
        put(STATE, f"PORT_TABLE|{UP}", speed="200000"),
        "speed 200G",
    ),
    Fault(
        "PortSpeed",
        "asked speed of an unused port",
        LOSSLESS,
        put(APPL, "PORT_TABLE:Ethernet8", speed="100000"),
        "speed 100G",
    ),
    Fault(
        "PortFec",
        "no FEC agreed",
        LOSSLESS,
        put(STATE, f"PORT_TABLE|{UP}", fec="none"),
        "has FEC none",
    ),
    Fault(
        "PortFec",
        "another FEC agreed",
        LOSSLESS,
        put(STATE, f"PORT_TABLE|{UP}", fec="fc"),
        "has FEC fc",
    ),
    # addresses and VRFs
    Fault(
        "Addresses",
        "address missing",
        LOSSLESS,
        lose(APPL, "INTF_TABLE:Loopback0:10.192.0.1/32"),
        "Loopback0",
    ),
    Fault(
        "Addresses",
        "address of another switch",
        BONDED,
        all_of(
            lose(APPL, "INTF_TABLE:Loopback1:10.65.0.2/32"),
            add(APPL, "INTF_TABLE:Loopback1:10.65.0.9/32", scope="global"),
        ),
        "10.65.0.9/32",
    ),
    Fault(
        "Addresses",
        "additional address",
        LOSSLESS,
        add(APPL, f"INTF_TABLE:{SERVER}:10.9.9.9/24", scope="global"),
        "10.9.9.9/24",
    ),
    Fault(
        "Addresses",
        "address on an unused port",
        LOSSLESS,
        add(APPL, "INTF_TABLE:Ethernet8:10.9.9.9/24", scope="global"),
        "Ethernet8",
    ),
    Fault(
        "Addresses",
        "gateway of another subnet",
        BONDED,
        all_of(
            lose(APPL, "INTF_TABLE:Vlan110:10.110.0.1/24"),
            add(APPL, "INTF_TABLE:Vlan110:10.110.0.2/24", scope="global"),
        ),
        "Vlan110",
    ),
    Fault(
        "PortVrf",
        "gateway in no VRF",
        BONDED,
        lose(APPL, "INTF_TABLE:Vlan110", "vrf_name"),
        "Vlan110",
    ),
    Fault(
        "PortVrf",
        "gateway in another VRF",
        BONDED,
        put(APPL, "INTF_TABLE:Vlan110", vrf_name="Vrf_blue"),
        "is in VRF blue",
    ),
    Fault(
        "Vrfs",
        "VRF not in the kernel",
        BONDED,
        lose(STATE, "VRF_TABLE|Vrf_red"),
        "VRF red is missing",
    ),
    Fault(
        "Vrfs",
        "VRF not in orchagent",
        BONDED,
        lose(STATE, "VRF_OBJECT_TABLE|Vrf_red"),
        "VRF red is missing",
    ),
    Fault(
        "Vrfs",
        "unknown VRF",
        BONDED,
        all_of(
            add(STATE, "VRF_TABLE|Vrf_x", state="ok"),
            add(STATE, "VRF_OBJECT_TABLE|Vrf_x", state="ok"),
        ),
        "there is a VRF x",
    ),
    Fault(
        "Vrfs", "no management VRF", LOSSLESS, lose(STATE, "VRF_TABLE|mgmt"), "VRF mgmt is missing"
    ),
    Fault(
        "Addresses",
        "management address",
        LOSSLESS,
        printed("ip -j address", '"prefixlen": 22', '"prefixlen": 24'),
        "eth0",
    ),
    Fault(
        "PortLink",
        "VLAN interface down",
        BONDED,
        printed("ip -j link", '"UP", "LOWER_UP"', '"DOWN"'),
        "Vlan110",
    ),
    # port-channels
    Fault(
        "BundleMembers",
        "member not selected",
        BONDED,
        put(STATE, "LAG_MEMBER_TABLE|PortChannel1|Ethernet0", runner__selected="false"),
        "Ethernet0 in PortChannel1 is not selected by LACP",
    ),
    Fault(
        "BundleMembers",
        "member expired",
        BONDED,
        put(
            STATE,
            "LAG_MEMBER_TABLE|PortChannel1|Ethernet0",
            runner__selected="false",
            runner__state="expired",
        ),
        "state expired",
    ),
    Fault(
        "BundleMembers",
        "member not in the ASIC",
        BONDED,
        put(APPL, "LAG_MEMBER_TABLE:PortChannel2:Ethernet4", status="disabled"),
        "Ethernet4 in PortChannel2 is not enabled in the ASIC",
    ),
    Fault(
        "BundlePorts",
        "member in another port-channel",
        BONDED,
        all_of(
            lose(APPL, "LAG_MEMBER_TABLE:PortChannel1:Ethernet2"),
            lose(STATE, "LAG_MEMBER_TABLE|PortChannel1|Ethernet2"),
            add(APPL, "LAG_MEMBER_TABLE:PortChannel2:Ethernet2", status="enabled"),
        ),
        "is in port-channel 2",
    ),
    Fault(
        "PortLink",
        "port-channel missing",
        BONDED,
        lose(APPL, "LAG_TABLE:PortChannel3"),
        "PortChannel3",
    ),
    Fault(
        "PortLink",
        "port-channel shut",
        BONDED,
        put(APPL, "LAG_TABLE:PortChannel3", admin_status="down"),
        "PortChannel3",
    ),
    # VLANs
    Fault("Vlans", "VLAN missing", BONDED, lose(STATE, "VLAN_TABLE|Vlan111"), "VLAN 111"),
    Fault(
        "PortVlans",
        "VLAN member missing",
        BONDED,
        lose(APPL, "VLAN_MEMBER_TABLE:Vlan111:PortChannel1"),
        "PortChannel1",
    ),
    Fault(
        "PortVlans",
        "VLAN member added",
        BONDED,
        add(APPL, "VLAN_MEMBER_TABLE:Vlan111:Ethernet16", tagging_mode="tagged"),
        "Ethernet16",
    ),
    Fault(
        "PortVlans",
        "VLAN untagged",
        BONDED,
        put(APPL, "VLAN_MEMBER_TABLE:Vlan111:PortChannel1", tagging_mode="untagged"),
        "untagged VLAN",
    ),
    Fault(
        "Vlans", "unknown VLAN", BONDED, add(STATE, "VLAN_TABLE|Vlan999", state="ok"), "VLAN 999"
    ),
    Fault(
        "Vnis",
        "VLAN with another VNI",
        BONDED,
        put(APPL, "VXLAN_TUNNEL_MAP_TABLE:vtep:map_10111_Vlan111", vni="10112"),
        "10112",
    ),
    # cables
    Fault(
        "Cables",
        "swapped cable",
        LOSSLESS,
        printed("docker exec lldp", '"be-spine1"', '"be-spine2"'),
        f"{UP} is cabled to be-spine2",
    ),
    Fault(
        "Cables",
        "cable in another port",
        SPINE,
        printed("docker exec lldp", '"local", "value": "', '"local", "value": "x'),
        "is cabled to be-su01-leaf1 x",
    ),
    Fault(
        "Cables",
        "neighbor without LLDP",
        LOSSLESS,
        printed("docker exec lldp", f'"name": "{UP}"', '"name": "eth9"'),
        f"{UP} has not received be-spine1",
    ),
    # access lists
    Fault(
        "AclRules",
        "rule pending",
        BONDED,
        put(STATE, "ACL_RULE_TABLE|ZONE-red_alt|RULE_110", status="Pending creation"),
        "pending creation",
    ),
    Fault(
        "AclRules",
        "rule inactive",
        BONDED,
        put(STATE, "ACL_RULE_TABLE|ZONE-red_alt|RULE_111", status="Inactive"),
        "inactive",
    ),
    Fault(
        "AclRules",
        "rule missing",
        BONDED,
        lose(STATE, "ACL_RULE_TABLE|ZONE-red_alt|RULE_4096"),
        "4096",
    ),
)

"""What community SONiC answers for each feature an intent may need."""

from fabricgen.nos.features import Capabilities, Feature, Supported, Unsupported
from fabricgen.nos.sonic.releases import RELEASES

# SONiC doc/ARS/Local_ARS_HLD.md, merged 2026-02-19; not in sonic-swss or sonic-yang-models then.
_ARS = "adaptive routing (ARS) is designed, but CONFIG_DB has no YANG model of it"

CAPABILITIES: Capabilities = {
    Feature.NUMBERED: Supported("INTERFACE|port|address", "config_db.json: INTERFACE > …|…/31"),
    Feature.NUMBERED_V6: Supported(
        "INTERFACE|port|address, extended next hops in frr.conf",
        "frr.conf: router bgp … > neighbor … capability extended-nexthop",
    ),
    Feature.UNNUMBERED: Supported(
        "INTERFACE.ipv6_use_link_local_only",
        "config_db.json: INTERFACE > … > ipv6_use_link_local_only",
    ),
    Feature.BFD: Supported(
        "bfd in frr.conf, bfdd by DEVICE_METADATA.frr_mgmt_framework_config",
        "frr.conf: bfd > profile …",
    ),
    Feature.BREAKOUT: Supported(
        "PORT lanes and BREAKOUT_CFG", "config_db.json: BREAKOUT_CFG > … > brkout_mode"
    ),
    Feature.RAIL_SUBNET: Supported("VLAN_INTERFACE", "config_db.json: VLAN_INTERFACE > …|…"),
    Feature.EVPN_L2: Supported(
        "VXLAN_TUNNEL_MAP, advertise-all-vni in frr.conf",
        "config_db.json: VXLAN_TUNNEL_MAP > … > vni",
    ),
    Feature.EVPN_L3: Supported(
        "VRF.vni, advertise ipv4 unicast in frr.conf", "config_db.json: VRF > … > vni"
    ),
    Feature.ANYCAST_GATEWAY: Supported(
        "VLAN.mac: one MAC and address on every leaf", "config_db.json: VLAN > … > mac"
    ),
    Feature.EXTERNAL: Supported(
        "INTERFACE.vrf_name, neighbours of the VRF in frr.conf",
        "frr.conf: router bgp … vrf … > neighbor … remote-as …",
    ),
    Feature.LAG: Supported("PORTCHANNEL", "config_db.json: PORTCHANNEL_MEMBER > …"),
    Feature.HASH_FIELDS: Supported(
        "SWITCH_HASH.ecmp_hash", "config_db.json: SWITCH_HASH > … > ecmp_hash"
    ),
    # sonic-hash.yang of sonic-buildimage 086b03bd; doc/hash/hash-design.md has RDMA_BTH_DEST_QP
    # since revision 0.5 of 2025-11-11.
    Feature.QUEUE_PAIR_HASH: Unsupported(
        "SWITCH_HASH has no field of the RoCE header: it is designed, and not in the YANG model"
    ),
    Feature.HASH_SEED: Supported(
        "DEVICE_METADATA.type: 0 on leafs, 10 on spines, 25 above",
        "config_db.json: DEVICE_METADATA > … > type",
    ),
    Feature.FLOWLET: Unsupported(_ARS),
    Feature.SPRAY: Unsupported(_ARS),
    Feature.CLUSTER: Unsupported("nothing in CONFIG_DB places flows one by one"),
    Feature.DSCP_MAP: Supported(
        "DSCP_TO_TC_MAP, TC_TO_QUEUE_MAP, PORT_QOS_MAP", "config_db.json: DSCP_TO_TC_MAP > …"
    ),
    Feature.SCHEDULER: Supported("SCHEDULER and QUEUE", "config_db.json: SCHEDULER > … > weight"),
    Feature.PFC: Supported(
        "PORT_QOS_MAP.pfc_enable, BUFFER_PG, BUFFER_QUEUE",
        "config_db.json: PORT_QOS_MAP > … > pfc_enable",
    ),
    Feature.ECN: Supported("WRED_PROFILE.ecn", "config_db.json: WRED_PROFILE > … > ecn"),
    Feature.WATCHDOG: Supported("PFC_WD", "config_db.json: PFC_WD > … > action"),
    Feature.MANAGEMENT_VRF: Supported(
        "MGMT_VRF_CONFIG", "config_db.json: MGMT_VRF_CONFIG > … > mgmtVrfEnabled"
    ),
    Feature.NTP: Supported("NTP_SERVER", "config_db.json: NTP_SERVER > …"),
    Feature.SYSLOG: Supported("SYSLOG_SERVER", "config_db.json: SYSLOG_SERVER > …"),
    Feature.DNS: Supported("DNS_NAMESERVER", "config_db.json: DNS_NAMESERVER > …"),
    Feature.DOMAIN: Supported("DNS_OPTIONS", "config_db.json: DNS_OPTIONS > … > search"),
    Feature.SNMP: Supported("SNMP_COMMUNITY", "config_db.json: SNMP_COMMUNITY > …"),
    Feature.GNMI: Supported("GNMI", "config_db.json: GNMI > …"),
    Feature.TLS: Unsupported(
        "its gNMI server reads the certificate at a path that stays, "
        "/etc/sonic/telemetry/streamingtelemetryserver.cer"
    ),
    # A control-plane ACL could name them, but caclmgrd then drops what no such ACL permits, SSH
    # first (sonic-host-services scripts/caclmgrd).
    Feature.COLLECTORS: Unsupported(
        "its gNMI server has no list of collectors: whoever shows a certificate of its authority "
        "may connect"
    ),
    # None of the 146 modules of sonic-yang-models has a table of local accounts.
    Feature.USERS: Unsupported(
        "CONFIG_DB has no table of local users; create them on the switch with useradd"
    ),
    Feature.BANNER: Supported("BANNER_MESSAGE", "config_db.json: BANNER_MESSAGE > … > login"),
}

_NO_SEARCH: Capabilities = {
    Feature.DOMAIN: Unsupported("its CONFIG_DB has no DNS_OPTIONS, which came with 202511")
}
BY_RELEASE: dict[str, Capabilities] = {
    name: {} if has.search else _NO_SEARCH for name, has in RELEASES.items()
}
"""Where a release answers otherwise."""

# FRR of SONiC is built with --enable-multipath=514 (sonic-net/sonic-buildimage pull 20744), which
# is also its default; 512 is what a next-hop group takes on NVIDIA (pull 22796) and the number both
# name. An ASIC may take fewer, which SONiC says only at run time.
MULTIPATH = 514
MAX_ECMP = 512

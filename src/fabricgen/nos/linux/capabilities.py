"""What plain Linux does with each feature: the configuration it becomes, or why it cannot be."""

from fabricgen.nos.features import Capabilities, Feature, Supported, Unsupported

# linux net/ipv4/fib_semantics.c fib_select_multipath() takes a hash, and nothing of a link's load.
_PER_FLOW = "the kernel chooses among equal paths by a hash of the flow alone"

CAPABILITIES: Capabilities = {
    Feature.NUMBERED: Supported(
        "ifupdown2 address and BGP neighbours by address",
        "etc/network/interfaces: iface swp… > address …/31",
    ),
    Feature.NUMBERED_V6: Supported(
        "ifupdown2 address and extended next hops (RFC 8950) in FRR",
        "etc/frr/frr.conf: router bgp … > neighbor … capability extended-nexthop",
    ),
    Feature.UNNUMBERED: Supported(
        "BGP neighbours by interface in FRR",
        "etc/frr/frr.conf: router bgp … > neighbor … interface peer-group …",
    ),
    Feature.BFD: Supported(
        "a BFD profile of bfdd", "etc/frr/frr.conf: router bgp … > neighbor … bfd profile …"
    ),
    Feature.BREAKOUT: Supported(
        "devlink port split, before the interfaces come up", "etc/fabricgen/breakout.sh: split …"
    ),
    Feature.RAIL_SUBNET: Supported(
        "a VLAN of the bridge with the gateway on its interface",
        "etc/network/interfaces: iface vlan… > address …",
    ),
    Feature.EVPN_L2: Supported(
        "one VXLAN device per VNI in a VLAN-aware bridge",
        "etc/network/interfaces: iface vni… > vxlan-id …",
    ),
    Feature.EVPN_L3: Supported(
        "a kernel VRF and a VXLAN device for its L3VNI", "etc/frr/frr.conf: vrf … > vni …"
    ),
    Feature.ANYCAST_GATEWAY: Supported(
        "the same MAC and address on every leaf's VLAN interface",
        "etc/network/interfaces: iface vlan… > hwaddress …",
    ),
    Feature.EXTERNAL: Supported(
        "a port in the kernel VRF, a neighbour of that VRF in FRR",
        "etc/frr/frr.conf: router bgp … vrf … > neighbor … remote-as …",
    ),
    Feature.LAG: Supported(
        "a bond in mode 802.3ad", "etc/network/interfaces: iface bond… > bond-mode 802.3ad"
    ),
    Feature.HASH_FIELDS: Supported(
        "net.ipv4.fib_multipath_hash_policy 3 and its fields",
        "etc/sysctl.d/90-fabricgen-paths.conf: net.ipv4.fib_multipath_hash_fields …",
    ),
    Feature.QUEUE_PAIR_HASH: Unsupported(
        "the kernel hashes addresses, ports and protocol, never what follows the UDP header"
    ),
    Feature.HASH_SEED: Supported(
        "net.ipv4.fib_multipath_hash_seed, from Linux 6.11",
        "etc/sysctl.d/90-fabricgen-paths.conf: -net.ipv4.fib_multipath_hash_seed …",
    ),
    Feature.FLOWLET: Unsupported(_PER_FLOW),
    Feature.SPRAY: Unsupported(_PER_FLOW),
    Feature.CLUSTER: Unsupported(_PER_FLOW),
    Feature.DSCP_MAP: Supported(
        "dcb app on an ASIC, flower filters for the kernel's own packets",
        "etc/fabricgen/dcb.sh: port() {… > dcb app replace … dscp-prio …",
    ),
    Feature.SCHEDULER: Supported(
        "tc ets on an ASIC, tc htb where the kernel forwards",
        "etc/fabricgen/tc.batch: qdisc replace … root … ets …",
    ),
    Feature.PFC: Supported(
        "dcb pfc, where the port's driver has it",
        "etc/fabricgen/dcb.sh: port() {… > dcb pfc set …:on…",
    ),
    Feature.ECN: Supported("tc red ecn", "etc/fabricgen/tc.batch: qdisc replace … red … ecn…"),
    Feature.WATCHDOG: Unsupported(
        "the Linux kernel has no PFC watchdog: no interface detects a paused queue or drops from it"
    ),
    Feature.MANAGEMENT_VRF: Supported(
        "a kernel VRF with the management port in it", "etc/network/interfaces: iface eth0 > vrf …"
    ),
    Feature.NTP: Supported(
        "chrony, bound to the management VRF", "etc/chrony/chrony.conf: server …"
    ),
    Feature.SYSLOG: Supported(
        "rsyslog omfwd, bound to the management VRF", "etc/rsyslog.d/90-fabricgen.conf: … action(…"
    ),
    Feature.DNS: Supported(
        "resolv.conf, and a rule that looks the servers up in the VRF's table",
        "etc/resolv.conf: nameserver …",
    ),
    Feature.DOMAIN: Supported("the search list of resolv.conf", "etc/resolv.conf: search …"),
    Feature.SNMP: Supported("net-snmp's snmpd", "etc/snmp/snmpd.conf: rocommunity …"),
    Feature.GNMI: Unsupported(
        "plain Linux has no gNMI server: FRR's gRPC module speaks a protocol of its own"
    ),
    Feature.TLS: Unsupported("it has neither an API nor a gNMI server to show a certificate"),
    Feature.COLLECTORS: Unsupported("plain Linux has no gNMI server that they could ask"),
    Feature.USERS: Supported(
        "sysusers.d accounts, chpasswd hashes, authorized_keys files",
        "etc/sysusers.d/fabricgen.conf: u …",
    ),
    Feature.BANNER: Supported("issue.net, shown by sshd", "etc/issue.net: …"),
}

"""What plain Linux does with each feature: the configuration it becomes, or why it cannot be."""

from __future__ import annotations

from fabricgen.nos.features import Capabilities, Feature, Supported, Unsupported

# linux net/ipv4/fib_semantics.c fib_select_multipath() takes a hash, and nothing of a link's load.
_PER_FLOW = "the kernel chooses among equal paths by a hash of the flow alone"

CAPABILITIES: Capabilities = {
    Feature.NUMBERED: Supported("ifupdown2 address and BGP neighbours by address"),
    Feature.NUMBERED_V6: Supported("ifupdown2 address and extended next hops (RFC 8950) in FRR"),
    Feature.UNNUMBERED: Supported("BGP neighbours by interface in FRR"),
    Feature.BFD: Supported("a BFD profile of bfdd"),
    Feature.BREAKOUT: Supported("devlink port split, before the interfaces come up"),
    Feature.RAIL_SUBNET: Supported("a VLAN of the bridge with the gateway on its interface"),
    Feature.EVPN_L2: Supported("one VXLAN device per VNI in a VLAN-aware bridge"),
    Feature.EVPN_L3: Supported("a kernel VRF and a VXLAN device for its L3VNI"),
    Feature.ANYCAST_GATEWAY: Supported("the same MAC and address on every leaf's VLAN interface"),
    Feature.EXTERNAL: Supported("a port in the kernel VRF, a neighbour of that VRF in FRR"),
    Feature.LAG: Supported("a bond in mode 802.3ad"),
    Feature.HASH_FIELDS: Supported("net.ipv4.fib_multipath_hash_policy 3 and its fields"),
    Feature.QUEUE_PAIR_HASH: Unsupported(
        "the kernel hashes addresses, ports and protocol, never what follows the UDP header"
    ),
    Feature.HASH_SEED: Supported("net.ipv4.fib_multipath_hash_seed, from Linux 6.11"),
    Feature.FLOWLET: Unsupported(_PER_FLOW),
    Feature.SPRAY: Unsupported(_PER_FLOW),
    Feature.CLUSTER: Unsupported(_PER_FLOW),
    Feature.DSCP_MAP: Supported("dcb app on an ASIC, flower filters for the kernel's own packets"),
    Feature.SCHEDULER: Supported("tc ets on an ASIC, tc htb where the kernel forwards"),
    Feature.PFC: Supported("dcb pfc, where the port's driver has it"),
    Feature.ECN: Supported("tc red ecn"),
    Feature.WATCHDOG: Unsupported(
        "the Linux kernel has no PFC watchdog: no interface detects a paused queue or drops from it"
    ),
    Feature.MANAGEMENT_VRF: Supported("a kernel VRF with the management port in it"),
    Feature.NTP: Supported("chrony, bound to the management VRF"),
    Feature.SYSLOG: Supported("rsyslog omfwd, bound to the management VRF"),
    Feature.DNS: Supported("resolv.conf, and a rule that looks the servers up in the VRF's table"),
    Feature.SNMP: Supported("net-snmp's snmpd"),
    Feature.GNMI: Unsupported(
        "plain Linux has no gNMI server: FRR's gRPC module speaks a protocol of its own"
    ),
    Feature.USERS: Supported("sysusers.d accounts, chpasswd hashes, authorized_keys files"),
    Feature.BANNER: Supported("issue.net, shown by sshd"),
}

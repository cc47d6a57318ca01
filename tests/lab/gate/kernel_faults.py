"""Faults of a switch's kernel that no file of ours brings: what plants one, mends it, is said.

Sessions, VNIs and routes of protocols stay as they are with each of them.
"""

from tests.lab.gate.faults import Fault

_MAC = "bridge fdb show br br0 | awk '$3 == \"bond1\" && !/permanent/ && /vlan 10/ { print $1 }'"
_HELD = "bridge fdb show br br0 | awk '/vni10010/ && / static/ { print $1 }'"
_DROP = "action drop"


def routed(kind: str, route: str, says: str, family: int = 4) -> Fault:
    """Return a route that somebody added."""
    ip = f"ip -{family} route"
    return Fault(kind=kind, plant=f"{ip} add {route}", mend=f"{ip} del {route}", says=says)


def set_to(kind: str, name: str, value: int, right: int) -> Fault:
    """Return a setting of the kernel that somebody changed."""
    write = f"echo {{}} > /proc/sys/{name.replace('.', '/')}"
    return Fault(
        kind=kind,
        plant=write.format(value),
        mend=write.format(right),
        says=f"{name} is {value}, but it is not in the design",
    )


def filtered(kind: str, device: str, way: str, words: str, says: str) -> Fault:
    """Return a filter of tc at a device."""
    return Fault(
        kind=kind,
        plant=f"tc qdisc add dev {device} clsact && tc filter add dev {device} {way} {words}",
        mend=f"tc qdisc del dev {device} clsact",
        says=f"tc {way} of {device}: {says}",
    )


def flagged(kind: str, port: str, flag: str, value: str, right: str) -> Fault:
    """Return a flag of a bridge port that somebody changed."""
    return Fault(
        kind=kind,
        plant=f"bridge link set dev {port} {flag} {value}",
        mend=f"bridge link set dev {port} {flag} {right}",
        says=f"bridge port {port} has {flag} {value}, but it is not in the design",
    )


KERNEL = (
    routed(
        "blackhole route to a server",
        "blackhole 10.10.20.12/32 vrf red metric 1",
        "VRF red has a route to 10.10.20.12/32 (blackhole, of protocol boot)",
    ),
    routed(
        "unreachable route to half a subnet",
        "unreachable 10.10.20.0/25 vrf red",
        "VRF red has a route to 10.10.20.0/25 (unreachable, of protocol boot)",
    ),
    routed(
        "prohibit route to a VTEP",
        "prohibit 10.65.0.3/32 metric 1",
        "the main table has a route to 10.65.0.3/32 (prohibit, of protocol boot)",
    ),
    routed(
        "wrong next hop of a server",
        "10.10.20.12/32 via 10.10.10.99 dev vlan10 vrf red",
        "VRF red has a route to 10.10.20.12/32 (via 10.10.10.99, of protocol boot)",
    ),
    routed(
        "blackhole route of IPv6",
        "blackhole 2001:db8:30::12/128 vrf blue",
        "VRF blue has a route to 2001:db8:30::12/128 (blackhole, of protocol boot)",
        family=6,
    ),
    Fault(
        kind="subnet of a VLAN is no longer routed",
        plant="ip route del 10.10.20.0/24 dev vlan20 vrf red",
        mend="ip route add 10.10.20.0/24 dev vlan20 proto kernel scope link src 10.10.20.1 vrf red",
        says="the route to 10.10.20.0/24 by vlan20 is missing",
    ),
    set_to("gateway that forwards no IPv4", "net.ipv4.conf.vlan20.forwarding", 0, 1),
    set_to("gateway that forwards no IPv6", "net.ipv6.conf.vlan30.forwarding", 0, 1),
    set_to("strict reverse path filter", "net.ipv4.conf.vlan10.rp_filter", 1, 0),
    set_to("gateway that answers for others", "net.ipv4.conf.vlan10.proxy_arp", 1, 0),
    set_to("gateway that answers no ARP", "net.ipv4.conf.vlan20.arp_ignore", 8, 0),
    Fault(
        kind="gateway that asks no ARP",
        plant="ip link set dev vlan20 arp off",
        mend="ip link set dev vlan20 arp on",
        says="ARP of vlan20 is off, but it is not in the design",
    ),
    Fault(
        kind="rule that takes a VLAN out of its VRF",
        plant="ip rule add iif vlan10 lookup main priority 500",
        mend="ip rule del priority 500",
        says="IPv4 rule 500 says: from all iif vlan10 lookup main",
    ),
    Fault(
        kind="rule of VRFs removed",
        plant="ip -4 rule del priority 1000",
        mend="ip -4 rule add l3mdev priority 1000",
        says="IPv4 rule 1000 says: no rule sends packets of VRFs to their tables",
    ),
    filtered(
        "IPv4 of a server is dropped, ARP is left",
        "bond1",
        "ingress",
        f"protocol ip matchall {_DROP}",
        "drop of ip packets",
    ),
    filtered(
        "packets to a server are dropped",
        "bond2",
        "egress",
        f"protocol ip flower dst_ip 10.10.30.12 {_DROP}",
        "drop of ip packets",
    ),
    filtered(
        "packets of a server go elsewhere",
        "bond2",
        "ingress",
        "protocol ip matchall action mirred egress redirect dev lo",
        "mirred of ip packets",
    ),
    Fault(
        kind="drop among the filters of a port's queues",
        plant="tc filter add dev swp5 parent 1: protocol ip prio 8 handle 77 flower "
        "dst_ip 203.0.113.0/24 action drop",
        mend="tc filter del dev swp5 parent 1: protocol ip prio 8 handle 77 flower",
        says="tc at the queues of swp5: drop of ip packets",
    ),
    Fault(
        kind="all packets of a VLAN are lost",
        plant="tc qdisc add dev vlan20 root netem loss 100%",
        mend="tc qdisc del dev vlan20 root",
        says="vlan20 has queue netem at its root",
    ),
    Fault(
        kind="MAC of a server fixed behind a tunnel",
        plant=f"bridge fdb replace $({_MAC} | head -n 1) dev vni10010 vlan 10 master static",
        mend=f"bridge fdb del $({_HELD}) dev vni10010 vlan 10 master",
        says="vni10010 has the MAC ",
    ),
    Fault(
        kind="MAC fixed at a VTEP that nobody is",
        plant="bridge fdb add 02:00:00:00:00:77 dev vni10010 dst 10.65.0.9 self permanent",
        mend="bridge fdb del 02:00:00:00:00:77 dev vni10010 dst 10.65.0.9 self",
        says="vni10010 has MAC 02:00:00:00:00:77 as a static entry for 10.65.0.9",
    ),
    Fault(
        kind="neighbor fixed at a wrong MAC",
        plant="ip neigh replace 10.10.20.12 dev vlan20 lladdr 02:00:00:00:00:99 nud permanent",
        mend="ip neigh del 10.10.20.12 dev vlan20",
        says="vlan20 has neighbor 10.10.20.12 as a static entry for 02:00:00:00:00:99",
    ),
    flagged("VXLAN port that learns", "vni10010", "learning", "on", "off"),
    flagged("server port that learns nothing", "bond1", "learning", "off", "on"),
    flagged("server port that is isolated", "bond1", "isolated", "on", "off"),
    flagged("VXLAN port that floods no unknown MAC", "vni10010", "flood", "off", "on"),
)
"""Each is seen by the switch itself, without a packet."""

UNSEEN = (
    routed(
        "wrong next hop in the name of BGP",
        "10.10.20.12/32 via 10.10.10.99 dev vlan10 vrf red proto bgp",
        "",
    ),
)
"""What no look at tables finds: docs/reference/health-checks.md says why."""

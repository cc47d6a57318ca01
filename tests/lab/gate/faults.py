"""Faults of the data plane that no session shows: what makes one, what mends it, what is said.

Each is a stand-in for a switch that did otherwise than it was told: commands on a real FRR switch.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One fault on fe-leaf01. at: who says it; says: how the sentence begins.

    hidden: no table and no counter of a switch shows it.
    """

    kind: str
    plant: str
    mend: str
    at: str = "fe-leaf01"
    says: str
    hidden: bool = False


def frr(*lines: str) -> str:
    """Return a command that configures FRR."""
    asked = " ".join(f"-c '{line}'" for line in ("configure terminal", *lines))
    return f"vtysh {asked}"


def losing(device: str, way: str) -> dict[str, str]:
    """Return what makes a device lose every packet of a way, and what mends it: tc, below all."""
    return {
        "plant": f"tc qdisc add dev {device} clsact && "
        f"tc filter add dev {device} {way} matchall action drop",
        "mend": f"tc qdisc del dev {device} clsact",
    }


_EVPN = ("router bgp 4200000000", "address-family l2vpn evpn", "vni 10010")
_BLUE = ("router bgp 4200000000 vrf blue", "address-family ipv4 unicast")
_LIST = "ip prefix-list ALLOWED seq"
_TUNNEL = (
    "ip link add vni{vni} mtu 9164 type vxlan id {vni} local 10.65.0.1 dstport 4789 nolearning "
    "noudpcsum tos inherit ttl 64; ip link set vni{vni} master br0; "
    "bridge vlan del dev vni{vni} vid 1; bridge vlan add dev vni{vni} vid 10 pvid untagged; "
    "bridge link set dev vni{vni} learning off neigh_suppress on; ip link set vni{vni} up"
)
_STORM = (
    "tc qdisc replace dev swp5 parent 1:2 handle 99: red limit 6000 min 3000 max 5900 avpkt 1000 "
    "burst 5 probability 1 ecn nodrop && ping -q -f -c 40 -w 3 -s 7000 10.72.0.0; test $? = 1"
)

FAULTS = (
    Fault(
        kind="VNI of a VLAN moved on one leaf",  # the case that passed: l2vni_base leaf by leaf
        plant=f"ip link del vni10010; {_TUNNEL.format(vni=20010)}",
        mend=f"ip link del vni20010; {_TUNNEL.format(vni=10010)}",
        says="VLAN 10 no longer reaches fe-leaf02 (10.65.0.2): the VNI is now 20010",
    ),
    Fault(
        kind="the same, seen by a neighbor",
        plant=f"ip link del vni10010; {_TUNNEL.format(vni=20010)}",
        mend=f"ip link del vni20010; {_TUNNEL.format(vni=10010)}",
        at="fe-leaf02",
        says="VLAN 10 no longer reaches fe-leaf01 (10.65.0.1)",
    ),
    Fault(
        kind="route target changed on one leaf",
        plant=frr(*_EVPN, "no route-target import 64999:10010", "route-target import 64999:9"),
        mend=frr(*_EVPN, "no route-target import 64999:9", "route-target import 64999:10010"),
        says="VLAN 10 no longer reaches fe-leaf02 (10.65.0.2)",
    ),
    Fault(
        kind="anycast MAC changed",
        plant="ip link set vlan10 address 02:00:00:00:00:99",
        mend="ip link set vlan10 address 00:1c:73:00:00:99",
        says="vlan10 (gateway) has MAC 02:00:00:00:00:99, but the model has 00:1c:73:00:00:99",
    ),
    Fault(
        kind="VLAN removed from a trunk",
        plant="bridge vlan del dev bond1 vid 10",
        mend="bridge vlan add dev bond1 vid 10",
        says="VLAN 10 is not on bond1, expected by the model",
    ),
    Fault(
        kind="MTU of one link",
        plant="ip link set swp5 mtu 1500",
        mend="ip link set swp5 mtu 9214",
        says="swp5 (port to fe-spine1) has MTU 1500, but the model has",
    ),
    Fault(
        kind="prefix list dropped",
        plant=frr("no ip prefix-list ALLOWED"),
        mend=frr(f"{_LIST} 10 permit 10.64.0.0/16 ge 32 le 32")
        + "; "
        + frr(f"{_LIST} 20 permit 10.65.0.0/16 ge 32 le 32"),
        at="fe-spine1",
        says="no route to 10.65.0.1/32 any more",
    ),
    Fault(
        kind="member of a bundle gone",
        plant="ip link set swp1 nomaster; ip link set swp1 up",
        mend="ip link set swp1 down; ip link set swp1 master bond1; ip link set swp1 up",
        says="swp1 is not a member of bond1, expected by the model",
    ),
    Fault(
        kind="storm of drops in a queue that must not drop",
        plant=_STORM,
        mend="tc qdisc replace dev swp5 parent 1:2 handle 22: pfifo limit 1000",
        says="swp5 1:2 drops grew by",
    ),
    Fault(
        kind="routes of another tenant leak into a VRF",
        plant=frr(*_BLUE, "import vrf red"),
        mend=frr(*_BLUE, "no import vrf red"),
        says="VRF blue has a route to 10.10.10.0/24, a subnet of VRF red",
    ),
    Fault(
        kind="frames of a VNI are lost behind the tunnel, seen by a neighbor",
        **losing("vni10010", "ingress"),
        at="fe-leaf02",  # the leaf itself hears its packets before they are lost
        says="VLAN 10: no answer from fe-leaf01 (10.65.0.1)",
        hidden=True,
    ),
    Fault(
        kind="frames of a VNI are lost on their way out, seen by a neighbor",
        **losing("vni10020", "egress"),
        at="fe-leaf02",
        says="VLAN 20: no answer from fe-leaf01 (10.65.0.1)",
        hidden=True,
    ),
    Fault(
        kind="routed packets of a VRF are lost",
        **losing("vni50001", "ingress"),
        says="VRF red: no answer from fe-leaf02 (10.65.0.2)",
        hidden=True,
    ),
    Fault(
        kind="one server of a VLAN is lost",
        **losing("bond2", "egress"),
        says="VLAN 30: server 10.10.30.10 no longer answers",
        hidden=True,
    ),
)


def _lost(server: str, asks: str, source: str, vrf: str) -> str:
    return f"{server} no longer answers: {asks} pinged from {source} in VRF {vrf}"


ROUTED = (
    Fault(
        kind="a blackhole for one server in a VRF",
        plant="ip route add blackhole 10.10.20.12/32 vrf red metric 1",
        mend="ip route del blackhole 10.10.20.12/32 vrf red metric 1",
        says=_lost(
            "server fe-leaf03-h1 (10.10.20.12, VLAN 20, VRF red, at fe-leaf03)",
            "fe-leaf01",
            "10.250.1.1",
            "red",
        ),
        hidden=True,
    ),
    Fault(
        kind="forwarding is off on a gateway",
        plant="sysctl -q net.ipv4.conf.vlan20.forwarding=0",
        mend="sysctl -q net.ipv4.conf.vlan20.forwarding=1",
        at="fe-leaf02",  # the leaf itself still reaches its servers: it forwards nothing to them
        says=_lost(
            "server fe-leaf01-h1 (10.10.20.10, VLAN 20, VRF red, at fe-leaf01)",
            "fe-leaf02",
            "10.250.1.2",
            "red",
        ),
        hidden=True,
    ),
    Fault(
        kind="IPv4 is dropped at the port of a server and ARP passes",
        plant="tc qdisc add dev bond2 clsact && "
        "tc filter add dev bond2 egress protocol ip matchall action drop",
        mend="tc qdisc del dev bond2 clsact",
        says=_lost(
            "server fe-leaf01-h2 (10.10.30.10, VLAN 30, VRF blue, at fe-leaf01)",
            "fe-leaf01",
            "10.250.2.1",
            "blue",
        ),
        hidden=True,
    ),
)
"""Faults between commit and gate that leave every table and ARP as they were."""

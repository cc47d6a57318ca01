"""Plant differences on the path of a pair: a command, its way back, and what must be named."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.lab.live.following import Pair

from fabricgen.prove.reach.live.steps import Step

BRIDGED, ROUTED, RAIL = "bridged", "routed", "rail"
"""Pairs in one VLAN, in one VRF, and on two rails."""
PAIRS: Mapping[str, tuple[str, str]] = {
    BRIDGED: ("fe-leaf01-h1", "fe-leaf02-h1"),
    ROUTED: ("fe-leaf01-h1", "fe-leaf02-h2"),
    RAIL: ("gpu0001:rdma0", "gpu0002:rdma3"),
}
"""All of their switches run in the part that tests/lab/running.py boots."""


@dataclass(frozen=True, slots=True)
class Plant:
    """A planted difference. `names`: values of which one must be the first different one."""

    kind: str
    pair: str
    switch: str
    plant: str
    mend: str
    names: tuple[str, ...]


class Planter:
    """Draws the place of each difference by a seed."""

    def __init__(self, pairs: Mapping[str, Pair], seed: int) -> None:
        """Set the pairs and the seed."""
        self._pairs, self._draw = pairs, random.Random(seed)

    def plants(self) -> Iterator[Plant]:
        """Yield one difference of each kind."""
        for make in _KINDS:
            yield make(self)

    def step(self, pair: str, fits: Callable[[Step], bool] = lambda _: True) -> Step:
        """Draw a hop of a pair."""
        return self._draw.choice([each for each in self._pairs[pair].way.steps if fits(each)])

    def any_pair(self) -> str:
        """Draw a pair."""
        return self._draw.choice(list(PAIRS))

    def next_hop(self, pair: str, step: Step) -> str:
        """Return the address of the neighbor behind the port of a hop."""
        ports = self._pairs[pair].ground.expected[step.switch].ports
        return next(key[2] for key, port in ports.items() if port == step.leaves)

    def vlan(self, pair: str, *, last: bool) -> int:
        """Return the VLAN of an end."""
        case = self._pairs[pair].way.case
        vlan = (case.other if last else case.one).vlan
        assert vlan is not None
        return vlan.id

    def vni(self, pair: str) -> int:
        """Return the VNI of the sender's VLAN."""
        vlan = self._pairs[pair].way.case.one.vlan
        assert vlan is not None
        assert vlan.vni is not None
        return vlan.vni

    def target(self, pair: str) -> str:
        """Return the address of the receiver."""
        return str(self._pairs[pair].way.case.packet.target)


def _is_first(step: Step) -> bool:
    return step.is_first


def _is_last(step: Step) -> bool:
    return step.is_last


def _goes_on(step: Step) -> bool:
    return not step.is_last


def _is_middle(step: Step) -> bool:
    return step.is_middle


def detour(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _is_first)
    route = f"{step.target}/32 via {draw.next_hop(pair, step)} dev {step.leaves}"
    return Plant(
        "static route detour",
        pair,
        step.switch,
        f"ip route add {route}",
        f"ip route del {route}",
        ("next hops",),
    )


def missing_leg(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _is_first)
    asn = "$(sed -n 's/^router bgp \\([0-9]*\\)$/\\1/p' /etc/frr/frr.conf | head -n 1)"
    line = f"neighbor {draw.next_hop(pair, step)} shutdown"
    shell = f'vtysh -c "configure terminal" -c "router bgp {asn}" -c "{{}}{line}"'
    return Plant(
        "missing ECMP leg",
        pair,
        step.switch,
        shell.format(""),
        shell.format("no "),
        ("next hops",),
    )


def mtu_of_leaf(draw: Planter) -> Plant:
    pair = draw.any_pair()
    return _mtu("wrong MTU of an uplink", pair, draw.step(pair, _is_first), "leaves")


def mtu_of_spine(draw: Planter) -> Plant:
    pair = draw.any_pair()
    return _mtu("wrong MTU of a spine's port", pair, draw.step(pair, _is_middle), "leaves")


def mtu_of_server_port(draw: Planter) -> Plant:
    pair = draw.any_pair()
    return _mtu("wrong MTU of a server port", pair, draw.step(pair, _is_last), "leaves", 1500)


def _mtu(kind: str, pair: str, step: Step, end: str, mtu: int = 9000) -> Plant:
    port = getattr(step, end)
    right = 9214 if pair == RAIL or not step.is_last else 9164
    set_to = f"ip link set {port} mtu {{}}"
    return Plant(
        kind, pair, step.switch, set_to.format(mtu), set_to.format(right), (f"MTU of {port}",)
    )


def subnet_deleted(draw: Planter) -> Plant:
    step, vlan = draw.step(ROUTED, _is_last), draw.vlan(ROUTED, last=True)
    subnet = f"10.10.{vlan}.0/24"
    return Plant(
        "route in VRF deleted",
        ROUTED,
        step.switch,
        f"ip route del {subnet} dev vlan{vlan} vrf red",
        f"ip route add {subnet} dev vlan{vlan} proto kernel scope link src 10.10.{vlan}.1 vrf red",
        ("route",),
    )


def vrf_blackhole(draw: Planter) -> Plant:
    step, target = draw.step(ROUTED), draw.target(ROUTED)
    step = draw.step(ROUTED, lambda each: not each.is_middle) if step.is_middle else step
    route = f"blackhole {target}/32 vrf red metric 1"
    return Plant(
        "blackhole in VRF",
        ROUTED,
        step.switch,
        f"ip route add {route}",
        f"ip route del {route}",
        ("route",),
    )


def underlay_blackhole(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _is_middle)
    route = f"blackhole {step.target}/32 metric 1"
    return Plant(
        "blackhole on a spine",
        pair,
        step.switch,
        f"ip route add {route}",
        f"ip route del {route}",
        ("next hops",),
    )


def single_path(draw: Planter) -> Plant:
    step = draw.step(RAIL, _is_first)
    network = f"{step.target}/32 dev {step.leaves} via {draw.next_hop(RAIL, step)} proto bgp"
    return Plant(
        "host route in the name of BGP",
        RAIL,
        step.switch,
        f"ip route add {network}",
        f"ip route del {network}",
        ("next hops",),
    )


def filter_added(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _goes_on)
    words = "egress protocol ip flower ip_proto tcp action drop"
    return Plant(
        "filter added",
        pair,
        step.switch,
        f"tc qdisc add dev {step.leaves} clsact && tc filter add dev {step.leaves} {words}",
        f"tc qdisc del dev {step.leaves} clsact",
        ("filters",),
    )


def dscp_filter_missing(draw: Planter) -> Plant:
    step = draw.step(RAIL)
    rule = f"dev {step.leaves} parent 1: protocol ip prio 1 handle 3 flower"
    return Plant(
        "tc DSCP filter missing",
        RAIL,
        step.switch,
        f"tc filter del {rule}",
        f"tc filter add {rule} ip_tos 0x68/0xfc classid 1:3",
        ("queue of DSCP 26",),
    )


def marking_changed(draw: Planter) -> Plant:
    step = draw.step(RAIL)
    red = f"tc qdisc replace dev {step.leaves} parent 1:3 handle 33: red limit 2400000 "
    words = "min {} max {} avpkt 1000 burst {} bandwidth 34000000000bit probability 0.2 ecn"
    return Plant(
        "ECN thresholds changed",
        RAIL,
        step.switch,
        red + words.format(300000, 900000, 501),
        red + words.format(150000, 600000, 151),
        ("ECN",),
    )


def vlan_removed(draw: Planter) -> Plant:
    last = draw.step(BRIDGED, lambda each: not each.is_middle).is_last
    step = draw.step(BRIDGED, _is_last if last else _is_first)
    port, vlan = step.leaves if last else step.enters, draw.vlan(BRIDGED, last=last)
    return Plant(
        "VLAN removed from a port",
        BRIDGED,
        step.switch,
        f"bridge vlan del dev {port} vid {vlan}",
        f"bridge vlan add dev {port} vid {vlan} pvid untagged",
        (f"VLAN of {port}",),
    )


def other_vrf(draw: Planter) -> Plant:
    step, vlan = draw.step(ROUTED, _is_last), draw.vlan(ROUTED, last=True)
    return Plant(
        "interface moved to other VRF",
        ROUTED,
        step.switch,
        f"ip link set vlan{vlan} master blue",
        f"ip link set vlan{vlan} master red",
        (f"VRF of vlan{vlan}", "route", "VRF"),
    )


def flood_missing(draw: Planter) -> Plant:
    """Return a typed command. zebra adds a deleted entry of the kernel again at once."""
    step = draw.step(BRIDGED, _is_first)
    typed = (
        "vtysh -c 'configure terminal' -c \"router bgp $(vtysh -c 'show running-config' "
        "| sed -n 's/^router bgp \\([0-9]*\\)$/\\1/p')\" "
        "-c 'address-family l2vpn evpn' -c 'flooding {}'"
    )
    return Plant(
        "flood list empty",
        BRIDGED,
        step.switch,
        typed.format("disable"),
        typed.format("head-end-replication"),
        ("flood list",),
    )


def vni_without_vlan(draw: Planter) -> Plant:
    step = draw.step(BRIDGED, lambda each: not each.is_middle)
    device, vlan = f"vni{draw.vni(BRIDGED)}", draw.vlan(BRIDGED, last=False)
    return Plant(
        "VLAN removed from a VXLAN device",
        BRIDGED,
        step.switch,
        f"bridge vlan del dev {device} vid {vlan}",
        f"bridge vlan add dev {device} vid {vlan} pvid untagged",
        (f"VLAN of VNI {draw.vni(BRIDGED)}",),
    )


def port_shut(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _is_first)
    return Plant(
        "server port shut",
        pair,
        step.switch,
        f"ip link set {step.enters} down",
        f"ip link set {step.enters} up",
        (f"link of {step.enters}",),
    )


def forwarding_off(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _is_middle)
    name = f"/proc/sys/net/ipv4/conf/{step.enters}/forwarding"
    return Plant(
        "forwarding off on a port",
        pair,
        step.switch,
        f"echo 0 > {name}",
        f"echo 1 > {name}",
        ("other state",),
    )


def rule_added(draw: Planter) -> Plant:
    pair = draw.any_pair()
    step = draw.step(pair, _goes_on)
    rule = f"to {step.target} blackhole pref 500"
    return Plant(
        "rule that diverts packets",
        pair,
        step.switch,
        f"ip rule add {rule}",
        f"ip rule del {rule}",
        ("other state",),
    )


def gateway_address(draw: Planter) -> Plant:
    step, vlan = draw.step(ROUTED, _is_first), draw.vlan(ROUTED, last=False)
    address = f"10.10.{vlan}.1/24 dev vlan{vlan}"
    return Plant(
        "address of a gateway removed",
        ROUTED,
        step.switch,
        f"ip address del {address}",
        f"ip address add {address}",
        (f"address of vlan{vlan}",),
    )


_KINDS: tuple[Callable[[Planter], Plant], ...] = (
    *(detour, missing_leg, mtu_of_leaf, mtu_of_spine, mtu_of_server_port, subnet_deleted),
    *(vrf_blackhole, underlay_blackhole, single_path, filter_added, dscp_filter_missing),
    *(marking_changed, vlan_removed, other_vrf, flood_missing, vni_without_vlan, port_shut),
    *(forwarding_off, rule_added, gateway_address),
)

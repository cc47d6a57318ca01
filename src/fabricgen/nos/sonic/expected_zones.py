"""List the ACL tables that the zone policies of a switch need, apart from the lowering.

SONiC binds a table to ports and port-channels, never to a VLAN. So all ports with the same guarded
VLANs have the same tables, which first permit traffic inside the VLAN.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vrfs import NUMBER
from fabricgen.model.fabric.zones import ANY_PORT, AccessList, Guard, Rule
from fabricgen.nos.sonic.names import bundle_name

Fact = tuple[Key, Attributes]
_INSIDE = {4: ("224.0.0.0/4", "255.255.255.255/32"), 6: ("ff00::/8", "fe80::/10")}
"""Multicast and broadcast, which stay in their VLAN: RFC 5771, RFC 919, RFC 4291."""
_NUMBERS = {"icmp": {4: "1", 6: "58"}, "tcp": {4: "6", 6: "6"}, "udp": {4: "17", 6: "17"}}
"""IANA, protocol numbers."""
_ANSWERS = ("0x10/0x10", "0x04/0x04")
"""ACK or RST: each answer of TCP has at least one (RFC 9293)."""
_FIRST = 10_000
_MATCHES = ("IP_PROTOCOL", "L4_SRC_PORT", "L4_DST_PORT", "L4_SRC_PORT_RANGE", "L4_DST_PORT_RANGE")
_ALIKE: Attributes = {"actions": ("PACKET_ACTION", "COUNTER"), "points": ("PORT", "PORTCHANNEL")}
_TYPES: dict[int, tuple[str, Attributes]] = {
    4: (
        "ZONES",
        {
            **_ALIKE,
            "matches": ("ETHER_TYPE", "SRC_IP", "DST_IP", *_MATCHES, "TCP_FLAGS", "ICMP_TYPE"),
        },
    ),
    6: (
        "ZONES6",
        {
            **_ALIKE,
            "matches": ("IP_TYPE", "SRC_IPV6", "DST_IPV6", *_MATCHES, "TCP_FLAGS", "ICMPV6_TYPE"),
        },
    ),
}


def acl_tables(switch_slice: SwitchSlice, ports: Sequence[str]) -> Iterator[Fact]:
    """Yield the tables and their rules. `ports`: the names of the interfaces, in order."""
    asking: dict[tuple[Guard, ...], list[str]] = defaultdict(list)
    for port, guards in _asking(switch_slice, ports):
        if guards:
            asking[guards].append(port)
    for guards, names in asking.items():
        for version, (kind, matches) in _TYPES.items():
            lists = [each for guard in guards for each in guard.lists if each.version == version]
            if not lists:
                continue
            zones = [each.name.partition("-")[2] for each in lists[1:]]
            table = "-".join([lists[0].name, *zones])
            text = guards[0].lists[0].because.rule
            own: Attributes = {"type": kind, "stage": "ingress", "text": text}
            yield ("acl", table), {**own, "ports": tuple(names)}
            yield ("acl-type", kind), matches
            place = NUMBER if any(rule.number for each in lists for rule in each.rules) else 0
            for number, rule in _rules(lists, version, inside=_inside(guards[0])):
                place += number is None
                family = {"priority": str(_FIRST - (number or place)), "family": _family(version)}
                yield ("acl", table, str(number or place)), {**family, **rule}


def _inside(guard: Guard) -> bool:
    """Return whether multicast and broadcast pass; isolated ports have rules of their own."""
    return guard.vlan is not None and not guard.isolated


def _family(version: int) -> str:
    """Return the value of ETHER_TYPE, or of IP_TYPE, as acl-loader has no ETHER_TYPE of IPv6."""
    return str(0x0800) if version == 4 else "IPV6ANY"


def _asking(
    switch_slice: SwitchSlice, ports: Sequence[str]
) -> Iterator[tuple[str, tuple[Guard, ...]]]:
    """Yield ports to external routers, LAGs, then other ports, with the guards of ingress."""
    by_vlan = {guard.vlan: guard for guard in switch_slice.guards if guard.vlan is not None}
    by_peer = {guard.peer: guard for guard in switch_slice.guards if guard.vlan is None}
    named = dict(zip(switch_slice.interfaces, ports, strict=True))
    for item, name in named.items():
        if item.use is Use.EXTERNAL:
            peers = (
                each
                for each in switch_slice.external
                if each.interface.port == item.port and each.interface.tag is None
            )
            yield name, tuple(by_peer[each.label] for each in peers if each.label in by_peer)
        elif told := [each for each in switch_slice.speakers if each.interface is item]:
            yield name, tuple(by_peer[each.label] for each in told if each.label in by_peer)
    bridged = [(bundle_name(lag.number), lag.carries) for lag in switch_slice.lags]
    bridged += [
        (name, item.carries)
        for item, name in named.items()
        if item.lag is None and item.use is not Use.EXTERNAL
    ]
    for name, carries in bridged:
        vlans = sorted({vlan.id for vlan in carries.vlans}) if carries is not None else []
        yield name, tuple(by_vlan[each] for each in vlans if each in by_vlan)


def _rules(
    lists: list[AccessList], version: int, *, inside: bool
) -> Iterator[tuple[int | None, Attributes]]:
    """Yield the rules in order: traffic inside the VLAN, each rule once, and the final drop.

    Each rule comes with its number, if any; rules with the same number are the same.
    """
    for target in _INSIDE[version] if inside else ():
        yield None, {"action": "FORWARD", "target": target}
    seen: list[Rule | int] = []
    for rule in (rule for each in lists for rule in each.rules):
        if (rule.number or rule) not in seen:
            seen.append(rule.number or rule)
            for flags in _ANSWERS if rule.established else ("",):
                yield rule.number, _rule(rule, version) | ({"flags": flags} if flags else {})
    yield None, {"action": "DROP"}


def _rule(rule: Rule, version: int) -> Attributes:
    own: Attributes = {"action": "FORWARD" if rule.permit else "DROP"}
    own |= {
        word: end.prefix
        for word, end in (("source", rule.source), ("target", rule.target))
        if end != Ip(0, 0, version)
    }
    for word, (first, last) in (("from", rule.source_ports), ("to", rule.target_ports)):
        if (first, last) != ANY_PORT:
            own[word] = f"{first}" if first == last else f"{first}-{last}"
    if rule.protocol in _NUMBERS:
        own["protocol"] = _NUMBERS[rule.protocol][version]
    if rule.message is not None:
        own["message"] = f"{rule.message}"
    return own

"""Lower zone policies to the ACL tables and rules of SONiC ports.

A table of community SONiC is bound to ports and port-channels, never to a VLAN (sonic-acl.yang,
`ports` and BIND_POINTS). So it also checks traffic within the VLAN of a server, and permits that
first. TCP flags are matched only in a custom table type (sonic-acl.yang of 202605, the `must` of
TCP_FLAGS). Priorities count down from 10000 as acl-loader's do (sonic-utilities
acl_loader/main.py). A packet that matches no rule is forwarded, so the last rule drops.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port
from fabricgen.model.fabric.zones import (
    ANY_PORT,
    ICMP,
    IP,
    TCP,
    UDP,
    AccessList,
    Guard,
    Ports,
    Rule,
    numbers,
)
from fabricgen.nos.sonic.names import bundle_name
from fabricgen.nos.sonic.ports import Named
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables

HIGHEST = 10_000
PROTOCOLS = {(4, ICMP): "1", (6, ICMP): "58", (4, TCP): "6", (6, TCP): "6", (4, UDP): "17"}
PROTOCOLS[6, UDP] = "17"
FLAGS = ("0x10/0x10", "0x04/0x04")  # ACK, RST: each answer has at least one
_KINDS = {4: "ZONES", 6: "ZONES6"}
_ADDRESSES = {4: ("SRC_IP", "DST_IP"), 6: ("SRC_IPV6", "DST_IPV6")}
_MESSAGE = {4: "ICMP_TYPE", 6: "ICMPV6_TYPE"}
# acl-loader: ETHERTYPE is not supported in tables of IPv6.
_FAMILY = {4: ("ETHER_TYPE", "2048"), 6: ("IP_TYPE", "IPV6ANY")}
_GROUPS = {  # destinations inside a VLAN: multicast, and the broadcast address
    4: (Ip(0xE0000000, 4, 4), Ip(0xFFFFFFFF, 32, 4)),
    6: (Ip(0xFF << 120, 8, 6), Ip(0xFE80 << 112, 10, 6)),
}


class Bound(NamedTuple):
    """One table: the rules, with required TCP flags, and the bound ports."""

    name: str
    version: int
    rules: tuple[tuple[Rule, str], ...]
    ports: tuple[str, ...]
    because: Provenance


def bound(switch_slice: SwitchSlice, named: list[Named]) -> list[Bound]:
    """Return the tables of a switch: one for all ports that carry the same VLANs."""
    ways: dict[tuple[Guard, ...], list[str]] = {}
    for guards, port in _ways(switch_slice, named):
        ways.setdefault(guards, []).append(port)
    return [
        Bound(*table, tuple(ports), guards[0].lists[0].because)
        for guards, ports in ways.items()
        for table in _tables(guards)
    ]


def _ways(switch_slice: SwitchSlice, named: list[Named]) -> Iterator[tuple[tuple[Guard, ...], str]]:
    """Yield each port and LAG with the guards of its VLANs."""
    vlans = {guard.vlan: guard for guard in switch_slice.guards if guard.vlan is not None}
    labels = {guard.peer: guard for guard in switch_slice.guards if guard.vlan is None}
    peers: dict[Port, list[Guard]] = {}
    for peer in (*switch_slice.external, *switch_slice.speakers):
        if peer.label in labels and peer.interface.tag is None:
            peers.setdefault(peer.interface.port, []).append(labels[peer.label])
    carrying = [(bundle_name(lag.number), lag.carries) for lag in switch_slice.lags]
    for interface, names in named:
        if interface.port in peers:
            yield tuple(peers[interface.port]), names.name
        elif interface.use is Use.EXTERNAL:
            continue
        elif interface.lag is None:
            carrying.append((names.name, interface.carries))
    for name, carries in carrying:
        ids = sorted(vlan.id for vlan in carries.vlans) if carries is not None else []
        if guards := tuple(vlans[number] for number in ids if number in vlans):
            yield guards, name


@lru_cache(maxsize=1024)
def _tables(guards: tuple[Guard, ...]) -> tuple[tuple[str, int, tuple[tuple[Rule, str], ...]], ...]:
    """Return name, version and rules of the tables of a port with these guards."""
    made = []
    for version in (4, 6):
        lists = [each for guard in guards for each in guard.lists if each.version == version]
        if lists:
            name = "-".join([lists[0].name, *(each.name.partition("-")[2] for each in lists[1:])])
            inside = guards[0].vlan is not None and not guards[0].isolated
            made.append((name, version, tuple(_rules(lists, version, inside=inside))))
    return tuple(made)


def _rules(lists: list[AccessList], version: int, *, inside: bool) -> Iterator[tuple[Rule, str]]:
    """Yield the rules of some lists in one list. Their sources differ, so none conflicts."""
    plain = replace(lists[0].rules[0], permit=True, protocol=IP, answers=True, message=None)
    plain = replace(plain, source_ports=ANY_PORT, target_ports=ANY_PORT, number=None)
    anything = Ip(0, 0, version)
    for group in _GROUPS[version] if inside else ():
        why = replace(lists[0].because, rule="multicast and broadcast stay in the VLAN")
        yield replace(plain, source=anything, target=group, because=why), ""
    rules = (rule for each in lists for rule in each.rules)
    for rule in {rule.number or rule: rule for rule in rules}.values():
        for flags in FLAGS if rule.established else ("",):
            yield rule, flags
    drop = replace(plain, permit=False, source=anything, target=anything, answers=False)
    yield (
        replace(drop, because=replace(lists[0].because, rule="packets without a rule are dropped")),
        "",
    )


def zones(switch_slice: SwitchSlice, named: list[Named]) -> Tables:
    if not switch_slice.guards:
        return {}
    tables = bound(switch_slice, named)
    types = {_KINDS[each.version]: _type(each) for each in tables}
    return {
        "ACL_TABLE_TYPE": dict(sorted(types.items())),
        "ACL_TABLE": {each.name: _table(each) for each in tables},
        "ACL_RULE": {key: entry for each in tables for key, entry in _entries(each).items()},
    }


def _type(each: Bound) -> Entry:
    matches = [_FAMILY[each.version][0], *_ADDRESSES[each.version], "IP_PROTOCOL"]
    matches += ["L4_SRC_PORT", "L4_DST_PORT", "L4_SRC_PORT_RANGE", "L4_DST_PORT_RANGE"]
    fields: dict[str, Field] = {
        "MATCHES": [*matches, "TCP_FLAGS", _MESSAGE[each.version]],
        "ACTIONS": ["PACKET_ACTION", "COUNTER"],
        "BIND_POINTS": ["PORT", "PORTCHANNEL"],
    }
    return Entry(each.because, fields)


def _table(each: Bound) -> Entry:
    fields: dict[str, Field] = {
        "type": _KINDS[each.version],
        "stage": "ingress",
        "policy_desc": each.because.rule,
        "ports": list(each.ports),
    }
    return Entry(each.because, fields)


def _entries(each: Bound) -> Table:
    places = numbers([rule for rule, _ in each.rules], apart=1)
    return {
        f"{each.name}|RULE_{place}": _entry(rule, flags, place)
        for place, (rule, flags) in zip(places, each.rules, strict=True)
    }


def _entry(rule: Rule, flags: str, place: int) -> Entry:
    version = rule.source.version
    fields: dict[str, Field] = {
        "PRIORITY": str(HIGHEST - place),
        "PACKET_ACTION": "FORWARD" if rule.permit else "DROP",
    }
    fields.update([_FAMILY[version]])
    for word, end in zip(_ADDRESSES[version], (rule.source, rule.target), strict=True):
        if end.length:
            fields[word] = end.prefix
    if rule.protocol != IP:
        fields["IP_PROTOCOL"] = PROTOCOLS[version, rule.protocol]
    fields.update(_ports((("L4_SRC_PORT", rule.source_ports), ("L4_DST_PORT", rule.target_ports))))
    if flags:
        fields["TCP_FLAGS"] = flags
    if rule.message is not None:
        fields[_MESSAGE[version]] = str(rule.message)
    return Entry(rule.because, fields)


def _ports(given: Iterable[tuple[str, Ports]]) -> Iterator[tuple[str, Field]]:
    for word, (first, last) in given:
        if (first, last) != ANY_PORT:
            yield (word, str(first)) if first == last else (f"{word}_RANGE", f"{first}-{last}")

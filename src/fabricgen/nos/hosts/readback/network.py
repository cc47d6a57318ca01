"""Find the interface by which a packet leaves a server, from its addresses, rules and routes.

The lookup follows the kernel (ip-rule(8)). Rules apply by priority. The first table that has a
route decides, by its longest prefix. An unreachable route also decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import field
from functools import cached_property
from ipaddress import IPv4Address, ip_network
from typing import Any

from fabricgen.core.record import record

MAIN, LAST = 254, 32766
"""The kernel's main table, and the priority of its rule."""
ANY = "0.0.0.0/0"
UNREACHABLE, ELSEWHERE = "unreachable", "elsewhere"
"""Exits that are no interface of these files: dropped packets, or other routes of the host."""


@record(kw_only=True)
class Route:
    """One route. `via`: empty if directly connected. Table 0 is the main one.

    `metric`: the lower one of two routes to a prefix wins.
    """

    prefix: str
    via: str
    device: str
    table: int = 0
    unreachable: bool = False
    metric: int = 0


@record(kw_only=True)
class Rule:
    """Packets from `source` to `to` use `table`; an empty prefix is every address."""

    table: int
    priority: int
    source: str = ""
    to: str = ""


@record(kw_only=True)
class Device:
    """One interface.

    Attributes:
        bond: Its bond, if it is a member.
        options: Options of a bond, in the kernel's words.
        link, vlan: It is this VLAN of another interface.
        addresses: Static addresses, IPv4 first.
        dhcp, routes: Whether it uses DHCP for IPv4, and accepts its routes.
        announced: Whether it accepts IPv6 addresses and the default route of router advertisements.
    """

    mtu: int = 0
    bond: str = ""
    members: frozenset[str] = frozenset()
    options: Mapping[str, str] = field(default_factory=dict)
    link: str = ""
    vlan: int = 0
    addresses: tuple[str, ...] = ()
    dhcp: bool = False
    routes: bool = True
    announced: bool = False

    def asks(self, version: int) -> bool:
        """Return whether its default route of an IP version comes from the network."""
        return self.announced if version == 6 else self.dhcp and self.routes


@record()
class Network:
    """The network of a server in its files: interfaces by name, routes and rules."""

    devices: Mapping[str, Device]
    routes: tuple[Route, ...]
    rules: tuple[Rule, ...]

    @property
    def addresses(self) -> Mapping[str, tuple[str, ...]]:
        """Return the addresses with their length, by interface."""
        return {name: each.addresses for name, each in self.devices.items() if each.addresses}


@record(kw_only=True)
class FileStatements:
    """Statements of one file, or a part of it, about one interface.

    `members`: members of a bond. `carries`: interfaces of its VLANs. `primary`: preferred port of
    its bond.
    """

    name: str
    words: Mapping[str, Any]
    routes: tuple[Route, ...] = ()
    rules: tuple[Rule, ...] = ()
    members: tuple[str, ...] = ()
    carries: tuple[str, ...] = ()
    primary: bool = False


def route_of(device: str, words: Mapping[str, Any]) -> Route:
    """Return a route from words of `ip route` and netplan; ValueError for unknown words."""
    number = int(words.get("table") or MAIN)
    left({key: value for key, value in words.items() if key not in _ROUTE})
    return Route(
        prefix=words["to"],
        via=words.get("via") or "",
        device=device,
        table=0 if number == MAIN else number,
        unreachable=_REFUSES[words.get("type", "unicast")],
        metric=int(words.get("metric") or 0),
    )


def rule_of(words: Mapping[str, Any]) -> Rule:
    """Return a rule from words of `ip rule` and netplan; ValueError for unknown words."""
    left({key: value for key, value in words.items() if key not in _RULE})
    return Rule(
        source=words.get("from", ""),
        to=words.get("to", ""),
        table=int(words["table"]),
        priority=int(words["priority"]),
    )


def bond_options(words: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, str]:
    """Return the options of a bond in the kernel's words; KeyError for unknown options."""
    return {names[key]: str(value) for key, value in words.items()}


def left(words: Iterable[str]) -> None:
    """Raise ValueError for a remaining word."""
    for word in words:
        raise ValueError(f"unknown word {word!r}")


_ROUTE = {"to", "via", "table", "type", "scope", "metric"}
_RULE = {"from", "to", "table", "priority"}
_REFUSES = {"unicast": False, "unreachable": True, "blackhole": True, "prohibit": True}
"""Known types of routes, and whether they drop matching packets."""


class Lookup:
    """Finds the exit of packets of one IP version, as the kernel of the server would."""

    def __init__(self, network: Network, version: int = 4) -> None:
        """Sort the rules with the kernel's default rules. Its `local` table is not used."""
        self._network, self._version, six = network, version, version == 6
        self._routes = [route for route in network.routes if (":" in route.prefix) == six]
        mine = [rule for rule in network.rules if (":" in rule.source + rule.to) == six]
        every = (*mine, Rule(table=MAIN, priority=LAST))
        rules = sorted(every, key=lambda rule: rule.priority)
        every_one = ANY if version == 4 else "::/0"
        self._rules = [
            (_span(rule.source or every_one), _span(rule.to or every_one), rule.table)
            for rule in rules
        ]

    @cached_property
    def _tables(self) -> dict[int, list[tuple[range, str]]]:
        """The routes of each table, the longest prefix first."""
        tables: dict[int, list[tuple[range, str]]] = {}
        for route in sorted(self._routes, key=lambda route: route.metric):
            way = UNREACHABLE if route.unreachable else route.device
            tables.setdefault(route.table or MAIN, []).append((_span(route.prefix), way))
        for routes in tables.values():
            routes.sort(key=lambda route: route[0].stop - route[0].start)
        return tables

    def without(self, device: str) -> "Lookup":
        """Return the lookup without an interface: its routes are removed, its rules remain."""
        routes = (route for route in self._network.routes if route.device != device)
        network = Network(self._network.devices, tuple(routes), self._network.rules)
        return Lookup(network, self._version)

    def way(self, source: int, target: int) -> str:
        """Return the exit interface. Source 0 is a program that has not chosen an address."""
        for sources, targets, table in self._rules:
            if source in sources and target in targets:
                for prefix, way in self._tables.get(table, ()):
                    if target in prefix:
                        return way
                if table == MAIN:
                    break
        return ELSEWHERE

    def edges(self, within: range) -> set[int]:
        """Return the addresses of a range where the exit may change.

        It changes at the start of a prefix and after its end.
        """
        spans = [targets for _, targets, _ in self._rules]
        spans += [prefix for routes in self._tables.values() for prefix, _ in routes]
        return {
            end for span in [*spans, within] for end in (span.start, span.stop) if end in within
        }


def _span(prefix: str) -> range:
    net = ip_network(prefix, strict=False)
    first = int(net.network_address)
    return range(first, first + net.num_addresses)


def number(address: str) -> int:
    return int(IPv4Address(address.partition("/")[0]))

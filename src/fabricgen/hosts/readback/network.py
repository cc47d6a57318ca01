"""A server's addresses, rules and routes in; by which interface a packet leaves out.

As the kernel looks a packet's way up (ip-rule(8)): rules by their priority; the first table that
has a route decides, the longest prefix of it; an unreachable route is an answer, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network

from fabricgen.record import record

MAIN, LAST = 254, 32766
"""The kernel's main table, and the priority of its rule."""
ANY = "0.0.0.0/0"
UNREACHABLE, ELSEWHERE = "unreachable", "elsewhere"
"""Ways out that are no interface of these files: refused, or what else the host has by default."""


@record(kw_only=True)
class Route:
    """One route; via: empty for what is on the link itself. table 0: the main one."""

    prefix: str
    via: str
    device: str
    table: int = 0
    unreachable: bool = False


@record(kw_only=True)
class Rule:
    """What is sent from `source` to `to` looks in `table`; an empty prefix is every address."""

    table: int
    priority: int
    source: str = ""
    to: str = ""


@record()
class Network:
    """The network of a server as its files have it. addresses: with their length, by interface."""

    addresses: Mapping[str, str]
    routes: tuple[Route, ...]
    rules: tuple[Rule, ...]


class Lookup:
    """Finds the way out of packets, as the kernel of the server would."""

    def __init__(self, network: Network) -> None:
        """Sort the rules, the kernel's own among them; its `local` table is not asked here."""
        self._routes = network.routes
        every = (*network.rules, Rule(table=MAIN, priority=LAST))
        rules = sorted(every, key=lambda rule: rule.priority)
        self._rules = [(_span(rule.source), _span(rule.to), rule.table) for rule in rules]

    @cached_property
    def _tables(self) -> dict[int, list[tuple[range, str]]]:
        """The routes of each table, the longest prefix first."""
        tables: dict[int, list[tuple[range, str]]] = {}
        for route in self._routes:
            way = UNREACHABLE if route.unreachable else route.device
            tables.setdefault(route.table or MAIN, []).append((_span(route.prefix), way))
        for routes in tables.values():
            routes.sort(key=lambda route: len(route[0]))
        return tables

    def way(self, source: int, target: int) -> str:
        """Return the interface; source 0 is a program that has not chosen an address."""
        for sources, targets, table in self._rules:
            if source in sources and target in targets:
                for prefix, way in self._tables.get(table, ()):
                    if target in prefix:
                        return way
                if table == MAIN:
                    break
        return ELSEWHERE

    def edges(self, within: range) -> set[int]:
        """Return the addresses of a range from which on a way may be another one.

        It changes where a prefix begins, and behind its end.
        """
        spans = [targets for _, targets, _ in self._rules]
        spans += [prefix for routes in self._tables.values() for prefix, _ in routes]
        return {
            end for span in [*spans, within] for end in (span.start, span.stop) if end in within
        }


def _span(prefix: str) -> range:
    net = IPv4Network(prefix or ANY, strict=False)
    first = int(net.network_address)
    return range(first, first + net.num_addresses)


def number(address: str) -> int:
    """Return an address as a number."""
    return int(IPv4Address(address.partition("/")[0]))

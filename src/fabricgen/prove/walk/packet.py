"""Defines packets, stations and verdicts of a walk, and joins verdicts."""

from collections import defaultdict
from enum import StrEnum
from functools import lru_cache
from ipaddress import (
    IPv4Address,
    IPv4Interface,
    IPv4Network,
    IPv6Address,
    IPv6Interface,
    IPv6Network,
    ip_interface,
)
from typing import NamedTuple

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Key

Address = IPv4Address | IPv6Address
Interface = IPv4Interface | IPv6Interface
Prefix = IPv4Network | IPv6Network


@lru_cache(maxsize=65536)
def interface(text: str) -> Interface:
    """Return an address with its length; cached, since they repeat."""
    return ip_interface(text)


class Prefixes:
    """The prefixes that may decide about an address."""

    def __init__(self) -> None:
        """Start without a prefix."""
        self._values: dict[tuple[int, int], set[int]] = defaultdict(set)

    def add(self, version: int, value: int, length: int) -> None:
        """Add the prefix of a length that contains an address."""
        self._values[version, length].add(value >> ((32 if version == 4 else 128) - length))

    def around(self, version: int, value: int) -> tuple[int, ...]:
        """Return which of the prefixes contain an address: the longest one, and all lengths."""
        bits = 32 if version == 4 else 128
        lengths = [
            length
            for (own, length), values in self._values.items()
            if own == version and value >> (bits - length) in values
        ]
        longest = max(lengths, default=0)
        return (longest, value >> (bits - longest), *sorted(lengths))


class Outcome(StrEnum):
    """Result of a packet. UNKNOWN: a statement on its path is not understood."""

    REACHES = "reaches"
    STOPS = "does not reach"
    UNKNOWN = "not known"


class End(NamedTuple):
    """A port of a switch, in the spelling of its OS; `tag`: of its subinterface, only outside."""

    switch: str
    port: str
    tag: int = 0


@record(eq=False, kw_only=True)
class Station:
    """Sender or receiver: one server interface in one network, or an external router.

    `node`: the server. `device`: its interface there. `network`: its network in the matrix. `ends`:
    the ports of its cables. `also`: of an external one: all ports that lead there, each with the
    ASN of its router. `tag`: the VLAN on the wire, None without tag. `bundle`: its ports are one
    LACP bond. `addresses`: with their length, at most one of each IP version. `told`: its files
    configure its routing. `asn`: of an external router. `behind`: next hops of a network behind a
    static route; `ends` are then those of an external router, or none. A DHCP client has an address
    at the end of the subnet.
    """

    name: str
    node: str
    device: str
    fabric: str
    network: str
    ends: tuple[End, ...]
    tag: int | None = None
    bundle: bool = False
    addresses: tuple[str, ...] = ()
    told: bool = False
    outside: bool = False
    asn: str = ""
    also: tuple[tuple[End, str], ...] = ()
    behind: tuple["Station", ...] = ()

    def address(self, version: int) -> Interface | None:
        """Return its address of an IP version."""
        every = map(interface, self.addresses)
        return next((each for each in every if each.version == version), None)


class Packet(NamedTuple):
    """One packet. proto and port: empty and 0 for any."""

    source: Address
    target: Address
    proto: str = ""
    port: int = 0


@record(kw_only=True)
class Hop:
    """One node on the path and its action. `paths`: of the intent. `keys`: of its facts."""

    node: str
    act: str
    paths: tuple[IntentPath, ...] = ()
    keys: tuple[Key, ...] = ()


@record(kw_only=True)
class Verdict:
    """Result of a packet, the deciding rule, one of its paths, and their number."""

    outcome: Outcome
    rule: str
    hops: tuple[Hop, ...] = ()
    paths: tuple[IntentPath, ...] = ()
    ways: int = 1


def stops(rule: str, hops: tuple[Hop, ...] = ()) -> Verdict:
    """Return the verdict of a dropped packet, with its rule."""
    return Verdict(outcome=Outcome.STOPS, rule=rule, hops=hops)


def unknown(rule: str) -> Verdict:
    """Return the verdict *not known*, with the facts that are not understood."""
    return Verdict(outcome=Outcome.UNKNOWN, rule=f"not understood: {rule}")


def taken(other: Station) -> Verdict:
    """Return the verdict of a packet that a station receives."""
    hop = Hop(node="outside" if other.outside else other.node, act="receives it")
    return Verdict(outcome=Outcome.REACHES, rule="every table on the path has a route", hops=(hop,))


def after(hop: Hop, rest: Verdict) -> Verdict:
    """Return a verdict with a hop before it."""
    return Verdict(outcome=rest.outcome, rule=rest.rule, hops=(hop, *rest.hops), ways=rest.ways)


def joined(first: Verdict, rest: Verdict) -> Verdict:
    """Return the verdict of two parts of a path, of which the first passes."""
    return Verdict(
        outcome=rest.outcome,
        rule=rest.rule,
        hops=(*first.hops, *rest.hops),
        ways=first.ways * rest.ways,
    )


def every_way(every: list[Verdict]) -> Verdict:
    """Return the verdict of a packet with several possible paths: it must arrive by each."""
    lost = [each for each in every if each.outcome is Outcome.STOPS]
    worst = next((each for each in every if each.outcome is Outcome.UNKNOWN), None)
    if not every:
        return stops("no path remains")
    if worst is not None or lost:
        bad = worst or lost[0]
        part = f" (on {len(lost)} of {len(every)} paths)" if 0 < len(lost) < len(every) else ""
        return Verdict(outcome=bad.outcome, rule=bad.rule + part, hops=bad.hops)
    ways = sum(each.ways for each in every)
    first = every[0]
    return Verdict(outcome=first.outcome, rule=first.rule, hops=first.hops, ways=ways)

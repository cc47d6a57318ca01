"""Defines packets, stations and verdicts of a walk, and joins verdicts."""

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
    """Return an address with its length; they come again and again."""
    return ip_interface(text)


class Outcome(StrEnum):
    """What becomes of a packet. UNKNOWN: something on its way is not understood."""

    REACHES = "reaches"
    STOPS = "does not reach"
    UNKNOWN = "not known"


class End(NamedTuple):
    """A port of a switch, as its own OS spells it; tag: of its share of frames, outside alone."""

    switch: str
    port: str
    tag: int = 0


@record(eq=False, kw_only=True)
class Station:
    """Who sends or takes packets: one interface of a server in one network, or a router outside.

    node: the server. device: its interface there. network: what the matrix counts it to. ends: the
    ports that its cables come from; also, of one outside: all that lead there, each with the ASN
    of its router. tag: the VLAN on the wire, None where there is none. bundle: its ports are one by
    LACP. addresses: with their length, at most one of each IP version. told: its files say how it
    sends. asn: of a router outside. behind: of one in a network behind a static route, the next
    hops; `ends` are those of a router outside then, or none. Who has its address by DHCP has one at
    the end of the subnet.
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
    """One packet. proto and port: empty and 0 where any are meant."""

    source: Address
    target: Address
    proto: str = ""
    port: int = 0


@record(kw_only=True)
class Hop:
    """One node on the way and what it does. paths: of the intent; keys: of facts in its files."""

    node: str
    act: str
    paths: tuple[IntentPath, ...] = ()
    keys: tuple[Key, ...] = ()


@record(kw_only=True)
class Verdict:
    """What becomes of a packet, the rule that decides it, one of its ways, how many there are."""

    outcome: Outcome
    rule: str
    hops: tuple[Hop, ...] = ()
    paths: tuple[IntentPath, ...] = ()
    ways: int = 1


def stops(rule: str, hops: tuple[Hop, ...] = ()) -> Verdict:
    """Return that a packet ends, by a rule."""
    return Verdict(outcome=Outcome.STOPS, rule=rule, hops=hops)


def unknown(rule: str) -> Verdict:
    """Return the verdict *not known*, with the facts that are not understood."""
    return Verdict(outcome=Outcome.UNKNOWN, rule=f"not understood: {rule}")


def taken(other: Station) -> Verdict:
    """Return that a station takes a packet."""
    hop = Hop(node="outside" if other.outside else other.node, act="takes it")
    return Verdict(outcome=Outcome.REACHES, rule="every table on the way has it", hops=(hop,))


def after(hop: Hop, rest: Verdict) -> Verdict:
    """Put a hop before what comes of it."""
    return Verdict(outcome=rest.outcome, rule=rest.rule, hops=(hop, *rest.hops), ways=rest.ways)


def joined(first: Verdict, rest: Verdict) -> Verdict:
    """Put two parts of a way together, of which the first is passed."""
    return Verdict(
        outcome=rest.outcome,
        rule=rest.rule,
        hops=(*first.hops, *rest.hops),
        ways=first.ways * rest.ways,
    )


def every_way(every: list[Verdict]) -> Verdict:
    """Return what becomes of a packet that may take any of several ways: it must arrive by each."""
    lost = [each for each in every if each.outcome is Outcome.STOPS]
    worst = next((each for each in every if each.outcome is Outcome.UNKNOWN), None)
    if not every:
        return stops("no way is left")
    if worst is not None or lost:
        bad = worst or lost[0]
        part = f" (on {len(lost)} of {len(every)} ways)" if 0 < len(lost) < len(every) else ""
        return Verdict(outcome=bad.outcome, rule=bad.rule + part, hops=bad.hops)
    ways = sum(each.ways for each in every)
    first = every[0]
    return Verdict(outcome=first.outcome, rule=first.rule, hops=first.hops, ways=ways)

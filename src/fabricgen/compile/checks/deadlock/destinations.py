"""What the switches are told in; the destinations out: addresses that are forwarded alike.

All that a switch originates travels alike: the policy lets pass loopbacks and NIC prefixes by the
same rules, and no two prefixes overlap. Only a static route tells some of them from others.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fabricgen.compile.checks.deadlock.network import Network
from fabricgen.compile.checks.deadlock.routes import Destination
from fabricgen.compile.checks.deadlock.told import Static, Told

Span = tuple[int, int, int]  # first address, length, version


def destinations(net: Network, first: Iterable[int]) -> list[Destination]:
    """Return every destination: those of static routes, of the switches `first`, of the rest."""
    alike: dict[object, Destination] = {}
    for origin, span in _spans(net.told):
        for chosen in _parts(span, net.told.statics):
            key = origin, chosen
            if key not in alike:
                alike[key] = _with(net, origin, span[1], chosen)
    told = alike.values()
    return [*told, *(Destination(origin) for origin in in_order(net.told, first))]


def in_order(told: Told, first: Iterable[int]) -> list[int]:
    """Return the switches: `first`, then one of each tier, plane and pod, then the next of each."""
    head = dict.fromkeys(switch for switch in first if switch in told.places)
    kinds: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for switch in told.places:
        if switch not in head:
            kinds[told.places[switch]].append(switch)
    near = {told.places[switch][1:] for switch in head}
    ranked = [
        (place, kind[1:] not in near, kind, switch)
        for kind, switches in kinds.items()
        for place, switch in enumerate(switches)
    ]
    return [*head, *(switch for *_, switch in sorted(ranked))]


def _spans(told: Told) -> Iterator[tuple[int | None, Span]]:
    """Yield what is originated, and what is known by static routes only; nothing without them."""
    if told.statics:
        for origin in told.places:
            for first, length in told.prefixes_of(origin):
                yield origin, (first, length, 4)
    for static in told.statics:
        first, _ = static.prefix.network
        yield None, (first, 0, static.prefix.version)


def _parts(span: Span, statics: Sequence[Static]) -> Iterator[tuple[Static, ...]]:
    """Yield the static routes that match the whole of a span, then those of each part of it."""
    first, length, version = span
    parts = {(first, length)} | {
        (static.prefix.network[0], static.prefix.length)
        for static in statics
        if _inside(static.prefix.network[0], static.prefix.length, static.prefix.version, span)
    }
    for part in sorted(parts):
        chosen = tuple(
            static
            for static in statics
            if _inside(*part, version, (static.prefix.network[0], *static.prefix[1:]))
        )
        if chosen:
            yield chosen


def _inside(first: int, length: int, version: int, span: Span) -> bool:
    """Tell whether a prefix lies in another one, or is it."""
    bits = (32 if version == 4 else 128) - span[1]
    return version == span[2] and length >= span[1] and first >> bits == span[0] >> bits


def _with(net: Network, origin: int | None, length: int, chosen: tuple[Static, ...]) -> Destination:
    """Say which static routes win over the prefix of BGP, and which only stand in for it."""
    over: dict[int, list[Static]] = defaultdict(list)
    under: dict[int, list[Static]] = defaultdict(list)
    for static in sorted(chosen, key=lambda item: -item.prefix.length):
        connected = static.switch == origin and static.prefix.length == length
        if static.prefix.length >= length and not connected:
            over[static.switch].append(static)
        else:
            under[static.switch].append(static)
    return Destination(origin, _longest(net, over), _longest(net, under))


def _longest(net: Network, by: dict[int, list[Static]]) -> dict[int, tuple[int, ...]]:
    return {
        switch: tuple(
            net.at[switch, item.own]
            for item in candidates
            if item.prefix.length == candidates[0].prefix.length
        )
        for switch, candidates in by.items()
    }

"""Compute the paths on which each switch may forward to a destination in a network state.

BGP follows the configured policies. The shortest AS path wins, ECMP paths share the load, a path
with the own ASN is rejected, and routes marked as from above are not sent up. Timing decides which
of several ECMP paths is advertised, so a switch gets the set of all routes that it may hold.
Adaptive routing chooses among equal routes, too, so it adds no path.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from fabricgen.compile.checks.deadlock.network import Network, Route, Way

Offer = tuple[tuple[int, frozenset["Route"], bool], ...]
"""Routes by length that a switch may receive on a path, and whether it always receives one."""

Hops = dict[int, dict[int, Offer]]
"""By switch: the numbers of the ways that it may forward on, with what it got over each."""

Teller = tuple[int, int]
"""A switch, and how many ASNs it adds in front of its routes."""
_ORIGIN: frozenset[Route] = frozenset({(False, ())})
_STATIC: Offer = ((0, frozenset(), True),)


class Destination(NamedTuple):
    """Addresses with the same routes: of one switch, or of static routes only.

    Addresses of a port that is down belong to no switch: its switch no longer advertises them.
    over: static routes that win over BGP, by switch. under: static routes used without a BGP
    route.
    """

    origin: int | None
    over: Mapping[int, tuple[int, ...]] = {}
    under: Mapping[int, tuple[int, ...]] = {}


def hops(net: Network, to: Destination, gone: frozenset[int]) -> Hops:
    """Return where each switch may forward packets to a destination, without the lost paths."""
    spread = {} if to.origin is None else _Spread(net, to.origin, gone).run()
    for switch, ways in to.over.items():
        left = [way for way in ways if way not in gone]
        if left:
            spread[switch] = dict.fromkeys(left, _STATIC)
    for switch, ways in to.under.items():
        if switch not in spread and switch != to.origin:
            spread[switch] = {way: _STATIC for way in ways if way not in gone}
    return spread


class _Spread:
    """Spread of the routes of one origin, one more AS at a time.

    A switch is settled once it always has a route: it chooses no longer route. It always has a
    route when a neighbor is settled and would send one of its routes, whichever it chose.
    Routes over a drained link, or from a drained switch, arrive as much later as their paths
    are longer.
    """

    def __init__(self, net: Network, origin: int, gone: frozenset[int]) -> None:
        self.net, self.gone = net, gone
        self.held: dict[int, set[Route]] = defaultdict(set, {origin: set(_ORIGIN)})
        self.settled = {origin}
        self.hops: Hops = defaultdict(dict)

    def run(self) -> Hops:
        (origin,) = self.settled
        told: dict[int, dict[Teller, set[Route]]] = defaultdict(dict)
        sure = {origin: 0}

        def tell(length: int, switch: int, routes: set[Route]) -> None:
            for detour in {way.detour for way in self.net.into.get(switch, ())}:
                told[length + 1 + detour][switch, detour] = routes

        tell(0, origin, set(_ORIGIN))
        longest = max((way.detour for way in self.net.ways), default=0)
        for length in range(1, len(self.net.told.names) * (1 + longest) + 1):
            if not told:
                break
            fresh = told.pop(length, {})
            just = {each for each in fresh if sure.get(each[0]) == length - 1 - each[1]}
            learned, now = self.step(length, fresh, just)
            sure.update(dict.fromkeys(now, length))
            for switch, routes in learned.items():
                tell(length, switch, routes)
        return dict(self.hops)

    def step(
        self, length: int, fresh: Mapping[Teller, Iterable[Route]], just: set[Teller]
    ) -> tuple[dict[int, set[Route]], set[int]]:
        """Send new routes to every neighbor; return the new routes and the settled switches."""
        learned: dict[int, set[Route]] = defaultdict(set)
        now: set[int] = set()
        for (there, detour), routes in fresh.items():
            for way in self.net.into.get(there, ()):
                if way.detour != detour or way.number in self.gone or way.here in self.settled:
                    continue
                taken = frozenset(filter(None, map(way.carried, routes)))
                if taken:
                    sure = (there, detour) in just and self.always(way, there)
                    learned[way.here] |= taken
                    before = self.hops[way.here].get(way.number, ())
                    self.hops[way.here][way.number] = (*before, (length, taken, sure))
                    if sure:
                        now.add(way.here)
        self.settled |= now
        for switch, routes in learned.items():
            self.held[switch] |= routes
        return dict(learned), now

    def always(self, way: Way, there: int) -> bool:
        """Return whether every route that the neighbor may have chosen is sent and accepted."""
        return all(way.carried(route) is not None for route in self.held[there])


def reroutes(
    net: Network, to: Destination, before: Hops, gone: frozenset[int], dead: int | None
) -> bool:
    """Return whether a failure may send packets to a destination on other paths than before.

    A switch that lost paths and has another with the same offer left changes nothing. A switch
    that lost its last path loses the route, and so may the switches behind it. Only one that is
    offered a route which it did not choose before uses another path. In this case, or where
    static routes decide, the failure is simulated.
    """
    if to.over or to.under:
        return True
    lost = set() if dead is None else {dead}
    without, waiting = set(gone), list(gone)
    while waiting:
        number = waiting.pop()
        here = net.ways[number].here
        mine = before.get(here, {})
        if here in lost or number not in mine:
            continue
        left = [offer for way, offer in mine.items() if way not in without]
        if mine[number] in left:
            continue
        if left:
            return True
        lost.add(here)
        fresh = [way.number for way in net.into.get(here, ()) if way.number not in without]
        without.update(fresh)
        waiting += fresh
    return any(
        way.number not in without and way.there not in lost and _offers(to, before, way)
        for switch in lost - {dead}
        for way in net.out[switch]
    )


def _offers(to: Destination, before: Hops, way: Way) -> bool:
    """Return whether the switch at the end of a path has a route that it would send back on it."""
    held = before.get(way.there, {}).values()
    routes = {route for offer in held for _, some, _ in offer for route in some}
    if way.there == to.origin:
        routes |= _ORIGIN
    return any(way.carried(route) is not None for route in routes)

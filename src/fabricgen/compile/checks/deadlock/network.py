"""Build the graph of paths that packets and routes can take between switches.

A `Way` goes from one switch to the next. Packets follow it, and routes come back on it. Parallel
cables whose sessions have the same policy are one way. They carry the same destinations, so a cycle
through one is a cycle through each. The loss of one of several changes no route.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.deadlock.routing_index import End, RoutingIndex
from fabricgen.core.record import record

Route = tuple[bool, tuple[int, ...]]
"""Whether it is marked as from above, and those ASNs of its path that several switches have.

An ASN that one switch has alone rejects only what that switch has announced itself: by then it has
a shorter route.
"""


_NO_SESSION = (False, False, 0, 0, 0, 0, False)


class Way(NamedTuple):
    """Path between two switches.

    `marks`, `loops`: effect of `here` on routes. `holds_back`: effect of `there`. asn_here,
    asn_there: 0 where no other switch has that ASN. ports: local and remote port of each cable;
    packets wait at the remote one. detour: number of ASNs that `there` adds in front of a path.
    A path without a session carries static routes only.
    """

    number: int
    here: int
    there: int
    ports: tuple[tuple[int, int], ...]
    marks: bool
    holds_back: bool
    loops: int
    asn_here: int
    asn_there: int
    detour: int = 0
    session: bool = True

    def carried(self, route: Route) -> Route | None:
        """Return a route of `there` as `here` accepts it; None if not sent or not accepted."""
        marked, path = route
        if not self.session or (marked and self.holds_back):
            return None
        if self.asn_there:
            path = tuple(sorted((*path, *[self.asn_there] * (1 + self.detour))))
        if self.asn_here and path.count(self.asn_here) > self.loops:
            return None
        return marked or self.marks, path


@record(kw_only=True)
class Network:
    """Paths of one fabric: `into[s]` end at switch s, and routes of s travel back on them.

    out: paths that begin at a switch. at: path that begins at a port of a switch.
    """

    told: RoutingIndex
    ways: tuple[Way, ...]
    into: dict[int, list[Way]]
    out: dict[int, list[Way]]
    at: dict[tuple[int, int], int]

    def pair(self, way: Way) -> frozenset[int]:
        """Return the numbers of a way and of the way back."""
        back = self.at.get((way.there, way.ports[0][1]), way.number)
        return frozenset((way.number, back))

    def around(self, switch: int) -> frozenset[int]:
        """Return the numbers of all ways that begin or end at a switch."""
        return frozenset(number for way in self.into.get(switch, ()) for number in self.pair(way))

    def buffer(self, way: Way) -> str:
        """Name the buffer at the end of a way: switch:port."""
        return f"{self.told.names[way.there]}:{ends.label(way.ports[0][1])}"

    def link(self, way: Way) -> str:
        """Name the cable of a way by both its ends."""
        own = f"{self.told.names[way.here]}:{ends.label(way.ports[0][0])}"
        return f"{own} to {self.buffer(way)}"


def network(told: RoutingIndex) -> Network:
    """Join session ends that know each other into ways, both directions of each."""
    ways = [*_with_sessions(told)]
    ways += _bare(told, ways)
    into, out = defaultdict(list), defaultdict(list)
    for way in ways:
        into[way.there].append(way)
        out[way.here].append(way)
    at = {(way.here, own): way.number for way in ways for own, _ in way.ports}
    return Network(told=told, ways=tuple(ways), into=dict(into), out=dict(out), at=at)


def _with_sessions(told: RoutingIndex) -> Iterator[Way]:
    times = Counter(told.asns.values())
    shared = {here: asn if times[asn] > 1 else 0 for here, asn in told.asns.items()}
    alone = {(s.switch, s.own) for s in told.statics} | {(s.peer, s.far) for s in told.statics}
    grouped: dict[tuple[int, End, End, int], list[tuple[int, int]]] = defaultdict(list)
    for here, end, other in _pairs(told):
        same = end._replace(own=0, far=0), other._replace(own=0, far=0)
        apart = end.own if {(here, end.own), (end.peer, end.far)} & alone else -1
        grouped[here, *same, apart].append((end.own, end.far))
    for number, ((here, end, other, _), ports) in enumerate(grouped.items()):
        what = end.closed, other.closed, end.loops, shared[here], shared[end.peer]
        yield Way(number, here, end.peer, tuple(sorted(ports)), *what, other.detour)


def _pairs(told: RoutingIndex) -> Iterator[tuple[int, End, End]]:
    """Yield each session end with its other end. An end without the other never comes up."""
    known = {(here, end.own): end for here in told.asns for end in told.ends_of(here)}
    for (here, own), end in known.items():
        other = known.get((end.peer, end.far))
        if other is not None and (other.peer, other.far) == (here, own):
            yield here, end, other


def _bare(told: RoutingIndex, ways: list[Way]) -> Iterator[Way]:
    """Yield a way without a session for each static route over a cable that has none."""
    known = {(way.here, own) for way in ways for own, _ in way.ports}
    fresh = {(s.switch, s.own): s for s in told.statics if (s.switch, s.own) not in known}
    for number, static in enumerate(fresh.values(), len(ways)):
        ports = ((static.own, static.far),)
        yield Way(number, static.switch, static.peer, ports, *_NO_SESSION)

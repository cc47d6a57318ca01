"""Follow each destination from buffer to buffer."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from fabricgen.compile.checks.deadlock.network import Network
from fabricgen.compile.checks.deadlock.routes import Destination, Hops, hops, reroutes
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex, Static

# A node is a lossless ingress buffer at the end of a path. It waits for another node if a packet in
# it may be forwarded on the path that ends there. For one destination, every path into a switch
# that carries it combines with every path from that switch. So one node in between represents the
# switch.

Turn = tuple[tuple[int, ...], tuple[int, ...]]
"""Ways into a switch that carry some destination, and the ways on which it goes on."""

_STARTS = 64  # buffers of a cycle from which the shortest cycle is looked for


def turns(net: Network, next_hops: Hops) -> frozenset[Turn]:
    """Return the turns that packets to one destination may take."""
    pairs = set()
    for switch, out in next_hops.items():
        inward = tuple(
            way.number
            for way in net.into.get(switch, ())
            if way.number in next_hops.get(way.here, ())
        )
        if inward and out:
            pairs.add((inward, tuple(out)))
    return frozenset(pairs)


def graph(net: Network, all_turns: Iterable[Turn]) -> dict[int, tuple[int, ...]]:
    """Return the wait-for graph. Nodes below the number of ways are buffers, the others turns."""
    edges: dict[int, list[int]] = {}
    after: dict[int, tuple[int, ...]] = {}
    for middle, (inward, out) in enumerate(sorted(all_turns), start=len(net.ways)):
        after[middle] = out
        for way in inward:
            edges.setdefault(way, []).append(middle)
    return after | {way: tuple(middles) for way, middles in edges.items()}


def cycle(net: Network, all_turns: Iterable[Turn]) -> list[int] | None:
    """Return a short cycle of ways among those turns; None when nothing can wait for itself."""
    edges = graph(net, all_turns)
    try:
        TopologicalSorter(edges).prepare()
    except CycleError as error:
        ways = len(net.ways)
        starts = sorted({node for node in error.args[1] if node < ways})[:_STARTS]
        shortest = min((_round(edges, start) for start in starts), key=len)
        return [node for node in shortest if node < ways]
    return None


def _round(edges: dict[int, tuple[int, ...]], start: int) -> Sequence[int]:
    """Return a shortest path from a node back to itself."""
    before: dict[int, int] = {}
    waiting = deque((start,))
    while start not in before:
        node = waiting.popleft()
        for after in sorted(edges.get(node, ())):
            if after not in before:
                before[after] = node
                waiting.append(after)
    path = [before[start]]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


# All prefixes that a switch originates have the same routes: the policy permits loopbacks and NIC
# prefixes by the same rules, and no two prefixes overlap. Only a static route separates some.

Span = tuple[int, int, int]  # first address, length, version


def destinations(net: Network, first: Iterable[int]) -> list[Destination]:
    """Return every destination: of static routes, of the switches `first`, then of the rest."""
    alike: dict[object, Destination] = {}
    for origin, span in _spans(net.told):
        for chosen in _parts(span, net.told.statics):
            key = origin, chosen
            if key not in alike:
                alike[key] = _with(net, origin, span[1], chosen)
    told = alike.values()
    return [*told, *(Destination(origin) for origin in in_order(net.told, first))]


def in_order(told: RoutingIndex, first: Iterable[int]) -> list[int]:
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


def _spans(told: RoutingIndex) -> Iterator[tuple[int | None, Span]]:
    """Yield what is originated, and what is known by static routes only; nothing without them."""
    if told.statics:
        for origin in told.places:
            for first, length in told.prefixes_of(origin):
                yield origin, (first, length, 4)
    for static in told.statics:
        first, _ = static.prefix.network
        yield None, (first, 0, static.prefix.version)


def _parts(span: Span, statics: Sequence[Static]) -> Iterator[tuple[Static, ...]]:
    """Yield the static routes that match a complete span, then the routes of each part."""
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
    """Return whether a prefix lies in another one or equals it."""
    bits = (32 if version == 4 else 128) - span[1]
    return version == span[2] and length >= span[1] and first >> bits == span[0] >> bits


def _with(net: Network, origin: int | None, length: int, chosen: tuple[Static, ...]) -> Destination:
    """Return the static routes that win over the prefix of BGP, and those used without it."""
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


# With everything up all destinations are simulated. After a failure only destinations that may get
# other paths are simulated: for the others the switches only lose paths, and a graph without a
# cycle has none after losing edges. Every step is counted. When the budget is used up, the rest
# stays unproven and a finding reports it.

BUDGET = 8_000_000  # ways looked at, roughly a microsecond each


class DeadlockCycle(NamedTuple):
    """A cycle and the failure that causes it, or no failure if everything is up."""

    failure: str
    cycle: list[int]


class Failure(NamedTuple):
    """One thing that fails: the ways it takes along, and the switch if it is one."""

    name: str
    ways: frozenset[int]
    switch: int | None


class States:
    """Search for cycles in every state of one network."""

    def __init__(self, net: Network, suspects: Iterable[int]) -> None:
        self.net, self.left = net, BUDGET
        self.everything = destinations(net, suspects)
        self.seen: list[tuple[Destination, Hops, frozenset[Turn]]] = []
        self.turns: Counter[Turn] = Counter()
        self.simulated = self.tried = 0

    @property
    def complete(self) -> bool:
        """Return whether the budget was sufficient."""
        return self.left >= 0

    def knots(self) -> Iterator[DeadlockCycle]:
        """Yield the cycle with everything up; if there is none, one of each failure that has."""
        fits = len(self.everything) * len(self.net.ways) <= self.left
        for to in self.everything:
            if not self.spend(len(self.net.ways)):
                break
            self.simulated += 1
            next_hops = hops(self.net, to, frozenset())
            mine = turns(self.net, next_hops)
            self.turns.update(mine)
            if fits:
                self.seen.append((to, next_hops, mine))
        self.spend(sum(map(_size, self.turns)))
        round_up = cycle(self.net, self.turns)
        if round_up is not None:
            yield DeadlockCycle("", round_up)
        elif self.complete:
            yield from self.after_failures()

    def spend(self, steps: int) -> bool:
        """Take steps off the budget; return whether there were enough."""
        self.left -= steps
        return self.left >= 0

    def after_failures(self) -> Iterator[DeadlockCycle]:
        for failure in failures(self.net):
            self.tried += 1
            if not self.complete:
                return
            knot = self.after(failure)
            if knot is not None:
                yield DeadlockCycle(failure.name, knot)

    def after(self, failure: Failure) -> list[int] | None:
        """Return a cycle after one failure."""
        less: Counter[Turn] = Counter()
        fresh: set[Turn] = set()
        for to, before, mine in self.seen:
            if to.origin is not None and to.origin == failure.switch:
                less.update(mine)
            elif self.spend(len(failure.ways)) and reroutes(
                self.net, to, before, failure.ways, failure.switch
            ):
                less.update(mine)
                self.spend(len(self.net.ways))
                fresh |= turns(self.net, hops(self.net, to, failure.ways))
        if fresh <= self.turns.keys():
            return None
        kept = {turn for turn, times in self.turns.items() if times > less[turn]}
        now = {_without(turn, failure.ways) for turn in kept} | fresh
        self.spend(sum(map(_size, now)))
        return self.exactly(failure) if cycle(self.net, now) else None

    def exactly(self, failure: Failure) -> list[int] | None:
        """Return a cycle of a state in which every destination is simulated."""
        now: set[Turn] = set()
        for to, *_ in self.seen:
            if to.origin is None or to.origin != failure.switch:
                now |= turns(self.net, hops(self.net, to, failure.ways))
        return cycle(self.net, now)


def failures(net: Network) -> Iterator[Failure]:
    """Yield the failure of each switch, and of each cable that is alone in its way."""
    for switch in net.told.places:
        yield Failure(net.told.names[switch], net.around(switch), switch)
    for way in net.ways:
        both = net.pair(way)
        if len(way.ports) == 1 and way.number == min(both):
            yield Failure(net.link(way), both, None)


def _size(turn: Turn) -> int:
    return len(turn[0]) + len(turn[1])


def _without(turn: Turn, gone: frozenset[int]) -> Turn:
    inward, out = turn
    return tuple(w for w in inward if w not in gone), tuple(w for w in out if w not in gone)

"""A network in; the states in which a pause can wait for itself out: all up, or one failure.

With everything up all destinations are simulated. After a failure only those are, to which packets
may go another way than before: for every other one the switches just lose ways, and a graph without
a cycle has none after it lost edges. Every step is counted; when the budget is spent, the rest
stays unproven and that is said.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.compile.checks.deadlock.buffers import Turn, cycle, turns
from fabricgen.compile.checks.deadlock.destinations import destinations
from fabricgen.compile.checks.deadlock.network import Network
from fabricgen.compile.checks.deadlock.routes import Destination, Hops, hops, reroutes

BUDGET = 8_000_000  # ways looked at, roughly a microsecond each


class Knot(NamedTuple):
    """A cycle, and the failure that ties it; no failure: everything is up."""

    failure: str
    cycle: list[int]


class Failure(NamedTuple):
    """One thing that fails: the ways it takes along, and the switch if it is one."""

    name: str
    ways: frozenset[int]
    switch: int | None


class States:
    """Looks for cycles in every state of one network."""

    def __init__(self, net: Network, suspects: Iterable[int]) -> None:
        self.net, self.left = net, BUDGET
        self.everything = destinations(net, suspects)
        self.seen: list[tuple[Destination, Hops, frozenset[Turn]]] = []
        self.turns: Counter[Turn] = Counter()
        self.simulated = self.tried = 0

    @property
    def complete(self) -> bool:
        """Tell whether the budget was enough."""
        return self.left >= 0

    def knots(self) -> Iterator[Knot]:
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
            yield Knot("", round_up)
        elif self.complete:
            yield from self.after_failures()

    def spend(self, steps: int) -> bool:
        """Take steps off the budget; tell whether there were enough."""
        self.left -= steps
        return self.left >= 0

    def after_failures(self) -> Iterator[Knot]:
        for failure in failures(self.net):
            self.tried += 1
            if not self.complete:
                return
            knot = self.after(failure)
            if knot is not None:
                yield Knot(failure.name, knot)

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
        """Return a cycle of a state with every destination simulated: none of them lost a route."""
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

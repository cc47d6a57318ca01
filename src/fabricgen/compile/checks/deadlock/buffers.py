"""Hops of each destination in; out comes a cycle of buffers that wait for each other, if any.

A node is a lossless ingress buffer: the end of a way. One waits for another if a packet held in it
may be forwarded on the way that ends in the other. Of one destination that is every way into a
switch that carries it, times every way out, so a node in between stands for the switch.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter

from fabricgen.compile.checks.deadlock.network import Network
from fabricgen.compile.checks.deadlock.routes import Hops

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
    """Return who waits for whom: a node below the number of ways is a buffer, one above a turn."""
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

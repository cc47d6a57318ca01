"""Computes the largest flow through arcs with capacities (Dinic 1970)."""

from collections import deque
from collections.abc import Collection, Hashable, Iterator
from itertools import pairwise

from fabricgen.prove.failures.colors import Colors
from fabricgen.prove.failures.network import Left

UNLIMITED = 1 << 62
"""More than any network carries."""
SOURCE, SINK = "source", "sink"
Arcs = dict[Hashable, dict[Hashable, int]]


def add_arc(arcs: Arcs, tail: Hashable, head: Hashable, capacity: int) -> None:
    """Add capacity in one direction."""
    if capacity > 0:
        arcs.setdefault(tail, {})[head] = arcs.setdefault(tail, {}).get(head, 0) + capacity
        arcs.setdefault(head, {}).setdefault(tail, 0)


def largest_flow(arcs: Arcs) -> int:
    """Return the largest flow; the remaining arcs have the unused capacity."""
    total = 0
    while (level := _levels(arcs)).get(SINK) is not None:
        ahead = {
            tail: [head for head in heads if level.get(head) == level[tail] + 1]
            for tail, heads in arcs.items()
            if tail in level
        }
        while pushed := _push(arcs, ahead):
            total += pushed
    return total


def _levels(arcs: Arcs) -> dict[Hashable, int]:
    """Return the distance of each node that is reachable from the source."""
    level: dict[Hashable, int] = {SOURCE: 0}
    queue: deque[Hashable] = deque([SOURCE] if SOURCE in arcs else [])
    while queue:
        tail = queue.popleft()
        for head, left in arcs[tail].items():
            if left and head not in level:
                level[head] = level[tail] + 1
                queue.append(head)
    return level


def _push(arcs: Arcs, ahead: dict[Hashable, list[Hashable]]) -> int:
    """Send flow along one shortest path and return its size; 0 if there is none."""
    way: list[Hashable] = [SOURCE]
    while way[-1] != SINK:
        tail = way[-1]
        while ahead[tail] and not arcs[tail][ahead[tail][-1]]:
            ahead[tail].pop()
        if ahead[tail]:
            way.append(ahead[tail][-1])
        elif len(way) == 1:
            return 0
        else:
            way.pop()
            ahead[way[-1]].pop()
    steps = list(pairwise(way))
    pushed = min(arcs[tail][head] for tail, head in steps)
    for tail, head in steps:
        arcs[tail][head] -= pushed
        arcs[head][tail] += pushed
    return pushed


Arc = tuple[Hashable, Hashable, int]
"""Tail, head and capacity."""


def climb(
    colors: Colors, alive: Collection[int], top: int, left: Left, site: str = ""
) -> Iterator[Arc]:
    """Yield the arcs of living endpoints and of switches up to a height.

    A class is two nodes, (site, class, "up") and (site, class, "down"). Between the leafs of a pair
    packets always go down, and up if a leaf has no uplink.
    """
    net, of = colors.net, colors.of
    for color, nodes in colors.nodes.items():
        one = next(iter(nodes))
        height = net.height[one]
        if not height and one not in alive:
            continue
        members = members_of(colors, color)
        up, down = (site, color, "up"), (site, color, "down")
        if height:
            yield up, down, UNLIMITED
        for other in net.near[one]:
            capacity = members * left(one, other)
            above = (site, of[other], "up"), (site, of[other], "down")
            if height < net.height[other] <= top:
                yield up, above[0], capacity
                yield above[1], down, capacity
            elif height == net.height[other] and of[other] != color:
                yield down, above[1], capacity
                if not any(left(one, higher) for higher in net.uplinks(one)):
                    yield up, above[0], capacity


def members_of(colors: Colors, color: int) -> int:
    """Return the number of endpoints or switches in a class."""
    nodes = colors.nodes[color]
    endpoints = not colors.net.height[next(iter(nodes))]
    return sum(map(colors.net.size, nodes)) if endpoints else len(nodes)

"""Hops of each destination in; out comes a cycle of buffers that wait for each other, if any.

A node is a lossless ingress buffer: the end of a way. One waits for another if a packet held in it
may be forwarded on the way that ends in the other. Of one destination that is every way into a
switch that carries it, times every way out, so a node in between stands for the switch.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import rustworkx

    from fabricgen.checks.deadlock.network import Network
    from fabricgen.checks.deadlock.routes import Hops

Turn = tuple[tuple[int, ...], tuple[int, ...]]
"""Ways into a switch that carry some destination, and the ways on which it goes on."""

_STARTS = 64  # buffers of a knot from which the shortest cycle is looked for


def turns(net: Network, found: Hops) -> frozenset[Turn]:
    """Return the turns that packets to one destination may take."""
    made = set()
    for switch, out in found.items():
        inward = tuple(
            way.number for way in net.into.get(switch, ()) if way.number in found.get(way.here, ())
        )
        if inward and out:
            made.add((inward, tuple(out)))
    return frozenset(made)


def graph(net: Network, all_turns: Iterable[Turn]) -> rustworkx.PyDiGraph[int, None]:
    """Build the graph of who waits for whom."""
    import rustworkx as rx  # noqa: PLC0415  # only a fabric that departs from the rule needs it

    made: rustworkx.PyDiGraph[int, None] = rx.PyDiGraph(multigraph=False)
    made.add_nodes_from(range(len(net.ways)))
    for inward, out in all_turns:
        middle = made.add_node(-1)
        made.add_edges_from_no_data([(way, middle) for way in inward])
        made.add_edges_from_no_data([(middle, way) for way in out])
    return made


def cycle(net: Network, all_turns: Iterable[Turn]) -> list[int] | None:
    """Return a shortest cycle of ways among those turns; None when nothing can wait for itself."""
    import rustworkx as rx  # noqa: PLC0415  # see above

    made = graph(net, all_turns)
    if rx.is_directed_acyclic_graph(made):
        return None
    knots = [knot for knot in rx.strongly_connected_components(made) if len(knot) > 1]
    ways = len(net.ways)
    knot = min(knots, key=lambda nodes: (len(nodes), min(nodes)))
    starts = sorted(node for node in knot if node < ways)[:_STARTS]
    found = min((_round(made, start) for start in starts), key=len)
    return [node for node in found if node < ways]


def _round(made: rustworkx.PyDiGraph[int, None], start: int) -> Sequence[int]:
    """Return a shortest path from a node back to itself."""
    before: dict[int, int] = {}
    waiting = deque((start,))
    while start not in before:
        node = waiting.popleft()
        for after in sorted(made.successor_indices(node)):
            if after not in before:
                before[after] = node
                waiting.append(after)
    path = [before[start]]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]

"""Classes of nodes in; the arcs by which packets go up and then down between them, out."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator
from typing import TYPE_CHECKING

from fabricgen.prove.failures.flow import UNLIMITED

if TYPE_CHECKING:
    from fabricgen.prove.failures.colours import Colours
    from fabricgen.prove.failures.network import Left

Arc = tuple[Hashable, Hashable, int]
"""Tail, head and capacity."""


def climb(
    colours: Colours, alive: Collection[int], top: int, left: Left, site: str = ""
) -> Iterator[Arc]:
    """Yield the arcs of living endpoints and of switches up to a height.

    A class is two nodes, (site, class, "up") and (site, class, "down"). Between the leafs of a
    pair packets go down always, and up where a leaf has no uplink.
    """
    net, of = colours.net, colours.of
    for colour, nodes in colours.nodes.items():
        one = next(iter(nodes))
        height = net.height[one]
        if not height and one not in alive:
            continue
        members = members_of(colours, colour)
        up, down = (site, colour, "up"), (site, colour, "down")
        if height:
            yield up, down, UNLIMITED
        for other in net.near[one]:
            capacity = members * left(one, other)
            above = (site, of[other], "up"), (site, of[other], "down")
            if height < net.height[other] <= top:
                yield up, above[0], capacity
                yield above[1], down, capacity
            elif height == net.height[other] and of[other] != colour:
                yield down, above[1], capacity
                if not any(left(one, higher) for higher in net.uplinks(one)):
                    yield up, above[0], capacity


def members_of(colours: Colours, colour: int) -> int:
    """Return how many endpoints, or switches, a class has."""
    nodes = colours.nodes[colour]
    endpoints = not colours.net.height[next(iter(nodes))]
    return sum(map(colours.net.size, nodes)) if endpoints else len(nodes)

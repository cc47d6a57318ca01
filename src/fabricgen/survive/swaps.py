"""A graph in; which of its nodes and links are alike out, each by a symmetry that is proven.

A symmetry here exchanges nodes in pairs and leaves all others. Colours only say which is worth a
try; what counts is that every moved node has, exchanged, exactly the neighbours and capacities of
the node in whose place it comes. Then the failure of a link is the failure of its image, with the
names exchanged. What no try proves stays apart and is judged by itself.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.survive.colours import Colours, coloured
from fabricgen.survive.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabricgen.survive.network import Net

Exchange = dict[int, int]
"""Who comes in whose place, both ways."""
_TRIES = 4  # kinds of nodes of one colour that a node is compared with


@dataclass(slots=True)
class Alike:
    """Sets of numbers, or tuples of them, that are alike; a set is known by its least."""

    _above: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)

    def first(self, item: tuple[int, ...]) -> tuple[int, ...]:
        """Return the least of those that an item is like."""
        above = self._above
        while (next_one := above.get(item, item)) != item:
            above[item] = item = above.get(next_one, next_one)
        return item

    def join(self, one: tuple[int, ...], other: tuple[int, ...]) -> None:
        """Note that two are alike."""
        low, high = sorted((self.first(one), self.first(other)))
        if low != high:
            self._above[high] = low


@dataclass(eq=False, kw_only=True)
class Symmetry:
    """What is alike in a graph.

    colours: of the whole graph. failures: nodes as (node,), and links as Cable without the speed.
    racks, pods: parts of the graph, alike where two may be exchanged with all else in its place, so
    that they are alike in every failure that touches neither.
    """

    net: Net
    colours: Colours
    rack: list[int]
    pod: list[int]
    failures: Alike = field(default_factory=Alike)
    racks: Alike = field(default_factory=Alike)
    pods: Alike = field(default_factory=Alike)

    @cached_property
    def room(self) -> Room:
        """Return what spines can give to racks."""
        return Room(net=self.net, rack=self.rack)

    def note(self, moved: Exchange) -> None:
        """Note what a proven exchange makes alike."""
        for node, image in moved.items():
            self.failures.join((node,), (image,))
            for other in self.net.near[node]:
                there = moved.get(other, other)
                self.failures.join(_link(node, other), _link(image, there))
        for parts, alike in ((self.rack, self.racks), (self.pod, self.pods)):
            here = {(parts[node], parts[image]) for node, image in moved.items()}
            if len(here) == 2 and all(one != other for one, other in here):
                one, other = here.pop()
                alike.join((one,), (other,))


def _link(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def symmetry_of(net: Net) -> Symmetry:
    """Return what is alike: racks of one pod first, then all that is above or further away."""
    found = Symmetry(net=net, colours=coloured(net), rack=net.racks(), pod=net.pods())
    local: dict[tuple[int, int], list[int]] = {}
    for node, height in enumerate(net.height):
        if 0 < height <= 3:
            local.setdefault((found.pod[node], found.colours.of[node]), []).append(node)
    for nodes in local.values():
        _compare(found, nodes, lambda node: found.racks.first((found.rack[node],)))
    for members in found.colours.nodes.values():
        _compare(found, sorted(members), lambda node: found.failures.first((node,)))
    return found


def _compare(found: Symmetry, nodes: Iterable[int], known: Callable[[int], object]) -> None:
    """Try to exchange each node for the first of each kind that is known."""
    firsts: list[int] = []
    for node in nodes:
        if any(known(node) == known(first) for first in firsts):
            continue
        for first in firsts[:_TRIES]:
            moved = exchanged(found.net, found.colours, first, node)
            if moved is not None:
                found.note(moved)
                break
        else:
            firsts.append(node)


def exchanged(net: Net, colours: Colours, one: int, other: int) -> Exchange | None:
    """Return a proven exchange of two nodes, with what has to move along; None where none is seen.

    Neighbours of both stay; the others are paired in their order, colour by colour.
    """
    moved = {one: other, other: one}
    waiting = [(one, other)]
    while waiting:
        here, there = waiting.pop()
        mine = _private(net, colours, here, there, moved)
        theirs = _private(net, colours, there, here, moved)
        if [key[:2] for key in mine] != [key[:2] for key in theirs]:
            return None
        for (*_, left), (*_, right) in zip(mine, theirs, strict=True):
            if left in moved or right in moved:
                return None
            moved[left], moved[right] = right, left
            waiting.append((left, right))
    return moved if proven(net, moved) else None


def _private(
    net: Net, colours: Colours, node: int, other: int, moved: Exchange
) -> list[tuple[int, int, int]]:
    """Return colour, capacity and number of the neighbours that the other node does not have."""
    return sorted(
        (colours.of[near], capacity, near)
        for near, capacity in net.near[node].items()
        if near not in moved and near not in net.near[other]
    )


def proven(net: Net, moved: Exchange) -> bool:
    """Tell whether an exchange keeps every capacity: what does not move needs no look."""
    return all(
        (net.height[node], net.capacity[node], net.tied[node], net.size(node))
        == (net.height[image], net.capacity[image], net.tied[image], net.size(image))
        and (node in net.exits) is (image in net.exits)
        and {moved.get(near, near): each for near, each in net.near[node].items()}
        == net.near[image]
        for node, image in moved.items()
    )

"""Finds nodes and links of a graph that are equivalent by a proven symmetry.

A symmetry here exchanges nodes in pairs and leaves all others. Colors only suggest candidates. The
proof is that every exchanged node has the exchanged neighbors and capacities of the other, and that
as many servers have endpoints in the same nodes. Then the failure of a link is the failure of its
image, with the names exchanged. Nodes without a proven symmetry are analyzed one by one.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.prove.failures.colors import Colors, colored
from fabricgen.prove.failures.network import Net
from fabricgen.prove.failures.room import Room

Exchange = dict[int, int]
"""The exchanged nodes, in both directions."""
_TRIES = 4  # kinds of nodes of one color for comparison with a node


@dataclass(slots=True)
class Alike:
    """Sets of equivalent numbers, or tuples of numbers; the smallest represents a set."""

    _above: dict[tuple[int, ...], tuple[int, ...]] = field(default_factory=dict)

    def first(self, item: tuple[int, ...]) -> tuple[int, ...]:
        """Return the smallest equivalent of an item."""
        above = self._above
        while (next_one := above.get(item, item)) != item:
            above[item] = item = above.get(next_one, next_one)
        return item

    def join(self, one: tuple[int, ...], other: tuple[int, ...]) -> None:
        """Record that two items are equivalent."""
        low, high = sorted((self.first(one), self.first(other)))
        if low != high:
            self._above[high] = low


@dataclass(eq=False, kw_only=True)
class Symmetry:
    """Equivalences of a graph.

    `colors`: of the whole graph. `failures`: equivalent failures, switches as (node,), links of
    switches as (node, node), of an endpoint as (node, leaf, number of its home). `racks`, `pods`:
    parts of the graph with equal results in every failure that touches neither.
    """

    net: Net
    colors: Colors
    rack: list[int]
    pod: list[int]
    failures: Alike = field(default_factory=Alike)
    racks: Alike = field(default_factory=Alike)
    pods: Alike = field(default_factory=Alike)

    @cached_property
    def room(self) -> Room:
        """Return the capacity that spines offer to racks."""
        return Room(net=self.net, rack=self.rack)

    @cached_property
    def homes(self) -> dict[tuple[int, ...], int]:
        """Number the sets of nodes that contain endpoints of servers."""
        return {home: number for number, home in enumerate(self.net.homes())}

    @cached_property
    def counts(self) -> dict[tuple[int, ...], int]:
        """Count the servers of each home."""
        return {home: len(servers) for home, servers in self.net.homes().items()}

    @cached_property
    def homes_of(self) -> dict[int, list[tuple[int, ...]]]:
        """Return the homes that contain each node of endpoints."""
        homes: dict[int, list[tuple[int, ...]]] = {}
        for home in self.homes:
            for node in dict.fromkeys(home):
                homes.setdefault(node, []).append(home)
        return homes

    def home_of(self, server: str) -> int:
        """Return the number of a server's home."""
        return self.homes[self.net.home(server)]

    def touched(self, moved: Exchange) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield each home that an exchange moves, with its image."""
        homes = dict.fromkeys(home for node in moved for home in self.homes_of.get(node, ()))
        for home in homes:
            yield home, tuple(sorted(moved.get(node, node) for node in home))

    def note(self, moved: Exchange) -> None:
        """Record the failures that an exchange with complete servers makes equivalent."""
        height = self.net.height
        for node in (node for node in moved if height[node]):
            self.failures.join((node,), (moved[node],))
            for other in (other for other in self.net.near[node] if height[other]):
                there = moved.get(other, other)
                self.failures.join(_link(node, other), _link(moved[node], there))
        for home, image in self.touched(moved):
            for node in home:
                for leaf in self.net.near[node]:
                    ends = moved.get(node, node), moved.get(leaf, leaf)
                    one = (node, leaf, self.homes[home])
                    self.failures.join(one, (*ends, self.homes[image]))

    def note_parts(self, moved: Exchange) -> None:
        """Record the parts that an exchange makes equivalent without moving others."""
        for parts, alike in ((self.rack, self.racks), (self.pod, self.pods)):
            here = {(parts[node], parts[image]) for node, image in moved.items()}
            if len(here) == 2 and all(one != other for one, other in here):
                one, other = here.pop()
                alike.join((one,), (other,))


def _link(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def symmetry_of(net: Net) -> Symmetry:
    """Return the equivalences: racks of one pod, then pods, then all possible failures."""
    found = Symmetry(net=net, colors=colored(net), rack=net.racks(), pod=net.pods())
    leafs = [node for node, height in enumerate(net.height) if 0 < height <= 3]
    racks: dict[tuple[int, int], list[int]] = {}
    pods: dict[int, list[int]] = {}
    for node in leafs:
        racks.setdefault((found.pod[node], found.colors.of[node]), []).append(node)
        pods.setdefault(found.colors.of[node], []).append(node)
    for nodes in racks.values():
        _compare(found, nodes, lambda node: found.racks.first((found.rack[node],)), whole=False)
    for nodes in pods.values():
        _compare(found, nodes, lambda node: found.pods.first((found.pod[node],)), whole=False)
    for members in found.colors.nodes.values():
        switches = [node for node in sorted(members) if net.height[node]]
        _compare(found, switches, lambda node: found.failures.first((node,)), whole=True)
    return found


def _compare(
    found: Symmetry, nodes: Iterable[int], known: Callable[[int], object], *, whole: bool
) -> None:
    """Try to exchange each node for the first of each known kind.

    `whole`: keep endpoints of one server together, which flows do not require.
    """
    firsts: list[int] = []
    for node in nodes:
        if any(known(node) == known(first) for first in firsts):
            continue
        for first in firsts[:_TRIES]:
            moved = exchanged(found, first, node, whole=whole)
            if moved is not None:
                found.note_parts(moved)
                if whole:
                    found.note(moved)
                break
        else:
            firsts.append(node)


def exchanged(found: Symmetry, one: int, other: int, *, whole: bool) -> Exchange | None:
    """Return a proven exchange of two nodes, with the nodes that move along; None if none is found.

    Neighbors of both stay; the others are paired in their order, color by color. `whole`: also pair
    the endpoints of the same servers.
    """
    moved = {one: other, other: one}
    waiting = [(one, other)]
    while waiting:
        here, there = waiting.pop()
        for near in (_near, _kin)[: 1 + whole]:
            mine, theirs = (
                _private(found, near(found, a), near(found, b), moved)
                for a, b in ((here, there), (there, here))
            )
            if [key[:2] for key in mine] != [key[:2] for key in theirs]:
                return None
            for (*_, left), (*_, right) in zip(mine, theirs, strict=True):
                if left in moved or right in moved:
                    return None
                moved[left], moved[right] = right, left
                waiting.append((left, right))
    kept = not whole or all(
        found.counts.get(image) == found.counts[home] for home, image in found.touched(moved)
    )
    return moved if kept and proven(found.net, moved) else None


def _near(found: Symmetry, node: int) -> dict[int, int]:
    return found.net.near[node]


def _kin(found: Symmetry, node: int) -> dict[int, int]:
    """Return the nodes with further endpoints of a node's servers."""
    return dict.fromkeys((node for home in found.homes_of.get(node, ()) for node in home), 0)


def _private(
    found: Symmetry, mine: dict[int, int], theirs: dict[int, int], moved: Exchange
) -> list[tuple[int, int, int]]:
    """Return color, capacity and number of the neighbors that the other node does not have."""
    return sorted(
        (found.colors.of[near], capacity, near)
        for near, capacity in mine.items()
        if near not in moved and near not in theirs
    )


def proven(net: Net, moved: Exchange) -> bool:
    """Return whether an exchange keeps every capacity; unmoved nodes need no check."""
    return all(
        (net.height[node], net.capacity[node], net.tied[node], net.size(node))
        == (net.height[image], net.capacity[image], net.tied[image], net.size(image))
        and (node in net.exits) is (image in net.exits)
        and {moved.get(near, near): each for near, each in net.near[node].items()}
        == net.near[image]
        for node, image in moved.items()
    )

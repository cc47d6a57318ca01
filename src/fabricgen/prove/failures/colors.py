"""Computes the coarsest equitable partition of a graph whose nodes have given colors.

A partition is equitable if all nodes of one class have the same capacity to each class. A maximum
flow between whole classes then equals that of the small graph of classes with summed capacities. A
flow of the graph gives a flow of the classes by summing. A flow of the classes is divided over the
links between two classes in proportion to their capacity. That keeps every node in balance, because
each has the same share of the links. The proof assumes nothing about the meaning of the classes
(color refinement of linear programs: Grohe, Kersting, Mladenov, Selman, ESA 2014).
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from fabricgen.prove.failures.network import Net


@dataclass(slots=True, eq=False)
class Colors:
    """A partition: the class of each node, and the nodes of each class."""

    net: Net
    of: list[int]
    nodes: dict[int, frozenset[int]]

    def apart(self, *parts: Iterable[int]) -> "Colors":
        """Return the coarsest refinement that separates each part from all other nodes."""
        finer = _Refining(self.net, list(self.of), dict(self.nodes))
        for part in parts:
            finer.split(frozenset(part))
        finer.settle()
        return Colors(self.net, finer.of, finer.nodes)

    def over(self, net: Net) -> "Colors":
        """Return it for a graph with separated servers, each in the class that it comes from.

        It stays equitable, since a leaf has the same capacity to all of them as before.
        """
        of, nodes = list(self.of), dict(self.nodes)
        for node in range(len(of), len(net.names)):
            of.append(of[net.origin[node]])
            nodes[of[node]] |= {node}
        return Colors(net, of, nodes)


def colored(net: Net) -> Colors:
    """Return the coarsest partition with equal height, capacity, bond and GPUs in a class."""
    kinds: dict[tuple[int, int, bool, int], set[int]] = defaultdict(set)
    for node, kind in enumerate(zip(net.height, net.capacity, net.tied, net.gpus, strict=True)):
        kinds[kind].add(node)
    nodes = {number: frozenset(kinds[kind]) for number, kind in enumerate(sorted(kinds))}
    of = [0] * len(net.names)
    for number, members in nodes.items():
        for node in members:
            of[node] = number
    start = _Refining(net, of, nodes)
    start.waiting = set(nodes)
    start.settle()
    return Colors(net, start.of, start.nodes)


class _Refining:
    """Splits classes until each has the same capacity to every other."""

    def __init__(self, net: Net, of: list[int], nodes: dict[int, frozenset[int]]) -> None:
        self.net, self.of, self.nodes = net, of, nodes
        self.waiting: set[int] = set()

    def split(self, part: frozenset[int]) -> None:
        """Separate the nodes of a part from the others of their classes."""
        for color in {self.of[node] for node in part}:
            inside = self.nodes[color] & part
            self._divide(color, [inside, self.nodes[color] - inside])

    def settle(self) -> None:
        """Continue until no class splits."""
        while self.waiting:
            splitter = self.nodes[self.waiting.pop()]
            for color, totals in self._seen(splitter).items():
                groups: dict[int, set[int]] = defaultdict(set)
                for node, total in totals.items():
                    groups[total].add(node)
                rest = self.nodes[color].difference(totals)
                self._divide(color, [rest, *map(frozenset, groups.values())])

    def _seen(self, splitter: frozenset[int]) -> dict[int, dict[int, int]]:
        """Return by class the capacity of its nodes to the splitter, if any."""
        near, of = self.net.near, self.of
        totals: dict[int, dict[int, int]] = {}
        for member in splitter:
            for node in near[member]:
                mine = totals.setdefault(of[node], {})
                mine[node] = mine.get(node, 0) + near[node][member]
        return totals

    def _divide(self, color: int, parts: list[frozenset[int]]) -> None:
        """Replace a class by parts; the largest part keeps its number.

        It needs no further check if the class was done: the capacities of its nodes to the other
        parts determine their capacity to it.
        """
        parts = sorted(filter(None, parts), key=len, reverse=True)
        self.nodes[color] = parts[0]
        for part in parts[1:]:
            fresh = len(self.nodes)
            self.nodes[fresh] = part
            self.waiting.add(fresh)
            for node in part:
                self.of[node] = fresh

"""Finds the servers that lose reachability to others in a failure.

A leaf reaches another where both have a path up to one switch. Where the spines of a pod share an
ASN, two leafs of the pod meet only at these spines, since each spine refuses a path with its own
ASN.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from fabricgen.prove.failures.network import POD, Damage, Left


@dataclass(eq=False)
class Reach:
    """Who reaches whom after a failure. shared: the spines of a pod have one ASN.

    pods: the pod of each node before it.
    """

    damage: Damage
    pods: list[int]
    shared: bool

    def lost(self) -> list[int]:
        """Return the nodes of endpoints that lose the network.

        They have no port left, or reach no more than half of the servers that have one and that
        they reached before, themselves counted. Of a bond the worst port counts, since it carries
        whatever is hashed to it, or may be the one in use.
        """
        return [node for node in self.damage.net.endpoints() if not self._keeps(node)]

    def shut_in(self) -> list[int]:
        """Return the nodes of endpoints that keep the network and lose the way out of the site."""
        if not self.damage.net.exits:
            return []
        return [
            node
            for node in self.damage.net.endpoints()
            if self._keeps(node) and not self._leaves(node)
        ]

    def _keeps(self, node: int) -> bool:
        counts = [
            2 * self._after.weight(leaf) > self._before.weight(leaf) for leaf in self._leafs(node)
        ]
        return bool(counts) and all(counts)

    def _leaves(self, node: int) -> bool:
        exits = self.damage.net.exits - self.damage.dead
        return any(self._after.meet(leaf, out) for leaf in self._leafs(node) for out in exits)

    def _leafs(self, node: int) -> list[int]:
        """Return the leafs that a server still has a link to."""
        return [leaf for leaf in self.damage.net.near[node] if self.damage.left(node, leaf)]

    @cached_property
    def _alive(self) -> frozenset[int]:
        every = self.damage.net.endpoints()
        return frozenset(node for node in every if self.damage.alive(node))

    @cached_property
    def _before(self) -> "_Ways":
        near = self.damage.net.near
        return _Ways(self, lambda one, other: near[one][other], self._alive)

    @cached_property
    def _after(self) -> "_Ways":
        return _Ways(self, self.damage.left, self._alive)


class _Ways:
    """What stands above each leaf, as bits, and how many servers that makes one another's."""

    def __init__(self, of: Reach, left: Left, alive: Collection[int]) -> None:
        self.net, self.pods, self.shared = of.damage.net, of.pods, of.shared
        self.left = left
        self.low = sum(1 << node for node, top in enumerate(self.net.height) if top <= POD)
        self.tops: dict[int, int] = {}
        self.homes: dict[frozenset[tuple[int, int]], int] = {}
        self.on: dict[int, int] = {}
        self.known: dict[tuple[int, int], int] = {}
        for nodes, servers in self.net.homes().items():
            leafs = {
                leaf
                for node in nodes
                if node in alive
                for leaf in self.net.near[node]
                if left(node, leaf)
            }
            home = frozenset(self.key(leaf) for leaf in leafs)
            self.homes[home] = self.homes.get(home, 0) + len(servers)
            for leaf in leafs:
                self.on[leaf] = self.on.get(leaf, 0) + len(servers)

    def above(self, node: int) -> int:
        """Return the switches above a node that it has a way up to, itself if others meet there."""
        if node not in self.tops:
            height = self.net.height[node]
            mask = 0 if height == 2 else 1 << node
            for other in self.net.near[node]:
                if self.net.height[other] > height and self.left(node, other):
                    mask |= self.above(other)
            self.tops[node] = mask
        return self.tops[node]

    def over(self, leaf: int) -> int:
        """Return what is above a leaf or, by the link between them, the other of its MLAG pair."""
        peers = [peer for peer in self.net.peers(leaf) if self.left(leaf, peer)]
        both = 1 << leaf if peers else 0
        for peer in peers:
            both |= 1 << peer | self.above(peer)
        return self.above(leaf) | both

    def key(self, leaf: int) -> tuple[int, int]:
        """Return all that decides whom a leaf reaches beside its own servers."""
        return self.pods[leaf] if self.shared else 0, self.over(leaf)

    def joined(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Tell whether leafs meet above."""
        common = one[1] & other[1]
        if self.shared and one[0] == other[0]:
            common &= self.low
        return bool(common)

    def meet(self, one: int, other: int) -> bool:
        """Tell whether leafs reach each other."""
        return one == other or self.joined(self.key(one), self.key(other))

    def weight(self, leaf: int) -> int:
        """Return how many living servers are reached by a leaf, with those on it."""
        key = self.key(leaf)
        if not key[1]:
            return self.on.get(leaf, 0)
        if key not in self.known:
            self.known[key] = sum(
                count
                for home, count in self.homes.items()
                if any(self.joined(key, each) for each in home)
            )
        return self.known[key]

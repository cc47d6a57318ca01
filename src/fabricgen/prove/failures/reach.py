"""Finds the servers that lose reachability to others in a failure.

A leaf reaches another if both have a path up to one switch. If the spines of a pod share an ASN,
two leafs of the pod meet only at these spines, since each spine refuses a path with its own ASN.
"""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from fabricgen.prove.failures.network import POD, Damage, Left


@dataclass(eq=False)
class Reach:
    """Reachability after a failure. `shared`: the spines of a pod have one ASN.

    `pods`: the pod of each node before the failure.
    """

    damage: Damage
    pods: list[int]
    shared: bool

    def lost(self) -> list[int]:
        """Return the nodes of endpoints that lose the network.

        They have no port left, or reach at most half of the remaining servers that they reached
        before, including themselves. The worst port of a bond counts, since it carries traffic by
        hash, or may be the active one.
        """
        return [node for node in self.damage.net.endpoints() if not self._keeps(node)]

    def shut_in(self) -> list[int]:
        """Return the nodes of endpoints that lose only their external connection."""
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
    """Switches above each leaf, as bits, and the number of servers that they join."""

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
        """Return the reachable switches above a node, itself included if others meet there."""
        if node not in self.tops:
            height = self.net.height[node]
            mask = 0 if height == 2 else 1 << node
            for other in self.net.near[node]:
                if self.net.height[other] > height and self.left(node, other):
                    mask |= self.above(other)
            self.tops[node] = mask
        return self.tops[node]

    def over(self, leaf: int) -> int:
        """Return the switches above a leaf, or above its MLAG peer over the peer link."""
        peers = [peer for peer in self.net.peers(leaf) if self.left(leaf, peer)]
        both = 1 << leaf if peers else 0
        for peer in peers:
            both |= 1 << peer | self.above(peer)
        return self.above(leaf) | both

    def key(self, leaf: int) -> tuple[int, int]:
        """Return the properties that decide which leafs a leaf reaches."""
        return self.pods[leaf] if self.shared else 0, self.over(leaf)

    def joined(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Return whether leafs meet above."""
        common = one[1] & other[1]
        if self.shared and one[0] == other[0]:
            common &= self.low
        return bool(common)

    def meet(self, one: int, other: int) -> bool:
        """Return whether leafs reach each other."""
        return one == other or self.joined(self.key(one), self.key(other))

    def weight(self, leaf: int) -> int:
        """Return the number of living servers that a leaf reaches, including its own."""
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

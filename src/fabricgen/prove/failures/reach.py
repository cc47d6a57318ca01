"""Finds the servers that lose reachability to others in a failure.

A leaf reaches another if both have a path up to one switch. If the spines of a pod share an ASN,
two leafs of the pod meet only at these spines, since each spine refuses a path with its own ASN.
"""

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from fabricgen.prove.failures.network import POD, Damage

Key = tuple[int, int]
"""The properties that decide which leafs a leaf reaches: its pod, and bits of switches above it."""


_NONE: frozenset[int] = frozenset()


@dataclass(eq=False, kw_only=True)
class Paths:
    """Switches above each leaf, as bits.

    `pods`: the pod of each node. `shared`: the spines of a pod have one ASN. `whole`: the paths
    without a failure, which most leafs keep. `seats`: the leafs of homes that no failure touched.
    """

    damage: Damage
    pods: list[int]
    shared: bool
    whole: "Paths | None" = None
    seats: dict[tuple[int, ...], frozenset[int]] = field(default_factory=dict)
    _tops: dict[int, int] = field(default_factory=dict)
    _keys: dict[int, Key] = field(default_factory=dict)

    @cached_property
    def low(self) -> int:
        """Return the bits of all nodes up to the spines."""
        heights = enumerate(self.damage.net.height)
        return sum(1 << node for node, top in heights if top <= POD)

    @cached_property
    def _sources(self) -> int:
        """Return the bits of failed switches, and of switches that lose links upwards."""
        height = self.damage.net.height
        lower = {
            node
            for pair in self.damage.lost
            for node in pair
            if height[node] == min(height[each] for each in pair)
        }
        return sum(1 << node for node in self.damage.dead | lower)

    def above(self, node: int) -> int:
        """Return the reachable switches above a node, itself included if others meet there."""
        if node not in self._tops:
            height = self.damage.net.height[node]
            mask = 0 if height == 2 else 1 << node
            for other in self.damage.links(node):
                if self.damage.net.height[other] > height:
                    mask |= self.above(other)
            self._tops[node] = mask
        return self._tops[node]

    def over(self, leaf: int) -> int:
        """Return the switches above a leaf, or above its MLAG peer over the peer link."""
        peers = [peer for peer in self.damage.net.peers(leaf) if self.damage.left(leaf, peer)]
        both = 1 << leaf if peers else 0
        for peer in peers:
            both |= 1 << peer | self.above(peer)
        return self.above(leaf) | both

    def key(self, leaf: int) -> Key:
        """Return the pod of a leaf if it matters, and the switches over it."""
        if leaf not in self._keys:
            known = self.whole.key(leaf) if self.whole is not None else None
            if known is None or (known[1] | 1 << leaf) & self._sources:
                known = self.pods[leaf] if self.shared else 0, self.over(leaf)
            self._keys[leaf] = known
        return self._keys[leaf]

    def joined(self, one: Key, other: Key) -> bool:
        """Return whether leafs meet above."""
        common = one[1] & other[1]
        if self.shared and one[0] == other[0]:
            common &= self.low
        return bool(common)

    def meet(self, one: int, other: int) -> bool:
        """Return whether leafs reach each other."""
        return one == other or self.joined(self.key(one), self.key(other))


@dataclass(eq=False)
class Reach:
    """Reachability after a failure. `whole`: the paths without it."""

    damage: Damage
    whole: Paths

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
        if node in self._hurt:
            leafs = self.damage.links(node)
            return bool(leafs) and self._severed.isdisjoint(leafs)
        return not self._severed or self._severed.isdisjoint(self.damage.links(node))

    def _leaves(self, node: int) -> bool:
        exits = self.damage.net.exits - self.damage.dead
        leafs = self.damage.links(node)
        return any(self._after.meet(leaf, out) for leaf in leafs for out in exits)

    @cached_property
    def _hurt(self) -> frozenset[int]:
        """Return the nodes that have less capacity than before, or had none."""
        damage, near = self.damage, self.damage.net.near
        below = (node for dead in damage.dead for node in near[dead])
        bare = (node for node in damage.net.endpoints() if not any(near[node].values()))
        return damage.touched.union(below, bare)

    @cached_property
    def _after(self) -> Paths:
        whole = self.whole
        return Paths(damage=self.damage, pods=whole.pods, shared=whole.shared, whole=whole)

    @cached_property
    def _severed(self) -> frozenset[int]:
        """Return the leafs that reach at most half of the living servers that they reached."""
        before: Counter[frozenset[int]] = Counter()
        after: Counter[frozenset[int]] = Counter()
        for nodes, servers in self.damage.net.homes().items():
            here = there = self.whole.seats.get(nodes, _NONE)
            if not here or not self._hurt.isdisjoint(nodes):
                here, there = self._seated(nodes)
            before[there] += len(servers)
            after[here] += len(servers)
        old, new = _Weights(self.whole, before), _Weights(self._after, after)
        leafs = {leaf for home in after for leaf in home}
        return frozenset(leaf for leaf in leafs if 2 * new.of(leaf) <= old.of(leaf))

    def _seated(self, nodes: tuple[int, ...]) -> tuple[frozenset[int], frozenset[int]]:
        """Return the leafs of a home, and those that its living endpoints had before."""
        left = [(node, self.damage.links(node)) for node in nodes]
        here = frozenset(leaf for _, leafs in left for leaf in leafs)
        if self._hurt.isdisjoint(nodes):
            self.whole.seats[nodes] = here
            return here, here
        near = (self.damage.net.near[node].items() for node, leafs in left if leafs)
        return here, frozenset(leaf for each in near for leaf, capacity in each if capacity)


class _Weights:
    """Counts the servers that leafs reach. `seats`: number of servers by their leafs."""

    def __init__(self, paths: Paths, seats: Counter[frozenset[int]]) -> None:
        self._paths, self._seats = paths, seats
        self._homes: Counter[frozenset[Key]] = Counter()
        self._known: dict[Key, int] = {}
        for leafs, count in seats.items():
            self._homes[frozenset(map(paths.key, leafs))] += count

    def of(self, leaf: int) -> int:
        """Return the number of living servers that a leaf reaches, including its own."""
        key = self._paths.key(leaf)
        if not key[1]:
            return sum(count for leafs, count in self._seats.items() if leaf in leafs)
        if key not in self._known:
            self._known[key] = sum(
                count
                for home, count in self._homes.items()
                if any(self._paths.joined(key, each) for each in home)
            )
        return self._known[key]

"""Computes the share of its bandwidth that each server keeps in a failure.

It computes three maximum flows with and without the failure. The first goes from a server to others
on its leafs. The second goes from all servers of a rack (leafs that share servers) to the other
racks of its pod, over spines. The third goes from all servers of a pod to other pods, over
superspines. Paths go up and then down, and no higher than necessary, as the routes do. The smallest
of the three shares is the result for a server.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from fabricgen.prove.failures.colors import Colors
from fabricgen.prove.failures.flow import (
    SINK,
    SOURCE,
    Arcs,
    add_arc,
    climb,
    largest_flow,
    members_of,
)
from fabricgen.prove.failures.network import ALL, POD, Damage, Left
from fabricgen.prove.failures.room import WHOLE
from fabricgen.prove.failures.swaps import Symmetry


@dataclass(eq=False)
class Keeping:
    """Remaining bandwidth in one failure. `symmetry`: of the graph without it."""

    symmetry: Symmetry
    damage: Damage
    _sent: dict[int, Fraction] = field(default_factory=dict)

    def shares(self) -> dict[int, Fraction]:
        """Return the remaining share of each node's servers; nodes without a port are omitted."""
        racks, pods = self._by_rack(), self._by_pod()
        found = {}
        for node in self._alive:
            rack, pod = racks.get(self._rack[node], WHOLE), pods.get(self._pod[node], WHOLE)
            least = self._on_leafs(node)
            if rack is not WHOLE or pod is not WHOLE:
                least = min(least, rack, pod)
            found[node] = least
        return found

    @cached_property
    def _alive(self) -> tuple[int, ...]:
        return tuple(node for node in self.damage.net.endpoints() if self.damage.alive(node))

    @cached_property
    def _rack(self) -> list[int]:
        return self._with_apart(self.symmetry.rack)

    @cached_property
    def _pod(self) -> list[int]:
        return self._with_apart(self.symmetry.pod)

    def _with_apart(self, parts: list[int]) -> list[int]:
        """Return the parts of the nodes, with separated servers."""
        net = self.damage.net
        apart = range(len(parts), len(net.names))
        return parts + [parts[next(iter(net.near[node]))] for node in apart]

    @cached_property
    def _colors(self) -> Colors:
        """Return the partition that separates every touched node."""
        whole = self.symmetry.colors.over(self.damage.net)
        return whole.apart(*((node,) for node in self.damage.touched))

    def _on_leafs(self, node: int) -> Fraction:
        """Return the share of one server towards others on its leafs."""
        if self._rack[node] not in self._hurt_racks:
            return WHOLE
        net = self.damage.net
        before = self._local(node, lambda one, other: net.near[one][other])
        return Fraction(self._local(node, self.damage.left), before) if before else WHOLE

    @cached_property
    def _hurt_racks(self) -> frozenset[int]:
        return frozenset(self._rack[node] for node in self.damage.touched)

    def _local(self, node: int, left: Left) -> int:
        net, arcs = self.damage.net, Arcs()
        add_arc(arcs, SOURCE, "me", net.capacity[node])
        alive = set(self._alive)
        for leaf in net.near[node]:
            add_arc(arcs, "me", leaf, left(node, leaf))
            for peer in net.peers(leaf):
                add_arc(arcs, leaf, peer, left(leaf, peer))
        for leaf in {near for each in net.near[node] for near in (each, *net.peers(each))}:
            for other in alive & net.near[leaf].keys():
                others = net.size(other) - (other == node)
                add_arc(arcs, leaf, (other,), others * left(other, leaf))
        for other in alive:
            if (other,) in arcs:
                others = net.size(other) - (other == node)
                add_arc(arcs, (other,), SINK, others * net.capacity[other])
        return largest_flow(arcs)

    def _by_rack(self) -> dict[int, Fraction]:
        """Return the shares of racks towards others of their pod, if something fails there."""
        touched = {self._pod[node] for node in self.damage.touched}
        racks = {self._rack[node]: self._pod[node] for node in self._alive}
        sure, asked = {}, []
        for rack in (rack for rack, pod in racks.items() if pod in touched):
            share = self._unlimited(rack)
            if share is None:
                asked.append(rack)
            elif share != WHOLE:
                sure[rack] = share
        first = self.symmetry.racks.first
        return sure | self._each(asked, self._hurt_racks, first, self._rack, POD)

    def _unlimited(self, rack: int) -> Fraction | None:
        """Return the share of an unhurt rack with spare capacity above it; None for others."""
        room = self.symmetry.room
        if rack in self._hurt_racks or room.spare[rack] < self._taken:
            return None
        if self.damage.dead.isdisjoint(room.spines[rack]):
            return WHOLE
        first = self.symmetry.racks.first((rack,))[0]
        if first in self._hurt_racks:
            first = rack
        if first not in self._sent:
            self._sent[first] = room.kept(first, self.damage.left)
        return self._sent[first]

    @cached_property
    def _taken(self) -> int:
        return self.symmetry.room.taken(self._hurt_racks)

    def _by_pod(self) -> dict[int, Fraction]:
        """Return the shares of pods towards others."""
        pods = {self._pod[node] for node in self._alive}
        hurt = {self._pod[node] for node in self.damage.touched}
        return self._each(sorted(pods), hurt, self.symmetry.pods.first, self._pod, ALL)

    def _each(
        self,
        asked: Collection[int],
        hurt: Collection[int],
        first: Callable[[tuple[int, ...]], tuple[int, ...]],
        parts: list[int],
        top: int,
    ) -> dict[int, Fraction]:
        """Return the share of each part; equal unhurt parts are computed once."""
        known: dict[tuple[int, ...], Fraction] = {}
        shares = {}
        for part in asked:
            key = (-1, part) if part in hurt else first((part,))
            if key not in known:
                known[key] = self._share(part, parts, top)
            shares[part] = known[key]
        return shares

    def _share(self, part: int, parts: list[int], top: int) -> Fraction:
        """Return the share of the servers of a part towards all others."""
        inside = [node for node, mine in enumerate(parts) if mine == part]
        net = self.damage.net
        here, alive = set(inside), set(self._alive)
        if alive <= here:
            return WHOLE
        colors = self._colors.apart(inside)
        before = _between(colors, here, alive, top, lambda one, other: net.near[one][other])
        if not before:
            return WHOLE
        return Fraction(_between(colors, here, alive, top, self.damage.left), before)


def _between(colors: Colors, here: set[int], alive: set[int], top: int, left: Left) -> int:
    """Return the flow of living servers in some nodes to all others, over classes of nodes."""
    net, arcs = colors.net, Arcs()
    for tail, head, capacity in climb(colors, alive, top, left):
        add_arc(arcs, tail, head, capacity)
    for color, nodes in colors.nodes.items():
        one = next(iter(nodes))
        capacity = members_of(colors, color) * net.capacity[one] if one in alive else 0
        if one in here:
            add_arc(arcs, SOURCE, ("", color, "up"), capacity)
        else:
            add_arc(arcs, ("", color, "down"), SINK, capacity)
    return largest_flow(arcs)

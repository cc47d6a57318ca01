"""Finds racks whose bandwidth to other racks is limited only by their own uplinks.

The bandwidth from the spines to a leaf is divided over its links in proportion, like the bandwidth
to its endpoints. So all leafs get their part at once. If each spine above a rack can forward all
that the rack's links carry, the largest flow to other racks is the rack's uplink bandwidth. No
search is needed for such a rack while its own links are up, whatever fails elsewhere.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from fabricgen.prove.failures.flow import SINK, SOURCE, Arcs, add_arc, largest_flow
from fabricgen.prove.failures.network import Left, Net

WHOLE = Fraction(1)


@dataclass(eq=False, kw_only=True)
class Room:
    """Capacity that spines offer to racks.

    `rack`: of each node. `members`: nodes of each rack. `spines`: switches above each rack.
    `takes`: bit/s of (spine, leaf). `spare`: of each rack, the capacity to others of its least
    spine, beyond the rack's traffic.
    """

    net: Net
    rack: list[int]
    takes: dict[tuple[int, int], int] = field(default_factory=dict)
    members: dict[int, list[int]] = field(default_factory=dict)
    spines: dict[int, set[int]] = field(default_factory=dict)
    spare: dict[int, int] = field(default_factory=dict)
    _whole: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Compute the load of each leaf on each spine, and the rest for each rack."""
        net = self.net
        gives: Counter[int] = Counter()
        for node, rack in enumerate(self.rack):
            self.members.setdefault(rack, []).append(node)
            for spine, share in self._taking(node):
                self.takes[spine, node] = share
                gives[spine] += share
        for rack, nodes in self.members.items():
            sends: Counter[int] = Counter()
            own: Counter[int] = Counter()
            leafs = [node for node in nodes if self._is_leaf(node)]
            self.spines[rack] = {spine for leaf in leafs for spine in net.uplinks(leaf)}
            if any(map(net.peers, leafs)):
                self.spare[rack] = -1  # traffic beyond the leaf's capacity goes over its peer
                continue
            for leaf in leafs:
                for spine in self.net.uplinks(leaf):
                    sends[spine] += net.near[leaf][spine]
                    own[spine] += self.takes[spine, leaf]
            self.spare[rack] = min((gives[s] - own[s] - sends[s] for s in sends), default=-1)

    def _is_leaf(self, node: int) -> bool:
        return 0 < self.net.height[node] < 4

    def _taking(self, leaf: int) -> Iterable[tuple[int, int]]:
        """Return the load of a leaf on each spine when all give it in proportion."""
        if not self._is_leaf(leaf):
            return ()
        net, near = self.net, self.net.near[leaf]
        uplinks = {spine: near[spine] for spine in self.net.uplinks(leaf)}
        below = sum(
            total * net.capacity[node] // max(net.capacity[node], sum(net.near[node].values()))
            for node, total in near.items()
            if not net.height[node]
        )
        whole = max(below, sum(uplinks.values()))
        return [(spine, capacity * below // whole) for spine, capacity in uplinks.items()]

    def taken(self, hurt: Collection[int]) -> int:
        """Return the maximum unreliable load of racks on one spine."""
        taken: Counter[int] = Counter()
        for leaf in (node for rack in hurt for node in self.members.get(rack, ())):
            for spine in self.net.uplinks(leaf):
                taken[spine] += self.takes.get((spine, leaf), 0)
        return max(taken.values(), default=0)

    def kept(self, rack: int, left: Left) -> Fraction:
        """Return the share of the largest flow of a rack up to its spines that is left."""
        if rack not in self._whole:
            near = self.net.near
            self._whole[rack] = self.sent(rack, lambda one, other: near[one][other])
        whole = self._whole[rack]
        return Fraction(self.sent(rack, left), whole) if whole else WHOLE

    def sent(self, rack: int, left: Left) -> int:
        """Return the largest flow of a rack up to its spines."""
        net, arcs = self.net, Arcs()
        for node in self.members[rack]:
            if not net.height[node]:
                add_arc(arcs, SOURCE, node, net.size(node) * net.capacity[node])
                for leaf in net.near[node]:
                    add_arc(arcs, node, leaf, net.size(node) * left(node, leaf))
            else:
                add_arc(
                    arcs, node, SINK, sum(left(node, spine) for spine in self.net.uplinks(node))
                )
        return largest_flow(arcs)

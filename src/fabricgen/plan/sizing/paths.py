"""A fabric's links in; how far its servers are from one another: switches, metres, nanoseconds.

Measured from the first leaf of the first plane: all leafs of a fabric see the same.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Role, Server, Switch, Topology

LIGHT = 5
"""Nanoseconds a metre of fibre takes: light at two thirds of its speed in vacuum, and as NVIDIA's
cabling guide for DGX SuperPOD reckons (4.5 to 5 ns/m)."""


@record(kw_only=True)
class Farthest:
    """The longest of the shortest paths between two servers.

    hops: switches on it. metres: of cable. switches: nanoseconds in them, None where the latency of
    one is not known. joined: every leaf of the plane reaches every other.
    """

    hops: int
    metres: int
    switches: int | None
    joined: bool

    @property
    def nanoseconds(self) -> int | None:
        """Return how long a packet is on the way through switches that are idle."""
        return None if self.switches is None else self.switches + LIGHT * self.metres


def farthest(topology: Topology) -> Farthest | None:
    """Walk the links tier by tier; None for a fabric without leafs."""
    leafs = [switch for switch in topology.switches if switch.role is Role.LEAF]
    if not leafs:
        return None
    start = leafs[0]
    before = _walked(start, _between(topology))
    near = max((link.length for link in topology.links if link.to_server), default=0)
    ends = [leaf for leaf in leafs if leaf.plane == start.plane]
    reached = [leaf for leaf in ends if leaf.name in before]
    paths = [list(_path(leaf, before)) for leaf in reached]
    longest = max(paths, key=lambda path: (len(path), sum(each for _, each in path)))
    latencies = [switch.model.latency for switch, _ in longest]
    return Farthest(
        hops=len(longest),
        metres=2 * near + sum(metres for _, metres in longest),
        switches=sum(each.nanoseconds for each in latencies if each is not None)
        if None not in latencies
        else None,
        joined=len(reached) == len(ends),
    )


def _between(topology: Topology) -> Mapping[str, list[tuple[Switch, int]]]:
    """Return the neighbours of each switch, each with the metres of the cable."""
    found: dict[str, dict[str, tuple[Switch, int]]] = defaultdict(dict)
    for link in topology.links:
        if not isinstance(link.lower, Server):
            found[link.lower.name][link.upper.name] = (link.upper, link.length)
            found[link.upper.name][link.lower.name] = (link.lower, link.length)
    return {name: list(near.values()) for name, near in found.items()}


Before = dict[str, tuple[Switch | None, int]]
"""By switch: the one before it on the way from the start, and the metres to it."""


def _walked(start: Switch, near: Mapping[str, list[tuple[Switch, int]]]) -> Before:
    before: Before = {start.name: (None, 0)}
    front = [start]
    while front:
        found = []
        for switch in front:
            for other, metres in near.get(switch.name, ()):
                if other.name not in before:
                    before[other.name] = (switch, metres)
                    found.append(other)
        front = found
    return before


def _path(end: Switch, before: Before) -> Iterator[tuple[Switch, int]]:
    """Yield the switches from an end back to the start, each with the metres before it."""
    switch: Switch | None = end
    while switch is not None:
        earlier, metres = before[switch.name]
        yield switch, metres
        switch = earlier


def bisection(topology: Topology) -> int:
    """Return the bits per second between two halves of the servers, at the least.

    Half of what the tier with least bandwidth has: NICs, links above leafs, links above spines.
    """
    below: dict[Role, int] = defaultdict(int)
    for link in topology.links:
        if not link.of_pair:
            below[link.upper.role] += link.speed
    return min(below.values(), default=0) // 2

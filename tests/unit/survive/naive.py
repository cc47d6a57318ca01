"""A second judge of failures, by no code of the first: one server, one port, one path at a time.

It knows no classes and no symmetry. A graph has every endpoint as a node, its flows are found by
plain augmenting paths (Ford and Fulkerson 1956), and who reaches whom by walking up and down.
"""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

from fabricgen.model.fabric.topology import Link, Nic, Role, Server, Topology

Arcs = dict[str, dict[str, int]]


def flow(arcs: Arcs) -> int:
    """Return the largest flow from `s` to `t` by augmenting paths, one unit of a path at a time."""
    left: Arcs = defaultdict(lambda: defaultdict(int))
    for tail, heads in arcs.items():
        for head, capacity in heads.items():
            left[tail][head] += capacity
            left[head][tail] += 0
    total = 0
    while (path := _path(left)) is not None:
        steps = list(pairwise(path))
        pushed = min(left[tail][head] for tail, head in steps)
        for tail, head in steps:
            left[tail][head] -= pushed
            left[head][tail] += pushed
        total += pushed
    return total


def _path(left: Arcs) -> list[str] | None:
    before = {"s": ""}
    todo = ["s"]
    for here in todo:
        for there, capacity in left[here].items():
            if capacity > 0 and there not in before:
                before[there] = here
                todo.append(there)
    if "t" not in before:
        return None
    path = ["t"]
    while path[-1] != "s":
        path.append(before[path[-1]])
    return path[::-1]


class Naive:
    """One group of server links in one failure.

    links: of the group. beside: of others that send as well. dead: switches; cut: links that fail.
    """

    def __init__(
        self,
        topology: Topology,
        links: Iterable[Link],
        beside: Iterable[Link],
        *,
        joined: bool,
        dead: set[str],
        cut: set[int],
    ) -> None:
        self.own = list(links)
        self.all = [*self.own, *beside]
        self.dead, self.cut = dead, cut
        switches = [link for link in topology.links if not isinstance(link.lower, Server)]
        self.up = [link for link in switches if joined and not link.of_pair]
        self.beside = [link for link in switches if joined and link.of_pair]
        self.tier = {switch.name: switch.role.tier for switch in topology.switches}
        self.asked: dict[tuple[frozenset[str], int], Fraction] = {}
        self.found: dict[tuple[str, bool], set[str]] = {}
        self.ports: dict[str, list[Link]] = defaultdict(list)
        for link in self.all:
            self.ports[self.end(link)].append(link)

    @staticmethod
    def end(link: Link) -> str:
        """Name the endpoint of a port: the server with its bond, or with the port."""
        nic = link.lower_port
        assert isinstance(nic, Nic)
        return f"{link.lower.name}/{nic.network if nic.bond != 'none' else nic.name}"

    def works(self, link: Link) -> bool:
        """Tell whether a link is alive."""
        return (
            id(link) not in self.cut
            and link.upper.name not in self.dead
            and link.lower.name not in self.dead
        )

    def sends(self, end: str) -> int:
        """Return what an endpoint sends at once."""
        speeds = [link.speed for link in self.ports[end]]
        nic = self.ports[end][0].lower_port
        assert isinstance(nic, Nic)
        return max(speeds) if nic.bond == "active-backup" else sum(speeds)

    @cached_property
    def alive(self) -> set[str]:
        """Return the endpoints with a link left."""
        return {end for end, links in self.ports.items() if any(map(self.works, links))}

    def part(self, links: Iterable[Link]) -> dict[str, int]:
        """Number what some links join, endpoints and switches."""
        number: dict[str, int] = {}
        near: dict[str, set[str]] = defaultdict(set)
        for link in links:
            low = self.end(link) if isinstance(link.lower, Server) else link.lower.name
            near[low].add(link.upper.name)
            near[link.upper.name].add(low)
        for start in near:
            todo = [start] if start not in number else []
            for here in todo:
                number[here] = number.get(here, len(number))
                for there in near[here]:
                    if there not in number:
                        number[there] = number[here]
                        todo.append(there)
        return number

    @cached_property
    def racks(self) -> dict[str, int]:
        """Number what shares leafs."""
        return self.part([*self.all, *self.beside])

    @cached_property
    def pods(self) -> dict[str, int]:
        """Number what spines join."""
        below = [link for link in self.up if link.upper.role is not Role.SUPERSPINE]
        return self.part([*self.all, *self.beside, *below])

    def between(
        self, mine: set[str], others: set[str], tiers: int, *, whole: bool, own_leafs: bool = False
    ) -> int:
        """Return the flow of some endpoints to others, up and then down, up to a tier."""
        arcs: Arcs = defaultdict(lambda: defaultdict(int))
        for link in [*self.all, *([] if own_leafs else self.up)]:
            if not whole and not self.works(link):
                continue
            if self.tier[link.upper.name] > tiers:
                continue
            low = self.end(link) if isinstance(link.lower, Server) else link.lower.name
            arcs[f"{low} up"][f"{link.upper.name} up"] += link.speed
            arcs[f"{link.upper.name} down"][f"{low} down"] += link.speed
        self.over_peers(arcs, whole=whole)
        for switch in self.tier:
            arcs[f"{switch} up"][f"{switch} down"] = 1 << 60
        for end in mine:
            arcs["s"][f"{end} up"] = self.sends(end)
        for end in others:
            arcs[f"{end} down"]["t"] = self.sends(end)
        return flow(arcs)

    def over_peers(self, arcs: Arcs, *, whole: bool) -> None:
        """Add what MLAG pairs carry between them: down always, up where a leaf has nothing else."""
        for link in (link for link in self.beside if whole or self.works(link)):
            for one, other in ((link.lower, link.upper), (link.upper, link.lower)):
                arcs[f"{one.name} down"][f"{other.name} down"] += link.speed
                if not self.climbs(one.name, whole=whole):
                    arcs[f"{one.name} up"][f"{other.name} up"] += link.speed

    def climbs(self, leaf: str, *, whole: bool) -> bool:
        """Tell whether a leaf has an uplink of its own."""
        return any(link.lower.name == leaf and (whole or self.works(link)) for link in self.up)

    def share(self, end: str) -> Fraction:
        """Return the share of an endpoint: the least of leafs, racks and pods."""
        alive, racks, pods = self.alive, self.racks, self.pods
        shares = [Fraction(1)]
        for mine, tiers, own in (
            ({end}, 1, True),
            ({other for other in alive if racks[other] == racks[end]}, 2, False),
            ({other for other in alive if pods[other] == pods[end]}, 3, False),
        ):
            key = (frozenset(mine), tiers)
            if key not in self.asked:
                others = alive - mine
                before = self.between(mine, others, tiers, whole=True, own_leafs=own)
                after = self.between(mine, others, tiers, whole=False, own_leafs=own)
                self.asked[key] = Fraction(after, before) if before else Fraction(1)
            shares.append(self.asked[key])
        return min(shares)

    def above(self, leaf: str, *, whole: bool) -> set[str]:
        """Return the switches that a leaf has a way up to, and itself."""
        if (leaf, whole) in self.found:
            return self.found[leaf, whole]
        there = self.found[leaf, whole] = {leaf}
        for link in self.beside:
            ends = {link.lower.name, link.upper.name}
            if leaf in ends and (whole or self.works(link)):
                there |= ends
        todo = [*there]
        for here in todo:
            for link in self.up:
                if link.lower.name == here and (whole or self.works(link)):
                    todo.append(link.upper.name)
                    there.add(link.upper.name)
        return there

    def reached(self, leaf: str, *, whole: bool) -> set[str]:
        """Return the living servers of the group that are reached by a leaf."""
        mine, alive = self.above(leaf, whole=whole), self.alive
        return {
            link.lower.name
            for link in self.own
            if self.end(link) in alive
            and (whole or self.works(link))
            and mine & self.above(link.upper.name, whole=whole)
        }

    def keeps(self, end: str) -> bool:
        """Tell whether an endpoint still has the network by every port it has left."""
        leafs = {link.upper.name for link in self.ports[end] if self.works(link)}
        return bool(leafs) and all(
            2 * len(self.reached(leaf, whole=False)) > len(self.reached(leaf, whole=True))
            for leaf in leafs
        )

    def outcome(self) -> tuple[Fraction, Fraction, int, int]:
        """Return what the group and a server keep, how many lose it, and how many keep less."""
        servers: dict[str, set[str]] = defaultdict(set)
        for link in self.own:
            servers[link.lower.name].add(self.end(link))
        kept, whole, each, lost, hit = Fraction(), 0, Fraction(1), 0, 0
        for ends in servers.values():
            has = {end: self.share(end) if self.keeps(end) else Fraction() for end in ends}
            mine = sum((self.sends(end) * has[end] for end in ends), Fraction())
            capacity = sum(map(self.sends, ends))
            kept, whole, hit = kept + mine, whole + capacity, hit + (mine < capacity)
            if any(self.keeps(end) for end in ends):
                each = min(each, mine / capacity)
            else:
                lost += 1
        return kept / whole, each, lost, hit

"""Hold the running lab and the site that every proof asks."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

from fabricgen.compile.attached.host import Endpoint
from fabricgen.compile.compiler import slices
from fabricgen.core.tree.facts import Attributes
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.pairs import Pair, expected_pairs
from fabricgen.prove.runs import Expected
from fabricgen.prove.verifier import expectations

Spot = tuple[str, str]
"""A switch and one of its ports."""


@dataclass(frozen=True)
class Bench:
    """One lab with its model."""

    client: LabClient
    site: Site
    plan: LabPlan

    def probe(self, kind: str, **ask: object) -> Any:
        """Run one measurement in the engine."""
        return self.client.call("probe", ask={"kind": kind, **ask})

    @cached_property
    def pairs(self) -> list[Pair]:
        """Return every ordered pair of endpoints."""
        return expected_pairs(self.site, self.plan)

    @cached_property
    def expected(self) -> Mapping[str, Expected]:
        """Return the expected state of each switch of the lab."""
        return expectations(self.site, self.plan.names, self.plan.answered)

    @cached_property
    def queues(self) -> Mapping[Spot, Attributes]:
        """Return the expected queues of each switch port."""
        return {
            (switch, key[1]): plan
            for switch, model in self.expected.items()
            for key, plan in model.of("queues").items()
        }

    @cached_property
    def fabrics(self) -> tuple[Fabric, ...]:
        """Return the fabrics with a switch in the lab."""
        there = {switch.fabric for switch in self.plan.switches}
        return tuple(fabric for fabric in self.site.fabrics if fabric.name in there)

    def endpoint(self, number: int) -> Endpoint:
        """Return an endpoint by its number."""
        return self.ends[number]

    @cached_property
    def ends(self) -> tuple[Endpoint, ...]:
        """Return all endpoints in the order of their numbers, external ones last."""
        return (*self.plan.endpoints, *self.plan.beyond)

    def fitting(self, fabric: str, size: int) -> int:
        """Return the largest packet size up to `size` that all endpoints of a fabric support."""
        return min(size, *(each.mtu for each in self.plan.endpoints if each.fabric == fabric))

    def reachable(self, fabric: str) -> Iterator[Pair]:
        """Yield the pairs within a fabric that must reach each other."""
        for pair in self.pairs:
            ends = {self.endpoint(pair.source).fabric, self.endpoint(pair.target).fabric}
            if pair.routers is not None and ends == {fabric}:
                yield pair

    def measured(self, fabric: str) -> Iterator[Pair]:
        """Yield the IPv4 pairs, which measure queues and uplinks."""
        return (pair for pair in self.reachable(fabric) if self.endpoint(pair.source).version == 4)

    def leafs(self, fabric: str) -> list[str]:
        """Return the leafs with hosts, in the order of the plan."""
        return list(
            dict.fromkeys(each.leaf for each in self.plan.endpoints if each.fabric == fabric)
        )

    def between(self, fabric: str, leaf: str, other: str) -> list[Pair]:
        """Return the pairs from one leaf to another that must reach each other."""
        return [
            pair
            for pair in self.measured(fabric)
            if (self.endpoint(pair.source).leaf, self.endpoint(pair.target).leaf) == (leaf, other)
        ]

    def ring(self, fabric: str) -> list[Pair]:
        """Return a pair from each leaf to the next one: every leaf sends and receives once.

        Where the next leaf must not be reached, as without spines, both ends are on one leaf. Hosts
        whose DSCPs are rewritten send nothing.
        """
        leafs = self.leafs(fabric)
        ways = zip(leafs, leafs[1:] + leafs[:1], strict=True)
        choices = (self.trusted(fabric, a, b) or self.trusted(fabric, a, a) for a, b in ways)
        return [pairs[0] for pairs in choices if pairs]

    def trusted(self, fabric: str, leaf: str, other: str) -> list[Pair]:
        """Return the pairs from one leaf to another whose DSCPs are not rewritten."""
        pairs = self.between(fabric, leaf, other)
        return [pair for pair in pairs if self.endpoint(pair.source).host not in self.marked]

    @cached_property
    def marked(self) -> frozenset[str]:
        """Return the hosts whose packets get the DSCP of a class at the port."""
        ports = (
            port
            for _, switch_slice in slices(self.site)
            for port in switch_slice.interfaces
            if port.marks
        )
        return frozenset(port.peer.name for port in ports if port.peer is not None)

    def two_ways(self, fabric: str) -> tuple[str, str] | None:
        """Return two leafs with reachable hosts and more than one path between them."""
        for leaf, other in permutations(self.leafs(fabric), 2):
            if len(self.leaving(leaf, other)) > 1 and self.between(fabric, leaf, other):
                return leaf, other
        return None

    @cached_property
    def cables(self) -> Mapping[Spot, Spot]:
        """Return the remote end of each cabled port."""
        ends: dict[Spot, Spot] = {}
        for cable in self.plan.cables:
            a, b = (cable.a, cable.a_port), (cable.b, cable.b_port)
            ends |= {a: b, b: a}
        return ends

    def leaving(self, switch: str, towards: str) -> list[Spot]:
        """Return the cabled egress ports of a switch towards another one, by the model."""
        model = self.expected[switch]
        for key, route in model.of("route").items():
            if model.role(key) == towards:
                return [(switch, port) for port in route["ports"] if (switch, port) in self.cables]
        return []

    def stages(self, leaf: str, other: str) -> list[list[Spot]]:
        """Return the possible egress ports from one leaf to another, hop by hop."""
        stages: list[list[Spot]] = []
        here = {leaf}
        while here and other not in here:
            spots = [spot for switch in sorted(here) for spot in self.leaving(switch, other)]
            here = {self.cables[spot][0] for spot in spots}
            stages.append(spots)
        return stages

    def last(self, endpoint: Endpoint) -> list[Spot]:
        """Return the leaf ports of an endpoint; several for a LAG."""
        ends = {near: far for near, far in self.cables.items() if near[0] == endpoint.host}
        own = ends.get((endpoint.host, endpoint.device))
        return [own] if own else [far for far in ends.values() if far[0] == endpoint.leaf]


def watched(spots: list[Spot]) -> dict[str, list[str]]:
    """Return ports by switch, in the format of the engine."""
    ports: dict[str, list[str]] = {}
    for switch, port in dict.fromkeys(spots):
        ports.setdefault(switch, []).append(port)
    return ports

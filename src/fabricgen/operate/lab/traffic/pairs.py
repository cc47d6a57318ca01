"""List which endpoints of a lab must reach each other, and over how many routers.

The expectation comes from the model alone: tenants from the overlay, rails from the topology.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from ipaddress import ip_address
from typing import Any

from fabricgen.compile.attached.host import Endpoint
from fabricgen.model.fabric.graph import SwitchGraph
from fabricgen.model.fabric.leaks import TakenPrefix
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.gates import Gates

FULL_TTL = 64


class Apart(StrEnum):
    """Reason why two endpoints must not reach each other."""

    FABRICS = "the fabrics are separate networks"
    TENANTS = "each tenant has its own routing table"
    RAILS = "no spine connects the rails"
    LEAFS = "each leaf has its own instance of the VRF"
    ZONES = "the intent has no flow between their zones"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """One direction between two endpoints.

    Attributes:
        routers: Number of routers on the path; None without a path.
        apart: Reason why there is no path.
        more: Allowed additional routers, where ECMP paths have different lengths.
    """

    source: int
    target: int
    routers: int | None
    apart: Apart | None = None
    more: int = 0


def expected_pairs(site: Site, plan: LabPlan) -> list[Pair]:
    """Return every ordered pair of endpoints of one IP version, with the expected path."""
    distances = {fabric.name: _Distances(fabric, plan) for fabric in site.fabrics}
    gates = Gates(site, plan)
    return [
        _pair((a, b), one, other, distances, gates)
        for a, one in enumerate(plan.endpoints)
        for b, other in enumerate(plan.endpoints)
        if one.version == other.version
        and one.host != other.host  # local traffic of a server does not leave it
    ]


def _pair(
    places: tuple[int, int],
    one: Endpoint,
    other: Endpoint,
    distances: Mapping[str, "_Distances"],
    gates: Gates,
) -> Pair:
    source, target = places
    apart: Apart | None = Apart.FABRICS
    if one.fabric == other.fabric:
        between = _between(one, other, distances[one.fabric])
        ways, apart = ([], between) if isinstance(between, Apart) else (between, None)
    else:
        ways = _across(one, other, distances)
    if ways and gates.shut(one, other):
        ways, apart = [], Apart.ZONES
    if not ways:
        return Pair(source=source, target=target, routers=None, apart=apart)
    return Pair(source=source, target=target, routers=min(ways), more=max(ways) - min(ways))


def _between(one: Endpoint, other: Endpoint, distances: "_Distances") -> list[int] | Apart:
    """Return the number of routers on each path in one fabric, or why there is no path."""
    if one.vrf != other.vrf:
        return Apart.TENANTS
    if distances.overlay:
        return _bridged(one, other, distances)
    if one.vrf:
        return _in_vrf(one, other, distances)
    if one.group != other.group and not distances.spines:
        return Apart.RAILS
    routers = distances.between(one.leaf, other.leaf)
    return Apart.RAILS if routers is None else [routers]


def _across(one: Endpoint, other: Endpoint, distances: Mapping[str, "_Distances"]) -> list[int]:
    """Return the number of routers on each path over a link between sites for the VRFs.

    A leaf prefers its own link; without one it may use any.
    """
    near, far = (distances[each.fabric].joined(each) for each in (one, other))
    links = near.keys() & far.keys()
    chosen = {name for name in links if near[name] == one.leaf} or links
    ends = ((near, one), (far, other))
    return [sum(1 if leafs[name] == end.leaf else 2 for leafs, end in ends) for name in chosen]


def _bridged(one: Endpoint, other: Endpoint, distances: "_Distances") -> list[int] | Apart:
    """Return the number of routers in an EVPN fabric with symmetric IRB (RFC 9135 section 4.2).

    A subnet that a VRF imports from another is reached like its own subnets. If the first leaf
    carries that subnet, too, it may use its connected route instead of the host route, and bridges.
    """
    if one.group != other.group:
        taken = distances.takes.get((one.group, other.group), ())
        address = ip_address(other.address)
        own = (rule for rule in taken if not rule.outside)
        if not any(rule.holds(int(address), address.version) for rule in own):
            return Apart.TENANTS
    if other.segment in (one.segment, *one.beside):
        return [0]
    if one.leaf == other.leaf:
        return [1]
    leaks = one.group != other.group and (one.leaf, other.segment) in distances.carried
    return [1, 2] if leaks else [2]


def _in_vrf(one: Endpoint, other: Endpoint, distances: "_Distances") -> list[int] | Apart:
    """Return the number of routers in a VRF on rails; a tunnel hides the spines."""
    if one.leaf == other.leaf:
        return [1]
    if one.vrf in distances.local:
        return Apart.LEAFS
    return Apart.RAILS if distances.between(one.leaf, other.leaf) is None else [2]


_Takes = Mapping[tuple[str, str], tuple[TakenPrefix, ...]]
"""Imported prefixes by importing VRF and source VRF."""


class _Distances:
    """Numbers of switches on the shortest paths between leafs of one fabric."""

    def __init__(self, fabric: Fabric, plan: LabPlan) -> None:
        there = {switch.name for switch in plan.switches}
        vrfs = fabric.overlay.vrfs.values() if fabric.overlay is not None else ()
        self.local = {vrf.name for vrf in vrfs if vrf.local}
        self.takes: _Takes = {
            (vrf.name, taken.source): taken.prefixes for vrf in vrfs for taken in vrf.takes
        }
        self.carried = {(end.leaf, end.segment) for end in plan.endpoints}
        self._links = {
            (peer.vrf, peer.version, peer.joins): leaf
            for leaf, peers in (fabric.overlay.external.items() if fabric.overlay else ())
            for peer in peers
            if peer.joins and (leaf, peer.label) in plan.answered
        }
        self.overlay = fabric.overlay is not None and not fabric.overlay.members
        self.spines = any(
            not switch.is_leaf and switch.name in there for switch in fabric.topology.switches
        )
        self._graph = SwitchGraph(
            fabric.topology, lambda link: {link.lower.name, link.upper.name} <= there
        )

    def joined(self, end: Endpoint) -> Mapping[str, str]:
        """Return the links between sites with the VRF of an endpoint, and their leafs."""
        own = (end.group, end.version)
        return {name: leaf for (*key, name), leaf in self._links.items() if tuple(key) == own}

    def between(self, leaf: str, other: str) -> int | None:
        """Count the switches on the path, including both leafs."""
        path = self._graph.path(leaf, other)
        return len(path.switches) if path is not None else None


def judge_matrix(
    plan: LabPlan, group: Iterable[tuple[Pair, Mapping[str, Any] | None]]
) -> Iterator[str]:
    """Yield a sentence for each pair whose result differs from the model."""
    for pair, got in group:
        one, other = plan.endpoints[pair.source], plan.endpoints[pair.target]
        way = f"{one.name} ({one.address}) → {other.name} ({other.address})"
        if got is None:
            if pair.routers is not None:
                yield f"{way}: no packet arrives, expected over {pair.routers} routers"
        elif pair.routers is None:
            yield f"{way}: arrives, but must not ({one.group} and {other.group} are isolated)"
        elif not 0 <= FULL_TTL - got["ttl"] - pair.routers <= pair.more:
            yield (f"{way}: {FULL_TTL - got['ttl']} routers on the path, expected {pair.routers}")

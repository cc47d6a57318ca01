"""From random small designs, sound and broken: that the deadlock proof agrees with brute force.

The reference below shares nothing with the check: it routes with real AS paths, round by round,
over every single cable, in every state anew, and finds circles with the standard library.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.checks.deadlock_sites import chained, joined, pods, told
from tests.unit.checks.sites import cut, designed, examine, relinked

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.deadlock import Deadlock
from fabricgen.compile.checks.deadlock.network import network
from fabricgen.compile.checks.deadlock.routes import Destination, hops, reroutes
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex
from fabricgen.core.diagnostics import Severity
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.topology import Port

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.unit.checks.sites import Piece

    from fabricgen.compile.checks.deadlock.routes import Hops
    from fabricgen.model.fabric.switch import Session, Site

Place = tuple[str, int]  # switch and port
Best = tuple[tuple[int, ...], bool]  # AS path, marked
Ways = dict[int, set[int]]  # by switch

DESIGNS = {
    "rail-only": "design: rail-only\n  servers: {count: 4, gpus: 3, nic_speed: 400G}",
    "two tiers": (
        "design: rail-optimized\n  servers: {count: 4, gpus: 2, nic_speed: 400G}\n"
        "  scalable_unit: {servers: 2}\n  spine: {model: 7060DX5-64S, platform: eos, count: 2}"
    ),
    "two planes": (
        "design: rail-optimized\n  planes: 2\n"
        "  servers: {count: 3, gpus: 2, nic_speed: 200G, nic_ports: 2}\n"
        "  scalable_unit: {servers: 2}\n  spine: {model: 7060DX5-64S, platform: eos}"
    ),
}


SPINES = tuple(f"fe-pod0{pod}-spine1" for pod in (1, 2, 3, 4, 1))
DETOURS: dict[str, tuple[Site, tuple[str, ...]]] = {
    "ring of spines": (chained(pods(4), *SPINES), ()),
    "row of spines": (chained(pods(3), *SPINES[:3]), ()),
    "leafs of a pod": (chained(pods(2), "fe-leaf01", "fe-leaf02"), ()),
    "leafs of two pods": (chained(pods(2), "fe-leaf01", "fe-leaf03"), ()),
    "no policy": (pods(2), ("fe-leaf01", "fe-pod02-spine1")),
    "no policy, shared ASNs": (pods(2, scheme="rfc7938"), ("fe-leaf01", "fe-pod02-spine1")),
    "tiers skipped": (chained(pods(2), "fe-leaf01", "fe-superspine1"), ("fe-leaf03",)),
}


@st.composite
def sites(draw: st.DrawFn) -> Site:
    """Draw a small designed site with a lossless class, and no fault in it."""
    scheme = draw(st.sampled_from(("per-switch", "rfc7938")))
    if draw(st.booleans()):
        return drained(draw, pods(draw(st.integers(1, 3)), draw(st.integers(1, 2)), scheme))
    links = draw(st.sampled_from(("numbered", "unnumbered")))
    site = designed(
        "backend:\n  leaf: {model: 7060DX5-64S, platform: eos}\n"
        f"  underlay: {{links: {links}, asn: {{scheme: {scheme}}}}}\n"
        f"  {draw(st.sampled_from(tuple(DESIGNS.values())))}\n"
    )
    return drained(draw, site)


def drained(draw: st.DrawFn, site: Site) -> Site:
    """Drain up to three links of a site."""
    fabric = site.fabrics[0]
    between = [link for link in fabric.topology.links if not link.to_server]
    if not between:
        return site
    some = [draw(st.sampled_from(between)) for _ in range(draw(st.integers(0, 3)))]
    links = (
        replace(link, standing=Standing(state=State.DRAINED, because=link.because))
        if any(link is each for each in some)
        else link
        for link in fabric.topology.links
    )
    return relinked(site, fabric.name, tuple(links))


@st.composite
def broken(draw: st.DrawFn) -> tuple[Site, list[Piece]]:
    """Draw a site with up to two cables too many, and up to four switches with another policy."""
    site = draw(sites())
    switches = site.fabrics[0].topology.switches
    if any(not link.to_server for link in site.fabrics[0].topology.links):
        for _ in range(draw(st.integers(0, 2))):
            one, other = draw(st.permutations(switches))[:2]
            site = joined(site, *sorted((one, other), key=lambda s: s.role.tier))
    bad = {switch.name for switch in draw(st.permutations(switches))[: draw(st.integers(0, 4))]}
    valley_free, own_as = draw(st.booleans()), draw(st.integers(0, 1))
    return site, told(site, bad, valley_free=valley_free, own_as=own_as)


@dataclass
class Reference:
    """Routes and buffers of one fabric, cable by cable. order: who wins among equal paths."""

    asns: dict[str, int]
    drained: set[Place]
    sessions: dict[Place, tuple[Place, Session]]
    order: random.Random = field(default_factory=lambda: random.Random(0))

    def states(self) -> Iterator[set[Place]]:
        """Yield what is dead: nothing, each cable, each switch."""
        yield set()
        for place, (far, _) in self.sessions.items():
            if place < far:
                yield {place, far}
        for name in self.asns:
            mine = {place for place in self.sessions if place[0] == name}
            yield mine | {self.sessions[place][0] for place in mine}

    def forwarding(self, origin: str, dead: set[Place]) -> dict[str, list[Place]]:
        """Return the ports on which each switch sends to one origin, when routing is at rest."""
        rank = {place: self.order.random() for place in self.sessions}
        best: dict[str, Best] = {origin: ((), False)}
        while True:
            offers = {name: self.offers(name, best, dead) for name in self.asns if name != origin}
            chosen = {
                name: min(some, key=lambda o: (len(o[1][0]), rank[o[0]]))[1]
                for name, some in offers.items()
                if some
            }
            now = {origin: best[origin], **chosen}
            if now == best:
                return {
                    name: [at for at, route in offers[name] if len(route[0]) == len(best[name][0])]
                    for name in chosen
                }
            best = now

    def offers(
        self, name: str, best: dict[str, Best], dead: set[Place]
    ) -> list[tuple[Place, Best]]:
        """Return the routes that a switch is sent and takes, with the port each comes in on."""
        found = []
        for at, (far, mine) in self.sessions.items():
            if at[0] != name or at in dead or far[0] not in best:
                continue
            theirs = self.sessions[far][1]
            path, marked = best[far[0]]
            path = (*[self.asns[far[0]]] * (4 if far in self.drained else 1), *path)
            kept_back = marked and theirs.up and theirs.valley_free
            if not kept_back and path.count(self.asns[name]) <= mine.own_as:
                found.append((at, (path, marked or (mine.up and mine.valley_free))))
        return found

    def circle(self, dead: set[Place]) -> bool:
        """Tell whether buffers wait for each other in a circle in this state."""
        waits: dict[Place, set[Place]] = {}
        for origin in self.asns:
            sends = self.forwarding(origin, dead)
            for ports in sends.values():
                for at in ports:
                    buffer = self.sessions[at][0]
                    onward = sends.get(buffer[0], ())
                    waits.setdefault(buffer, set()).update(self.sessions[p][0] for p in onward)
        try:
            TopologicalSorter(waits).prepare()
        except CycleError:
            return True
        return False


def reference(pieces: list[Piece]) -> Reference:
    """Read the facts of all switches."""
    sessions, drained = {}, set()
    for _, switch_slice in pieces:
        for session in switch_slice.sessions:
            at = session.interface
            if at is not None and isinstance(at.peer_port, Port):
                here = switch_slice.switch.name, ends.key(at.port)
                sessions[here] = (session.peer.name, ends.key(at.peer_port)), session
                if session.drained or switch_slice.drained:
                    drained.add(here)
    return Reference(
        {switch_slice.switch.name: switch_slice.asn for _, switch_slice in pieces},
        drained,
        sessions,
    )


@settings(max_examples=40)
@given(sites())
def test_what_is_proven_by_the_rule_has_no_circle_in_any_state(site: Site) -> None:
    assert examine(Deadlock, site).findings == ()
    real = reference(cut(site))
    assert not any(real.circle(dead) for dead in real.states())


@settings(max_examples=60)
@given(broken())
def test_no_circle_of_a_broken_site_is_missed(drawn: tuple[Site, list[Piece]]) -> None:
    site, pieces = drawn
    red = any(f.severity is Severity.ERROR for f in examine(Deadlock, site, pieces).findings)
    real = reference(pieces)
    assert red or not any(real.circle(dead) for dead in real.states())


def compared(pieces: list[Piece], times: int = 1) -> Iterator[tuple[Ways, Ways, Ways, bool]]:
    """Yield real ways, simulated ones, those before, and whether simulating them was needed.

    For each state and origin; the real ones over several orders in which equal paths may win.
    """
    facts = RoutingIndex()
    for _, switch_slice in pieces:
        facts.add(switch_slice)
    net, real = network(facts), reference(pieces)
    for dead in real.states():
        ports = {(facts.number(name), port) for name, port in dead}
        gone = frozenset(w.number for w in net.ways if {(w.here, p) for p, _ in w.ports} <= ports)
        for name in real.asns:
            to = Destination(facts.number(name))
            ways: dict[int, set[int]] = {}
            for _ in range(times):
                for here, out in real.forwarding(name, dead).items():
                    at = facts.number(here)
                    ways.setdefault(at, set()).update(net.at[at, port] for _, port in out)
            before = hops(net, to, frozenset())
            anew = reroutes(net, to, before, gone, None)
            yield ways, _keys(hops(net, to, gone)), _keys(before), anew


def _keys(found: Hops) -> Ways:
    return {here: set(out) for here, out in found.items() if out}


def within(some: Ways, more: Ways) -> bool:
    return all(out <= more.get(here, set()) for here, out in some.items())


@settings(max_examples=60)
@given(broken())
def test_each_way_that_packets_take_is_simulated(drawn: tuple[Site, list[Piece]]) -> None:
    for real, simulated, before, anew in compared(drawn[1]):
        assert within(real, simulated)
        assert anew or within(simulated, before)


@pytest.mark.parametrize("detour", DETOURS)
def test_nothing_but_the_ways_of_packets_is_simulated(detour: str) -> None:
    site, leaky = DETOURS[detour]
    pieces = told(site, leaky, valley_free=False)
    for real, simulated, before, anew in compared(pieces, times=12):
        assert simulated == real
        assert anew or within(simulated, before)

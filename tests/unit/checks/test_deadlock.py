"""From loops planted in links, policy and static routes: that each deadlock is found (FG318)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.checks.deadlock_sites import chained, pods, switch_of, told
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_OPTIMIZED,
    Piece,
    changed,
    cut,
    designed,
    examine,
    piece_of,
    reds,
)
from tests.unit.checks.sites import told as sites_told

from fabricgen.compile.checks.deadlock import Deadlock, states
from fabricgen.compile.checks.deadlock.network import network
from fabricgen.compile.checks.deadlock.proof import NO_CLASS, NOUN
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Site, StaticRoute, SwitchSlice

CODE = Code.DEADLOCK
SITE = designed(RAIL_OPTIMIZED)
LEAF, LEAF2, SPINE = "be-su01-leaf1", "be-su01-leaf2", "be-spine1"
RFC7938 = "  underlay: {links: unnumbered, asn: {scheme: rfc7938}}\n"
TWO_PODS = """
backend:
  design: three-tier
  servers: {count: 48, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 16}
  growth: {pods: 3, servers: 48}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
  superspine: {model: 7060DX5-64S, platform: eos, count: 2}
"""
PROVEN = {
    **EVERY,
    "two pods": TWO_PODS,
    "unnumbered, rfc7938": RAIL_OPTIMIZED + RFC7938,
    "two pods, unnumbered, rfc7938": TWO_PODS + RFC7938,
}
DEFAULT = Ip(0, 0)


def said(site: Site, pieces: list[Piece] | None = None) -> list[str]:
    return reds(examine(Deadlock, site, pieces), CODE)


def error(site: Site, pieces: list[Piece] | None = None) -> str:
    """Return the first thing that is said; it must be an error."""
    result = examine(Deadlock, site, pieces)
    assert {finding.severity for finding in result.findings} == {Severity.ERROR}
    return reds(result, CODE)[0]


def warning(site: Site, pieces: list[Piece] | None = None) -> str:
    """Return the one thing that is said: no cycle, but a proof for single failures only."""
    (finding,) = examine(Deadlock, site, pieces).findings
    assert finding.severity is Severity.WARNING
    assert "cannot deadlock with everything up or after one failure" in finding.message
    return finding.hint


def with_static(pieces: list[Piece], name: str, prefix: Ip, towards: str) -> list[Piece]:
    """Give a switch a static route over its first cable to another one."""

    def add(switch_slice: SwitchSlice) -> SwitchSlice:
        over = next(
            i for i in switch_slice.interfaces if i.peer is not None and i.peer.name == towards
        )
        return replace(
            switch_slice, statics=(*switch_slice.statics, StaticRoute(prefix, over, over.because))
        )

    return sites_told(pieces, name, add)


def nic_address(name: str) -> Ip:
    """Return the address of the first NIC port of a leaf."""
    nics = (i.address for i in piece_of(cut(SITE), name).interfaces if i.use is Use.NIC)
    return next(address for address in nics if address is not None)


@pytest.mark.parametrize("shape", PROVEN)
def test_a_designed_site_is_proven_with_every_buffer_counted(shape: str) -> None:
    site = designed(PROVEN[shape])
    result = examine(Deadlock, site)
    assert reds(result, CODE) == []
    buffers = sum(
        len(switch_slice.qos.paused) * (interface.use is not Use.UNUSED)
        for _, switch_slice in cut(site)
        for interface in switch_slice.interfaces
        if switch_slice.qos is not None
    )
    assert result.objects == sum(len(f.topology.switches) for f in site.fabrics) + buffers
    assert result.noun == (NOUN if buffers else NO_CLASS)


def test_the_rule_alone_proves_a_designed_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deadlock, "simulate", lambda *_: pytest.fail("simulated"))
    assert said(designed(TWO_PODS)) == []


def test_a_fabric_without_a_lossless_class_counts_its_switches() -> None:
    site = designed(FRONTEND)
    result = examine(Deadlock, chained(site, "fe-leaf01", "fe-leaf02"))
    assert (result.objects, result.noun, result.findings) == (5, NO_CLASS, ())


def test_a_link_between_leafs_of_two_pods_is_a_detour_that_deadlocks() -> None:
    site = chained(designed(TWO_PODS), LEAF, "be-su03-leaf1")
    assert error(site) == (
        "priority 3 can deadlock with everything up: be-g01-superspine1:17 > be-pod01-spine1:33 > "
        "be-su01-leaf1:49 > be-su03-leaf1:66 > be-pod02-spine1:1 > be-g01-superspine1:17"
    )


def test_a_link_between_leafs_of_one_pod_is_proven_for_single_failures_only() -> None:
    """Nothing prefers it, and one failure sends packets over it in one direction only."""
    assert f"{LEAF} has a session down to {LEAF2}" in warning(chained(SITE, LEAF, LEAF2))


def test_a_ring_of_spines_deadlocks() -> None:
    """Two hops along the ring are as short as the way over a superspine."""
    ring = [f"fe-pod0{pod}-spine1" for pod in (1, 2, 3, 4, 1)]
    assert error(chained(pods(4), *ring)) == (
        "priority 3 can deadlock with everything up: fe-pod01-spine1:66 > fe-pod04-spine1:65 > "
        "fe-pod03-spine1:65 > fe-pod02-spine1:65 > fe-pod01-spine1:66"
    )


def test_spines_in_a_row_deadlock_only_after_a_link_failed() -> None:
    row = [f"fe-pod0{pod}-spine1" for pod in (1, 2, 3)]
    one, other = said(chained(pods(3), *row))
    assert one == (
        "priority 3 can deadlock after fe-superspine1:5 to fe-pod02-spine1:61 has failed: "
        "fe-pod01-spine1:61 > fe-pod02-spine1:66 > fe-pod03-spine1:66 > fe-superspine1:9 > "
        "fe-pod01-spine1:61"
    )
    assert "after fe-superspine2:5 to fe-pod02-spine1:62 has failed" in other


def test_a_leaf_that_sends_routes_from_above_up_again_deadlocks() -> None:
    site = pods(2)
    assert error(site, told(site, ["fe-leaf01"], valley_free=False)) == (
        "priority 3 can deadlock with everything up: fe-leaf01:61 > fe-pod01-spine2:1 > "
        "fe-superspine1:2 > fe-pod01-spine1:61 > fe-leaf01:61"
    )


def test_with_two_tiers_it_takes_two_such_leafs() -> None:
    assert warning(SITE, told(SITE, [LEAF], valley_free=False))
    assert error(SITE, told(SITE, [LEAF, LEAF2], valley_free=False)) == (
        "priority 3 can deadlock with everything up: be-spine1:3 > be-su01-leaf1:61 > "
        "be-spine2:1 > be-su01-leaf2:63 > be-spine1:3"
    )


def test_a_link_that_hid_a_missing_policy_fails() -> None:
    site = chained(SITE, SPINE, "be-spine2")
    assert error(site, told(site, [LEAF, LEAF2], valley_free=False)) == (
        "priority 3 can deadlock after be-spine1:66 to be-spine2:66 has failed: be-spine1:3 > "
        "be-su01-leaf1:61 > be-spine2:1 > be-su01-leaf2:63 > be-spine1:3"
    )


def test_accepting_the_own_asn_opens_the_way_that_a_shared_asn_had_closed() -> None:
    site = designed(RAIL_OPTIMIZED + RFC7938)
    spines = [SPINE, "be-spine2"]
    leaky = told(site, [LEAF, LEAF2], valley_free=False)
    assert warning(site, leaky)
    assert said(site, told(site, spines, own_as=1)) == []
    assert "be-spine1:3 > be-su01-leaf1:61 > be-spine2:1" in error(
        site, told(site, spines, leaky, own_as=1)
    )


def test_a_static_route_that_points_up_at_the_leaf_that_has_the_address_loops() -> None:
    host = nic_address(LEAF)._replace(length=32)
    assert error(SITE, with_static(cut(SITE), LEAF, host, SPINE)) == (
        "priority 3 can deadlock with everything up: be-spine1:1 > be-su01-leaf1:61 > be-spine1:1"
    )


def test_a_connected_subnet_wins_over_a_static_route_to_it() -> None:
    assert warning(SITE, with_static(cut(SITE), LEAF, nic_address(LEAF), SPINE))


def test_a_static_route_down_to_the_wrong_leaf_loops() -> None:
    assert "be-spine1:1 > be-su01-leaf1:61 > be-spine1:1" in error(
        SITE, with_static(cut(SITE), SPINE, nic_address(LEAF2), LEAF)
    )


def test_a_default_route_up_loops_with_a_route_down_and_not_alone() -> None:
    up = with_static(cut(SITE), LEAF, DEFAULT, SPINE)
    assert "has a static route to 0.0.0.0/0" in warning(SITE, up)
    assert "be-spine1:1 > be-su01-leaf1:61" in error(SITE, with_static(up, SPINE, DEFAULT, LEAF))
    aggregate = nic_address(LEAF)._replace(length=16)
    assert "be-spine1:1 > be-su01-leaf1:61" in error(SITE, with_static(up, SPINE, aggregate, LEAF))


def test_a_static_route_over_a_cable_without_a_session_counts() -> None:
    host = nic_address(LEAF)._replace(length=32)
    pieces = with_static(cut(SITE), LEAF, host, SPINE)
    over = piece_of(pieces, LEAF).statics[0].interface
    pieces = sites_told(
        pieces,
        LEAF,
        lambda p: replace(p, sessions=tuple(s for s in p.sessions if s.interface is not over)),
    )
    assert "be-spine1:1 > be-su01-leaf1:62 > be-spine1:1" in error(SITE, pieces)


def failing(pieces: list[Piece]) -> list[str]:
    told_all = RoutingIndex()
    for _, switch_slice in pieces:
        told_all.add(switch_slice)
    return [failure.name for failure in states.failures(network(told_all))]


def test_each_switch_and_each_lonely_cable_fails_once() -> None:
    site = pods(2)
    names = {switch.name for switch in site.fabrics[0].topology.switches}
    found = failing(cut(site))
    assert len(found) == len(set(found)) == 10 + 16
    assert names <= set(found)
    assert len([name for name in failing(cut(SITE)) if " to " in name]) == 0


def test_one_of_parallel_cables_fails_alone_when_a_static_route_uses_it() -> None:
    found = failing(with_static(cut(SITE), LEAF, DEFAULT, SPINE))
    assert [name for name in found if " to " in name] == [
        f"{SPINE}:1 to {LEAF}:61",
        f"{SPINE}:2 to {LEAF}:62",
    ]


@pytest.mark.parametrize(
    ("facts", "what"),
    [
        ({"peer_asn": 4_200_000_000}, f"{LEAF} has a session inside its ASN, to {SPINE}"),
        ({"interface": None}, f"{LEAF} has a session to {SPINE} that crosses no cable to it"),
        ({"peer": switch_of(SITE, LEAF2)}, f"{LEAF} has a session to {LEAF2} that crosses no"),
    ],
)
def test_what_cannot_be_simulated_is_not_proven(facts: dict[str, Any], what: str) -> None:
    text = error(SITE, told(SITE, [LEAF], **facts))
    assert f"the backend is not proven free of deadlock: {what}" in text


def test_a_peer_that_is_told_nothing_is_not_proven() -> None:
    pieces = [(f, p) for f, p in cut(SITE) if p.switch.name != LEAF]
    assert f"not proven free of deadlock: {LEAF} has sessions as a switch of tier 1" in error(
        SITE, pieces
    )


def test_a_session_that_takes_down_for_up_is_a_departure() -> None:
    assert "has a session up to be-su01-leaf1" in warning(SITE, told(SITE, [SPINE], up=True))


def test_what_is_too_large_to_simulate_is_not_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(states, "BUDGET", 100)
    text = error(SITE, told(SITE, [LEAF], valley_free=False))
    assert "it is too large, and only 3 of 10 destinations and 0 failures were simulated" in text


def test_a_cycle_among_the_first_destinations_is_told_before_the_budget_is_spent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    site = chained(designed(TWO_PODS), LEAF, "be-su03-leaf1")
    monkeypatch.setattr(states, "BUDGET", 400)
    assert "can deadlock with everything up" in error(site)


def test_several_lossless_priorities_multiply_the_buffers() -> None:
    qos = SITE.fabrics[0].qos
    assert qos is not None
    classes = tuple(replace(c, paused=4) if c.number == 0 else c for c in qos.classes)
    site = changed(SITE, "backend", qos=replace(qos, classes=classes))
    one, two = examine(Deadlock, SITE).objects, examine(Deadlock, site).objects
    assert two - 10 == 2 * (one - 10)
    assert "priority 3, 4 can deadlock" in error(site, told(site, [LEAF, LEAF2], valley_free=False))

"""Times of recovery: from timers of the intent, from stated figures, and otherwise not known."""

from math import inf

import pytest
from tests.unit.survive.test_survey import PAIRS, fabric_of

from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.failures import Fails, Figures
from fabricgen.prove.failures.recovery import Clock, Recovery
from fabricgen.prove.failures.survey import Survey

FIGURES = {
    "eos": Figures(
        source="a test",
        link_down=Milliseconds(10),
        withdrawal=Milliseconds(40),
        fib_update=Milliseconds(200),
    )
}
BONDED = PAIRS.replace("bond: active-backup", "bond: lacp")
BACKUP = PAIRS.replace("bond: lacp", "bond: active-backup")
SLOW = BONDED.replace("bond: lacp", "bond: lacp, lacp_rate: slow")
FAST = BONDED.replace("bond: lacp", "bond: lacp, lacp_rate: fast")


def after(text: str, kind: Fails, *, silent: bool, known: bool = True) -> Recovery:
    clock = Clock(fabric_of(text), FIGURES if known else {})
    found = clock.kind(kind, silent=silent)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "silent", "least", "most"),
    [
        (Fails.SPINE, True, 1100, 1100),  # 3 x 300 and the FIB: each leaf has another spine
        (Fails.SPINE, False, 210, 210),
        (Fails.LINK, True, 1140, 1140),  # the spine withdraws what is below its lost link
        (Fails.LINK, False, 250, 250),
        (Fails.LEAF, True, 3240, 3240),  # LACP of the servers is slower than BFD
        (Fails.LEAF, False, 340, 340),  # bonds look every 100 ms
        (Fails.SERVER_LINK, False, 340, 340),
        (Fails.SERVER_LINK, True, 3240, 90_240),  # the leaf's LACP rate is the platform's own
    ],
)
def test_the_slowest_notice_and_the_next_steps_add_up(
    kind: Fails,
    silent: bool,  # noqa: FBT001 - a parameter of the test
    least: float,
    most: float,
) -> None:
    found = after(BONDED, kind, silent=silent)
    assert (found.least, found.most) == (least, most)


@pytest.mark.parametrize(("text", "span"), [(FAST, (3240, 3240)), (SLOW, (90_240, 90_240))])
def test_the_rate_of_lacp_bounds_a_silent_server_link(text: str, span: tuple[int, int]) -> None:
    found = after(text, Fails.SERVER_LINK, silent=True)
    assert (found.least, found.most) == span


def test_a_bond_without_lacp_never_sees_a_silent_leaf() -> None:
    found = after(BACKUP, Fails.LEAF, silent=True)
    assert found.least == inf
    assert found.text.startswith("never")
    assert after(BACKUP, Fails.LEAF, silent=False).most == 340


@pytest.mark.parametrize("kind", [Fails.SPINE, Fails.LINK, Fails.LEAF, Fails.SERVER_LINK])
def test_without_figures_nothing_has_an_upper_bound(kind: Fails) -> None:
    for silent in (False, True):
        found = after(BONDED, kind, silent=silent, known=False)
        assert found.most is None
        assert "FIB update" in found.text
        assert "of eos" in found.text


def test_bfd_bounds_the_notice_of_lost_light_without_a_figure() -> None:
    found = after(BONDED, Fails.SPINE, silent=False, known=False)
    assert (found.notice[0].least, found.notice[0].most) == (0, 900)
    quiet = BONDED.replace("frontend:\n", "frontend:\n  underlay: {bfd: {enabled: false}}\n")
    assert quiet != BONDED
    found = after(quiet, Fails.SPINE, silent=True)
    assert (found.least, found.most) == (200, None)


def test_ospf_computes_paths_after_every_failure_in_the_fabric() -> None:
    """A leaf that misses a spine has no other path before SPF; in eBGP it has the other spine's."""
    flooded = BONDED.replace("frontend:\n", "frontend:\n  underlay: {protocol: ospf}\n")
    assert flooded != BONDED
    found = after(flooded, Fails.SPINE, silent=True)
    assert (found.least, found.most) == (1140, 1140)
    assert "OSPF flooding and SPF" in found.text


def test_one_platform_without_a_figure_makes_the_step_unknown() -> None:
    clock = Clock(fabric_of(BONDED), {"linux": FIGURES["eos"]})
    found = clock.kind(Fails.SPINE, silent=True)
    assert found is not None
    assert found.most is None


def test_servers_without_bonds_have_no_other_link() -> None:
    alone = """
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 3, speed: 25G}}}
"""
    clock = Clock(fabric_of(alone), FIGURES)
    assert clock.kind(Fails.SERVER_LINK, silent=False) is None
    leaf = clock.kind(Fails.LEAF, silent=True)
    assert leaf is not None
    assert leaf.least == 1140


def test_gpus_of_equal_places_are_counted_apart() -> None:
    """Two kinds with the same ports on equal leafs differ in GPUs, so their leafs are no equals."""
    two = """
servers:
  big: {count: 2, gpus: 8, ports: {front: {fabric: frontend, group: a, speed: 100G, per_leaf: 2}}}
  small: {count: 2, gpus: 1, ports: {front: {fabric: frontend, group: b, speed: 100G, per_leaf: 2}}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {a: {leafs: 1-1}, b: {leafs: 2-2}}
"""
    rows = Survey(fabric_of(two)).rows(())
    hit = {
        failure.name: (out.hit, out.gpus)
        for row in rows
        for failure in row.failures
        for out in row.outcomes.values()
        if failure.kind in (Fails.LEAF, Fails.SERVER_LINK)
    }
    assert hit["fe-leaf01"] == (2, 16)
    assert hit["fe-leaf02"] == (2, 2)
    assert sorted(value for name, value in hit.items() if " -- " in name) == [
        (1, 1),
        (1, 1),
        (1, 8),
        (1, 8),
    ]

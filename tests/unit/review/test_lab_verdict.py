"""Which outcome the results of two labs have."""

from dataclasses import replace

import pytest
from tests.unit.lab.bench import site_of

from fabricgen.operate.lab.client import LabFailure, LabRefusal
from fabricgen.review.lab import LabResult, compare_in_lab, verdict_of
from fabricgen.review.lab_part import LabPart
from fabricgen.review.lab_side import Measured
from fabricgen.review.lab_snapshot import LabRoute, Snapshot

PART = LabPart(switches=("leaf1",))
STATE = Snapshot(
    switches=frozenset({"leaf1"}),
    sessions={},
    routes={LabRoute("leaf1", "default", "10.0.0.0/8"): ("swp1",)},
    pairs={},
)
FINE = Measured(snapshot=STATE)
OTHER = Measured(snapshot=replace(STATE, routes={}))


def outcome(
    one: Measured | LabFailure, other: Measured | LabFailure
) -> tuple[str, tuple[str, ...]]:
    verdict = verdict_of(PART, *(result(each) for each in (one, other)))
    return verdict.outcome, verdict.reasons


def result(of: Measured | LabFailure) -> LabResult:
    return LabResult(failure=of) if isinstance(of, LabFailure) else LabResult(measured=of)


def test_equal_states_are_the_same() -> None:
    assert outcome(FINE, FINE) == ("same", ())


def test_another_route_differs() -> None:
    verdict = verdict_of(PART, result(FINE), result(OTHER))
    assert verdict.outcome == "differs"
    assert verdict.differences == ("1 route only with the old files on leaf1: 10.0.0.0/8",)


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("others", [FINE, OTHER, LabFailure("no memory")])
def test_a_refused_file_is_an_error_on_either_side(
    place: int, others: Measured | LabFailure
) -> None:
    sides = [others, others]
    sides[place] = LabRefusal("leaf1: FRR rejected line 4")
    found, reasons = outcome(sides[0], sides[1])
    assert found == "error"
    assert f"with the {('old', 'new')[place]} files: leaf1: FRR rejected line 4" in reasons


@pytest.mark.parametrize("place", [0, 1])
def test_a_line_refused_at_boot_is_an_error_on_either_side(place: int) -> None:
    sides = [FINE, FINE]
    sides[place] = Measured(snapshot=replace(STATE, refused=("leaf1: FRR refused line 4: x",)))
    side = ("old", "new")[place]
    assert outcome(*sides) == ("error", (f"with the {side} files: leaf1: FRR refused line 4: x",))


@pytest.mark.parametrize(
    "doubtful",
    [
        replace(FINE, unsettled=("leaf1 is not settled",)),
        replace(OTHER, unsettled=("leaf1 is not settled",)),
        replace(FINE, snapshot=replace(STATE, unread=("leaf1: no BGP",))),
        replace(FINE, snapshot=replace(STATE, ignored=frozenset({("leaf1", "router ospf")}))),
    ],
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_side_that_is_not_known_is_inconclusive(doubtful: Measured, place: int) -> None:
    sides = [FINE, FINE]
    sides[place] = doubtful
    found, reasons = outcome(*sides)
    assert found == "inconclusive"
    assert len(reasons) == 1


def test_a_lab_that_does_not_boot_is_inconclusive() -> None:
    assert outcome(LabFailure("no memory"), FINE) == (
        "inconclusive",
        ("with the old files: no memory",),
    )


def test_a_session_that_is_down_on_both_sides_is_inconclusive() -> None:
    down = replace(FINE, down=frozenset({"leaf1: BGP session with spine1"}))
    found, reasons = outcome(down, down)
    assert (found, reasons) == (
        "inconclusive",
        ("on both sides: leaf1: BGP session with spine1 is down",),
    )


def test_a_line_that_both_sides_ignore_is_no_doubt() -> None:
    both = replace(FINE, snapshot=replace(STATE, ignored=frozenset({("leaf1", "router ospf")})))
    assert outcome(both, both) == ("same", ())


def test_a_changed_switch_without_a_representative_is_inconclusive() -> None:
    part = LabPart(switches=("leaf1",), uncovered=("1 changed switch without one: leaf9",))
    verdict = verdict_of(part, result(FINE), result(FINE))
    assert (verdict.outcome, verdict.reasons) == ("inconclusive", part.uncovered)


def test_no_change_needs_no_lab() -> None:
    site = site_of("lab")
    assert compare_in_lab(site, site, ()).outcome == "same"


def test_an_unknown_name_is_inconclusive() -> None:
    site = site_of("lab")
    assert compare_in_lab(site, site, ["leaf-of-nobody"]).outcome == "inconclusive"

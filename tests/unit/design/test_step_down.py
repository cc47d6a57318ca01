"""Ports that a faster ingress fills: which speeds are judged, against which, with which points."""

import pytest

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.lossless_rules import judge_step_downs
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.model.lossless.marking import Points
from fabricgen.model.lossless.path import Nanoseconds

SPEED = BitsPerSecond.parse
TRIP = Nanoseconds(8_000)
"""At a surplus of 100G these are 100,000 bytes."""


def said(
    *roles: str, minimum: int = 150_000, pause_at: int = 450_000, of: str = ""
) -> dict[str, str]:
    """Return what is said of the ports of each speed; a role has its speeds in a word."""
    findings = Findings()
    speeds = [set(map(SPEED, role.split())) for role in roles]
    marking = {
        speed: Points(
            speed=speed,
            minimum=Bytes(minimum),
            maximum=Bytes(2 * minimum),
            probability=100,
            terms=(),
            verdicts=(),
        )
        for speed in set().union(*speeds)
    }
    path = ("backend", "links", "speed")
    judge_step_downs(speeds, marking, Bytes(pause_at), TRIP, path, findings, of)
    for one in findings.items:
        assert (one.code, one.severity) == (Code.MARKING_RULE, Severity.WARNING)
        assert one.path == path
    return {one.message.partition(" on ")[2].split()[0]: one.message for one in findings.items}


@pytest.mark.parametrize(("pause_at", "holds"), [(450_000, True), (449_999, False)])
def test_what_comes_in_for_a_round_trip_must_find_room(pause_at: int, *, holds: bool) -> None:
    found = said("100G 400G", pause_at=pause_at)
    assert found.keys() == (set() if holds else {"100G"})
    if not holds:
        assert found["100G"] == (
            "ECN on 100G ports: one faster ingress is marked before it is paused: "
            "Kmin 150,000 + (400G - 100G) x 8,000 ns = 450,000 <= 449,999"
        )


def test_ports_as_fast_as_any_ingress_are_not_judged() -> None:
    assert said("400G", pause_at=1) == {}
    assert said("400G 100G", pause_at=1).keys() == {"100G"}


def test_each_role_has_its_own_fastest_and_a_speed_meets_the_fastest_of_all() -> None:
    assert said("100G 200G", "200G", pause_at=240_000).keys() == {"100G"}
    found = said("100G 200G", "100G 400G", pause_at=1)
    assert found.keys() == {"100G"}
    assert "(400G - 100G)" in found["100G"]


def test_speeds_are_told_in_their_order_with_the_name_of_their_class() -> None:
    found = said("400G 100G 200G", pause_at=1, of=" of storage")
    assert list(found) == ["100G", "200G"]
    assert all(text.startswith("ECN of storage on ") for text in found.values())

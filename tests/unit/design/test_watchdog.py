"""Timers of the PFC watchdog: which rule each breaks, as an error or as a profile's own choice."""

from typing import Any

import pytest

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.lossless_rules import judge_watchdog
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.qos import Roce

FAST = BitsPerSecond.parse("400G")
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def said(speed: BitsPerSecond = FAST, **roce: Any) -> list[tuple[Severity, str]]:
    """Return how much each finding weighs, and the timer it is about."""
    findings = Findings()
    judge_watchdog(Roce.model_validate(roce), speed, ("backend", "roce", "watchdog"), findings)
    for one in findings.items:
        assert one.code is Code.WATCHDOG_RULE
        assert one.path[:3] == ("backend", "roce", "watchdog")
    return [(one.severity, str(one.path[-1])) for one in findings.items]


def timers(poll: int, detection: int, restoration: int) -> dict[str, int]:
    return {"poll": poll, "detection": detection, "restoration": restoration}


@pytest.mark.parametrize(
    ("watchdog", "broken"),
    [
        (timers(100, 200, 200), []),
        (timers(101, 202, 202), []),
        (timers(101, 201, 202), [(ERROR, "detection")]),
        (timers(101, 202, 201), [(ERROR, "restoration")]),
        (timers(200, 200, 200), [(ERROR, "detection"), (ERROR, "restoration")]),
    ],
)
def test_detection_and_restoration_span_two_polls(
    watchdog: dict[str, int], broken: list[tuple[Severity, str]]
) -> None:
    assert said(watchdog=watchdog) == broken


def test_what_a_profile_publishes_is_warned_of_and_what_people_write_is_wrong() -> None:
    """SONiC's own 200 ms each break the rule; written for another profile they are an error."""
    same, other = timers(200, 200, 200), timers(200, 200, 300)
    both = ["detection", "restoration"]
    assert said(profile="sonic-default", watchdog=same) == [(WARNING, key) for key in both]
    assert said(profile="sonic-default", watchdog=other) == [(ERROR, key) for key in both]
    assert said(watchdog=same) == [(ERROR, key) for key in both]


@pytest.mark.parametrize(
    "more", [{"enabled": False}, {"pfc": False}, {"watchdog": {"enabled": False, "poll": 1000}}]
)
def test_where_nothing_is_watched_nothing_is_judged(more: dict[str, Any]) -> None:
    assert said(**{"watchdog": timers(1000, 100, 100), **more}) == []


@pytest.mark.parametrize(
    ("speed", "detection", "patient"),
    [("25G", 135, True), ("25G", 134, False), ("10G", 335, False), ("10G", 336, True)],
)
def test_detection_outlasts_a_hundred_of_the_longest_pauses_of_the_slowest_port(
    speed: str, detection: int, *, patient: bool
) -> None:
    """65,535 quanta of 512 bits take 1.342 ms at 25G and 3.355 ms at 10G."""
    found = said(BitsPerSecond.parse(speed), watchdog=timers(100, detection, 200))
    short = [(ERROR, "detection")] if detection < 200 else []
    assert found == short + ([] if patient else [(WARNING, "detection")])

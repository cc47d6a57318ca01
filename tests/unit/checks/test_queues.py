"""From classes that do not add up: that every code point has one queue (FG316)."""

from dataclasses import replace
from typing import Any

import pytest
from tests.unit.checks.sites import (
    EVERY,
    RAIL_OPTIMIZED,
    changed,
    cut,
    designed,
    examine,
    fabric_of,
    first_red,
    reds,
    told,
)

from fabricgen.compile.checks.queues import Queues
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond, Bytes, Milliseconds
from fabricgen.model.fabric.qos import Kind, Marking, Qos, TrafficClass

CODE = Code.QUEUES_INCOMPLETE
SITE = designed(RAIL_OPTIMIZED)
SPEED = BitsPerSecond(400 * 10**9)


def qos() -> Qos:
    found = fabric_of(SITE, "backend").qos
    assert found is not None
    return found


def class_of(kind: Kind) -> TrafficClass:
    return next(item for item in qos().classes if item.kind is kind)


def said_with(kind: Kind, /, **facts: Any) -> list[str]:
    """Change one class of the backend and return what the check says."""
    classes = tuple(replace(item, **facts) if item.kind is kind else item for item in qos().classes)
    return reds(
        examine(Queues, changed(SITE, "backend", qos=replace(qos(), classes=classes))), CODE
    )


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Queues, designed(EVERY[shape])), CODE) == []


def test_code_points_and_classes_are_counted() -> None:
    assert examine(Queues, SITE).objects == 64 + 4


def test_a_dscp_without_a_class_is_found() -> None:
    fewer = tuple(dscp for dscp in class_of(Kind.BEST_EFFORT).dscps if dscp != 34)
    assert said_with(Kind.BEST_EFFORT, dscps=fewer) == [
        "profile computed: DSCP 34 is in 0 classes, not in one"
    ]


def test_a_dscp_of_two_classes_is_found() -> None:
    more = (*class_of(Kind.BEST_EFFORT).dscps, 26)
    assert "DSCP 26 is in 2 classes" in said_with(Kind.BEST_EFFORT, dscps=more)[0]


def test_a_dscp_that_does_not_exist_is_found() -> None:
    more = (*class_of(Kind.BEST_EFFORT).dscps, 64)
    assert "DSCP 64 does not exist" in said_with(Kind.BEST_EFFORT, dscps=more)[0]


@pytest.mark.parametrize("number", [0, 8])
def test_a_class_number_that_is_taken_or_no_queue_is_found(number: int) -> None:
    assert f"have the number {number}" in said_with(Kind.LOSSLESS, number=number)[0]


def test_shares_of_90_percent_are_found() -> None:
    assert "the shares of the classes add up to 90 %" in said_with(Kind.LOSSLESS, share=40)[0]


def test_a_strict_class_with_a_share_and_a_class_with_none_are_found() -> None:
    assert "(cnp) is strict and has the share 10" in said_with(Kind.CNP, share=10)[0]
    assert any("is not strict and has the share None" in text for text in said_with(
        Kind.LOSSLESS, share=None))  # fmt: skip


def test_a_second_paused_class_is_found() -> None:
    assert said_with(Kind.BEST_EFFORT, paused=0) == [
        "profile computed: class 0 (best-effort) is paused and may be dropped"
    ]


def test_a_pause_of_another_number_than_its_class_is_found() -> None:
    assert said_with(Kind.LOSSLESS, paused=4) == [
        "profile computed: class 3 (lossless) is paused by priority 4, which is not its number"
    ]


def test_a_storage_class_may_be_paused_beside_roce_data() -> None:
    site = designed(EVERY["storage"])
    told = fabric_of(site, "backend").qos
    assert told is not None
    assert told.paused == (3, 4)
    assert reds(examine(Queues, site), CODE) == []
    assert examine(Queues, site).objects == 64 + 5


def test_two_classes_of_one_kind_are_found() -> None:
    said = said_with(Kind.CNP, kind=Kind.LOSSLESS)
    assert any("2 classes are lossless: class 3 (lossless)" in text for text in said)


def test_a_paused_strict_class_is_found() -> None:
    said = said_with(Kind.LOSSLESS, strict=True)
    assert any("is paused and strict at once" in text for text in said)


@pytest.mark.parametrize("facts", [{"strict": False, "share": 1}, {"paused": 6}, {"marking": {}}])
def test_a_cnp_class_that_is_held_back_is_found(facts: dict[str, Any]) -> None:
    said = said_with(Kind.CNP, **facts)
    assert any("must be strict, unpaused and unmarked" in text for text in said)


@pytest.mark.parametrize(("low", "high", "odds"), [(9, 9, 10), (0, 9, 10), (1, 9, 0), (1, 9, 101)])
def test_marking_points_that_make_no_sense_are_found(low: int, high: int, odds: int) -> None:
    points = {SPEED: Marking(Bytes(low), Bytes(high), odds)}
    said = said_with(Kind.LOSSLESS, marking=points)
    assert f"on 400G ports marks from {low} to {high} bytes with {odds} %" in said[0]


def test_a_speed_in_use_without_marking_is_found() -> None:
    points = {BitsPerSecond(10**11): Marking(Bytes(1), Bytes(2), 1)}
    assert "has no ECN thresholds for 400G ports" in said_with(Kind.LOSSLESS, marking=points)[0]


def test_a_watchdog_that_acts_before_it_looks_is_found() -> None:
    watch = qos().watchdog
    assert watch is not None
    hasty = replace(watch, detection=Milliseconds(99))
    site = changed(SITE, "backend", qos=replace(qos(), watchdog=hasty))
    assert "must be at least the poll interval of 100 ms" in first_red(examine(Queues, site), CODE)


def test_a_switch_told_other_classes_is_found() -> None:
    pieces = told(
        cut(SITE), "be-spine1", lambda switch_slice: replace(switch_slice, qos=replace(qos()))
    )
    assert "be-spine1 has other traffic classes than the rest" in first_red(
        examine(Queues, SITE, pieces), CODE
    )

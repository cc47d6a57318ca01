"""A budget in; what does not fit is said with the sum, and with what would fit."""

from dataclasses import replace
from typing import Any

import pytest

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.lossless_rules import judge_budget
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.intent.model.qos import MOST_OVER_SUBSCRIPTION, Roce
from fabricgen.model.lossless.budget import Alpha, Budget, budget
from fabricgen.model.lossless.memory import Memory, PortGroup

SPEED = BitsPerSecond.parse
MEMORY = Memory(Bytes(1_000_000), Bytes(1))


def ports(count: int, headroom: int, classes: int = 1, meters: int = 40) -> PortGroup:
    """Return ports whose headroom is half as much with cables of 5 m."""
    return PortGroup(
        speed=SPEED("400G"),
        length=Meters(meters),
        count=count,
        headroom=Bytes(headroom),
        classes=classes,
        shorter=((Meters(5), Bytes(headroom // 2)),) if meters > 5 else (),
    )


def planned(*groups: PortGroup, less: int = 0) -> Budget:
    """Plan for the memory, or for one that has fewer bytes."""
    return budget(replace(MEMORY, total=Bytes(MEMORY.total - less)), groups, Alpha(0))


def said(planned: Budget, pool: int | None = None, **roce: Any) -> list[tuple[str, str]]:
    findings = Findings()
    shipped = None if pool is None else Bytes(pool)
    path = ("backend", "roce")
    judge_budget("leaf Box-9", planned, shipped, Roce.model_validate(roce), path, findings)
    for one in findings.items:
        assert (one.code, one.severity) == (Code.BUFFER_EXCEEDED, Severity.ERROR)
        assert one.path == path
    return [(one.message, one.hint) for one in findings.items]


def test_what_fits_is_not_spoken_of() -> None:
    assert said(planned(ports(10, 100_000))) == []
    assert said(planned(ports(10, 90_000), less=100_000)) == []


def test_what_is_missing_is_told_with_the_sum_and_each_way_out() -> None:
    ((message, hint),) = said(planned(ports(10, 100_000), less=1))
    assert message == (
        "leaf Box-9: the headroom does not fit, 1 bytes are missing: "
        "10 ports 400G at 40 m x 1 lossless x 100,000 = 1,000,000 bytes"
    )
    assert hint == (
        "cables of at most 5 m, which shortens the cables of 10 "
        "ports; or 1 of 10 lossless ports fewer"
    )


@pytest.mark.parametrize(
    ("pool", "ratio", "fits"), [(500_000, 2, True), (499_999, 2, False), (250_000, 4, True)]
)
def test_a_pool_holds_what_it_may_be_asked_for(pool: int, ratio: int, *, fits: bool) -> None:
    assert (said(planned(ports(10, 100_000)), pool, over_subscription=ratio) == []) is fits


def test_a_pool_that_is_asked_for_too_much_is_told_with_the_sum_and_each_way_out() -> None:
    groups = ports(4, 100_000), ports(2, 50_000, classes=2, meters=5)
    ((message, hint),) = said(planned(*groups), 200_000, over_subscription=2)
    assert message == (
        "leaf Box-9: the headroom is 3.0 times its pool of 200,000 bytes, more than 2: "
        "4 x 100,000 (400G at 40 m) + 2 x 2 classes x 50,000 (400G at 5 m) = 600,000"
    )
    assert hint == (
        "cables of at most 5 m, which shortens the cables of 4 ports; "
        "or 2 of 6 lossless ports fewer; or set roce.over_subscription: 3, "
        "if so few of the groups fill at once"
    )


@pytest.mark.parametrize(("pool", "helps"), [(100_000, True), (99_999, False)])
def test_a_storage_class_may_be_left_out_where_that_halves_enough(
    pool: int, *, helps: bool
) -> None:
    groups = ports(2, 100_000, classes=2)
    ((_, hint),) = said(planned(groups), pool, over_subscription=2, storage={})
    assert hint.startswith("remove roce.storage; or ") is helps
    ((_, without),) = said(planned(groups), pool, over_subscription=2)
    assert "roce.storage" not in without


@pytest.mark.parametrize("more", [0, 1])
def test_no_ratio_beyond_the_greatest_is_proposed(more: int) -> None:
    """A pool of 1,000 bytes that is asked for 16,000 is over-subscribed 16 to 1."""
    groups = ports(1, 1_000 * MOST_OVER_SUBSCRIPTION + more)
    ((_, hint),) = said(planned(groups), 1_000, over_subscription=2)
    assert (f"roce.over_subscription: {MOST_OVER_SUBSCRIPTION}," in hint) is (more == 0)
    assert ("over_subscription" in hint) is (more == 0)

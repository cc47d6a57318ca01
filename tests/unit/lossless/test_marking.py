"""From speeds, round trips and pause thresholds: marking points, their rules, and timers."""

import pytest

from fabricgen.core.units import BitsPerSecond, Bytes, Meters, Milliseconds
from fabricgen.model.lossless.budget import Alpha, pause_threshold
from fabricgen.model.lossless.marking import (
    Limits,
    Points,
    judge,
    judge_step_down,
    marking_points,
)
from fabricgen.model.lossless.path import Nanoseconds, Path, bandwidth_delay, round_trip
from fabricgen.model.lossless.watchdog import judge_patience, judge_polling, longest_pause_ms

MTU = Bytes(9216)
PAUSE = pause_threshold(Bytes(120_000_000), Alpha(0), 32, 1)


def broken(points: Points) -> list[str]:
    return [verdict.rule for verdict in points.verdicts if not verdict.holds]


@pytest.mark.parametrize(
    ("speed", "product"),
    [("100G", 100_000), ("200G", 200_000), ("400G", 400_000), ("800G", 800_000)],
)
def test_eight_microseconds_of_a_line(speed: str, product: int) -> None:
    assert bandwidth_delay(BitsPerSecond.parse(speed), Nanoseconds(8000)) == product


def test_a_round_trip_of_four_cables() -> None:
    meters = (Meters(5), Meters(40), Meters(40), Meters(5))
    path = Path(
        cables=meters,
        switch_latency=Nanoseconds(800),
        nic_latency=Nanoseconds(1000),
        source="a test",
    )
    trip = round_trip(path, BitsPerSecond.parse("400G"), MTU)
    values = {term.name: term.value for term in trip.terms}
    frames = 4 * (9216 + 64 + 40) * 8 / 400
    assert values == {
        "cables": 900,
        "switches": 4800,
        "NICs": 2000,
        "frames": pytest.approx(frames, abs=1),
    }
    assert trip.total == sum(values.values())


@pytest.mark.parametrize(
    ("speed", "minimum", "maximum"),
    [
        ("100G", 150_000, 600_000),
        ("200G", 200_000, 800_000),
        ("400G", 400_000, 1_600_000),
        ("800G", 800_000, 3_200_000),
    ],
)
def test_points_scale_with_the_line(speed: str, minimum: int, maximum: int) -> None:
    rate = BitsPerSecond.parse(speed)
    points = marking_points(
        rate, bandwidth_delay(rate, Nanoseconds(8000)), Limits(mtu=MTU, pause_at=PAUSE)
    )
    assert (points.minimum, points.maximum, points.probability) == (minimum, maximum, 20)
    assert points.holds


def test_pause_limits_the_maximum_and_says_so() -> None:
    limits = Limits(mtu=MTU, pause_at=Bytes(1_000_000))
    points = marking_points(BitsPerSecond.parse("800G"), Bytes(800_000), limits)
    assert (points.minimum, points.maximum) == (800_000, 900_000)
    terms = {term.name: term.value for term in points.terms}
    assert terms["Kmax: down to pause"] == -2_300_000
    assert points.holds


def test_no_room_between_the_points_is_a_verdict() -> None:
    limits = Limits(mtu=MTU, pause_at=Bytes(700_000))
    points = marking_points(BitsPerSecond.parse("800G"), Bytes(800_000), limits)
    assert broken(points) == ["Kmin below Kmax"]


def test_2_mib_comes_before_pause_and_4_mb_does_not() -> None:
    limits = Limits(mtu=MTU, pause_at=PAUSE)
    assert all(verdict.holds for verdict in judge(Bytes(1 << 20), Bytes(2 << 20), 5, limits))
    late = judge(Bytes(1 << 20), Bytes(4_000_000), 5, limits)
    bad = [verdict for verdict in late if not verdict.holds]
    assert [verdict.rule for verdict in bad] == ["marking before pause"]
    assert bad[0].arithmetic == "Kmax 4,000,000 <= 90 % of 1 x 3,636,363 = 3,272,726"
    fed_by_two = Limits(mtu=MTU, pause_at=PAUSE, feeding=2)
    assert all(verdict.holds for verdict in judge(Bytes(1 << 20), Bytes(4_000_000), 5, fed_by_two))


def test_a_part_of_the_queue_at_pause_stays_free_above_marking() -> None:
    limits = Limits(mtu=Bytes(1), pause_at=Bytes(1_000))
    assert limits.highest == 900
    held = [
        verdict.holds
        for maximum in (900, 901)
        for verdict in judge(Bytes(1), Bytes(maximum), 5, limits)
        if verdict.rule == "marking before pause"
    ]
    assert held == [True, False]


def test_every_rule_can_break() -> None:
    limits = Limits(mtu=MTU, pause_at=Bytes(100))
    found = judge(Bytes(9000), Bytes(9000), 0, limits)
    assert len(found) == 4
    assert not any(verdict.holds for verdict in found)


def test_the_longest_pause() -> None:
    assert float(longest_pause_ms(BitsPerSecond.parse("400G"))) == pytest.approx(0.0839, abs=1e-4)
    assert float(longest_pause_ms(BitsPerSecond.parse("800G"))) == pytest.approx(0.0419, abs=1e-4)


@pytest.mark.parametrize(
    ("timers", "holds"),
    [
        ((200, 200, 200), [False, False]),  # SONiC's own
        ((100, 200, 200), [True, True]),
        ((100, 199, 200), [False, True]),
        ((100, 400, 200), [True, True]),  # restoration may be shorter than detection
        ((100, 400, 199), [True, False]),
    ],
)
def test_detection_and_restoration_span_two_polls_each(
    timers: tuple[int, int, int], holds: list[bool]
) -> None:
    assert [verdict.holds for verdict in judge_polling(*map(Milliseconds, timers))] == holds


def test_detection_outlasts_a_hundred_pauses_of_the_slowest_port() -> None:
    time = Milliseconds(200)
    assert judge_patience(time, BitsPerSecond.parse("25G")).holds
    slow = judge_patience(time, BitsPerSecond.parse("10G"))
    assert not slow.holds
    assert slow.arithmetic == "200 >= 100 x 3.355 ms, 65535 quanta at 10G"


def test_a_faster_ingress_must_be_marked_before_it_is_paused() -> None:
    speeds = BitsPerSecond.parse("800G"), BitsPerSecond.parse("100G")
    fits = judge_step_down(Bytes(150_000), speeds, Bytes(1_025_000), Nanoseconds(10_000))
    assert fits.holds, "700 Gb/s for 10 us are 875,000 bytes"
    late = judge_step_down(Bytes(150_001), speeds, Bytes(1_025_000), Nanoseconds(10_000))
    assert not late.holds
    assert late.arithmetic == "Kmin 150,001 + (800G - 100G) x 10,000 ns = 1,025,001 <= 1,025,000"

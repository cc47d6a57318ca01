"""From what the engine reads and hears: how much counters grew, which packets were lost."""

from typing import Any

import pytest

from fabricgen.lab.engine import probe
from fabricgen.lab.engine.counters import growth
from fabricgen.lab.engine.posts import Heard
from fabricgen.lab.engine.world import LabError


def heard(*numbers: int) -> Heard:
    found = Heard()
    for number in numbers:
        found.note(number, 100, 64, 0b11, 0.001)
    return found


@pytest.mark.parametrize(
    ("numbers", "lost"),
    [
        ((0, 1, 2, 3), []),
        ((), [(0, 4)]),
        ((0, 3), [(1, 2)]),
        ((1, 2), [(0, 1), (3, 1)]),
        ((3, 2, 1, 0), []),  # late is not lost
    ],
)
def test_lost_packets_are_told_in_runs(
    numbers: tuple[int, ...], lost: list[tuple[int, int]]
) -> None:
    assert heard(*numbers).lost(4) == lost


def test_congestion_marks_are_counted() -> None:
    assert heard(0, 1, 2).as_data()["marked"] == 3


def queue(packets: int) -> dict[str, int]:
    return {"bytes": 100 * packets, "packets": packets, "drops": 0, "marked": 0}


def test_counters_grow_by_port_and_queue_and_idle_queues_are_left_out() -> None:
    before: dict[str, Any] = {
        "leaf1": {"swp1": {"bytes": 500, "queues": {"1:1": queue(1), "1:2": queue(4)}}}
    }
    after: dict[str, Any] = {
        "leaf1": {"swp1": {"bytes": 900, "queues": {"1:1": queue(5), "1:2": queue(4)}}}
    }
    assert growth(before, after) == {"leaf1": {"swp1": {"bytes": 400, "queues": {"1:1": queue(4)}}}}


def test_a_second_measurement_at_a_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def another(plan: dict[str, Any], ask: dict[str, Any]) -> None:
        probe.measure(plan, ask)

    monkeypatch.setitem(probe._KINDS, "echo", another)
    with pytest.raises(LabError, match="another measurement runs in this lab"):
        probe.measure({}, {"kind": "echo"})
    monkeypatch.setitem(probe._KINDS, "echo", lambda *_: "done")
    assert probe.measure({}, {"kind": "echo"}) == "done"


def test_an_unknown_measurement_is_refused() -> None:
    with pytest.raises(LabError, match="no measurement 'gossip'"):
        probe.measure({}, {"kind": "gossip"})

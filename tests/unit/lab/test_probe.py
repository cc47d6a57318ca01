"""From what the engine reads and hears: how much counters grew, which packets were lost."""

import contextlib
from typing import Any, Self

import pytest

from fabricgen.operate.lab.engine import probe
from fabricgen.operate.lab.engine.counters import growth
from fabricgen.operate.lab.engine.probe_sockets import Heard
from fabricgen.operate.lab.engine.world import LabError


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
    with pytest.raises(LabError, match="another measurement is running in this lab"):
        probe.measure({}, {"kind": "echo"})
    monkeypatch.setitem(probe._KINDS, "echo", lambda *_: "done")
    assert probe.measure({}, {"kind": "echo"}) == "done"


def test_an_unknown_measurement_is_refused() -> None:
    with pytest.raises(LabError, match="unknown measurement 'gossip'"):
        probe.measure({}, {"kind": "gossip"})


class Once:
    """Posts that say after the first packet that it is enough, and are asked once more at most."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def send(self, *_: object) -> None:
        probe.ENOUGH.set()

    def hear(self, *_: object) -> None:
        assert probe.ENOUGH.is_set()
        assert not self.heard, "goes on"
        self.heard = True

    heard = False

    def hear_out(self, *_: object) -> None:
        pass


def test_flows_end_before_their_time_when_it_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "Posts", lambda *_: Once())
    monkeypatch.setattr(probe, "sending", lambda *_: contextlib.nullcontext())
    probe.ENOUGH.set()  # of flows before, which does not end these
    flow = {"pair": (0, 1), "size": 100, "tos": 0, "rate": 0.001}
    ends = [{"host": "a", "address": "10.0.0.1"}, {"host": "b", "address": "10.0.0.2"}]
    answer = probe.flows(ends, {"flows": [flow], "seconds": 3600})
    assert answer["sent"] == [1]


def test_a_sender_that_stood_still_sends_nothing_late_and_loses_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Packets that were due meanwhile are neither sent nor lost, and the standstill is told."""
    clock = [9.0, 3.05, 0.05, 0.0]
    monkeypatch.setattr("time.monotonic", lambda: clock[-1])
    sent: list[int] = []
    posts = Once()
    monkeypatch.setattr(posts, "send", lambda packet, *_: sent.append(packet.number))
    monkeypatch.setattr(posts, "hear", lambda *_: clock.pop())
    monkeypatch.setattr(probe, "Posts", lambda *_: posts)
    monkeypatch.setattr(probe, "sending", lambda *_: contextlib.nullcontext())
    flow = {"pair": (0, 1), "size": 100, "tos": 0, "rate": 10}
    ends = [{"host": "a", "address": "10.0.0.1"}, {"host": "b", "address": "10.0.0.2"}]
    answer = probe.flows(ends, {"flows": [flow], "seconds": 5, "late": 0.15})
    assert sent == [0, 29, 30]
    assert answer["sent"] == [3]
    assert answer["lost"] == [[[0, 100], [2900, 200]]]
    assert answer["stood"] == [[100, 2950]]

"""When a gate opens and when it shuts, by a clock that the test moves."""

import time
from typing import Any

import pytest

from fabricgen.nos.health import Health
from fabricgen.operate.deploy.fleet import Fault, Outcome
from fabricgen.operate.deploy.push.checked import ERRORS
from fabricgen.operate.deploy.push.gate import Gate

BEFORE = {"a": Health(sessions={"p": True}, errors={"1 rx": 5})}
WELL = {"a": Outcome(BEFORE["a"])}
DOWN = {"a": Outcome(Health(sessions={"p": False}))}
LOST = {"a": ("BGP session p is down",)}


class Clock:
    """Moves when somebody sleeps. slept: how long, each time."""

    def __init__(self) -> None:
        self.now, self.slept = 100.0, list[float]()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "sleep", clock.sleep)
    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    return clock


def watched(*looks: Any, patience: float = 3, stops: bool = False) -> tuple[Any, int]:
    """Return what a gate finds, and how often it looked; the last look repeats."""
    turns = iter(looks)
    seen: list[Any] = []

    def look() -> Any:
        seen.append(next(turns, looks[-1]))
        return seen[-1]

    return Gate(patience, lambda: not stops, 0.25).watch(BEFORE, look), len(seen)


def test_it_opens_after_two_good_looks_in_a_row(clock: Clock) -> None:
    assert watched(WELL) == ({}, 2)
    assert clock.slept == [0.25]


def test_a_session_that_falls_after_the_first_good_look_counts_anew(clock: Clock) -> None:
    assert watched(WELL, DOWN, WELL) == ({}, 4)
    assert clock.slept == [0.25, 1.0, 0.25]


def test_it_shuts_when_its_patience_is_over(clock: Clock) -> None:
    assert watched(DOWN) == (LOST, 5)
    assert clock.slept == [1.0] * 4


def test_a_good_look_at_the_end_of_its_patience_is_followed_by_another(clock: Clock) -> None:
    assert watched(DOWN, DOWN, DOWN, DOWN, WELL) == ({}, 6)
    assert clock.slept[-1] == 0.25


def test_who_stops_is_not_kept_waiting_by_what_is_lost(clock: Clock) -> None:
    assert watched(DOWN, stops=True) == (LOST, 1)
    assert watched(WELL, stops=True) == ({}, 2)
    assert clock.slept == [0.25]


@pytest.mark.usefixtures("clock")
def test_who_does_not_answer_is_lost() -> None:
    gone: dict[str, Outcome[Health]] = {"a": Outcome(None, Fault.UNREACHABLE, "no route")}
    assert watched(gone, patience=0)[0] == {"a": ("no answer: no route",)}


@pytest.mark.usefixtures("clock")
@pytest.mark.parametrize(
    ("more", "found"), [(ERRORS, {}), (ERRORS + 1, {"a": ("1 rx grew by 11",)})]
)
def test_links_that_come_up_may_lose_some_frames(more: int, found: dict[str, Any]) -> None:
    look = {"a": Outcome(Health(sessions={"p": True}, errors={"1 rx": 5 + more}))}
    assert watched(look, patience=0)[0] == found
    assert ERRORS == 10

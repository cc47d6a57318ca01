"""The runner: every host has a result, in whatever order they end, hang or are left out."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from nornir.core.task import MultiResult, Result

from fabricgen.operate.deploy.runner import CarefulRunner, NotRun, Stop, TimedOut

if TYPE_CHECKING:
    from collections.abc import Callable


class Task:
    """What is done with each host; `copy` as Nornir's."""

    name = "act"

    def __init__(self, act: Callable[[str], object]) -> None:
        self.act = act

    def copy(self) -> Task:
        return Task(self.act)

    def start(self, host: Any) -> MultiResult:
        results = MultiResult("act")
        results.append(Result(host, result=self.act(host.name)))
        return results


def ran(
    act: Callable[[str], object], names: str, *, stop: Stop | None = None, **more: Any
) -> dict[str, object]:
    """Return the result of each host, or what was raised."""
    options: dict[str, Any] = {"workers": 2, "patience": 60.0, "stop": stop or Stop()} | more
    hosts = [SimpleNamespace(name=name) for name in names]
    found = CarefulRunner(**options).run(cast("Any", Task(act)), cast("Any", hosts))
    assert found.name == "act"
    assert list(found) == list(names)
    for name, results in found.items():
        assert results.name == "act"
        assert getattr(results[0].host, "name", None) == name
        assert results[0].failed == (results[0].exception is not None)
    return {name: results[0].exception or results[0].result for name, results in found.items()}


@pytest.fixture
def over() -> Any:
    """Let what hangs end with the test."""
    over = threading.Event()
    yield over
    over.set()


def test_every_host_has_its_result_in_their_order() -> None:
    assert ran(str.upper, "abc") == {"a": "A", "b": "B", "c": "C"}
    assert ran(str.upper, "") == {}


def test_no_more_hosts_at_a_time_than_there_are_workers() -> None:
    together, most, lock, meeting = [0], [0], threading.Lock(), threading.Barrier(3)

    def act(_: str) -> None:
        with lock:
            together[0] += 1
            most[0] = max(most[0], together[0])
        meeting.wait(60)
        with lock:
            together[0] -= 1

    ran(act, "abcdef", workers=3)
    assert most == [3]


@pytest.mark.parametrize("error", [ValueError("x"), SystemExit(3)])
def test_what_one_host_raises_costs_no_other(error: BaseException) -> None:
    def act(name: str) -> str:
        if name == "a":
            raise error
        return name

    assert ran(act, "abc", workers=1) == {"a": error, "b": "b", "c": "c"}


def test_a_host_that_hangs_is_given_up_and_another_worker_goes_on(over: threading.Event) -> None:
    def act(name: str) -> str:
        if name == "a":
            over.wait()
        return name

    found = ran(act, "abc", workers=1, patience=0.05)
    assert isinstance(found["a"], TimedOut)
    assert str(found["a"]) == "did not answer in time"
    assert (found["b"], found["c"]) == ("b", "c")


def test_who_stops_leaves_out_those_that_wait() -> None:
    stop = Stop()

    def act(name: str) -> str:
        stop.asked = 1
        return name

    found = ran(act, "abc", stop=stop, workers=1)
    assert found["a"] == "a"
    for name in "bc":
        assert isinstance(found[name], NotRun)
        assert str(found[name]) == "stopped before its turn"


def test_undoing_goes_on_until_one_asks_twice() -> None:
    assert ran(str.upper, "ab", stop=Stop(asked=1), level=2) == {"a": "A", "b": "B"}
    assert isinstance(ran(str.upper, "a", stop=Stop(asked=2), level=2)["a"], NotRun)


def test_after_stopping_those_that_run_get_some_grace(over: threading.Event) -> None:
    stop = Stop()

    def act(name: str) -> str:
        stop.asked = 1
        if name == "a":
            over.wait()
        return name

    found = ran(act, "ab", stop=stop, grace=0.05)
    assert isinstance(found["a"], TimedOut)
    patient = Stop()

    def ends(name: str) -> str:
        patient.asked = 1
        over.wait(0.3)
        return name

    assert ran(ends, "a", stop=patient, grace=60)["a"] == "a"

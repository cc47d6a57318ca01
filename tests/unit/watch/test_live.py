"""Live looks ask fast questions alone, and each switch that does not answer has a reason."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from tests.unit.watch.site import leaf, plans

from fabricgen.nos.questions import Answer, Question
from fabricgen.nos.show import Observed, Part, Reader
from fabricgen.nos.spelling import Names
from fabricgen.operate.deploy.fleet import Fault, Fleet, Outcome, Stopped
from fabricgen.operate.state.watch.live import Live, repeated, sources_of

LEAF = leaf().switch
QUESTIONS = (
    Question("clock", "date +%s"),
    Question("ports", "counters", parts=(Part.COUNTERS,)),
    Question("optics", "dom", parts=(Part.OPTICS,)),
    Question("peaks", "watermarks", slow=True, parts=(Part.WATERMARKS,)),
)


def parse(answers: Mapping[str, Answer]) -> Observed:
    """Read a stand-in's answer: the clock, and pauses of one port."""
    given = json.loads(answers["all"].text)
    return Observed(measures={("pause-sent", "Ethernet0", "3"): given["pauses"]}, clock=given["at"])


READER = Reader(
    names=Names(loopback="lo", tunnel="lo", management="eth0", gateway=str, bundle=str),
    about={},
    questions=lambda _facts: QUESTIONS,
    encode=lambda questions: " ".join(each.key for each in questions),
    decode=lambda output: {"all": Answer(output)},
    parse=parse,
    measured={"pause-sent": Part.COUNTERS, "queue-peak": Part.WATERMARKS},
)


class Driver:
    """A stand-in for a switch that answers requests."""

    def __init__(self, answer: str) -> None:
        self.answer, self.asked = answer, list[str]()

    def read(self, request: str) -> str:
        self.asked.append(request)
        return self.answer


class StandInFleet:
    """A stand-in for the fleet: it runs the action in this thread."""

    def __init__(self, drivers: Mapping[str, Any]) -> None:
        self.drivers = drivers

    def look(self, names: tuple[str, ...], action: Callable[[Any, str], Any]) -> dict[str, Any]:
        found: dict[str, Outcome[Any]] = {}
        for name in names:
            if name not in self.drivers:
                found[name] = Outcome(fault=Fault.UNREACHABLE, said="no answer within 30 s")
                continue
            try:
                found[name] = Outcome(value=action(self.drivers[name], name))
            except Stopped as stopped:
                found[name] = Outcome(fault=stopped.fault, said=str(stopped))
        return found


def live(drivers: Mapping[str, Any], reader: Reader | None = READER, **more: Any) -> Live:
    fleet = cast("Fleet", StandInFleet(drivers))
    return Live(fleet=fleet, plans=plans(), readers=lambda _: reader, clock=lambda: 7.0, **more)


def test_a_look_asks_fast_questions_about_the_metrics_of_watch() -> None:
    driver = Driver('{"at": 5, "pauses": 3}')
    look = live({LEAF: driver}).look()
    assert driver.asked == ["clock ports"]
    assert look.taken == 7.0
    assert look.seen[LEAF].measures == {("pause-sent", "Ethernet0", "3"): 3}
    assert look.seen[LEAF].clock == 5
    assert look.seen[LEAF].unknown["ecn-marked",] == "the reader of this platform has no ecn-marked"
    assert look.silent == dict.fromkeys(plans().keys() - {LEAF}, "no answer within 30 s")
    assert look.cnps is None


def test_a_driver_that_cannot_read_is_named() -> None:
    look = live({LEAF: object()}).look()
    assert look.silent[LEAF] == "its driver cannot read the state"


def test_a_platform_without_a_reader_is_named() -> None:
    look = live({}, reader=None).look()
    assert look.silent == dict.fromkeys(plans(), "the state of sonic is not supported")
    assert sources_of(plans(), lambda _: None) == {}


def test_nics_are_asked_where_a_folder_is_given(tmp_path: Path) -> None:
    server = next(port.far for port in plans()[LEAF].lossless if port.to_server)
    (tmp_path / server).write_text("np_cnp_sent: 4\n")
    assert live({}, hosts=tmp_path).look().cnps == {server: 4.0}


class Clock:
    """Our time in a test: looks and sleeps move it."""

    def __init__(self, cost: float = 1.0) -> None:
        self.now, self.cost, self.begun = 0.0, cost, list[float]()

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def look(self) -> Any:
        self.begun.append(self.now)
        self.now += self.cost
        return len(self.begun)


@pytest.mark.parametrize(
    ("cost", "lasts", "begun"),
    [
        (1.0, 10.0, [0, 10]),
        (1.0, 30.0, [0, 10, 20, 30]),
        (1.0, 5.0, [0, 10]),
        (12.0, 40.0, [0, 12, 24, 36]),
    ],
)
def test_looks_begin_an_interval_apart_until_the_time_is_over(
    cost: float, lasts: float, begun: list[float]
) -> None:
    clock = Clock(cost)
    list(repeated(clock.look, 10.0, lasts, clock=clock, sleep=clock.sleep))
    assert clock.begun == begun

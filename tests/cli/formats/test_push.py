"""What a push shows while it goes on and at its end, word for word."""

import json

import pytest

from fabricgen.cli.formats.push import as_json, looking, pushing, summary
from fabricgen.core.progress import Stage, watched_by
from fabricgen.operate.deploy.journal.records import Phase, Result
from fabricgen.operate.deploy.plan.document import Entry
from fabricgen.operate.deploy.push.batch import Ended
from fabricgen.operate.deploy.push.events import Event, EventKind
from fabricgen.operate.deploy.push.push import Outcome

GONE = Entry(
    switch="leaf9",
    fabric="f",
    platform="eos",
    state="unreachable",
    said="no\x1b answer",
    rendered="0" * 64,
)
OUTCOME = Outcome(
    push="push-1",
    change="0123456789ab",
    result=Result.ROLLED_BACK,
    ended={
        "leaf1": Ended(phase=Phase.CONFIRMED),
        "leaf2": Ended(phase=Phase.ROLLED_BACK, said="BGP\x1b is down"),
        "leaf3": Ended(phase=Phase.ROLLED_BACK, said="with its batch"),
        "leaf4": Ended(phase=Phase.CANCELED),
        "leaf5": Ended(phase=Phase.SKIPPED, said="already runs the planned configuration"),
    },
    said="batch 2 was rolled\x1b back",
)


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in no terminal."""
    monkeypatch.setenv("NO_COLOR", "1")


def test_who_is_not_well_is_named_and_all_are_counted() -> None:
    counts = "1 confirmed, 2 rolled-back, 1 canceled, 1 skipped"
    assert summary(OUTCOME, [GONE]).splitlines() == [
        "rolled-back: leaf2: BGP\\u001b is down",
        "rolled-back: leaf3: with its batch",
        "canceled: leaf4",
        "unreachable: leaf9: no\\u001b answer",
        f"push-1 of 0123456789ab: rolled-back: {counts}; batch 2 was rolled\\u001b back",
    ]
    quiet = Outcome(
        push="p", change="c", result=Result.DONE, ended={"a": Ended(phase=Phase.CONFIRMED)}
    )
    assert summary(quiet, ()) == "p of c: done: 1 confirmed\n"


def test_the_last_document_of_a_stream_has_every_switch() -> None:
    assert as_json(OUTCOME, [GONE]) == {
        "format_version": 1,
        "push": "push-1",
        "plan": "0123456789ab",
        "result": "rolled-back",
        "said": OUTCOME.said,
        "switches": {
            **{
                name: {"result": ended.phase.value, "said": ended.said}
                for name, ended in OUTCOME.ended.items()
            },
            "leaf9": {"result": "unreachable", "said": "no\x1b answer"},
        },
    }


EVENTS = {
    EventKind.BEGUN: "s\\u001b",
    EventKind.MOVED: "leaf1: s\\u001b",
    EventKind.LEFT: "batch 2: leaf1: removed by other switches: s\\u001b",
    EventKind.BATCH: "batch 2: s\\u001b",
    EventKind.READY: "batch 2: leaf1 is ready",
    EventKind.COMMITTED: "batch 2: leaf1 runs the new configuration s\\u001b, unconfirmed",
    EventKind.REMARK: "batch 2: leaf1: s\\u001b",
    EventKind.BESIDE: "batch 2: s\\u001b",
    EventKind.PINGED: "batch 2: s\\u001b",
    EventKind.UNSEEN: "batch 2: not covered by the health check: s\\u001b",
    EventKind.OLD: "batch 2: leaf1 differed from the design before this push: s\\u001b",
    EventKind.GATE: "batch 2: checking network health",
    EventKind.LOST: "batch 2: leaf1: s\\u001b",
    EventKind.OVER: "batch 2 ended: s\\u001b",
    EventKind.ENDED: "batch 2: leaf1 s\\u001b",
    EventKind.RECOVERED: "s\\u001b",
}


@pytest.mark.parametrize("what", EventKind)
def test_each_event_is_a_line_where_there_is_no_terminal(
    what: EventKind, capsys: pytest.CaptureFixture[str]
) -> None:
    with pushing("text", 1) as tell:
        tell(Event(what=what, batch=2, switch="leaf1", said="s\x1b"))
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", EVENTS[what] + "\n")


def test_each_event_is_an_object_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    with pushing("json", 1) as tell:
        tell(Event(what=EventKind.LOST, batch=2, switch="leaf1", said="x"))
        tell(Event(what=EventKind.GATE))
    printed = capsys.readouterr()
    assert [json.loads(line) for line in printed.out.splitlines()] == [
        {"event": "lost", "batch": 2, "switch": "leaf1", "said": "x"},
        {"event": "gate"},
    ]
    assert printed.err == ""


@pytest.mark.parametrize(
    ("total", "told"),
    [(9, range(0)), (10, range(1, 11)), (25, range(2, 26, 2)), (100, range(10, 101, 10))],
)
def test_a_pipe_hears_of_each_tenth_of_the_looks(
    total: int, told: range, capsys: pytest.CaptureFixture[str]
) -> None:
    with looking(total) as tell:
        for _ in range(total):
            tell(GONE)
    assert capsys.readouterr().err.splitlines() == [
        f"compared {count} of {total} switches" for count in told
    ]


class Watcher:
    """The stages that were shown."""

    def __init__(self) -> None:
        self.begun, self.ended, self.rooms = list[Stage](), list[Stage](), 0

    def begin(self, stage: Stage) -> None:
        self.begun.append(stage)

    def end(self, stage: Stage) -> None:
        self.ended.append(stage)

    def hide(self) -> None:
        self.rooms += 1


def test_a_terminal_has_a_bar_of_switches_that_ended(capsys: pytest.CaptureFixture[str]) -> None:
    watcher = Watcher()
    with watched_by(watcher), pushing("text", 4) as tell:
        for what in EventKind:
            tell(Event(what=what, batch=2, switch="leaf1", said="s\x1b"))
    (stage,) = watcher.begun
    assert watcher.ended == [stage]
    assert (stage.name, stage.total, stage.done) == ("pushing", 4, 1)
    shown = [EVENTS[what] for what in EventKind if what is not EventKind.READY]
    assert capsys.readouterr().err.splitlines() == shown
    assert watcher.rooms == len(shown)


def test_a_terminal_has_a_bar_of_looks(capsys: pytest.CaptureFixture[str]) -> None:
    watcher = Watcher()
    with watched_by(watcher), looking(40) as tell:
        tell(GONE)
        tell(GONE)
    (stage,) = watcher.begun
    assert watcher.ended == [stage]
    assert (stage.name, stage.total, stage.done) == ("comparing switches", 40, 2)
    assert capsys.readouterr().err == ""

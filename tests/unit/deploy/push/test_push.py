"""A push of scripted batches: which run, what stops the rest, what the journal and people hear."""

from __future__ import annotations

from contextlib import contextmanager
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest

from fabricgen import __version__
from fabricgen.operate.deploy.fleet import Fault
from fabricgen.operate.deploy.fleet import Outcome as Looked
from fabricgen.operate.deploy.journal.records import Kind, Phase, Result, Signed, Step
from fabricgen.operate.deploy.push import push as module
from fabricgen.operate.deploy.push.batch import Ended
from fabricgen.operate.deploy.push.events import Event, EventKind
from fabricgen.operate.deploy.push.push import Outcome, Push, Terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

CHANGE = SimpleNamespace(id="0123456789ab", kind=Kind.ROLLBACK, plan=None, whole=(), undoes="")
WELL = Ended(phase=Phase.CONFIRMED)
FAILED, GONE, LEFT, BACK, CANCELED = (
    Ended(phase=phase, said="why")
    for phase in (
        Phase.FAILED,
        Phase.UNREACHABLE,
        Phase.UNKNOWN,
        Phase.ROLLED_BACK,
        Phase.CANCELED,
    )
)
STALE = Ended(phase=Phase.FAILED, said="why", stale=True)
SKIPPED = Ended(phase=Phase.SKIPPED)


class Journal:
    """A journal and its lock that note what is written, and hold one killed push."""

    def __init__(self) -> None:
        self.wrote = list[Any]()
        self.killed = list[Any]()
        self.kept = dict[str, Step]()
        self.left = list[Any]()

    @contextmanager
    def lock(self, site: str, change: str, who: str) -> Iterator[Journal]:
        self.wrote.append(("lock", site, change, who))
        yield self
        self.wrote.append("unlock")

    def unended(self, site: str) -> list[Any]:
        assert site == "dc1"
        return self.killed

    def states(self, push: str) -> dict[str, Step]:
        assert push == "push-1"
        return self.kept

    def history(self, site: str, *, limit: int | None) -> list[Any]:
        assert (site, limit) == ("dc1", None)
        return [SimpleNamespace(plan="earlier")]

    def behind(self, site: str) -> list[Any]:
        assert site == "dc1"
        return self.left

    def keep(self, document: str) -> None:
        self.wrote.append(("keep", document))

    def start(self, kind: Kind, version: str, change: str, signed: Sequence[Signed]) -> str:
        self.wrote.append(("start", kind, version, change, *signed))
        return "push-2"

    def record(self, push: str, steps: Sequence[Step]) -> None:
        self.wrote.append((push, [(step.switch, step.phase, step.message) for step in steps]))

    def end(self, push: str, result: Result) -> None:
        self.wrote.append(("end", push, result))


class Bench:
    """Runs a push whose batches end as the test says. shut: the batch whose gate stays shut."""

    def __init__(self, *ends: dict[str, Ended], shut: int = 0, stop: int = 0) -> None:
        self.ends, self.shut = ends, shut
        self.journal, self.events, self.made = Journal(), list[Event](), list[Any]()
        self.fleet: Any = SimpleNamespace(
            stop=SimpleNamespace(asked=stop), target=str, each=self.each, look=self.each
        )
        self.breaks: BaseException | None = None
        self.stops_in = 0
        self.wrong: dict[str, list[str]] = {}
        self.asked = list[Any]()
        self.held: dict[str, str] = {}
        self.moved: dict[str, str] = {}
        self.signed: tuple[Any, ...] = ()

    def each(self, names: set[str], action: Any) -> dict[str, Any]:
        """Undo what was left on these, but on one whose name says no; or look at all of them."""
        if action.__name__ == "unchanged":
            well: Looked[None] = Looked()
            moved: dict[str, Looked[None]] = {
                name: Looked(None, Fault.STALE, why) for name, why in self.moved.items()
            }
            return {name: moved.get(name, well) for name in names}
        assert action.__name__ == "clear"
        return {name: SimpleNamespace(value=None if name == "no" else "32ec") for name in names}

    def batch(self, **words: Any) -> Any:
        number = words["number"]
        batch = SimpleNamespace(ended={}, shut=number == self.shut, torn=False, **words)

        def run() -> None:
            batch.ended |= self.ends[number - 1]
            if number == self.stops_in:
                self.fleet.stop.asked = 1
            words["record"]([Step(switch=name, phase=Phase.ARMING) for name in words["names"]])
            if self.breaks is not None:
                raise self.breaks

        batch.run = run
        self.made.append(batch)
        return batch

    def judge(self, names: Sequence[str], gone: Collection[str]) -> Sequence[str]:
        self.asked.append((names, gone))
        return self.wrong.get(names[0], [])

    def run(self, monkeypatch: pytest.MonkeyPatch, plan: Any = None) -> Outcome:
        monkeypatch.setattr(module, "Batch", self.batch)
        terms = Terms(
            timer=60,
            patience=7,
            judge=self.judge,
            pause=0.5,
            hold=lambda names: self.held.get(names[0], ""),
            signed=self.signed,
        )
        push = Push(
            site="dc1",
            fleet=self.fleet,
            journal=cast("Any", self.journal),
            terms=terms,
            tell=self.events.append,
        )
        change = SimpleNamespace(**{**vars(CHANGE), "plan": plan}) if plan else CHANGE
        return push.run(cast("Any", change), [tuple(each) for each in self.ends], "ann")


def test_batches_go_one_after_the_other_under_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL}, {"b": WELL, "c": SKIPPED})
    outcome = bench.run(monkeypatch)
    assert outcome == Outcome(
        push="push-2",
        change=CHANGE.id,
        result=Result.DONE,
        ended={"a": WELL, "b": WELL, "c": SKIPPED},
    )
    assert bench.journal.wrote == [
        ("lock", "dc1", CHANGE.id, "ann"),
        ("start", Kind.ROLLBACK, __version__, CHANGE.id),
        ("push-2", [(name, Phase.PLANNED, "") for name in "abc"]),
        ("push-2", [("a", Phase.ARMING, "")]),
        ("push-2", [("b", Phase.ARMING, ""), ("c", Phase.ARMING, "")]),
        ("end", "push-2", Result.DONE),
        "unlock",
    ]
    assert [(it.what, it.batch, it.said) for it in bench.events] == [
        (EventKind.BEGUN, 0, f"push-2: rollback of {CHANGE.id}, 2 batches"),
        (EventKind.BATCH, 1, "a"),
        (EventKind.OVER, 1, "1 confirmed"),
        (EventKind.BATCH, 2, "b, c"),
        (EventKind.OVER, 2, "1 confirmed, 1 skipped"),
    ]


def test_a_batch_gets_the_terms_of_its_push(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL})
    bench.run(monkeypatch)
    (batch,) = bench.made
    assert (batch.number, batch.names, batch.fleet) == (1, ("a",), bench.fleet)
    assert (batch.gate.patience, batch.gate.pause, batch.gate.go_on()) == (7, 0.5, True)
    assert (batch.steps.change, batch.steps.timer) == (CHANGE, 60)
    assert batch.steps.ours == {"earlier", CHANGE.id}
    bench.fleet.stop.asked = 1
    assert not batch.gate.go_on()


@pytest.mark.parametrize(
    ("first", "shut", "result", "why"),
    [
        (
            {"a": BACK, "b": BACK},
            1,
            Result.ROLLED_BACK,
            "batch 1 was rolled back: the network did not recover",
        ),
        (
            {"a": STALE, "b": CANCELED},
            0,
            Result.REFUSED,
            "batch 1 was rejected: a switch differs from the plan",
        ),
        ({"a": WELL, "b": LEFT}, 0, Result.UNKNOWN, "batch 1 left a switch in an unknown state"),
        ({"a": BACK, "b": LEFT}, 1, Result.UNKNOWN, "batch 1 left a switch in an unknown state"),
        ({"a": FAILED, "b": GONE}, 0, Result.FAILED, "batch 1 failed on all switches"),
        ({"a": CANCELED}, 0, Result.FAILED, "batch 1 failed on all switches"),
    ],
)
def test_what_stops_those_that_follow_and_how_it_is_told(
    first: dict[str, Ended], shut: int, result: Result, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(first, {"y": WELL, "z": WELL}, shut=shut)
    outcome = bench.run(monkeypatch)
    aside = Ended(phase=Phase.CANCELED, said=why)
    assert outcome.ended == {**first, "y": aside, "z": aside}
    assert (outcome.result, outcome.said) == (result, why)
    assert ("push-2", [("y", Phase.CANCELED, why), ("z", Phase.CANCELED, why)]) in (
        bench.journal.wrote
    )
    assert len(bench.made) == 1


@pytest.mark.parametrize(
    ("first", "result"),
    [
        ({"a": WELL, "b": FAILED}, Result.FAILED),
        ({"a": WELL, "b": GONE}, Result.FAILED),
        ({"a": WELL, "b": SKIPPED}, Result.DONE),
        ({"a": WELL, "b": BACK}, Result.ROLLED_BACK),
        ({"a": FAILED, "b": BACK}, Result.ROLLED_BACK),
    ],
)
def test_while_one_comes_through_the_next_batch_goes(
    first: dict[str, Ended], result: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Bench(first, {"z": WELL})
    outcome = bench.run(monkeypatch)
    assert (outcome.result, outcome.said, outcome.ended["z"]) == (result, "", WELL)


def test_the_second_check_refuses_a_batch_and_all_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench({"a": WELL}, {"b": WELL}, {"c": WELL})
    bench.wrong = {"b": ["b and c are a pair", "more"], "c": ["never asked"]}
    outcome = bench.run(monkeypatch)
    why = "unsafe batch: b and c are a pair"
    assert (outcome.result, outcome.refused, outcome.said) == (Result.REFUSED, True, why)
    aside = Ended(phase=Phase.CANCELED, said=why)
    assert outcome.ended == {"a": WELL, "b": aside, "c": aside}


def test_a_batch_that_may_not_begin_now_ends_the_push(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL}, {"b": WELL}, {"c": WELL})
    bench.held = {"b": "the window ended"}
    outcome = bench.run(monkeypatch)
    why = "not begun: the window ended"
    assert (outcome.result, outcome.said) == (Result.REFUSED, why)
    aside = Ended(phase=Phase.CANCELED, said=why)
    assert outcome.ended == {"a": WELL, "b": aside, "c": aside}


def test_what_people_signed_is_written_as_the_push_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL})
    bench.signed = ("bob approves",)
    bench.run(monkeypatch)
    assert bench.journal.wrote[1][0::4] == ("start", "bob approves")


def test_who_stops_cancels_what_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL}, {"b": WELL})
    bench.stops_in = 1
    outcome = bench.run(monkeypatch)
    why = "stopped before this batch"
    assert (outcome.result, outcome.said) == (Result.INTERRUPTED, why)
    assert outcome.ended["b"] == Ended(phase=Phase.CANCELED, said=why)
    assert not outcome.refused
    unknown = Bench({"a": LEFT})
    unknown.stops_in = 1
    assert unknown.run(monkeypatch).result is Result.UNKNOWN


def test_what_breaks_a_push_ends_it_as_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL})
    bench.breaks = KeyboardInterrupt()
    with pytest.raises(KeyboardInterrupt):
        bench.run(monkeypatch)
    assert bench.journal.wrote[-1] == ("end", "push-2", Result.UNKNOWN)


def test_what_was_killed_before_is_ended_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL})
    bench.journal.killed = [SimpleNamespace(id="push-1", who="bob")]
    bench.journal.kept = {
        name: Step(switch=name, phase=phase, batch=2)
        for name, phase in (
            ("x", Phase.ARMED),
            ("y", Phase.CONFIRMED),
            ("z", Phase.ARMING),
            ("zz", Phase.PLANNED),
        )
    }
    bench.run(monkeypatch)
    cut = "push interrupted; the timer of the switch or the next push undoes the commit"
    before = "push interrupted before this batch"
    ended = [("x", Phase.UNKNOWN, cut), ("z", Phase.UNKNOWN, cut), ("zz", Phase.CANCELED, before)]
    assert bench.journal.wrote[1:3] == [
        ("push-1", ended),
        ("end", "push-1", Result.ABANDONED),
    ]
    said = "push-1 of bob was interrupted while it changed 2 switches"
    assert bench.events[0] == Event(what=EventKind.RECOVERED, said=said)


def test_what_nobody_knows_of_earlier_pushes_is_undone_before_the_first_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On switches of this push, and where it is undone it is told."""
    bench = Bench({"a": WELL}, {"b": WELL, "no": WELL})
    bench.journal.left = [
        SimpleNamespace(step=Step(switch=name, phase=phase))
        for name, phase in (
            ("a", Phase.UNREACHABLE),
            ("b", Phase.UNKNOWN),
            ("no", Phase.UNKNOWN),
            ("elsewhere", Phase.UNKNOWN),
        )
    ]
    bench.run(monkeypatch)
    told = [(it.what, it.switch) for it in bench.events]
    assert told[:3] == [(EventKind.BEGUN, ""), (EventKind.RECOVERED, "b"), (EventKind.BATCH, "")]
    assert bench.events[1].said == "b: rolled back the unconfirmed commit of plan 32ec"


def test_a_switch_that_changed_stops_the_push_before_the_first_batch(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench({"a": WELL}, {"b": WELL, "c": WELL})
    bench.moved = {"c": "by hand"}
    outcome = bench.run(monkeypatch)
    why = "not begun because of c"
    assert not bench.made
    assert (outcome.result, outcome.said) == (Result.REFUSED, why)
    assert outcome.ended["c"] == Ended(phase=Phase.FAILED, said="by hand", stale=True)
    assert bench.journal.wrote[3:] == [
        ("push-2", [("a", Phase.CANCELED, why)]),
        ("push-2", [("b", Phase.CANCELED, why), ("c", Phase.FAILED, "by hand")]),
        ("end", "push-2", Result.REFUSED),
        "unlock",
    ]
    assert (EventKind.MOVED, "c", "by hand") in [
        (it.what, it.switch, it.said) for it in bench.events
    ]


def test_the_journal_keeps_the_plan_and_whom_it_knows_nothing_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "as_text", lambda plan: plan.text)
    unknown = [
        SimpleNamespace(switch="gone", state="unreachable", said="no answer"),
        SimpleNamespace(switch="odd", state="busy", said="taken"),
    ]
    bench = Bench({"a": WELL})
    bench.run(monkeypatch, SimpleNamespace(text="the plan", unknown=unknown))
    assert bench.journal.wrote[1] == ("keep", "the plan")
    assert bench.journal.wrote[3] == (
        "push-2",
        [
            ("a", Phase.PLANNED, ""),
            ("gone", Phase.UNREACHABLE, "no answer"),
            ("odd", Phase.FAILED, "taken"),
        ],
    )


def test_the_judge_is_told_who_was_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench({"a": WELL, "b": GONE}, {"c": WELL})
    bench.run(monkeypatch)
    assert bench.asked == [(("a", "b"), set()), (("c",), {"b"})]

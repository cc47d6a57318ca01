"""One batch, on a fleet that does what the test says: what is asked, recorded, told, undone."""

from collections.abc import Collection
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import pytest

from fabricgen.nos.health import Health
from fabricgen.operate.deploy.fleet import Fault, Outcome
from fabricgen.operate.deploy.journal.records import Phase, Step
from fabricgen.operate.deploy.push import batch as batch_module
from fabricgen.operate.deploy.push.baseline import Baseline
from fabricgen.operate.deploy.push.batch import Batch, Ended
from fabricgen.operate.deploy.push.events import Event, EventKind
from fabricgen.operate.deploy.push.neighbors import Neighbors
from fabricgen.operate.deploy.push.steps import Committed, Ready, Unchanged

NAMES = ("a", "b")
WELL = Health(sessions={"p": True})
READY = Ready("ran before", WELL)
FINE: dict[str, Outcome[Any]] = {
    "prepare": Outcome(READY),
    "commit": Outcome(Committed("")),
    "look": Outcome(WELL),
    "neighbor": Outcome(WELL),
    "tables": Outcome(WELL),
    "confirm": Outcome("runs now"),
    "undo": Outcome(Phase.ROLLED_BACK),
    "release": Outcome(),
}


def fault(kind: Fault, said: str = "why") -> Outcome[Any]:
    return Outcome(None, kind, said)


@dataclass
class Scripted:
    """A fleet, steps, gate and journal. script: what a step comes to on a switch, in turn."""

    script: dict[tuple[str, str], list[Outcome[Any]]] = field(default_factory=dict)
    lost: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: list[tuple[str, tuple[str, ...], bool]] = field(default_factory=list)
    closed: list[tuple[str, ...]] = field(default_factory=list)
    records: list[list[Step]] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    stop: SimpleNamespace = field(default_factory=lambda: SimpleNamespace(asked=0))
    stops_after: str = ""
    stops: int = 1
    now: float = 0.0

    def each(
        self, names: Collection[str], step: str, told: Any = None, *, undoing: bool = False
    ) -> dict[str, Outcome[Any]]:
        self.asked.append((step, tuple(names), undoing))
        found: dict[str, Outcome[Any]] = {}
        for name in names:
            turns = self.script.get((step, name), [])
            found[name] = turns.pop(0) if turns else FINE[step]
            if told is not None:
                told(name, found[name])
        if step == self.stops_after:
            self.stop.asked = self.stops
        return found

    look = each

    def close(self, names: Collection[str]) -> None:
        self.closed.append(tuple(names))

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def watch(self, before: Any, look: Any, against: Any) -> dict[str, tuple[str, ...]]:
        self.before, self.against = before, against
        self.looked = look()
        return self.lost

    def run(self, around: Any = None) -> Batch:
        words = {name: name for name in (*FINE, "settle")}
        steps = SimpleNamespace(**words, timer=60, change=SimpleNamespace(around=around))
        steps.look = lambda before: "look" if before else "a look at nobody"
        batch = Batch(
            number=3,
            names=NAMES,
            steps=cast("Any", steps),
            fleet=cast("Any", self),
            gate=cast("Any", self),
            record=lambda steps: self.records.append(list(steps)),
            tell=self.events.append,
            clock=lambda: self.now,
            sleep=self.sleep,
        )
        batch.run()
        return batch

    def steps(self) -> list[list[tuple[str, Phase]]]:
        return [[(step.switch, step.phase) for step in steps] for steps in self.records]


def test_a_batch_is_prepared_committed_judged_and_confirmed_as_a_whole() -> None:
    fleet = Scripted()
    batch = fleet.run()
    assert fleet.asked == [
        ("prepare", NAMES, False),
        ("commit", NAMES, False),
        ("look", NAMES, True),
        ("confirm", NAMES, True),
    ]
    assert fleet.before == {"a": WELL, "b": WELL}
    assert batch.ended == dict.fromkeys(NAMES, Ended(phase=Phase.CONFIRMED, after="runs now"))
    assert not batch.shut
    assert fleet.closed == [NAMES]


def pinged(
    fleet: object, steps: object, ready: dict[str, Ready], beside: dict[str, Health], seed: str
) -> Baseline:
    """Stand in for the pings of servers: they all answer, and are counted."""
    del fleet, steps, seed
    return Baseline(ready=ready, neighbors=beside, sentences=("9 pairs of 9 answered",))


def test_who_answers_before_a_batch_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Scripted()
    fleet.run(around(monkeypatch, "c"))
    assert (EventKind.PINGED, "9 pairs of 9 answered") in [
        (it.what, it.said) for it in fleet.events
    ]


def around(monkeypatch: pytest.MonkeyPatch, *names: str) -> SimpleNamespace:
    """Return a model by which these neighbors are asked."""
    asked = Neighbors(names=names, seen=2, of=3)
    monkeypatch.setattr(batch_module, "chosen", lambda *_: asked)
    monkeypatch.setattr(batch_module, "baseline", pinged)
    model = SimpleNamespace(
        site=None,
        open=lambda _, health: health,
        beside=lambda _, health: health,
        unverified=lambda *_: (),
        left=lambda name, health: [f"{name} keeps a route"] if health is WELL else [],
    )
    return SimpleNamespace(model=model, askable=frozenset(names))


def test_neighbors_are_asked_before_and_after_and_shut_the_gate_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = Scripted(lost={"c": ("VLAN 10 no longer reaches a (10.65.0.1)",)})
    batch = fleet.run(around(monkeypatch, "c", "d"))
    assert ("neighbor", ("c", "d"), False) in fleet.asked
    assert ("look", ("a", "b", "c", "d"), True) in fleet.asked
    assert fleet.before == {"a": WELL, "b": WELL, "c": WELL, "d": WELL}
    assert (EventKind.BESIDE, "checking 2 neighbors") in [
        (it.what, it.said[:20]) for it in fleet.events
    ]
    assert batch.shut
    assert batch.ended["a"].said == (
        "rolled back with its batch because of c: VLAN 10 no longer reaches a (10.65.0.1)"
    )
    assert set(batch.ended) == {"a", "b"}
    assert fleet.closed == [("c", "d"), NAMES]


def test_what_an_undo_cannot_take_away_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    fleet = Scripted({("undo", "b"): [fault(Fault.FAILED)] * 20}, lost={"a": ("odd",)})
    fleet.run(around(monkeypatch))
    assert ("tables", ("a",), True) in fleet.asked
    left = [(it.switch, it.said) for it in fleet.events if it.what is EventKind.LEFT]
    assert left == [("a", "a keeps a route")]


def test_a_neighbor_that_does_not_answer_is_named_and_not_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fleet = Scripted({("neighbor", "c"): [fault(Fault.UNREACHABLE)]})
    assert not fleet.run(around(monkeypatch, "c", "d")).shut
    assert set(fleet.before) == {"a", "b", "d"}
    said = [it.said for it in fleet.events if it.what is EventKind.BESIDE]
    assert said[0].endswith("; no answer from c")


def test_what_the_gate_does_not_see_is_said_once() -> None:
    blind = Ready("ran before", Health(unread=("PFC: no dcb",)))
    fleet = Scripted({("prepare", name): [Outcome(blind)] for name in NAMES})
    fleet.run()
    said = [(it.what, it.said) for it in fleet.events if it.what is EventKind.UNSEEN]
    assert said == [(EventKind.UNSEEN, "PFC: no dcb (a and 1 more)")]


def test_the_journal_knows_each_step_before_it_is_taken() -> None:
    fleet = Scripted()
    fleet.run()
    assert fleet.steps() == [
        [("a", Phase.ARMING), ("b", Phase.ARMING)],
        [("a", Phase.ARMED), ("b", Phase.ARMED)],
        [("a", Phase.CONFIRMING), ("b", Phase.CONFIRMING)],
        [("a", Phase.CONFIRMED), ("b", Phase.CONFIRMED)],
    ]
    assert {step.batch for steps in fleet.records for step in steps} == {3}
    assert [step.before for step in fleet.records[0]] == ["ran before", "ran before"]
    assert [step.before for step in fleet.records[1]] == [None, None]
    assert [step.after for step in fleet.records[3]] == ["runs now", "runs now"]


def test_people_hear_of_each_thing_they_wait_for() -> None:
    fleet = Scripted()
    fleet.run()
    assert [(it.what, it.switch, it.said) for it in fleet.events] == [
        (EventKind.READY, "a", ""),
        (EventKind.READY, "b", ""),
        (EventKind.COMMITTED, "a", ""),
        (EventKind.COMMITTED, "b", ""),
        (EventKind.GATE, "", ""),
        (EventKind.ENDED, "a", "confirmed"),
        (EventKind.ENDED, "b", "confirmed"),
    ]
    assert {event.batch for event in fleet.events} == {3}


def test_people_hear_what_a_switch_did_not_do_as_asked() -> None:
    fleet = Scripted({("commit", "a"): [Outcome(Committed("by a reload", ("late", "left out")))]})
    fleet.run()
    of_a = [(it.what, it.said) for it in fleet.events if it.switch == "a"]
    remarks = [(EventKind.REMARK, "late"), (EventKind.REMARK, "left out")]
    assert of_a[1:4] == [(EventKind.COMMITTED, "by a reload"), *remarks]


@pytest.mark.parametrize(
    ("kind", "phase"),
    [
        (Fault.UNREACHABLE, Phase.UNREACHABLE),
        (Fault.CANCELED, Phase.CANCELED),
        (Fault.BUSY, Phase.FAILED),
        (Fault.REFUSED, Phase.FAILED),
        (Fault.UNKNOWN, Phase.FAILED),
    ],
)
def test_who_cannot_be_prepared_is_left_out(kind: Fault, phase: Phase) -> None:
    fleet = Scripted({("prepare", "a"): [fault(kind)]})
    batch = fleet.run()
    assert batch.ended["a"] == Ended(phase=phase, said="why")
    assert batch.ended["b"].phase is Phase.CONFIRMED
    assert fleet.asked[1] == ("commit", ("b",), False)
    assert (EventKind.READY, "a") not in [(event.what, event.switch) for event in fleet.events]
    assert [event.said for event in fleet.events if event.switch == "a"] == [f"{phase.value}: why"]
    assert fleet.records[0][0] == Step(switch="a", phase=phase, batch=3, message="why")


def test_who_runs_it_already_is_skipped() -> None:
    fleet = Scripted({("prepare", name): [Outcome(Unchanged("sha"))] for name in NAMES})
    batch = fleet.run()
    said = "already runs the planned configuration"
    assert batch.ended["a"] == Ended(phase=Phase.SKIPPED, said=said, after="sha")
    assert [step for step, *_ in fleet.asked] == ["prepare"]
    assert fleet.steps() == [[("a", Phase.SKIPPED), ("b", Phase.SKIPPED)]]
    assert fleet.closed == [NAMES]


def test_a_stale_switch_cancels_its_batch_before_anything_changes() -> None:
    fleet = Scripted({("prepare", "a"): [fault(Fault.STALE)]})
    batch = fleet.run()
    assert batch.ended["a"] == Ended(phase=Phase.FAILED, said="why", stale=True)
    said = "batch rejected because of a"
    assert batch.ended["b"] == Ended(phase=Phase.CANCELED, said=said)
    assert fleet.asked[1:] == [("release", ("b",), True)]


def test_stopped_after_the_preparation_it_releases_all() -> None:
    fleet = Scripted(stops_after="prepare")
    batch = fleet.run()
    assert batch.ended == dict.fromkeys(NAMES, Ended(phase=Phase.CANCELED, said="stopped"))
    assert fleet.asked[1:] == [("release", NAMES, True)]


@pytest.mark.parametrize(
    ("kind", "phase"), [(Fault.FAILED, Phase.FAILED), (Fault.CANCELED, Phase.CANCELED)]
)
def test_who_did_not_commit_runs_what_it_ran(kind: Fault, phase: Phase) -> None:
    fleet = Scripted({("commit", "a"): [fault(kind)]})
    batch = fleet.run()
    assert batch.ended["a"] == Ended(phase=phase, said="why")
    assert batch.ended["b"].phase is Phase.CONFIRMED
    assert "undo" not in [step for step, *_ in fleet.asked]
    assert fleet.before == {"b": WELL}


def test_who_is_lost_in_the_commit_is_undone_at_once() -> None:
    fleet = Scripted({("commit", "a"): [fault(Fault.UNKNOWN)]})
    batch = fleet.run()
    assert fleet.asked[2] == ("undo", ("a",), True)
    assert batch.ended["a"] == Ended(phase=Phase.ROLLED_BACK, said="why")
    assert batch.ended["b"].phase is Phase.CONFIRMED
    assert ("a", Phase.ROLLING_BACK) in fleet.steps()[1]


def test_when_all_are_lost_nothing_is_judged() -> None:
    fleet = Scripted({("commit", name): [fault(Fault.FAILED)] for name in NAMES})
    fleet.run()
    assert [step for step, *_ in fleet.asked] == ["prepare", "commit"]
    assert fleet.steps()[-1] == [("a", Phase.FAILED), ("b", Phase.FAILED)]


def test_a_shut_gate_undoes_all_of_the_batch() -> None:
    fleet = Scripted(lost={"a": ("port 1 is down", "port 2 is down")})
    batch = fleet.run()
    assert batch.shut
    assert batch.ended == {
        "a": Ended(phase=Phase.ROLLED_BACK, said="port 1 is down; port 2 is down"),
        "b": Ended(phase=Phase.ROLLED_BACK, said="rolled back with its batch because of a"),
    }
    assert [it.said for it in fleet.events if it.what is EventKind.LOST and it.switch == "a"] == [
        *("port 1 is down", "port 2 is down")
    ]
    assert fleet.asked[-1] == ("undo", NAMES, True)


def test_stopped_before_the_gate_opens_it_is_undone_but_not_shut() -> None:
    fleet = Scripted(stops_after="look")
    batch = fleet.run()
    assert batch.ended == dict.fromkeys(NAMES, Ended(phase=Phase.ROLLED_BACK, said="stopped"))
    assert not batch.shut


def test_what_hangs_is_undone_on_a_new_connection() -> None:
    fleet = Scripted({("undo", "a"): [fault(Fault.UNKNOWN)]}, lost={"a": ("x",)})
    batch = fleet.run()
    assert fleet.asked[-1] == ("undo", ("a",), True)
    assert fleet.closed == [("a",), NAMES]
    assert batch.ended["a"].phase is Phase.ROLLED_BACK


def test_who_is_cut_off_is_asked_again_until_its_own_timer_has_undone_it() -> None:
    """One state, at the end: what undid itself is rolled back, and nothing else is said before."""
    silent = [fault(Fault.UNREACHABLE, "no answer")] * 8
    fleet = Scripted({("undo", "a"): silent}, lost={"a": ("x",)})
    batch = fleet.run()
    assert batch.ended["a"] == Ended(phase=Phase.ROLLED_BACK, said="x")
    said = [it.said for it in fleet.events if it.switch == "a"][-2:]
    assert said == [
        "rollback failed: no answer; waiting for the timer of the switch",
        "rolled-back: x",
    ]
    assert fleet.now == 35, "a look at once, then one every five seconds"


def test_who_says_nothing_until_its_timer_is_over_is_unknown() -> None:
    silent = [fault(Fault.UNREACHABLE, "no answer")] * 99
    fleet = Scripted({("undo", "a"): silent}, lost={"a": ("x",)})
    batch = fleet.run()
    timer = "the timer of the switch undoes it within 60 s of the commit"
    said = f"x; rollback not verified: no answer; {timer}"
    assert batch.ended["a"] == Ended(phase=Phase.UNKNOWN, said=said)
    assert batch.ended["b"].phase is Phase.ROLLED_BACK
    assert fleet.now == 65
    assert [it.said for it in fleet.events if it.switch == "a"][-1].startswith("unknown: x")


def test_asked_to_stop_twice_nobody_is_awaited() -> None:
    silent = [fault(Fault.UNREACHABLE, "no answer")] * 99
    fleet = Scripted({("undo", "a"): silent}, lost={"a": ("x",)}, stops_after="look", stops=2)
    assert fleet.run().ended["a"].phase is Phase.UNKNOWN
    assert fleet.now == 0


@pytest.mark.parametrize(
    ("settled", "ended"),
    [
        (
            Outcome((Phase.CONFIRMED, "sha")),
            Ended(phase=Phase.CONFIRMED, said="why", after="sha"),
        ),
        (
            Outcome((Phase.ROLLED_BACK, "old")),
            Ended(phase=Phase.ROLLED_BACK, said="why", after="old"),
        ),
        (fault(Fault.UNKNOWN, "gone"), Ended(phase=Phase.UNKNOWN, said="why; then gone")),
    ],
)
def test_a_lost_confirmation_is_looked_after(settled: Outcome[Any], ended: Ended) -> None:
    fleet = Scripted({("confirm", "a"): [fault(Fault.UNREACHABLE)], ("settle", "a"): [settled]})
    batch = fleet.run()
    assert batch.ended == {"a": ended, "b": Ended(phase=Phase.CONFIRMED, after="runs now")}
    assert fleet.asked[-1] == ("settle", ("a",), True)
    assert fleet.closed == [("a",), NAMES]

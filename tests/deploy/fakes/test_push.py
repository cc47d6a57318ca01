"""Pushes to fake switches: what happens to each, whatever any of them does."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.deploy.fakes.driver import FakeDriver
from tests.deploy.fakes.ground import NEW, OLD, Fakes, Wanted
from tests.deploy.fakes.temper import Temper
from tests.longer import ALL

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, LockHeld, Phase, Result
from fabricgen.operate.deploy.push.push import Push, Terms

MANY = 2000 if ALL else 500
NEVER = 1e12
"""A time by which no commit runs out."""


def phases(fakes: Fakes, *names: str) -> list[Phase]:
    """Return how switches ended, as the journal has it."""
    with Journal.open(fakes.folder / "journal.db") as journal:
        (push, *_) = journal.history()
        states = journal.states(push.id)
    return [states[name].phase for name in names]


def test_every_switch_of_a_push_runs_the_new_configuration(tmp_path: Path) -> None:
    """And the journal says so."""
    fakes = Fakes.of(tmp_path, 6)
    outcome = fakes.push([fakes.names[:1], fakes.names[1:]])
    assert outcome.result is Result.DONE
    assert fakes.new() == set(fakes.names)
    assert set(phases(fakes, *fakes.names)) == {Phase.CONFIRMED}


def test_the_same_push_once_more_writes_nothing(tmp_path: Path) -> None:
    """Nothing but reads reaches a switch that runs what was planned."""
    fakes = Fakes.of(tmp_path, 4)
    fakes.push([fakes.names])
    before = fakes.writes()
    outcome = fakes.push([fakes.names])
    assert outcome.result is Result.DONE
    assert fakes.writes() == before
    assert {ended.phase for ended in outcome.ended.values()} == {Phase.SKIPPED}


def test_odd_switches_cost_nobody_else_anything(tmp_path: Path) -> None:
    """Among 500 or 2,000: one is gone, one slow, one refuses, one lies, one is another switch."""
    fakes = Fakes.of(tmp_path, MANY)
    fakes.timeout = 2
    places = (3, MANY // 4, MANY // 2 - 1, 3 * MANY // 4, MANY - 1)
    gone, slow, refusing, lying, other = odd = [fakes.names[n] for n in places]
    for name, temper in zip(
        odd,
        (
            Temper(gone=True),
            Temper(delay=10),
            Temper(refuses="new"),
            Temper(lies=True),
            Temper(hostname="spine7"),
        ),
        strict=True,
    ):
        fakes.give(name, temper)
    # The last one alone: a switch that is another one stops everything, as it must.
    rest = [name for name in fakes.names if name != other]
    outcome = fakes.push([rest[: MANY // 2], rest[MANY // 2 :]])
    assert outcome.result is Result.FAILED
    assert fakes.new() == set(fakes.names) - set(odd)
    assert {name: outcome.ended[name].phase for name in odd if name != other} == {
        gone: Phase.UNREACHABLE,
        slow: Phase.UNREACHABLE,
        refusing: Phase.FAILED,
        lying: Phase.FAILED,
    }
    assert "6 lines differ" in outcome.ended[lying].said
    assert set(outcome.ended) == set(rest)


def test_another_switch_than_the_one_that_is_meant_is_never_written_to(tmp_path: Path) -> None:
    """Two management cables were swapped: the batch is refused before anything is changed."""
    fakes = Fakes.of(tmp_path, 3)
    fakes.give(fakes.names[1], Temper(hostname="leaf0009"))
    outcome = fakes.push([fakes.names])
    assert outcome.result is Result.REFUSED
    assert fakes.writes() == 0
    assert "its host name is 'leaf0009'" in outcome.ended[fakes.names[1]].said


def test_a_switch_that_was_changed_since_the_plan_stops_the_push(tmp_path: Path) -> None:
    """It is found before the first batch, so no switch is written to."""
    fakes = Fakes.of(tmp_path, 6)
    by_hand = tmp_path / "switches" / fakes.names[2] / "running"
    by_hand.write_text("hostname leaf0003\nby hand\n")
    outcome = fakes.push([fakes.names[:2], fakes.names[2:4], fakes.names[4:]])
    assert outcome.result is Result.REFUSED
    phases = {name: outcome.ended[name].phase for name in fakes.names}
    assert phases.pop(fakes.names[2]) is Phase.FAILED
    assert set(phases.values()) == {Phase.CANCELED}
    assert by_hand.read_text().endswith("by hand\n")
    assert not fakes.writes()


def test_a_push_again_goes_on_beside_those_that_are_done(tmp_path: Path) -> None:
    """A switch that runs what was planned did not change; one that was changed by hand did."""
    fakes = Fakes.of(tmp_path, 6)
    batches = [fakes.names[:2], fakes.names[2:4], fakes.names[4:]]
    fakes.give(fakes.names[3], Temper(breaks="new"))
    assert fakes.push(batches).result is Result.ROLLED_BACK
    fakes.give(fakes.names[3], Temper())
    done = tmp_path / "switches" / fakes.names[0] / "running"
    kept = done.read_text()
    done.write_text("hostname leaf0001\nby hand\n")
    before = fakes.writes()
    assert fakes.push(batches).result is Result.REFUSED
    assert fakes.writes() == before
    done.write_text(kept)
    assert fakes.push(batches).result is Result.DONE
    assert fakes.new() == set(fakes.names)


def test_a_shut_gate_rolls_back_its_batch_and_only_it(tmp_path: Path) -> None:
    """Whose sessions do not come back is given back what it ran, with all of its batch."""
    fakes = Fakes.of(tmp_path, 6)
    fakes.give(fakes.names[3], Temper(breaks="new"))
    outcome = fakes.push([fakes.names[:2], fakes.names[2:4], fakes.names[4:]])
    assert outcome.result is Result.ROLLED_BACK
    assert fakes.new() == set(fakes.names[:2])
    assert [outcome.ended[name].phase for name in fakes.names[2:]] == [
        *(Phase.ROLLED_BACK, Phase.ROLLED_BACK),
        *(Phase.CANCELED, Phase.CANCELED),
    ]
    assert "BGP session default spine1 is down" in outcome.ended[fakes.names[3]].said


def test_when_no_switch_of_a_batch_comes_through_nothing_follows(tmp_path: Path) -> None:
    """The canary refuses: so would the others."""
    fakes = Fakes.of(tmp_path, 3)
    fakes.give(fakes.names[0], Temper(refuses="new"))
    outcome = fakes.push([fakes.names[:1], fakes.names[1:]])
    assert fakes.writes() == 0
    assert outcome.said == "batch 1 failed on all switches"


def test_a_batch_that_may_not_go_together_is_refused_at_its_turn(tmp_path: Path) -> None:
    """The second check has the last word, whatever the plan says."""
    fakes = Fakes.of(tmp_path, 2)
    terms = Terms(
        timer=60,
        patience=0.5,
        judge=lambda names, _: [f"{' and '.join(names)} are a pair"],
        pause=0.01,
    )
    with Journal.open(tmp_path / "journal.db") as journal:
        push = Push(
            site="site", fleet=fakes.fleet(), journal=journal, terms=terms, tell=lambda _: None
        )
        outcome = push.run(Wanted(), [fakes.names], "tester")
    assert fakes.writes() == 0
    assert outcome.result is Result.REFUSED
    assert outcome.said == "unsafe batch: leaf0001 and leaf0002 are a pair"


def at_each_request(
    monkeypatch: pytest.MonkeyPatch, meanwhile: Callable[[FakeDriver, str], None]
) -> None:
    """Have something happen while a switch is asked for something."""
    note = FakeDriver._note

    def noted(driver: FakeDriver, what: str) -> None:
        note(driver, what)
        meanwhile(driver, what)

    monkeypatch.setattr(FakeDriver, "_note", noted)


def test_the_second_of_two_pushes_is_refused_with_who_and_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They would undo each other's work."""
    fakes = Fakes.of(tmp_path, 1)
    other = Fakes(tmp_path, fakes.names)

    def meanwhile(driver: FakeDriver, what: str) -> None:
        if what == "open" and not refused:
            with pytest.raises(LockHeld, match=r"ann@noc is .* plan 0123456789ab, since 20") as it:
                other.push([fakes.names], who="bob@noc")
            refused.append(it.value)

    refused: list[LockHeld] = []
    at_each_request(monkeypatch, meanwhile)
    fakes.push([fakes.names], who="ann@noc")
    assert refused
    assert fakes.new() == set(fakes.names)


def test_stopping_starts_nothing_new_and_leaves_nothing_half(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C: every switch has a result, on the old or the new configuration."""
    fakes = Fakes.of(tmp_path, 40)
    fakes.workers = 4
    fourth, stopped = fakes.names[3], threading.Event()

    def meanwhile(driver: FakeDriver, what: str) -> None:
        if driver.place.name == fourth:
            fakes.stop.asked = 1
            stopped.set()
        elif driver.place.name > fourth:
            stopped.wait()

    at_each_request(monkeypatch, meanwhile)
    outcome = fakes.push([fakes.names])
    assert outcome.result is Result.INTERRUPTED
    assert set(outcome.ended) == set(fakes.names)
    assert fakes.new() == set()
    assert not fakes.requests(fakes.names[-1])


def test_what_a_killed_push_left_is_undone_by_the_next(tmp_path: Path) -> None:
    """Its timers still run: the next push finds them, undoes them and goes on."""
    fakes = Fakes.of(tmp_path, 2)
    place = tmp_path / "switches" / fakes.names[0]
    with Journal.open(tmp_path / "journal.db") as journal, journal.lock("site", "feed", "x") as it:
        it.start(Kind.PUSH, "0", "")
    (place / "checkpoints").mkdir()
    (place / "checkpoints" / "feed").write_text(OLD.format(name=fakes.names[0]))
    (place / "running").write_text("half of something\n")
    (place / "commit").write_text(json.dumps({"plan": "feed", "until": NEVER}))
    outcome = fakes.push([fakes.names])
    assert outcome.result is Result.DONE
    assert fakes.new() == set(fakes.names)


def test_a_commit_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    """Somebody else waits for something there."""
    fakes = Fakes.of(tmp_path, 1)
    place = tmp_path / "switches" / fakes.names[0]
    (place / "commit").write_text(json.dumps({"plan": "theirs", "until": NEVER}))
    outcome = fakes.push([fakes.names])
    assert "the commit of plan theirs is pending" in outcome.ended[fakes.names[0]].said
    assert fakes.running(fakes.names[0]) == OLD.format(name=fakes.names[0])


def test_the_switch_undoes_what_nobody_confirms(tmp_path: Path) -> None:
    """Its own timer, without us."""
    fakes = Fakes.of(tmp_path, 1)
    (name,) = fakes.names
    place = tmp_path / "switches" / name
    (place / "checkpoints").mkdir()
    (place / "checkpoints" / "feed").write_text(OLD.format(name=name))
    (place / "running").write_text(NEW.format(name=name))
    (place / "commit").write_text(json.dumps({"plan": "feed", "until": 0.0}))
    looked = fakes.fleet().each(fakes.names, lambda driver, _: driver.get_config()["running"])
    assert looked[name].value == OLD.format(name=name)

"""The commit agent on a folder that stands for a switch's disk: claims, phases, checkpoints."""

from pathlib import Path

import pytest
from tests.unit.nos.shared.toy import AGENT, PATH, TOY, Toy

from fabricgen.nos.shared.onswitch import checkpoints, commit, disk, state
from fabricgen.nos.shared.onswitch.refusal import Refusal


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """Let a folder be the switch's disk, and commits run in the test's own process."""
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    monkeypatch.setattr(commit, "_detach", lambda work: work())
    TOY.fails = set()
    TOY.run("old")
    return TOY


def loaded(plan: str = "p1", text: str = "new") -> None:
    AGENT.claim(plan, "me")
    AGENT.load(plan, {PATH: text}, [])


def alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the commit's process seem to live."""
    monkeypatch.setattr(state, "alive", lambda: True)


def test_a_commit_without_a_timer_stays(toy: Toy) -> None:
    loaded()
    AGENT.start("p1", "", None)
    assert (toy.running, state.commit()["phase"]) == ("new", state.CONFIRMED)
    assert state.commit()["remarks"] == ["left out"]
    assert state.holder() == {}


@pytest.mark.parametrize(
    ("fails", "running", "phase"),
    [
        ({"checkpoint"}, "old", state.FAILED),
        ({"apply"}, "old", state.FAILED),
        ({"apply", "restore"}, "new", state.STUCK),
    ],
)
def test_what_fails_is_undone_or_said(toy: Toy, fails: set[str], running: str, phase: str) -> None:
    loaded()
    toy.fails = fails
    AGENT.start("p1", "", None)
    assert (toy.running, state.commit()["phase"]) == (running, phase)


def test_a_commit_that_is_not_saved_stays_and_says_so(toy: Toy) -> None:
    loaded()
    toy.fails = {"keep"}
    AGENT.start("p1", "", None)
    assert (toy.running, state.commit()["phase"]) == ("new", state.CONFIRMED)
    assert state.commit()["problems"] == ["the commit is active, but not saved: keep failed"]


def test_a_commit_that_nobody_confirms_is_undone(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _: pytest.fail("its time is over, and it waits"))
    loaded()
    AGENT.start("p1", "", 0)
    last = state.commit()
    assert (toy.running, last["phase"], last["late"]) == ("old", state.REVERTED, True)


def test_a_commit_is_kept_by_its_own_process(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    alive(monkeypatch)
    state.begin(plan="p1", who="me", phase=state.WAITING, deadline=state.now() + 60)
    with pytest.raises(Refusal, match="the last commit was of plan p1, not of p2"):
        AGENT.confirm("p2")
    AGENT.confirm("p1")
    AGENT.confirm("p1")
    assert state.commit()["phase"] == state.KEEPING


def test_a_confirmation_after_the_time_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    alive(monkeypatch)
    state.begin(plan="p1", who="me", phase=state.WAITING, deadline=state.now() - 1)
    with pytest.raises(Refusal, match="nothing to confirm: the commit is waiting"):
        AGENT.confirm("p1")


def test_what_is_taken_back_in_time_is_undone(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded()
    alive(monkeypatch)
    monkeypatch.setattr("time.sleep", lambda _: AGENT.roll_back("p1"))
    commit._commit(toy, toy.judge({PATH: "new"}, ()), {"plan": "p1", "revert_in": 60})
    last = state.commit()
    assert (toy.running, last["phase"], last.get("late")) == ("old", state.REVERTED, None)


@pytest.mark.parametrize("phase", [state.APPLYING, state.WAITING, state.KEEPING, state.STUCK])
def test_a_commit_whose_process_died_is_undone_by_the_next(toy: Toy, phase: str) -> None:
    loaded()
    AGENT.start("p1", "", None)
    state.note(phase=phase)
    with pytest.raises(Refusal, match="roll back"):
        AGENT.confirm("p1")
    assert AGENT.roll_back("p1")
    assert (toy.running, state.commit()["phase"]) == ("old", state.REVERTED)


def test_a_commit_that_died_before_its_first_write_has_failed(toy: Toy) -> None:
    state.begin(plan="p1", who="me", phase=state.SAVING)
    assert AGENT.roll_back("p1")
    assert (toy.running, state.commit()["phase"]) == ("old", state.FAILED)


def test_what_was_changed_since_it_was_compared_is_not_overrun(toy: Toy) -> None:
    loaded()
    assert AGENT.compare() == "old -> new"
    toy.run("by hand")
    AGENT.start("p1", "", None)
    assert (toy.running, state.commit()["phase"]) == ("by hand", state.FAILED)
    assert "changed since it was compared" in state.commit()["problems"][0]
    AGENT.load("p1", {PATH: "new"}, [])
    AGENT.start("p1", "", None)
    assert toy.running == "new"


def test_what_ran_before_a_plan_runs_again(toy: Toy) -> None:
    loaded()
    AGENT.start("p1", "", None)
    AGENT.claim("undo", "me")
    AGENT.load_checkpoint("undo", "p1")
    AGENT.start("undo", "", None)
    assert toy.running == "old"
    with pytest.raises(Refusal, match="has no checkpoint from before plan p2"):
        AGENT.load_checkpoint("undo", "p2")
    assert checkpoints.names() == ["p1", "undo"]


@pytest.mark.parametrize("plan", ["../x", "", ".", "a/b", "+", "a" * 101])
def test_a_plan_is_no_path(plan: str) -> None:
    with pytest.raises(Refusal, match="is no plan name"):
        AGENT.claim(plan, "me")


def test_a_claim_gets_old(monkeypatch: pytest.MonkeyPatch) -> None:
    state.claim("first", "me@here")
    state.claim("first", "me@here")
    held = (
        r"held until ..:.. UTC by plan first, started by me@here at ..:.. UTC; if that push is "
        r"dead, run `fabricgen unlock`"
    )
    with pytest.raises(Refusal, match=held):
        state.claim("second", "you")
    later = state.now() + state.STALE + 1
    monkeypatch.setattr(state, "now", lambda: later)
    assert AGENT.held() is None
    state.claim("second", "you")
    with pytest.raises(Refusal, match="not claimed for plan first: plan second of you has it"):
        state.touch("first")


def test_after_its_confirmation_a_plan_may_go_on_where_nobody_else_is() -> None:
    state.begin(plan="first", who="me", phase=state.CONFIRMED)
    with pytest.raises(Refusal, match="no plan has it"):
        state.touch("second")
    assert state.touch("first") == "first"
    with pytest.raises(Refusal, match="by plan first, started by me at"):
        state.claim("second", "you")


def test_nobody_gives_up_the_claim_of_another() -> None:
    AGENT.claim("first", "me")
    AGENT.discard("second")
    with pytest.raises(Refusal, match="by plan first, started by me at"):
        AGENT.claim("second", "you")
    AGENT.discard("first")
    AGENT.claim("second", "you")


def test_the_claim_of_a_dead_push_or_of_a_look_keeps_nobody_out() -> None:
    """Who pushes knows by its journal which pushes are dead; who only looks holds nobody up."""
    AGENT.claim("dead", "me")
    AGENT.claim("second", "you", over=["dead"])
    AGENT.claim("second", "you")
    AGENT.discard("second")
    assert AGENT.held() is None
    AGENT.claim("look-1", "me")
    assert AGENT.held() is None
    AGENT.claim("third", "you", pid=7)
    found = AGENT.held()
    assert found is not None
    assert (found["plan"], found["who"], found["pid"]) == ("third", "you", 7)
    with pytest.raises(Refusal, match="by plan third, started by you at"):
        AGENT.claim("look-2", "me")


def test_a_commit_whose_process_is_gone_is_unfinished_and_has_no_time() -> None:
    assert state.unfinished() is None
    state.begin(plan="lost", who="me", revert_in=60, phase=state.SAVING)
    assert state.unfinished() is None  # nothing was changed yet
    for phase in state.OPEN:
        state.note(phase=phase)
        assert state.unfinished() == {"plan": "lost", "seconds": 0.0}
    with pytest.raises(Refusal, match=r"of plan lost by me .* is not confirmed yet: no time left"):
        state.claim("other", "you")
    for phase in (state.CONFIRMED, state.REVERTED, state.FAILED):
        state.note(phase=phase)
        assert state.unfinished() is None


def test_a_living_process_has_the_lock() -> None:
    state.begin(plan="slow", who="me", revert_in=60, phase=state.WAITING, deadline=state.now() + 30)
    lock = state.Alive()
    assert lock.take()
    pending = state.unfinished()
    assert pending is not None
    assert 0 < pending["seconds"] <= 30
    lock.close()
    assert not state.alive()

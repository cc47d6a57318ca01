"""NAPALM's driver beside the agent on the switch: what is asked, and what an answer means."""

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    CommitError,
    MergeConfigException,
    ReplaceConfigException,
)
from tests.unit.nos.shared.toy import AGENT, PATH, TOY, Toy

from fabricgen.nos.driver import Busy, NoCheckpoint, pack
from fabricgen.nos.health import Health
from fabricgen.nos.shared import driver as onswitch
from fabricgen.nos.shared.agent_script import COMMAND
from fabricgen.nos.shared.onswitch import commit, disk, program, state
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.ssh import Way


class Nearby:
    """A connection to the agent of the toy, in this process. answers: what comes instead."""

    def __init__(self, way: Way) -> None:
        self.way, self.alive = way, False
        self.asked: list[dict[str, Any]] = []
        self.commands: list[tuple[str, float]] = []
        self.answers: dict[str, Done] = {}

    def open(self) -> None:
        self.alive = True

    def close(self) -> None:
        self.alive = False

    def run(self, command: str, text: str, seconds: float) -> Done:
        self.commands.append((command, seconds))
        if command.endswith("sh -s"):
            return self.answers.get(text, Done(0, f"ran {text}", ""))
        ask = json.loads(text)
        self.asked.append(ask)
        if ask["do"] in self.answers:
            return self.answers[ask["do"]]
        with contextlib.redirect_stdout(io.StringIO()) as out:
            program.main(TOY, ask)
        return Done(0, out.getvalue(), "")


class Spoken:
    """Sends no program, only what is asked."""

    def program(self, ask: dict[str, Any]) -> str:
        return json.dumps(ask)


class ToyDriver(onswitch.OnSwitchDriver):
    """The driver of the toy."""

    AGENT = Spoken()  # type: ignore[assignment]
    LIMITS = {"slow_timeout": 90.0, "quick_timeout": 3.0}  # noqa: RUF012 - a ClassVar of the base

    def health(self) -> Health:
        raise AssertionError

    @property
    def line(self) -> Nearby:
        """The connection."""
        return self._connection  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    """Let a folder be the switch's disk, and whoever waits for the commit's process be it."""
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    monkeypatch.setattr(onswitch, "Connection", Nearby)
    monkeypatch.setattr(commit, "_detach", lambda work: work())

    def waiting(_: object, seconds: int) -> None:
        state.note(phase=state.WAITING, deadline=state.now() + seconds)

    def goes_on(_: float) -> None:
        phase = state.commit()["phase"]
        if phase == state.KEEPING:
            commit._keep(TOY)
        elif phase == state.REVERTING:
            commit._undo(TOY, state.REVERTED, [])

    monkeypatch.setattr(commit, "_wait", waiting)
    monkeypatch.setattr("time.sleep", goes_on)
    monkeypatch.setattr(
        state, "alive", lambda: state.commit().get("phase") in (*state.MOVING, state.WAITING)
    )
    TOY.fails = set()
    TOY.run("old")
    return TOY


def driver(user: str = "root", **options: Any) -> ToyDriver:
    made = ToyDriver("leaf1", user, "", 30, options)
    made.open()
    return made


def loaded(text: str = "new", plan: str = "p1") -> ToyDriver:
    made = driver()
    made.claim(plan)
    made.load_replace_candidate(config=pack({PATH: text}))
    return made


def test_it_is_alive_between_open_and_close() -> None:
    one = driver()
    assert one.is_alive() == {"is_alive": True}
    one.close()
    assert one.is_alive() == {"is_alive": False}


@pytest.mark.parametrize(("user", "before"), [("root", ""), ("admin", "sudo -n ")])
def test_who_is_not_root_asks_through_sudo(user: str, before: str) -> None:
    one = driver(user)
    one.unfinished()
    assert one.read("echo") == "ran echo"
    assert [command for command, _ in one.line.commands] == [
        f"{before}{COMMAND}",
        f"{before}sh -s",
    ]


def test_limits_are_seconds_and_the_slowest_step_is_waited_for() -> None:
    one = driver(slow_timeout="120", other=5)
    one.unfinished()
    assert one.line.asked[0] == {
        "do": "unfinished",
        "limits": {"slow_timeout": 120.0, "quick_timeout": 3.0},
    }
    one.load_replace_candidate(config=pack({PATH: "new"}))
    assert [seconds for _, seconds in one.line.commands] == [30.0, 30.0, 150.0]


def test_a_script_that_says_nothing_has_failed() -> None:
    one = driver()
    one.line.answers["look"] = Done(1, " \n", "sudo: a password is required")
    with pytest.raises(CommandErrorException, match="leaf1: sudo: a password is required"):
        one.read("look")


def test_a_claim_names_who_and_over_whom() -> None:
    one = driver()
    one.claim("p1", over={"b", "a"})
    (asked,) = one.line.asked
    assert (asked["plan"], asked["over"]) == ("p1", ["a", "b"])
    assert "@" in asked["who"]
    assert asked["pid"] == os.getpid()
    held = one.held()
    assert held is not None
    assert (held.plan, held.pid) == ("p1", os.getpid())
    with pytest.raises(Busy, match=r"leaf1: held until .* by plan p1, "):
        driver().claim("p2")
    driver().claim("p2", over=["p1"])


def test_without_a_claim_the_plan_has_a_name_of_its_own() -> None:
    one = driver()
    one.load_replace_candidate(config=pack({PATH: "new"}))
    assert [(ask["do"], ask["plan"]) for ask in one.line.asked] == [
        ("claim", "napalm"),
        ("load", "napalm"),
    ]


def test_a_candidate_is_compared_and_runs(toy: Toy) -> None:
    one = loaded()
    assert one.compare_config() == "old -> new"
    assert not one.has_pending_commit()
    one.commit_config()
    assert (toy.running, one.remarks) == ("new", ("left out",))
    assert not one.has_pending_commit()
    driver().claim("another")


def test_files_come_as_one_text() -> None:
    one = driver()
    assert one.get_config() == {"running": pack({PATH: "old"}), "startup": "", "candidate": ""}
    assert one.get_config("candidate")["candidate"] == pack({})
    one.claim("p1")
    one.load_replace_candidate(config=pack({PATH: "new"}, [PATH]))
    assert one.line.asked[-1]["executable"] == [PATH]
    assert one.get_config("all") == {
        "running": pack({PATH: "old"}),
        "startup": "",
        "candidate": pack({PATH: "new"}),
    }
    assert one.get_config("startup") == {"running": "", "startup": "", "candidate": ""}


def test_a_candidate_may_lie_in_a_file(tmp_path: Path, toy: Toy) -> None:
    where = tmp_path / "candidate"
    where.write_text(pack({PATH: "from a file"}))
    one = driver()
    one.load_replace_candidate(filename=str(where))
    one.commit_config()
    assert toy.running == "from a file"


@pytest.mark.parametrize("words", [{}, {"config": "no head"}])
def test_what_is_no_configuration_is_not_sent(words: dict[str, str]) -> None:
    one = driver()
    with pytest.raises(
        ReplaceConfigException, match=r"^leaf1: (configuration missing|not the files)"
    ):
        one.load_replace_candidate(**words)
    assert one.line.asked == []


def test_nothing_is_merged() -> None:
    with pytest.raises(MergeConfigException):
        driver().load_merge_candidate(config="x")


def test_a_commit_with_a_timer_waits_to_be_confirmed(toy: Toy) -> None:
    one = loaded()
    one.commit_config("why", revert_in=60)
    assert one.line.asked[-2]["message"] == "why"
    pending = one.unfinished()
    assert pending is not None
    assert (pending.plan, 50 < pending.seconds <= 60) == ("p1", True)
    assert one.has_pending_commit()
    one.confirm_commit()
    assert (toy.running, one.unfinished()) == ("new", None)


def test_a_look_at_a_commit_that_moves_may_take_longer_than_other_questions(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = loaded()
    found = iter(({"alive": True, "phase": "applying"}, {"alive": True, "phase": "confirmed"}))
    monkeypatch.setattr(commit, "watch", lambda _: next(found))
    one.commit_config()
    asked = list(zip(one.line.asked, one.line.commands, strict=True))
    assert [words[1] for ask, words in asked if ask["do"] == "start"] == [30.0]
    looks = [(ask["wait"], words[1]) for ask, words in asked if ask["do"] == "watch"]
    assert looks == [(0, 30.0), (20.0, 50.0)]


def test_a_commit_is_taken_back_and_the_switch_given_up(toy: Toy) -> None:
    one = loaded()
    one.commit_config(revert_in=60)
    one.rollback()
    assert (toy.running, one.unfinished()) == ("old", None)
    driver().claim("another")


@pytest.mark.parametrize(
    ("fails", "why"),
    [
        (
            {"checkpoint"},
            "nothing was changed: checkpoint failed - the previous configuration is restored",
        ),
        ({"apply"}, "apply failed - the previous configuration is restored"),
        (
            {"apply", "restore"},
            "apply failed - the previous configuration is only partly active: restore failed",
        ),
        ({"keep"}, "the commit is active, but not saved: keep failed"),
    ],
)
def test_a_commit_that_fails_says_why(toy: Toy, fails: set[str], why: str) -> None:
    one = loaded()
    toy.fails = fails
    with pytest.raises(CommitError) as refused:
        one.commit_config()
    assert str(refused.value) == f"leaf1: {why}"


def test_a_way_back_that_fails_says_so(toy: Toy) -> None:
    one = loaded()
    one.commit_config(revert_in=60)
    toy.fails = {"restore"}
    with pytest.raises(CommitError, match="only partly active: restore failed"):
        one.rollback()


def test_a_confirmed_commit_that_is_not_saved_says_so(toy: Toy) -> None:
    one = loaded()
    one.commit_config(revert_in=60)
    toy.fails = {"keep"}
    with pytest.raises(CommitError, match="the commit is active, but not saved: keep failed"):
        one.confirm_commit()


def test_a_commit_that_is_undone_while_it_is_confirmed_was_not_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = loaded()
    one.commit_config(revert_in=60)
    monkeypatch.setattr(commit, "confirm", lambda _: state.note(phase=state.REVERTED) and None)
    with pytest.raises(CommitError, match="not confirmed: the commit is reverted"):
        one.confirm_commit()


def test_a_commit_whose_process_ended_is_undone(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_: object) -> None:
        monkeypatch.setattr(state, "alive", lambda: False)

    monkeypatch.setattr(commit, "_wait", ended)
    one = loaded()
    with pytest.raises(CommitError, match=r"^leaf1: its process on the switch was ended - the"):
        one.commit_config(revert_in=60)
    assert toy.running == "old"


def test_what_ran_before_a_plan_is_a_candidate(toy: Toy) -> None:
    loaded().commit_config()
    one = driver()
    one.claim("undo")
    one.load_checkpoint("p1")
    assert one.compare_config() == "new -> old"
    one.commit_config()
    assert toy.running == "old"
    assert [each.plan for each in one.keeps()] == ["p1", "undo"]
    with pytest.raises(
        NoCheckpoint, match="leaf1: the switch has no checkpoint from before plan p7"
    ):
        one.load_checkpoint("p7")


def test_a_candidate_that_is_discarded_is_gone_and_the_switch_free() -> None:
    one = loaded()
    one.discard_config()
    with pytest.raises(CommitError, match="leaf1: no candidate is loaded"):
        one.compare_config()
    driver().claim("another")
    unclaimed = driver()
    unclaimed.discard_config()
    assert unclaimed.line.asked == []


def test_a_new_claim_starts_without_the_candidate_of_the_last() -> None:
    loaded()
    one = driver()
    one.claim("p1")
    with pytest.raises(CommitError, match="no candidate is loaded"):
        one.compare_config()


def test_a_second_commit_waits_for_the_first() -> None:
    one = loaded()
    one.commit_config(revert_in=60)
    AGENT.load("p1", {PATH: "newer"}, [])
    with pytest.raises(CommitError, match="confirm or roll it back first"):
        one.commit_config()


def test_answers_that_are_none_name_what_was_asked() -> None:
    one = driver()
    one.line.answers["facts"] = Done(1, "", "python3: not found")
    with pytest.raises(CommandErrorException, match="leaf1: facts: python3: not found"):
        one.get_facts()
    one.line.answers["facts"] = Done(0, '{"refused": "no disk", "kind": "fault"}', "")
    with pytest.raises(CommandErrorException, match="leaf1: no disk"):
        one.get_facts()


def test_facts_are_the_switchs_own(tmp_path: Path) -> None:
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc/uptime").write_text("3600.25 7000.00\n")
    facts = driver().get_facts()
    assert facts["uptime"] == 3600.25
    assert facts["hostname"] == facts["fqdn"] != ""


def test_a_fault_of_the_switch_is_an_answer(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toy, "compare", lambda _: toy._step("compare"))
    one = loaded()
    toy.fails = {"compare"}
    with pytest.raises(CommandErrorException, match="leaf1: compare failed"):
        one.compare_config()

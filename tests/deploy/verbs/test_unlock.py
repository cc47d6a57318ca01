"""`fabricgen unlock`: what a dead push holds is given up, what lives is not."""

import json
import os
import socket
from pathlib import Path

import click
import pytest
from tests.deploy.verbs.conftest import LEAFS, Work

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, LockLost, Phase, Result

DEAD = {"plan": "32ec", "who": "ops@jump1", "pid": 4711}
UNLOCK = ("unlock", "site", "--yes")


def claim(work: Work, name: str, **said: object) -> Path:
    """Have a push of another machine hold a switch."""
    path = work.folder / "switches" / name / "claim"
    path.write_text(json.dumps(DEAD | said))
    return path


def test_who_holds_a_switch_is_said_by_what_it_keeps_out(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The push that finds it names it, and unlock gives it up; the journal has who and what."""
    work.rename_tenant()
    path = claim(work, LEAFS[1])
    before = work.everything()
    assert work.fabricgen("plan", "site") == 3
    held = "fe-leaf02: held until 14:03 UTC by plan 32ec, started by ops@jump1"
    assert f"busy: {held}" in capsys.readouterr().out
    assert work.fabricgen(*UNLOCK) == 0
    said = capsys.readouterr().out
    assert held in said
    assert "1 of 4 switches were locked, 0 are left" in said
    assert not path.exists()
    assert work.everything() == before
    with Journal.open(work.folder / "site" / ".fabricgen" / "journal.db") as journal:
        (entry,) = journal.history()
        (step,) = journal.states(entry.id).values()
    assert (entry.kind, entry.result) == (Kind.UNLOCK, Result.DONE)
    assert (step.switch, step.phase) == ("fe-leaf02", Phase.UNLOCKED)
    assert "by plan 32ec, started by ops@jump1" in step.message
    work.plan()


def test_where_nothing_is_held_nothing_is_asked_or_written(work: Work) -> None:
    """Not even a journal begins."""
    assert work.fabricgen("unlock", "site") == 0
    assert "claim" not in work.requests()
    assert not (work.folder / "site" / ".fabricgen").exists()


def test_it_asks_first_and_a_no_leaves_the_claim(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it is dead is for people to know."""
    path = claim(work, LEAFS[0])
    asked: list[str] = []

    def no(text: str, **_: object) -> None:
        asked.append(text)
        raise click.Abort

    monkeypatch.setattr(click, "confirm", no)
    assert work.fabricgen("unlock", "site") == 130
    assert asked == ["have these pushes ended? unlock 1 switch?"]
    assert path.exists()


def test_a_process_that_lives_on_this_machine_is_ended_by_force_only(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """This very process holds it."""
    path = claim(work, LEAFS[0], who=f"ops@{socket.gethostname()}", pid=os.getpid())
    assert work.fabricgen(*UNLOCK) == 4
    assert (
        f"plan 32ec in process {os.getpid()} of this machine still runs; use --force to unlock"
        in capsys.readouterr().err
    )
    assert path.exists()
    assert work.fabricgen(*UNLOCK, "--force") == 0
    assert not path.exists()


def test_the_lock_of_the_journal_is_kept_unless_by_force(work: Work) -> None:
    """A push that lives is refused to be unlocked; by force it can write nothing any more."""
    path = claim(work, LEAFS[0])
    address = work.folder / "site" / ".fabricgen" / "journal.db"
    with Journal.open(address) as journal, journal.lock("small", "32ec", "ops") as living:
        push = living.start(Kind.PUSH, "0", "")
        assert work.fabricgen(*UNLOCK) == 4
        assert path.exists()
        assert work.fabricgen(*UNLOCK, "--force") == 0
        assert not path.exists()
        with pytest.raises(LockLost):
            living.record(push, [])
        assert [taken.why for taken in journal.takeovers()] == ["by force"]


def test_a_commit_that_waits_is_left_to_its_timer(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """To end its claim would leave a switch between two configurations."""
    place = work.folder / "switches" / LEAFS[0]
    (place / "commit").write_text(json.dumps({"plan": "feed", "until": 1e12}))
    claim(work, LEAFS[0])
    assert work.fabricgen(*UNLOCK) == 3
    assert (
        "fe-leaf01: unconfirmed commit of plan feed: the timer of the switch undoes it in "
        in capsys.readouterr().out
    )
    assert (place / "commit").exists()
    assert (place / "claim").exists()

"""`fabricgen resume`: a push goes on where it ended, by the plan that the journal keeps."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, LEAFS, Work

from fabricgen.operate.deploy.journal import plans
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, Phase, Step
from fabricgen.operate.deploy.plan import document

FIRST, SECOND = LEAFS
PUSH = ("push", "site", "--plan", "plan.json", "--health-timeout", "1")
GONE = Temper(gone=True)
WELL = Temper()


def journal(work: Work) -> Journal:
    """Open the journal of the site."""
    return Journal.open(work.folder / "site" / ".fabricgen" / "journal.db")


def last(work: Work) -> str:
    """Return the id of the newest push."""
    with journal(work) as kept:
        return kept.history()[0].id


def cut_short(work: Work, name: str = SECOND, temper: Temper = GONE) -> str:
    """Push to both leafs while one has a temper; afterwards it is well, the plan's file gone."""
    work.rename_tenant()
    work.plan()
    work.give(name, temper)
    assert work.fabricgen(*PUSH) in {3, 5}
    work.give(name, WELL)
    (work.folder / "plan.json").unlink()
    return last(work)


def behind(work: Work, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    """Return who is behind, as `history` has it."""
    capsys.readouterr()
    assert work.fabricgen("history", "site", "--format", "json") == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["behind"]
    return found


def writes(work: Work) -> list[str]:
    """Return every request that changed a switch."""
    return [said for said in work.requests() if said.startswith("write")]


def test_a_switch_that_was_unreachable_is_brought_and_the_other_is_left_alone(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the journal alone: the file of the plan is gone."""
    push = cut_short(work)
    before = len(writes(work))
    capsys.readouterr()
    assert work.fabricgen("resume", push, "site") == 0
    assert "done: 1 skipped, 1 confirmed" in capsys.readouterr().out
    assert writes(work)[before:] == ["write commit", "write confirm"]
    assert behind(work, capsys) == []
    assert work.fabricgen("plan", "site") == 0


def test_a_push_whose_gate_was_shut_goes_on_after_mending(work: Work) -> None:
    """It was undone, so it runs what the plan expects."""
    push = cut_short(work, FIRST, Temper(breaks="10.10.11"))
    assert work.fabricgen("plan", "site") == 2
    assert work.fabricgen("resume", push, "site") == 0
    assert work.fabricgen("plan", "site") == 0


def test_who_is_behind_is_said_by_history_and_by_plan(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Since which plan, why and when; in JSON, too."""
    cut_short(work)
    (one,) = behind(work, capsys)
    assert (one["switch"], one["phase"], one["said"]) == (SECOND, "unreachable", "no answer")
    assert one["since"] == one["plan"]
    sentence = f"behind: {SECOND} since plan {one['plan']} (unreachable "
    assert work.fabricgen("history", "site") == 0
    assert sentence in capsys.readouterr().out
    assert work.fabricgen("plan", "site") == 2
    assert sentence in capsys.readouterr().err


def test_a_switch_is_behind_since_the_first_push_that_it_missed(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last one is named, too, since that one can go on."""
    cut_short(work)
    (missed,) = behind(work, capsys)
    work.intend("10.10.11.0/24", "10.10.12.0/24")
    work.plan()
    work.give(SECOND, GONE)
    assert work.fabricgen(*PUSH) == 3
    (one,) = behind(work, capsys)
    assert (one["since"], one["push"]) == (missed["since"], last(work))
    assert work.fabricgen("history", "site") == 0
    said = capsys.readouterr().out
    assert f"since plan {one['since']} (unreachable " in said
    assert f" in plan {one['plan']}: no answer)" in said


def test_a_switch_that_the_plan_could_not_ask_is_behind_and_needs_a_plan(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody reviewed what it would get."""
    work.rename_tenant()
    work.give(SECOND, GONE)
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 3
    assert work.fabricgen(*PUSH) == 3
    work.give(SECOND, WELL)
    assert [one["switch"] for one in behind(work, capsys)] == [SECOND]
    before = work.everything()
    assert work.fabricgen("resume", last(work), "site") == 3
    assert f"unreachable: {SECOND}" in capsys.readouterr().out
    assert work.everything() == before


def test_who_is_seen_to_run_what_is_rendered_is_behind_no_more(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The intent was taken back, and there is nothing to push."""
    cut_short(work, FIRST, Temper(breaks="10.10.11"))
    assert {one["phase"] for one in behind(work, capsys)} == {"rolled-back", "canceled"}
    work.intend("10.10.11.0/24", "10.10.10.0/24")
    assert work.fabricgen("plan", "site", "--limit", FIRST) == 0
    assert [one["switch"] for one in behind(work, capsys)] == [SECOND]
    assert work.fabricgen("plan", "site") == 0
    assert behind(work, capsys) == []


REFUSED: dict[str, tuple[Callable[[Work], object], str]] = {
    "a switch was changed by hand": (
        lambda work: work.running(SECOND).write_text("by hand\n"),
        "running configuration changed since the plan was created; create a new plan",
    ),
    "a switch that is done was changed by hand": (
        lambda work: work.running(FIRST).write_text("by hand\n"),
        "running configuration changed since the plan was created; create a new plan",
    ),
    "the intent was changed": (
        lambda work: work.intend("10.10.11.0/24", "10.10.12.0/24"),
        f"is stale: the rendered configuration of {FIRST} and 1 more differs from the plan",
    ),
    "a switch left the intent": (
        lambda work: work.intend("leafs: 1-2", "leafs: 1-1"),
        f"is stale: the rendered configuration of {SECOND} differs from the plan",
    ),
}


@pytest.mark.parametrize(("change", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_as_it_was_is_refused(
    work: Work, capsys: pytest.CaptureFixture[str], change: Callable[[Work], object], said: str
) -> None:
    """Exit code 4, with what to do, and nothing is written."""
    push = cut_short(work)
    change(work)
    before = work.everything()
    capsys.readouterr()
    assert work.fabricgen("resume", push, "site") == 4
    assert said in capsys.readouterr().out
    assert work.everything() == before


def test_a_plan_that_is_too_old_does_not_go_on(
    work: Work, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As `push` refuses it, before anybody is asked."""
    push = cut_short(work)
    age = document.Plan.age
    monkeypatch.setattr(
        document.Plan,
        "age",
        lambda plan, _: age(plan, datetime.now(UTC) + timedelta(hours=25)),
    )
    asked = work.requests()
    assert work.fabricgen("resume", push, "site") == 4
    assert "25 hours old: create a new plan, or raise --max-age" in capsys.readouterr().err
    assert work.requests() == asked
    assert work.fabricgen("resume", push, "site", "--max-age", "26") == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_pushes_that_can_go_on_are_listed(
    work: Work, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    """With who is behind; nothing of a push that came through."""
    push = cut_short(work)
    capsys.readouterr()
    assert work.fabricgen("resume", "site", "--format", form) == 0
    said = capsys.readouterr().out
    assert push in said
    assert SECOND in said
    assert FIRST not in said
    assert work.fabricgen("resume", push, "site") == 0
    capsys.readouterr()
    assert work.fabricgen("resume", "site", "--format", form) == 0
    assert push not in capsys.readouterr().out


def test_what_is_no_push_of_the_site_cannot_go_on(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """A rollback goes on by itself; an id may be mistyped; a plan may be kept no more."""
    push = cut_short(work)
    with journal(work) as kept:
        plan = kept.history()[0].plan
        assert kept.plan("another") is None
    assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    assert work.fabricgen("resume", last(work), "site") == 1
    assert "it was a rollback: run the same `rollback` again to continue" in capsys.readouterr().err
    assert work.fabricgen("resume", "push-0123", "site") == 1
    assert "no push push-0123 of small in the journal site/" in capsys.readouterr().err
    assert work.fabricgen("resume", push, "other") == 1


def test_a_plan_that_is_too_large_is_not_kept(
    work: Work, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The push goes on without; its file is what one goes on with."""
    monkeypatch.setattr(plans, "LARGEST", 1000)
    push = cut_short(work)
    assert work.fabricgen("resume", push, "site") == 1
    assert "no longer in the journal: use `push --plan FILE`, or create a new plan" in (
        capsys.readouterr().err
    )
    assert work.fabricgen("resume", "site") == 0
    assert "no longer in the journal: use `push --plan FILE`, or create a new plan" in (
        capsys.readouterr().out
    )


def test_a_kept_plan_has_no_secret(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal is not a place for one."""
    secret = HASH.replace("6f2c1e", "000000")
    monkeypatch.setenv("ADMIN_HASH", secret)
    cut_short(work)
    with journal(work) as kept:
        text = kept.plan(kept.history()[0].plan)
    assert text is not None
    assert "hidden" in text
    assert HASH not in text
    assert secret not in text


def test_a_push_that_was_cut_off_is_not_rolled_back_but_gone_on_with(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its switches are undone by themselves: there is nothing yet to give back."""
    cut_short(work)
    plan = "0123456789ab"
    with journal(work) as kept, kept.lock("small", plan, "ann") as held:
        begun = held.start(Kind.PUSH, "0.1.0", plan)
        held.record(begun, [Step(switch=LEAFS[0], phase=Phase.ARMED, batch=1)])
    assert work.fabricgen("rollback", plan, "site", "--yes") == 1
    assert (
        f"no switch that plan {plan} changed; {LEAFS[0]} undoes its interrupted push, "
        "or `fabricgen resume` continues it" in (capsys.readouterr().err)
    )

"""`fabricgen maintenance`: traffic leaves, people work, traffic comes back; killed and repeated."""

import json
import signal
from pathlib import Path

import pytest
from tests.deploy.fakes.nursery import Nursery
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, SITE, Work, equipped
from tests.deploy.verbs.test_drain import prepending

from fabricgen.cli import maintenance

SPINE, OTHER = "fe-spine1", "fe-spine2"
BEGIN, END = ("begin", SPINE, "--yes"), ("end", SPINE, "--yes")
FOUR = SITE.replace("count: 2", "count: 4")


@pytest.fixture(autouse=True)
def verified(monkeypatch: pytest.MonkeyPatch) -> list[set[str]]:
    """Stand in for `verify`, as fakes have no running state: who is drained in each."""
    drains: list[set[str]] = []

    def after_push(asked: object, form: str, drained: set[str]) -> tuple[int, dict[str, object]]:
        del asked, form
        drains.append(drained)
        return 0, {"switches": []}

    monkeypatch.setattr(maintenance, "after_push", after_push)
    return drains


def maintained(work: Work, step: str, *words: str) -> int:
    return work.fabricgen("maintenance", step, "site", *words)


def test_a_spine_goes_and_comes_back(
    work: Work, capsys: pytest.CaptureFixture[str], verified: list[set[str]]
) -> None:
    """What verify compares with has the spine drained between the two, and not at last."""
    before = work.everything()
    assert maintained(work, *BEGIN) == 0
    assert "1 confirmed" in capsys.readouterr().out
    assert prepending(work) == {SPINE}
    assert maintained(work, *BEGIN) == 0
    assert "nothing was pushed" in capsys.readouterr().out
    assert maintained(work, *END) == 0
    assert work.everything() == before
    assert verified == [{SPINE}, {SPINE}, set()]


def test_without_a_word_nothing_is_changed_and_what_is_next_is_said(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """How it stands, what is left, the steps, and the plan in a file."""
    before = work.everything()
    assert maintained(work, "status", SPINE, "-o", "plan.json") == 2
    said = capsys.readouterr().out
    assert f"{SPINE}: active" in said
    assert f"while {SPINE} is drained:" in said
    assert f"selected {SPINE}  1      100 %" in said
    assert "spines: 1 of 2 stay" in said
    begins, ends = (f"fabricgen maintenance {step} site {SPINE}" for step in ("begin", "end"))
    assert f"next: {begins}; the work; {ends}\n" in said
    assert work.everything() == before
    assert maintained(work, "begin", SPINE, "--plan", "plan.json") == 0
    capsys.readouterr()
    assert maintained(work, "status", SPINE, "-o", "back.json") == 2
    said = capsys.readouterr().out
    assert f"{SPINE}: drained: other switches carry its traffic" in said
    assert f"next: fabricgen maintenance end site {SPINE}\n" in said
    assert maintained(work, "begin", SPINE, "--plan", "back.json") == 64
    assert maintained(work, "end", SPINE, "--plan", "back.json") == 0
    assert work.everything() == before


def test_json_is_the_document_of_the_plan_alone(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    assert maintained(work, "status", SPINE, "--format", "json") == 2
    assert json.loads(capsys.readouterr().out)["drain"] == [SPINE]


def test_json_of_the_work_is_events_and_one_document_at_the_end(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """How the push ended, and what verify said after it."""
    assert maintained(work, *BEGIN, "--format", "json") == 0
    *events, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert all("event" in each for each in events)
    assert (last["result"], last["verify"]) == ("done", {"switches": []})


def test_differences_after_the_push_are_its_exit_code(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(maintenance, "after_push", lambda *_: (2, {}))
    assert maintained(work, *BEGIN) == 2


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (["fe-leaf01"], "FG841 fe-leaf01 cannot be drained: fe-leaf01-h1 has no bond with another"),
        (["fe-spine3"], "no switch 'fe-spine3' in this site"),
    ],
)
@pytest.mark.parametrize("way", [["status"], ["begin", "--yes"]])
def test_what_can_never_be_is_said_before_a_switch_is_asked(
    work: Work, capsys: pytest.CaptureFixture[str], names: list[str], why: str, way: list[str]
) -> None:
    assert maintained(work, way[0], *names, *way[1:]) == 1
    assert why in capsys.readouterr().err
    assert work.requests() == []


def test_a_state_of_the_intent_is_left_to_the_intent(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.intend("frontend:\n", f"frontend:\n  switches: {{{SPINE}: {{state: drained}}}}\n")
    assert maintained(work, *END) == 1
    assert f"{SPINE} has `state: drained` in the intent" in capsys.readouterr().err


def test_two_that_stand_in_for_each_other_go_one_after_the_other(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Said with the floor; both at once are refused, and the second one while the first is away."""
    assert maintained(work, "status", SPINE, OTHER) == 2
    said = capsys.readouterr().out
    assert f"not together; order: {SPINE}, then {OTHER}; run" in said
    assert f"next: fabricgen maintenance begin site {SPINE}" in said
    assert maintained(work, "begin", SPINE, OTHER, "--yes") == 1
    assert "these switches cannot be drained together" in capsys.readouterr().err
    assert maintained(work, *BEGIN) == 0
    assert maintained(work, "begin", OTHER, "--yes") == 1
    assert prepending(work) == {SPINE}


def test_two_go_together_where_the_floor_lets_them_and_come_back_one_by_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who comes back first leaves the other drained; batches are those of a push."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADMIN_HASH", HASH)
    work = equipped(tmp_path, FOUR)
    before = work.everything()
    assert maintained(work, "begin", SPINE, OTHER, "--yes") == 1
    assert maintained(work, "begin", SPINE, OTHER, "--yes", "--min-available", "50") == 0
    assert prepending(work) == {SPINE, OTHER}
    assert maintained(work, *END, "--min-available", "50") == 0
    assert prepending(work) == {OTHER}
    assert maintained(work, "end", OTHER, "--yes") == 0
    assert work.everything() == before


def test_what_others_would_get_with_it_is_refused(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """An intent that was edited meanwhile does not go along; with --limit it stays behind."""
    work.rename_tenant()
    assert maintained(work, *BEGIN) == 1
    assert "fe-leaf01 and 1 more would change, too" in capsys.readouterr().err
    assert maintained(work, *BEGIN, "--limit", "fe-spine*") == 0
    assert prepending(work) == {SPINE}


def test_work_does_not_begin_on_what_is_not_as_rendered(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.running(SPINE).write_text(work.running(SPINE).read_text().replace("maximum-paths", "x"))
    assert maintained(work, *BEGIN) == 1
    assert "has drifted from the rendered configuration" in capsys.readouterr().err


def test_nobody_is_drained_whose_stand_in_does_not_answer(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.give(OTHER, Temper(gone=True))
    assert maintained(work, *BEGIN) == 1
    assert f"no state from the redundant switch {OTHER}" in capsys.readouterr().err


def test_without_a_terminal_somebody_has_to_say_yes(work: Work) -> None:
    assert maintained(work, "begin", SPINE) == 64
    assert prepending(work) == set()


def killed(work: Work, moment: str) -> None:
    """Begin, and die at the first moment of a kind."""
    nursery = Nursery()
    try:
        words = " ".join(("maintenance", BEGIN[0], "site", *BEGIN[1:]))
        assert nursery.push(work.folder, moment, 1, words) == -signal.SIGKILL
    finally:
        nursery.close()


@pytest.mark.parametrize("moment", ["write commit", "write confirm"])
def test_one_that_was_killed_goes_on_when_it_is_called_again(
    work: Work, capsys: pytest.CaptureFixture[str], moment: str
) -> None:
    """By the plan that the journal keeps."""
    before = work.everything()
    killed(work, moment)
    maintained(work, "status", SPINE)
    assert f"{SPINE}: incomplete: push-" in capsys.readouterr().out
    assert maintained(work, *BEGIN) == 0
    assert ", which was interrupted" in capsys.readouterr().err
    assert prepending(work) == {SPINE}
    assert maintained(work, *END) == 0
    assert work.everything() == before


def test_one_that_was_killed_turns_back_when_its_switch_is_free(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """What waits for its confirmation is held by the first plan: said, with both ways out."""
    before = work.everything()
    killed(work, "write confirm")
    assert maintained(work, *END) == 1
    why = f"{SPINE} cannot change direction now (the commit of plan"
    said = capsys.readouterr().err
    assert why in said
    assert "`begin` to resume that push and then `end`, or wait" in said
    pending = work.folder / "switches" / SPINE / "commit"
    pending.write_text(json.dumps(json.loads(pending.read_text()) | {"until": 0.0}))
    assert maintained(work, *END) == 0
    assert work.everything() == before

"""Both sides of a plan, a push and the running switches: what is known, and what is not."""

import json
from pathlib import Path

import click
import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, LEAFS, Work

from fabricgen.cli.live_sides import live_sides
from fabricgen.cli.switch_options import SiteSelection
from fabricgen.operate.deploy import setup
from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.plan.document import (
    as_text,
    identified,
    read_plan,
    readable,
    write_plan,
)
from fabricgen.review.plans import pair_of_plan
from fabricgen.review.pushes import pair_of_push
from fabricgen.review.side import Side

FOLDERS = {f"frontend/{name}" for name in LEAFS}
SPINES = {"frontend/fe-spine1", "frontend/fe-spine2"}


def lines(side: Side, folder: str) -> set[str]:
    """Return the lines of a device, whatever their file."""
    own = (text for path, text in side.files.items() if path.startswith(f"{folder}/"))
    return {line.strip() for text in own for line in text.splitlines()}


def changed(pair: tuple[Side, Side], folder: str) -> tuple[set[str], set[str]]:
    """Return the lines of one side alone."""
    before, after = (lines(side, folder) for side in pair)
    return before - after, after - before


OLD, NEW = "address 10.10.10.1/24", "address 10.10.11.1/24"


def pushed(work: Work) -> str:
    """Push a change, and return the id of the push."""
    work.rename_tenant()
    assert work.fabricgen("push", "site", "--yes") == 0
    return newest()


def newest() -> str:
    with Journal.open(journal_of(Path("site"))) as journal:
        return journal.history()[0].id


def of_push(identity: str) -> tuple[Side, Side]:
    with Journal.open(journal_of(Path("site"))) as journal:
        return pair_of_push(journal, identity)


def test_a_plan_gives_the_changed_lines_of_both_sides(work: Work) -> None:
    work.rename_tenant()
    plan = work.plan()
    pair = pair_of_plan(Path("plan.json"))
    assert set(pair[0].tree) == FOLDERS
    assert pair[1].unchanged == SPINES
    for folder in FOLDERS:
        gone, new = changed(pair, folder)
        assert OLD in gone
        assert NEW in new
    assert pair[1].name == f"plan {plan['id']}"
    assert pair[1].unknown == {}
    assert {reason.risk.word for reason in pair[1].reasons[min(FOLDERS)]} >= {"session-reset"}


def test_a_cut_difference_is_not_known(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "LINES", 5)
    work.rename_tenant()
    work.plan()
    before, after = pair_of_plan(Path("plan.json"))
    assert dict(before.files) == dict(after.files) == {}
    why = "not known: the plan stores only the first 5 lines of its difference"
    assert after.unknown == dict.fromkeys(FOLDERS, why)
    assert after.reasons.keys() == FOLDERS


def test_a_difference_that_does_not_fit_its_hash_is_not_known(work: Work) -> None:
    work.rename_tenant()
    work.plan()
    plan = read_plan(Path("plan.json"))
    entries = tuple(
        entry.model_copy(update={"diff": entry.diff.replace("10.10.11", "10.10.12")})
        for entry in plan.switches
    )
    write_plan(Path("forged.json"), identified(plan.model_copy(update={"switches": entries})))
    assert pair_of_plan(Path("forged.json"))[1].unknown.keys() == FOLDERS


def test_a_switch_that_did_not_answer_is_not_known(work: Work) -> None:
    work.rename_tenant()
    work.give("fe-spine2", Temper(gone=True))
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 3
    unknown = pair_of_plan(Path("plan.json"))[1].unknown
    assert unknown.keys() == {"frontend/fe-spine2"}
    assert "unreachable" in unknown["frontend/fe-spine2"]


@pytest.mark.parametrize("text", ["{}", '{"format_version": 99}', "no"])
def test_another_file_is_no_plan(work: Work, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("plan.json").write_text(text)
    assert work.fabricgen("diff", "plan.json") == 1
    assert "plan.json" in capsys.readouterr().err


def test_diff_of_a_plan_needs_no_other_side(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    work.rename_tenant()
    work.plan()
    asked = len(work.requests())
    assert work.fabricgen("diff", "plan.json") == 2
    said = capsys.readouterr()
    assert NEW in said.out
    assert "a plan stores differences, not files" in said.out
    assert len(work.requests()) == asked
    assert work.fabricgen("diff", "site") == 64


def test_a_push_changed_what_its_plan_has(work: Work) -> None:
    pair = of_push(pushed(work))
    for folder in FOLDERS:
        assert OLD in changed(pair, folder)[0]
        assert NEW in changed(pair, folder)[1]
    assert pair[0].unknown == {}


def test_a_rollback_changed_the_opposite(work: Work) -> None:
    pushed(work)
    with Journal.open(journal_of(Path("site"))) as journal:
        plan = journal.history()[0].plan
    assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    pair = of_push(newest())
    assert pair[0].unknown == {}
    for folder in FOLDERS:
        assert NEW in changed(pair, folder)[0]
        assert OLD in changed(pair, folder)[1]


def forge_running(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the journal have plans that were made for another running configuration."""
    found = Journal.plan

    def forged(journal: Journal, identity: str) -> str | None:
        plan = readable(found(journal, identity))
        assert plan is not None
        entries = tuple(e.model_copy(update={"running": "0" * 64}) for e in plan.switches)
        return as_text(identified(plan.model_copy(update={"switches": entries})))

    monkeypatch.setattr(Journal, "plan", forged)


def test_the_change_of_a_switch_that_ran_something_else_is_not_known(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = pushed(work)
    forge_running(monkeypatch)
    _, after = of_push(identity)
    assert after.unknown.keys() == FOLDERS
    assert "another configuration before the push" in after.unknown[min(FOLDERS)]
    assert dict(after.files) == {}


def test_a_rollback_to_something_else_is_not_known(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    pushed(work)
    with Journal.open(journal_of(Path("site"))) as journal:
        plan = journal.history()[0].plan
    assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    forge_running(monkeypatch)
    _, after = of_push(newest())
    assert after.unknown.keys() == FOLDERS
    assert "did not restore exactly" in after.unknown[min(FOLDERS)]


def test_a_switch_that_a_push_did_not_reach_is_unchanged(work: Work) -> None:
    work.rename_tenant()
    work.plan()
    work.give("fe-leaf02", Temper(gone=True))
    assert work.fabricgen("push", "site", "--plan", "plan.json") != 0
    _, after = of_push(newest())
    assert set(after.tree) <= {"frontend/fe-leaf01"}
    assert "frontend/fe-leaf02" in after.unchanged
    notes = "\n".join(after.notes)
    assert "fe-leaf02" in notes


def test_without_its_plan_a_push_is_not_known(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    identity = pushed(work)
    monkeypatch.setattr(Journal, "plan", lambda *_: None)
    _, after = of_push(identity)
    assert after.unknown.keys() == {f"switches/{name}" for name in LEAFS}
    assert "it keeps a plan for 30 days" in after.unknown["switches/fe-leaf01"]
    assert work.fabricgen("diff", "site", "--push", identity) == 3
    assert "not known" in capsys.readouterr().out


def test_an_unknown_push_is_an_error(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    pushed(work)
    assert work.fabricgen("diff", "site", "--push", "push-0") == 1
    assert "no push push-0 in the journal" in capsys.readouterr().err


def selection() -> SiteSelection:
    return SiteSelection(site=Path("site"), inventory=Path("inventory"), lab=None, journal=None)


def test_running_switches_have_complete_files_without_secrets(work: Work) -> None:

    work.rename_tenant()
    work.give("fe-spine2", Temper(gone=True))
    with click.Context(click.Command("diff")):
        before, after = live_sides(selection())
    assert set(before.tree) == FOLDERS
    assert after.site is not None
    assert after.unchanged == {"frontend/fe-spine1"}
    assert after.unknown.keys() == {"frontend/fe-spine2"}
    for folder in FOLDERS:
        assert "etc/frr/frr.conf" in before.tree[folder]
        assert (
            next(iter(changed((before, after), folder)[0] & {OLD}), ""),
            next(iter(changed((before, after), folder)[1] & {NEW}), ""),
        ) == (OLD, NEW)
    assert HASH not in json.dumps([dict(before.files), dict(after.files)])

"""A leaf that comes, one that goes, and another box in the place of one."""

import json
import shutil

import pytest
from tests.deploy.fakes.temper import Temper, make_fakes
from tests.deploy.verbs.conftest import Work

from fabricgen.operate.deploy.journal.journal import Journal

NEW = "fe-leaf03"
SPINES = {"fe-spine1", "fe-spine2"}
GONE = "removed: plan "


def changed(work: Work, before: dict[str, str]) -> set[str]:
    return {name for name, text in work.everything().items() if text != before.get(name)}


def test_a_new_leaf_is_waited_for_and_pushed_to_once_it_answers(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    before = work.everything()
    work.intend("leafs: 1-2,", "leafs: 1-3,")
    assert work.fabricgen("push", "site", "--yes") == 3
    assert f"unreachable: {NEW}" in capsys.readouterr().out
    assert changed(work, before) == SPINES
    make_fakes(work.folder / "switches", {NEW: f"hostname {NEW}\n"})
    assert work.fabricgen("push", "site", "--yes") == 0
    assert changed(work, before) == {*SPINES, NEW}
    assert "removed: plan" not in capsys.readouterr().err
    assert work.fabricgen("plan", "site") == 0


def test_a_leaf_that_answers_may_go_before_the_spines_lead_to_it(work: Work) -> None:
    work.intend("leafs: 1-2,", "leafs: 1-3,")
    make_fakes(work.folder / "switches", {NEW: f"hostname {NEW}\n"})
    before = work.everything()
    assert work.fabricgen("push", "site", "--yes", "--limit", NEW) == 0
    assert changed(work, before) == {NEW}
    assert work.fabricgen("push", "site", "--yes") == 0
    assert changed(work, before) == {*SPINES, NEW}


def test_a_leaf_that_went_is_named_until_the_others_were_pushed_to_without_it(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.rename_tenant()
    assert work.fabricgen("push", "site", "--yes") == 0
    before = work.everything()
    assert "removed: plan" not in capsys.readouterr().err
    work.intend("leafs: 1-2,", "leafs: 1-1,")
    assert work.fabricgen("plan", "site", "--limit", "fe-leaf01") == 0
    assert "removed: plan" not in capsys.readouterr().err
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 2
    said = capsys.readouterr().err
    assert GONE in said
    assert said.count("removed: plan") == 1
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert changed(work, before) == SPINES
    capsys.readouterr()
    assert work.fabricgen("plan", "site") == 0
    assert "removed: plan" not in capsys.readouterr().err
    plan = json.loads((work.folder / "plan.json").read_text())["id"]
    assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    assert work.everything() == before


def test_a_leaf_that_a_later_plan_knew_unchanged_is_named_all_the_same(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """That plan was of all the others, too, but with it."""
    work.intend("frontend:\n", "frontend:\n  underlay: {bfd: {multiplier: 5}}\n")
    assert work.fabricgen("push", "site", "--yes", "--limit", "fe-leaf02") == 0
    first = capsys.readouterr().err.partition("push of ")[2][:12]
    assert work.fabricgen("push", "site", "--yes") == 0
    work.intend("leafs: 1-2,", "leafs: 1-1,")
    assert work.fabricgen("plan", "site") == 2
    assert f"{GONE}{first} changed fe-leaf02" in capsys.readouterr().err
    assert work.fabricgen("push", "site", "--yes") == 0
    capsys.readouterr()
    assert work.fabricgen("plan", "site") == 0
    assert "removed: plan" not in capsys.readouterr().err


def test_while_nobody_is_gone_no_plan_of_the_journal_is_read(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A plan of 2,000 switches takes a tenth of a second, and a journal keeps those of a month."""
    work.rename_tenant()
    assert work.fabricgen("push", "site", "--yes") == 0
    read: list[str] = []
    monkeypatch.setattr(Journal, "plan", lambda _, identity: read.append(identity))
    assert work.fabricgen("plan", "site") == 0
    assert not read
    work.intend("leafs: 1-2,", "leafs: 1-1,")
    assert work.fabricgen("plan", "site") == 2
    assert len(read) == 1


def test_a_switch_that_was_renamed_is_not_gone(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.rename_tenant()
    assert work.fabricgen("push", "site", "--yes") == 0
    names = '  names: {leaf: "l{index}", previous_name: {leaf: "fe-leaf{index:02}"}}\n'
    work.intend("  leaf_groups:\n", f"{names}  leaf_groups:\n")
    (work.folder / "inventory" / "hosts.yaml").write_text(
        "l1: {known_as: fe-leaf01}\nl2: {known_as: fe-leaf02}\n"
    )
    assert work.fabricgen("push", "site", "--yes") == 0
    work.intend(', previous_name: {leaf: "fe-leaf{index:02}"}', "")
    assert work.fabricgen("plan", "site") == 0
    assert "removed: plan" not in capsys.readouterr().err


def test_another_box_in_the_same_place_is_pushed_to_under_its_number(work: Work) -> None:
    before = work.everything()
    work.intend("  leaf_groups:\n", "  switches: {fe-leaf02: {serial: B2}}\n  leaf_groups:\n")
    shutil.rmtree(work.folder / "switches" / "fe-leaf02")
    make_fakes(work.folder / "switches", {"fe-leaf02": "hostname debian\n"})
    work.give("fe-leaf02", Temper(serial="B1"))
    assert work.fabricgen("push", "site", "--yes") == 3
    assert changed(work, before) == {"fe-leaf02"}
    work.give("fe-leaf02", Temper(serial="B2"))
    assert work.fabricgen("push", "site", "--yes") == 0
    assert work.everything() == before

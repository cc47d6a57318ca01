"""Switches that get another name, or are another box: plan, push, rollback and its own rollback."""

import json
from typing import Any

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import Work

NEW = ("leaf1", "leaf2")
PATTERNS = '  names: {leaf: "leaf{index}", previous_name: {leaf: "fe-leaf{index:02}"}}\n'
KEYS = "leaf1: {known_as: fe-leaf01}\nleaf2: {known_as: fe-leaf02}\n"


def rename(work: Work, patterns: str = PATTERNS) -> None:
    """Name the leafs by another pattern; their host keys are trusted under the former names."""
    work.intend("  leaf_groups:\n", f"{patterns}  leaf_groups:\n")
    (work.folder / "inventory" / "hosts.yaml").write_text(KEYS)


def pushes(work: Work, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    assert work.fabricgen("history", "site", "--format", "json") == 0
    said: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["pushes"]
    return said


def test_a_renaming_goes_there_and_back_and_there_again(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    before = work.everything()
    rename(work)
    plan = work.plan()
    changing = {each["switch"] for each in plan["switches"] if each["state"] == "changes"}
    assert changing == {*NEW, "fe-spine1", "fe-spine2"}  # spines describe ports by the leaf's name
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    after = work.everything()
    assert "\nhostname leaf1\n" in after["fe-leaf01"]
    assert work.fabricgen("plan", "site") == 0
    assert work.fabricgen("rollback", plan["id"], "site", "--yes") == 0
    assert work.everything() == before
    back = pushes(work, capsys)[0]["plan"]
    assert work.fabricgen("rollback", back, "site", "--yes") == 0
    assert work.everything() == after


def test_a_plan_from_before_the_renaming_is_rolled_back_under_the_names_of_now(
    work: Work,
) -> None:
    before = work.everything()
    work.rename_tenant()
    plan = work.plan()
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    rename(work)
    assert work.fabricgen("rollback", plan["id"], "site", "--yes") == 0
    assert work.everything() == before


def test_a_limit_names_the_switch_of_now(work: Work) -> None:
    before = work.everything()
    rename(work)
    words = ("--yes", "--limit", "leaf1")
    assert work.fabricgen("push", "site", *words) == 0
    changed = {name for name, text in work.everything().items() if text != before[name]}
    assert changed == {"fe-leaf01"}


def test_a_name_that_nobody_declared_is_refused(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    rename(work, '  names: {leaf: "leaf{index}"}\n')
    assert work.fabricgen("plan", "site", "--limit", "leaf1") == 3
    assert "wrong switch: expected leaf1, its host name is 'fe-leaf01'" in capsys.readouterr().out


def test_another_box_is_refused_and_the_declared_one_is_taken_with_its_factory_name(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.intend("  leaf_groups:\n", "  switches: {fe-leaf01: {serial: NEW-1}}\n  leaf_groups:\n")
    work.rename_tenant()
    work.give("fe-leaf01", Temper(serial="OLD-9"))
    assert work.fabricgen("plan", "site", "--limit", "fe-leaf01") == 3
    assert "serial number is OLD-9, the intent has NEW-1 for fe-leaf01" in capsys.readouterr().out
    work.give("fe-leaf01", Temper(serial="NEW-1", hostname="debian"))
    assert work.fabricgen("push", "site", "--yes", "--limit", "fe-leaf01") == 0
    assert "10.10.11.1" in work.running("fe-leaf01").read_text()

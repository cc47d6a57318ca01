"""A plan has the verdict of its declared change, and a push applies only a plan that passes."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.deploy.verbs.conftest import Work

from fabricgen.api.changes import reviewed
from fabricgen.operate.deploy.plan.document import read_plan
from fabricgen.review.declare import declare
from fabricgen.review.sides import read_sides

DECLARED = ("--declared", "change.yaml", "--base", "base")


@pytest.fixture
def edited(work: Work) -> Work:
    """Return a site with a changed gateway, its base and its declared change."""
    shutil.copytree(work.folder / "site", work.folder / "base")
    work.rename_tenant()
    review = reviewed(*read_sides("base", "site"))
    (work.folder / "change.yaml").write_text(declare(review, "the gateway moves"))
    return work


def declared_of(work: Work) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((work.folder / "plan.json").read_text())["declared"]
    return found


def test_a_plan_as_declared_is_pushed(edited: Work) -> None:
    edited.plan(*DECLARED)
    own = declared_of(edited)
    assert (own["verdict"], own["reasons"], own["base"]) == ("as declared", [], "base")
    assert edited.fabricgen("push", "site", "--plan", "plan.json") == 0


def test_a_plan_of_another_change_is_not_pushed(
    edited: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    path = edited.folder / "change.yaml"
    path.write_text("meaning: m\neffects: [{effect: added vlan 4000}]\n")
    before = edited.everything()
    assert edited.fabricgen("plan", "site", "-o", "plan.json", *DECLARED) == 4
    assert "verdict: not declared: do not apply (change.yaml" in capsys.readouterr().out
    assert edited.fabricgen("push", "site", "--plan", "plan.json") == 4
    assert "not declared: do not apply (change.yaml)" in capsys.readouterr().err
    assert edited.everything() == before


def test_a_switch_that_drifted_does_more_than_declared(edited: Work) -> None:
    path = edited.running("fe-spine1")
    path.write_text(path.read_text().replace("bgp router-id", "bgp router-id 9.9.9.9\n ! was"))
    assert edited.fabricgen("plan", "site", "-o", "plan.json", *DECLARED) == 4
    own = declared_of(edited)
    assert own["verdict"] == "not declared: do not apply"
    assert all(reason.startswith("fe-spine1: ") for reason in own["reasons"])
    assert any("9.9.9.9" in reason for reason in own["reasons"])


def test_a_plan_without_a_declared_change_has_no_such_key(edited: Work) -> None:
    assert "declared" not in edited.plan()
    assert read_plan(Path("plan.json")).declared is None


def test_an_edited_verdict_is_noticed(edited: Work) -> None:
    edited.plan(*DECLARED)
    path = edited.folder / "plan.json"
    path.write_text(path.read_text().replace("the gateway moves", "anything"))
    assert edited.fabricgen("push", "site", "--plan", "plan.json") != 0


@pytest.mark.parametrize("words", [DECLARED[:2], DECLARED[2:]])
def test_a_declared_change_needs_its_base(edited: Work, words: tuple[str, ...]) -> None:
    assert edited.fabricgen("plan", "site", *words) == 64

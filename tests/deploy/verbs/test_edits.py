"""The plans of ordinary edits: who changes, in which batches, and that each step is pushed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from bench.edits import EDITS, FASTER
from tests.deploy.verbs.conftest import equipped

if TYPE_CHECKING:
    from pathlib import Path

MODELS = {"LAB-8-400": "SN4700", "LAB-12": "LAB-64", "LAB-8": "7050CX3-32S"}
LEAFS = [["fe-leaf01"], ["fe-leaf02"], ["fe-leaf03"]]
ENDS = [["fe-spine1"], ["fe-leaf02"]]
BATCHES: dict[str, list[list[list[str]]]] = {
    "move": [[["fe-leaf03"]], [["fe-leaf01"]]],
    "nic": [LEAFS],
    "upgrade": [[["fe-spine1"]], LEAFS, [["fe-spine1"], *LEAFS]],
    "upgraded": [[["fe-spine2"]], LEAFS, [["fe-spine2"], *LEAFS], LEAFS],
    "model": [[["fe-leaf03"]], [["fe-spine1"], ["fe-spine2"]]],
    "link": [ENDS, ENDS, ENDS, ENDS, ENDS],
    "split": [[]],
}
"""The batches of each step."""


def _shipped(text: str) -> str:
    for few, many in MODELS.items():
        text = text.replace(few, many)
    return text


@pytest.mark.parametrize("name", EDITS)
def test_each_step_is_planned_in_this_order_and_pushed(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    edit = EDITS[name]
    work = equipped(tmp_path, _shipped(edit.before))
    for step, batches in zip(edit.steps, BATCHES[name], strict=True):
        (tmp_path / "site" / "site.yaml").write_text(_shipped(step.intent))
        if not batches:
            assert work.fabricgen("plan", "site") == 0
            continue
        plan = work.plan(*step.words)
        assert [each["switches"] for each in plan["batches"]] == batches
        assert plan["splits"] == []
        assert work.fabricgen("push", "site", "--plan", "plan.json", "--yes") == 0
    assert work.fabricgen("plan", "site") == 0


def test_all_links_at_once_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """After both spines, and before the first leaf, no link would have two ends."""
    monkeypatch.chdir(tmp_path)
    work = equipped(tmp_path, _shipped(EDITS["upgrade"].before))
    (tmp_path / "site" / "site.yaml").write_text(_shipped(FASTER))
    assert work.fabricgen("plan", "site") not in (0, 2)
    said = "fe-leaf01 and 2 more have no uplink after batch 2"
    assert said in capsys.readouterr().err.replace("\n", " ")
    assert work.fabricgen("push", "site", "--yes") not in (0, 2)

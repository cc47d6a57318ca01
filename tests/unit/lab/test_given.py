"""Pushes to a lab: which intent each switch was given last, there and back."""

from pathlib import Path

import pytest

from fabricgen.operate.lab.given import given, note
from fabricgen.operate.lab.place import Place

NAMES = ("a", "b", "c")


@pytest.fixture
def lab(tmp_path: Path) -> Place:
    folder = tmp_path / "lab"
    folder.mkdir()
    return Place(folder)


def push(lab: Place, change: str, *names: str, back: str | None = None) -> None:
    site = lab.folder.parent / "site"
    (site / "more").mkdir(parents=True, exist_ok=True)
    (site / "more" / "site.yaml").write_text(change)
    note(lab, change, site, names, back)


def intents(lab: Place) -> list[str]:
    found = given(lab, NAMES)
    return [
        "booted" if found[name] == lab.intent else (found[name] / "more" / "site.yaml").read_text()
        for name in NAMES
    ]


def test_a_switch_was_given_what_was_pushed_to_it_last(lab: Place) -> None:
    assert intents(lab) == ["booted", "booted", "booted"]
    push(lab, "one", "a", "b")
    push(lab, "two", "b")
    assert intents(lab) == ["one", "two", "booted"]


def test_a_rollback_gives_back_the_intent_from_before_its_plan(lab: Place) -> None:
    push(lab, "one", "a", "b")
    push(lab, "two", "a", "b")
    push(lab, "back", "a", back="two")
    assert intents(lab) == ["one", "two", "booted"]
    push(lab, "again", "a", back="back")
    push(lab, "first", "b", back="one")
    assert intents(lab) == ["two", "booted", "booted"]


def test_a_plan_that_is_pushed_twice_is_rolled_back_to_before_the_first_time(lab: Place) -> None:
    push(lab, "one", "a")
    push(lab, "one", "a", "b")
    push(lab, "back", "a", "b", back="one")
    assert intents(lab) == ["booted", "booted", "booted"]

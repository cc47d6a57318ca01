"""Pushes that are killed, moment by moment: no switch is left between two configurations."""

import json
import os
import random
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.fakes.ground import Fakes
from tests.deploy.fakes.moments import ANY
from tests.deploy.fakes.nursery import Nursery

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Push, Result
from fabricgen.operate.deploy.push.events import EventKind

SWITCHES = 12
KILLS = int(os.environ.get("FABRICGEN_KILLS", "20"))
"""`make reliability` kills 300 times; docs/evidence/reliability.md has the result."""


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Start one for all tests."""
    nursery = Nursery()
    yield nursery
    nursery.close()


def test_no_kill_leaves_a_switch_between_two_configurations(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Twelve switches, killed over and over: each runs its old or its new one, a rerun ends it."""
    whole = Fakes.of(tmp_path / "whole", SWITCHES)
    assert nursery.push(whole.folder) == 0
    moments = range(1, int((whole.folder / "moments").read_text()) + 1)
    mixed = 0
    for moment in random.Random(5).choices(moments, k=KILLS):
        folder = tmp_path / "killed"
        fakes = Fakes.of(folder, SWITCHES)
        assert nursery.push(folder, ANY, moment) == -signal.SIGKILL
        mixed += 0 < len(fakes.new()) < SWITCHES
        assert nursery.push(folder) == 0, "a rerun did not come through"
        assert fakes.new() == set(fakes.names)
        shutil.rmtree(folder)
    assert mixed > KILLS / 10, "the kills hit nothing worth killing"


@pytest.mark.parametrize("moment", ["running aside", "running replaced"])
@pytest.mark.parametrize("number", range(1, SWITCHES + 1))
def test_the_timers_undo_what_a_killed_push_left(
    nursery: Nursery, tmp_path: Path, moment: str, number: int
) -> None:
    """Nobody comes back: every switch that was not confirmed runs its old configuration again."""
    fakes = Fakes.of(tmp_path, SWITCHES)
    assert nursery.push(tmp_path, moment, number) == -signal.SIGKILL
    pending = list(tmp_path.glob("switches/*/commit"))
    assert pending, "at this moment at least one switch waits for a confirmation"
    for path in pending:
        path.write_text(json.dumps(json.loads(path.read_text()) | {"until": 0.0}))
    looked = fakes.fleet().each(fakes.names, lambda driver, _: driver.unfinished())
    assert {outcome.value for outcome in looked.values()} == {None}
    assert fakes.new().isdisjoint(path.parent.name for path in pending)


def test_the_journal_tells_of_a_push_that_was_killed(nursery: Nursery, tmp_path: Path) -> None:
    """Whoever pushes next ends it in the journal."""
    fakes = Fakes.of(tmp_path, SWITCHES)
    assert nursery.push(tmp_path, "write commit", 1) == -signal.SIGKILL
    assert [push.result for push in pushes(tmp_path)] == [None]
    assert nursery.push(tmp_path) == 0
    assert {push.result for push in pushes(tmp_path)} == {Result.ABANDONED, Result.DONE}
    assert fakes.new() == set(fakes.names)


def pushes(folder: Path) -> list[Push]:
    """Return the pushes of a journal."""
    with Journal.open(folder / "journal.db") as journal:
        return journal.history()


def test_what_was_left_unconfirmed_is_undone_before_any_batch_begins(
    nursery: Nursery, tmp_path: Path
) -> None:
    """A batch is judged by its neighbors, and those stand between two configurations."""
    fakes = Fakes.of(tmp_path, SWITCHES)
    assert nursery.push(tmp_path, "running replaced", 8) == -signal.SIGKILL
    left = {path.parent.name for path in tmp_path.glob("switches/*/commit")}
    assert left
    assert fakes.push([fakes.names]).result is Result.DONE
    begun = next(place for place, it in enumerate(fakes.events) if it.what is EventKind.BATCH)
    undone = {it.switch for it in fakes.events[:begun] if "is undone" in it.said}
    assert undone == left

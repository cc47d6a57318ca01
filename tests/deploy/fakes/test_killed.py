"""Pushes that are killed at random moments: no switch is left between two configurations."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from tests.deploy.fakes.ground import Fakes
from tests.deploy.fakes.temper import installed

from fabricgen.deploy.journal.journal import Journal
from fabricgen.deploy.journal.words import Push, Result

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SWITCHES = 12
KILLS = int(os.environ.get("FABRICGEN_KILLS", "60"))
"""`make reliability` kills 300 times; docs/reliability.md has what came of it."""


class Nursery:
    """The process that starts pushes and kills them."""

    def __init__(self) -> None:
        """Start the process that has everything imported."""
        command = (sys.executable, "-m", "tests.deploy.fakes.nursery")
        self.process = subprocess.Popen(
            command,
            env=installed(os.environ),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def push(self, folder: Path, kill_after: float | None = None) -> int:
        """Push; return the exit code, negative when it was killed."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        seconds = "-" if kill_after is None else f"{kill_after:.4f}"
        self.process.stdin.write(f"{seconds} {folder}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Start one for all tests."""
    made = Nursery()
    yield made
    made.close()


def test_no_kill_leaves_a_switch_between_two_configurations(
    nursery: Nursery, tmp_path: Path
) -> None:
    """Twelve switches, killed over and over: each runs its old or its new one, a rerun ends it."""
    dice = random.Random(5)
    whole = 0.0
    for number in range(3):  # the first ones still read files that later ones find in memory
        once = Fakes.of(tmp_path / f"whole{number}", SWITCHES)
        begun = time.monotonic()
        assert nursery.push(once.folder) == 0
        whole = time.monotonic() - begun
    killed = mixed = 0
    while killed < KILLS:
        folder = tmp_path / "killed"
        fakes = Fakes.of(folder, SWITCHES)
        killed += nursery.push(folder, dice.uniform(0, whole)) < 0
        mixed += 0 < len(fakes.new()) < SWITCHES
        assert nursery.push(folder) == 0, "a rerun did not come through"
        assert fakes.new() == set(fakes.names)
        shutil.rmtree(folder)
    assert mixed > KILLS / 10, "the kills hit nothing worth killing"


def test_the_timers_undo_what_a_killed_push_left(nursery: Nursery, tmp_path: Path) -> None:
    """Nobody comes back: every switch that was not confirmed runs its old configuration again."""
    pending = 0
    for number in range(40):
        folder = tmp_path / str(number)
        fakes = Fakes.of(folder, SWITCHES)
        nursery.push(folder, 0.02 + number * 0.003)
        for path in folder.glob("switches/*/commit"):
            pending += 1
            past = json.loads(path.read_text()) | {"until": time.time() - 1}
            path.write_text(json.dumps(past))  # the clock of the switch, turned forward
        looked = fakes.fleet().each(fakes.names, lambda driver, _: driver.unfinished())
        assert {outcome.value for outcome in looked.values()} == {None}
        fakes.new()
    assert pending


def test_the_journal_tells_of_a_push_that_was_killed(nursery: Nursery, tmp_path: Path) -> None:
    """Whoever pushes next ends it in the journal."""
    for number in range(100):
        folder = tmp_path / str(number)
        fakes = Fakes.of(folder, SWITCHES)
        nursery.push(folder, number * 0.003)
        if any(push.result is None for push in pushes(folder)):
            break
    assert nursery.push(folder) == 0
    assert {push.result for push in pushes(folder)} == {Result.ABANDONED, Result.DONE}
    assert fakes.new() == set(fakes.names)


def pushes(folder: Path) -> list[Push]:
    """Return the pushes of a journal; none when it was not even made."""
    if not (folder / "journal.db").exists():
        return []
    with Journal.open(folder / "journal.db") as journal:
        return journal.history()

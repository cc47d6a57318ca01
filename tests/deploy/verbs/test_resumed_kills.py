"""Pushes of plans that are killed, moment by moment, and go on in another process."""

import os
import random
import shutil
import signal
from pathlib import Path

import pytest
from tests.deploy.fakes.nursery import Nursery
from tests.deploy.verbs.conftest import HASH, SITE, Work, equipped

from fabricgen.operate.deploy.journal.journal import Journal, journal_of

LEAFS = 6
RESUMES = int(os.environ.get("FABRICGEN_RESUMES", "6"))
"""`make reliability` resumes 100 times; docs/evidence/reliability.md has the result."""
PUSH = "push site --plan plan.json"


def test_every_push_that_was_killed_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old or new after the kill, new after `resume`, and no switch waits or is held.

    One that was killed while the switches were looked at did not begin, and is pushed again.
    """
    start = tmp_path / "start"
    start.mkdir()
    monkeypatch.setenv("ADMIN_HASH", HASH)
    monkeypatch.chdir(start)
    moved = equipped(start, SITE.replace("leafs: 1-2", f"leafs: 1-{LEAFS}"))
    moved.rename_tenant()
    moved.plan("--batch", "1,50%", "--min-available", "50")
    nursery, before = Nursery(), moved.everything()
    try:
        whole = copied(start, tmp_path / "whole")
        assert nursery.push(whole.folder, words=PUSH) == 0
        after = whole.everything()
        moments = range(1, int((whole.folder / "moments").read_text()) + 1)
        mixed = 0
        for moment in random.Random(12).choices(moments, k=RESUMES):
            killed = copied(start, tmp_path / "killed")
            assert nursery.push(killed.folder, number=moment, words=PUSH) == -signal.SIGKILL
            left = killed.everything()
            assert all(text in (before[name], after[name]) for name, text in left.items())
            mixed += before != left != after
            with Journal.open(journal_of(killed.folder / "site")) as journal:
                begun = journal.history()
            if begun:
                (killed.folder / "plan.json").unlink()
            again = f"resume {begun[0].id} site" if begun else PUSH
            assert nursery.push(killed.folder, words=again) == 0, moment
            assert killed.everything() == after
            assert not list(killed.folder.glob("switches/*/commit"))
            assert not list(killed.folder.glob("switches/*/claim"))
            shutil.rmtree(killed.folder)
    finally:
        nursery.close()
    assert mixed > RESUMES / 10, "the kills hit nothing worth killing"


def copied(start: Path, folder: Path) -> Work:
    """Return a copy of all that a push begins with."""
    shutil.copytree(start, folder)
    return Work(folder)

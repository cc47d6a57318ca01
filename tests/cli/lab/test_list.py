"""`fabricgen lab list`: labs that answer, boot, are silent, or are left over."""

from __future__ import annotations

import fcntl
import json
import os
from typing import TYPE_CHECKING

import pytest
from tests.cli.calling import call

from fabricgen.operate.lab import listing

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.unit.lab.stand_in import StandIn

FACTS = {
    "site": "/srv/intent/oslo",
    "switches": ["leaf1", "spine1"],
    "since": 1_790_000_000,
    "frr": "8.4.4",
}


def states() -> dict[str, str]:
    data = json.loads(call("lab", "list", "--format", "json").out)
    return {each["name"]: each["state"] for each in data["labs"]}


@pytest.mark.usefixtures("lab")
def test_without_a_lab_it_says_so() -> None:
    ran = call("lab", "list")
    assert (ran.code, ran.out) == (0, "no lab is running; start one with `fabricgen lab up SITE`\n")
    assert states() == {}


def test_a_lab_is_shown_with_all_that_was_noted(lab: Callable[[str], StandIn]) -> None:
    oslo = lab("oslo")
    oslo.up(**FACTS)
    (shown,) = json.loads(call("lab", "list", "--format", "json").out)["labs"]
    assert shown == {
        **FACTS,
        "name": "oslo",
        "folder": str(oslo.place.folder),
        "state": "reachable",
    }
    row = call("lab", "list").out.splitlines()[1].split()
    assert row[:4] == ["oslo", "reachable", "2", "8.4.4"]
    assert "2026-09-21" in row


def test_a_stale_lab_is_named_and_stays(lab: Callable[[str], StandIn]) -> None:
    oslo, bern = lab("oslo"), lab("bern")
    oslo.up(**FACTS)
    bern.up(**FACTS)
    bern.close()
    assert states() == {"oslo": "reachable", "bern": "stale"}
    assert "stale: bern; `fabricgen lab down --lab bern` removes it" in call("lab", "list").out
    assert bern.place.folder.is_dir()


def test_a_lab_whose_folder_is_held_boots(lab: Callable[[str], StandIn]) -> None:
    place = lab("oslo").place
    place.folder.mkdir()
    lock = os.open(place.folder, os.O_RDONLY)
    fcntl.flock(lock, fcntl.LOCK_EX)
    assert states() == {"oslo": "booting"}
    os.close(lock)
    assert states() == {"oslo": "stale"}


def test_a_lab_that_listens_and_has_noted_nothing_boots(lab: Callable[[str], StandIn]) -> None:
    lab("oslo").listen()
    assert states() == {"oslo": "booting"}


def test_a_lab_that_answers_nothing_is_silent(
    lab: Callable[[str], StandIn], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "_PATIENCE", 0.2)
    oslo = lab("oslo")
    oslo.up(**FACTS)
    hung = "hung"

    def fails(_: object) -> None:
        raise ValueError(hung)

    oslo.answers["broken"] = fails
    assert states() == {"oslo": "silent"}

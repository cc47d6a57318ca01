"""Looks at the switches of a lab on a machine that is slow: fewer at a time, and none is silent."""

from pathlib import Path
from typing import Any

import pytest

from fabricgen.operate.lab.client import LabClient, LabFailure

NAMES = ("a", "b", "c", "d", "e")


def answering(monkeypatch: pytest.MonkeyPatch, late: dict[str, int]) -> list[str]:
    """Return whom the lab is asked for. late: how often a switch is late before it answers."""
    asked: list[str] = []

    def call(_: LabClient, op: str, **words: Any) -> dict[str, Any]:
        name = words["name"]
        asked.append(name)
        slow = asked.count(name) <= late.get(name, 0)
        assert (op, words["command"], words["seconds"]) == ("exec", ["sh", "-s"], 120)
        return {"status": 124 if slow else 0, "stdout": words["text"] * 2, "stderr": ""}

    monkeypatch.setattr(LabClient, "call", call)
    return asked


def test_switches_that_were_late_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = answering(monkeypatch, dict.fromkeys(NAMES, 1))
    said = LabClient(Path("socket")).ask({name: name for name in NAMES})
    assert said == {name: name * 2 for name in NAMES}
    assert sorted(asked) == sorted(NAMES * 2)


def test_one_that_is_late_alone_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, {"c": 9})
    with pytest.raises(LabFailure, match=r"^c did not answer within 120 s$"):
        LabClient(Path("socket")).ask({name: name for name in NAMES})

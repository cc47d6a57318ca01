"""Switches of a lab that fail: which ports open again when they are back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fabricgen.operate.lab.engine import lab, wires
from fabricgen.operate.lab.engine.lab import Lab
from fabricgen.operate.lab.engine.switch import SwitchNode
from fabricgen.operate.lab.engine.world import World

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LEAF = {"name": "leaf", "folder": "x", "management": "10.0.0.2", "mac": "", "ports": ["p1", "p2"]}
PLAN: dict[str, Any] = {
    "switches": [LEAF],
    "routers": [],
    "hosts": [],
    "fresh": [],
    "gateway": "10.0.0.1/24",
    "cables": [
        {"a": "host", "a_port": "e0", "b": "leaf", "b_port": "p1"},
        {"a": "host", "a_port": "e1", "b": "leaf", "b_port": "p3"},
    ],
}


class Up:
    """What `ip link show up` says of the leaf: one port of two is open."""

    stdout = "lo UNKNOWN\np1@if3 UP\n"


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []

    def batch(lines: Iterable[str], where: str = "the lab") -> None:
        said.extend(f"{where}: {line}" for line in lines)

    for module in (wires, lab):
        monkeypatch.setattr(module, "batch", batch)
    monkeypatch.setattr(SwitchNode, "must", lambda *_: None)
    monkeypatch.setattr(SwitchNode, "run", lambda *_: Up())
    return said


@pytest.fixture
def dead(said: list[str], tmp_path: Path) -> Lab:
    dead = Lab(PLAN, tmp_path, World(()), 1)
    dead.fail("leaf", silent=False)
    assert said == ["leaf: link set p1 down", "leaf: link set p3 down"]
    said.clear()
    return dead


def test_ports_that_were_shut_stay_shut_when_a_switch_is_back(dead: Lab, said: list[str]) -> None:
    """A drained leaf comes back drained."""
    said.clear()
    dead.restore("leaf")
    assert [it for it in said if it.endswith(" up")] == ["leaf: link set p1 up"]

"""Switches of a lab that fail: which ports open again, and another box in the place of one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest

from fabricgen.operate.lab.engine import first, lab, wires
from fabricgen.operate.lab.engine import replacement_switch as another
from fabricgen.operate.lab.engine.lab import Lab
from fabricgen.operate.lab.engine.switch import SwitchNode
from fabricgen.operate.lab.engine.world import LabError, World

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

MAC = "02:00:00:00:00:07"
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
    monkeypatch.setattr(another, "_end", lambda node: said.append(f"end {node.name}"))
    monkeypatch.setattr(first, "serve", lambda _, address: said.append(f"serve {address}"))
    monkeypatch.setattr(os, "urandom", bytes)
    for name in ("create", "start", "must"):
        monkeypatch.setattr(SwitchNode, name, lambda *_: None)
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


def test_another_box_has_the_cables_of_the_dead_one_and_macs_of_its_own(
    dead: Lab, said: list[str]
) -> None:
    """Their other ends never go, so neighbors keep what they have on them."""
    another.another(dead, "leaf", image="boot/image", mac=MAC)
    assert said[:5] == [
        "the lab: netns add held",
        "the lab: link del lab-m0",
        "leaf: link set p1 netns held",
        "leaf: link set p3 netns held",
        "end leaf",
    ]
    assert f"the lab: link add lab-m0 type veth peer name eth0 address {MAC} netns leaf" in said
    assert "the lab: link add p2 netns leaf type dummy" in said
    assert said[-6:] == [
        "held: link set p1 address 02:00:00:00:00:00",
        "held: link set p1 netns leaf",
        "held: link set p3 address 02:00:00:00:00:00",
        "held: link set p3 netns leaf",
        "the lab: netns del held",
        "serve 10.0.0.1",
    ]
    assert dead.switches["leaf"].fresh
    assert not dead.broken


def test_a_switch_that_lives_is_not_replaced(dead: Lab) -> None:
    dead.broken.clear()
    with pytest.raises(LabError, match="leaf has not failed"):
        another.another(dead, "leaf", image="", mac=MAC)

"""A Linux switch on which the address of a BGP neighbor moves to another port, and back."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.nos.linux.programs import RELOAD, TEST, Programs

from fabricgen.nos.linux.driver.onswitch import apply, interfaces, services
from fabricgen.nos.shared.onswitch import disk, frr
from fabricgen.nos.shared.onswitch.commands import Done
from fabricgen.nos.shared.onswitch.store import Tree

CONF, NETWORK = "etc/frr/frr.conf", interfaces.CONF
NOTHING: dict[str, Any] = {"failures": [], "strays": [], "kernel": {}, "running": None}
BACK = {**NOTHING, "touched": [NETWORK]}
RUNNING = "router bgp 1\n neighbor 10.0.0.1 remote-as 2\n"
SHOWS, BFD = "vtysh -c show running-config", "vtysh -c show bfd peers json"
LEAVES = "vtysh -c configure terminal -c router bgp 1 -c no neighbor 10.0.0.1 -c exit -c end"
PORTS = {NETWORK: disk.File(b"iface swp5\n    address 10.0.0.0/31\n")}
MOVED = Tree(PORTS, sorted(PORTS))


@pytest.fixture(autouse=True)
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Programs:
    """Let BFD be bound to the old port, and FRR's reload find the neighbor missing."""
    monkeypatch.setattr(disk, "ROOT", tmp_path)
    made = Programs()
    for module in (frr, interfaces, services):
        monkeypatch.setattr(module, "run", made.run)
    (tmp_path / "etc/frr").mkdir(parents=True)
    (tmp_path / CONF).write_text(RUNNING)
    bound = [{"peer": "10.0.0.1", "vrf": "default", "interface": "swp7s0"}]
    made.answers[BFD] = Done(0, json.dumps(bound), "")
    made.answers[SHOWS] = Done(0, RUNNING, "")
    made.answers[TEST] = Done(0, "Lines To Add\n============\nrouter bgp 1\n", "")
    return made


def test_its_neighbor_goes_before_and_comes_after(programs: Programs) -> None:
    """Also where no line of frr.conf differs, and on the way back."""
    steps = [LEAVES, "ifreload -a", f"{RELOAD} {disk.ROOT / CONF}"]
    apply.apply(MOVED, [NETWORK], NOTHING)
    assert [called for called in programs.called if called in steps] == steps
    programs.called.clear()
    apply.restore(MOVED, BACK)
    assert [called for called in programs.called if called in steps][:3] == steps


def test_ports_that_do_not_change_end_no_session(programs: Programs) -> None:
    apply.apply(MOVED, [CONF], NOTHING)
    assert LEAVES not in programs.called


def test_without_bfd_there_is_nothing_to_end(programs: Programs) -> None:
    programs.answers[BFD] = Done(1, "bfdd is not running\n", "")
    apply.apply(MOVED, [NETWORK], NOTHING)
    assert LEAVES not in programs.called


@pytest.mark.parametrize(
    ("words", "why"),
    [(LEAVES, "vtysh: broken"), (SHOWS, "vtysh cannot show the running configuration: broken")],
)
def test_what_frr_refuses_is_a_problem_and_does_not_stop_the_way_back(
    programs: Programs, words: str, why: str
) -> None:
    programs.answers[words] = Done(1, "", "broken")
    assert apply.apply(MOVED, [NETWORK], NOTHING).problems == [why]
    assert "ifreload -a" not in programs.called
    if words == LEAVES:
        assert why in apply.restore(MOVED, BACK)
        assert "ifreload -a" in programs.called

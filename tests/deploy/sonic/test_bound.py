"""A neighbor whose address moves to another port, on a real FRR: its BFD comes up again."""

import subprocess
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import NOT_RUN
from tests.deploy.sonic.edits import base
from tests.deploy.sonic.standin.frr import RealFrr, until

from fabricgen.nos.shared.onswitch.bound import DEFAULT, Home, release
from fabricgen.nos.shared.onswitch.frr import RELOADER
from fabricgen.nos.sonic.driver.onswitch.container import FRR, Container

OWN, REMOTE = "10.72.0.129/31", "10.72.0.128"
OLD, NEW = "Ethernet0", "Ethernet4"
WATCHES = ("configure terminal", "router bgp 4294967294", "neighbor 10.72.0.129 bfd")


def bound() -> tuple[str, str]:
    """Return the port to which BFD of the neighbor is bound, and its state."""
    sessions: list[dict[str, Any]] = [it for it in FRR.watched() if it["peer"] == REMOTE]
    return (sessions[0].get("interface", ""), sessions[0]["status"]) if sessions else ("", "none")


def move(leaf: RealFrr) -> None:
    """Put the address on another port; the old one lies below the new one, so no cable moves."""
    leaf.ip(f"link add {NEW} type bridge")
    leaf.ip(f"address del {OWN} dev {OLD}")
    leaf.ip(f"link set {OLD} master {NEW}")
    leaf.ip(f"address add {OWN} dev {NEW}")
    leaf.ip(f"link set {NEW} up")
    leaf.ip("route replace 10.64.255.254/32 via 10.72.0.128")


def move_back(leaf: RealFrr) -> None:
    """Put the address on its old port again."""
    leaf.ip(f"link del {NEW}")
    leaf.ip(f"address add {OWN} dev {OLD}")
    leaf.ip("route replace 10.64.255.254/32 via 10.72.0.128")


def reload(leaf: RealFrr, wanted: str) -> None:
    """Let FRR's own tool make a file run."""
    place = leaf.home / "leaf"
    (place / "frr.conf").write_text(wanted)
    words = (RELOADER, "--reload", "--stdout", "--log-level", "warning", "--vty_socket", place)
    folders = ("--confdir", place, "--rundir", place)
    subprocess.run((*words, *folders, place / "frr.conf"), check=True)


def test_bfd_follows_an_address_to_another_port(leaf: RealFrr) -> None:
    if not Path(RELOADER).exists():
        pytest.skip(f"{NOT_RUN}: no frr-reload.py")
    leaf.vtysh(*(part for word in WATCHES for part in ("-c", word)), of="spine")
    until(lambda: bound() == (OLD, "up"))
    wanted = leaf.running()

    assert release(FRR, [Home(DEFAULT, NEW, OWN)]) == ""
    assert REMOTE not in leaf.sessions()
    move(leaf)
    reload(leaf, wanted)
    assert leaf.running() == wanted
    leaf.settle()
    until(lambda: bound() == (NEW, "up"))

    assert release(FRR, [Home(DEFAULT, NEW, OWN)]) == ""  # nothing moves, nothing ends
    assert leaf.running() == wanted

    driver = Container({"updater_timeout": 60.0})
    driver.release({"INTERFACE": {f"{OLD}|{OWN}": {}}})
    assert REMOTE not in leaf.sessions()
    move_back(leaf)
    driver.route(base(), start=False)  # by commands, as no file differs
    assert leaf.running() == wanted
    assert leaf.restarts == 0
    leaf.settle()
    until(lambda: bound() == (OLD, "up"))

"""Replace a dead switch with an empty one with the same cables."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabricgen.operate.lab.engine import first, wires
from fabricgen.operate.lab.engine.switch import SwitchNode
from fabricgen.operate.lab.engine.world import LabError, run

if TYPE_CHECKING:
    from fabricgen.operate.lab.engine.lab import Lab

_HELD = "held"
"""Namespace for the cables during the replacement; their other ends do not change."""


def another(lab: Lab, name: str, *, image: str, mac: str) -> list[str]:
    """Replace a failed switch with an empty one that requests its first boot by DHCP.

    The folder `image` is next to the served files, and `mac` belongs to the management port. The
    features that the new switch skips are returned.
    """
    if name not in lab.broken:
        raise LabError(f"{name} has not failed: use `fabricgen lab fail` first")
    names = [each["name"] for each in lab.plan["switches"]]
    number = names.index(name)
    planned = lab.plan["switches"][number] | {"mac": mac}
    old = lab.switch(name)
    cabled = [end.port for pair in lab.at(name) for end in pair if end.node == name]
    wires.batch([f"netns add {_HELD}", wires.detach(number)])
    wires.batch([f"link set {port} netns {_HELD}" for port in cabled], name)
    _end(old)
    box = SwitchNode(
        name=name, folder=lab.files / image, management=planned["management"], fresh=True
    )
    box.create(lab.world)
    wires.batch([f"netns attach {name} {box.pid}", *_ports(number, planned, cabled)])
    wires.batch([line for port in cabled for line in _moved(port, name)], _HELD)
    wires.batch([f"netns del {_HELD}"])
    lab.switches[name] = box
    del lab.broken[name], lab.open[name]
    first.serve(lab.files / "boot", lab.plan["gateway"].partition("/")[0])
    box.start(lambda _: None)
    return box.skipped


def _end(node: SwitchNode) -> None:
    """End a switch with all its processes."""
    os.kill(node.pid, signal.SIGKILL)
    run(["tail", f"--pid={node.pid}", "-f", os.devnull])
    run(["ip", "netns", "del", node.name], check=True)
    shutil.rmtree(node.place)


def _ports(number: int, planned: dict[str, Any], cabled: list[str]) -> Iterator[str]:
    """Yield the commands for the management port, with its MAC, and for ports without a cable."""
    yield from wires.attach(number, planned["name"], planned["mac"])
    for port in planned["ports"]:
        if port not in cabled:
            yield wires.empty(planned["name"], port)


def _moved(port: str, name: str) -> tuple[str, str]:
    """Return the commands that give a port a new MAC and connect it."""
    mac = f"02:{os.urandom(5).hex(':')}"
    return f"link set {port} address {mac}", f"link set {port} netns {name}"

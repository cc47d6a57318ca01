"""Replaces a dead switch with an empty one that is cabled alike."""

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
"""Where cables hang while no box is there: their other ends stay where they are."""


def another(lab: Lab, name: str, *, image: str, mac: str) -> list[str]:
    """Put a box in the place of a switch that failed; it asks by DHCP for its first boot.

    image: the folder of its image, beside what is served. mac: of its management port. What the
    box cannot do comes back.
    """
    if name not in lab.broken:
        raise LabError(f"{name} is not dead")
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
    """End a box with all that is on it."""
    os.kill(node.pid, signal.SIGKILL)
    run(["tail", f"--pid={node.pid}", "-f", os.devnull])
    run(["ip", "netns", "del", node.name], check=True)
    shutil.rmtree(node.place)


def _ports(number: int, planned: dict[str, Any], cabled: list[str]) -> Iterator[str]:
    """Yield what makes the management port, with the box's own MAC, and ports without a cable."""
    yield from wires.attach(number, planned["name"], planned["mac"])
    for port in planned["ports"]:
        if port not in cabled:
            yield wires.empty(planned["name"], port)


def _moved(port: str, name: str) -> tuple[str, str]:
    """Return what gives a port a MAC that the dead box had not, and plugs it in."""
    mac = f"02:{os.urandom(5).hex(':')}"
    return f"link set {port} address {mac}", f"link set {port} netns {name}"

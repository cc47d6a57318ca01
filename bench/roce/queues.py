"""Switches of a running lab in; what the rendered queues of their ports counted, by class, out."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fabricgen.operate.lab.engine.world import LabError

if TYPE_CHECKING:
    from fabricgen.operate.lab.engine.lab import Lab
    from fabricgen.operate.lab.engine.switch import SwitchNode

    Counts = dict[str, dict[str, dict[str, dict[str, int]]]]
    """Switch, port, class of tc.batch (1:3), what: packets, dropped, marked."""

_CLASS = re.compile(
    r"^class (?:htb|ets) (?P<name>1:\d+) .*\n Sent \d+ bytes (?P<packets>\d+) pkt "
    r"\(dropped (?P<dropped>\d+),",
    re.MULTILINE,
)
_RATE = re.compile(r"\b(rate|ceil) (\d+)bit")
_FILE = "etc/fabricgen/tc.batch"


def counted(lab: Lab) -> Counts:
    """Read every cabled port of every switch."""
    return {name: _of(node, _ports(lab, name)) for name, node in lab.switches.items()}


def _ports(lab: Lab, switch: str) -> list[str]:
    return [
        cable[port]
        for cable in lab.plan["cables"]
        for end, port in (("a", "a_port"), ("b", "b_port"))
        if cable[end] == switch
    ]


def _of(node: SwitchNode, ports: list[str]) -> dict[str, dict[str, dict[str, int]]]:
    found = {}
    for port in ports:
        said = node.must(("tc", "-s", "class", "show", "dev", port), f"classes of {port}")
        found[port] = {
            match["name"]: {"packets": int(match["packets"]), "dropped": int(match["dropped"])}
            for match in _CLASS.finditer(said)
        }
        said = node.must(("tc", "-s", "-j", "qdisc", "show", "dev", port), f"queues of {port}")
        for queue in json.loads(said):
            if queue["kind"] == "red":
                found[port][queue["parent"]] |= {
                    "dropped": queue["drops"],
                    "marked": queue["marked"],
                }
    return found


def slow(node: SwitchNode, port: str, factor: int) -> list[str]:
    """Divide every rate of a port's rendered classes; thresholds and shares stay as they are."""
    lines = [
        _RATE.sub(lambda match: f"{match[1]} {int(match[2]) // factor}bit", line)
        for line in (node.folder / _FILE).read_text().splitlines()
        if line.startswith(f"class replace dev {port} ")
    ]
    _batch(node, lines)
    return lines


def behind(node: SwitchNode, port: str, rate: str, lines: list[str]) -> None:
    """Give a port other queues, behind a shaper: a virtual port has no speed of its own."""
    shaper = [
        f"qdisc replace dev {port} root handle 10: htb default 1",
        f"class replace dev {port} parent 10: classid 10:1 htb rate {rate}",
    ]
    own = [line.replace(f"dev {port} root", f"dev {port} parent 10:1") for line in lines]
    _batch(node, [*shaper, *own])


def _batch(node: SwitchNode, lines: list[str]) -> None:
    done = node.run(("tc", "-batch", "-"), "\n".join(lines) + "\n")
    if done.returncode:
        raise LabError(f"{node.name}: tc refused: {done.stderr.strip()}")


def difference(after: Any, before: Any) -> Any:
    """Subtract counters from counters, however deep they lie."""
    if isinstance(after, dict):
        return {key: difference(value, before[key]) for key, value in after.items()}
    return after - before

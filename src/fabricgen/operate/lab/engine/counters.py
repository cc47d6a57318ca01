"""Read the counters of ports and queues and limit the rate of a port."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fabricgen.operate.lab.engine.kernel import inside
from fabricgen.operate.lab.engine.world import LabError, run

Counted = dict[str, dict[str, dict[str, Any]]]
"""By switch and port: sent `bytes`, and the counters of the queue of each class."""

_QUEUE = ("bytes", "packets", "drops", "marked")
_RATE = re.compile(r"\b(rate|ceil) (\d+)bit\b")
_CLASS = "class replace dev "


def counters(watch: dict[str, list[str]]) -> Counted:
    """Read the counters of ports."""
    return {switch: _of(switch, set(ports)) for switch, ports in watch.items()}


def _of(switch: str, ports: set[str]) -> dict[str, dict[str, Any]]:
    with inside(switch):
        lines = Path("/proc/thread-self/net/dev").read_text().splitlines()[2:]
    sent = {
        line.partition(":")[0].strip(): int(line.partition(":")[2].split()[8]) for line in lines
    }
    counters: dict[str, dict[str, Any]] = {
        port: {"bytes": sent[port], "queues": {}} for port in ports
    }
    shown = run(["tc", "-n", switch, "-s", "-j", "qdisc", "show"], check=True).stdout
    for queue in json.loads(shown):
        if queue["dev"] in ports and "parent" in queue:
            counted = {word: queue.get(word, 0) for word in _QUEUE}
            counters[queue["dev"]]["queues"][queue["parent"]] = counted
    return counters


def growth(before: Counted, after: Counted) -> Counted:
    """Return the growth of each counter; queues without growth are omitted."""
    grown: Counted = {}
    for switch, ports in after.items():
        grown[switch] = {}
        for port, now in ports.items():
            then = before[switch][port]
            queues = {
                name: {word: count - then["queues"][name][word] for word, count in queue.items()}
                for name, queue in now["queues"].items()
                if name in then["queues"]
            }
            grown[switch][port] = {
                "bytes": now["bytes"] - then["bytes"],
                "queues": {name: queue for name, queue in queues.items() if any(queue.values())},
            }
    return grown


@contextmanager
def slowed(switch: str, port: str, rate: int, batch: str) -> Iterator[None]:
    """Scale the classes of a port down to `rate` bit/s; afterwards restore all its queues.

    batch: the tc.batch of the switch, with the lines of this port to change and restore.
    """
    lines = [line for line in batch.splitlines() if f" dev {port} " in line]
    classes = [line for line in lines if line.startswith(_CLASS)]
    rates = [int(match[2]) for line in classes for match in _RATE.finditer(line)]
    if not rates:
        raise LabError(f"{switch}: {port} has no HTB class to slow down")
    slower = [
        _RATE.sub(lambda match: f"{match[1]} {int(match[2]) * rate // max(rates)}bit", line)
        for line in classes
    ]
    tc = ["tc", "-n", switch, "-force", "-batch", "-"]
    try:
        run(tc, "\n".join(slower) + "\n", check=True)
        yield
    finally:
        run(tc, "\n".join(lines) + "\n")

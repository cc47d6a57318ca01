"""The CPUs of this machine in; the one that a kernel in user mode is given out."""

import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

_KERNEL = "linux.uml"


def next_cpu() -> int:
    """Return the CPU for another guest; it stays there for as long as it runs.

    That with the fewest guests, since two on one CPU are half as fast while the other has nothing
    to do; of several the one that did least in the last 0.1 s.
    """
    before = _idle()
    time.sleep(0.1)
    after = _idle()
    idle = {cpu: after[cpu] - before.get(cpu, 0) for cpu in after}
    return chosen(os.sched_getaffinity(0), _guests(), idle)


def chosen(own: Iterable[int], guests: Mapping[int, int], idle: Mapping[int, int]) -> int:
    """Choose of a process's own CPUs, by how many guests are on each and how idle each was."""
    return min(own, key=lambda cpu: (guests.get(cpu, 0), -idle.get(cpu, 0)))


def _idle() -> dict[int, int]:
    lines = Path("/proc/stat").read_text().splitlines()
    return {
        int(line.split()[0][3:]): int(line.split()[4])
        for line in lines
        if line[:3] == "cpu" and line[3].isdigit()
    }


def _guests() -> Counter[int]:
    """Count the guests of each CPU: kernels whose parent is none, as that of their processes is."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().partition(" (")[2].rpartition(") ")
        except OSError:  # it ended meanwhile
            continue
        if name == _KERNEL:
            parents[int(stat.parent.name)] = int(rest.split()[1])
    count: Counter[int] = Counter()
    for kernel in [each for each, parent in parents.items() if parent not in parents]:
        try:
            count.update(os.sched_getaffinity(kernel))
        except OSError:
            continue
    return count

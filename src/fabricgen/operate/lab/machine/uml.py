"""Runs the lab in user-mode-linux, a Linux kernel that is an ordinary process.

The kernel uses this machine's files, and all files below / are read-only to it. It needs no root
and no KVM. It has one CPU. On two, kernel and process change places for every system call, which is
three times slower.
"""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.machine.dying import die_with_parent
from fabricgen.operate.lab.tools import Tools

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


_INIT = Path(__file__).with_name("init.sh")
_SHARED = Path("/dev/shm")  # noqa: S108 - where the guest's memory is by default


class UserMode:
    """A booted guest; its serial line is the channel."""

    def __init__(self, folder: Path, files: Path, tools: Tools, mebibytes: int, log: int) -> None:
        """Start it; its engine is ready when it says so on the line."""
        kernel = tools.find("usr/bin/linux.uml")
        if kernel is None:
            raise LabFailure("user-mode-linux is not there")
        init = folder / "init"
        shutil.copy(_INIT, init)
        init.chmod(0o755)
        ours, theirs = socket.socketpair()
        self._ours, end = ours, theirs.fileno()
        self.line = ours.fileno()
        words = (
            f"mem={mebibytes}M",
            *("rootfstype=hostfs", "rootflags=/", "ro", "quiet", "panic=-1"),
            *("con=null", "con0=null,fd:1", "ssl=null", f"ssl0=fd:{end},fd:{end}"),
            *(f"uml_dir={folder}/", "umid=uml", f"init={init}"),
            *(
                f"LAB_PYTHON={sys.executable}",
                f"LAB_FILES={files}",
                f"LAB_TOOLS={':'.join(map(str, tools.layers))}",
            ),
            f"PYTHONPATH={Path(__file__).parents[4]}",
        )
        cpu = next_cpu()

        def alone() -> None:
            die_with_parent()
            os.sched_setaffinity(0, {cpu})

        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [str(kernel), *words],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[end],
            preexec_fn=alone,  # noqa: PLW1509 - the keeper has one thread when it starts this
            start_new_session=True,
            env={**os.environ, **_memory_place(folder, mebibytes)},
        )
        theirs.close()
        self.group = self._process.pid

    def kill(self) -> None:
        """End it; every process in it ends with its kernel."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _memory_place(folder: Path, mebibytes: int) -> dict[str, str]:
    """Keep the guest's memory out of a /dev/shm that is too small or forbids code."""
    try:
        facts = os.statvfs(_SHARED)
    except OSError:
        return {"TMPDIR": str(folder)}
    room = facts.f_bavail * facts.f_frsize >> 20
    return {"TMPDIR": str(folder)} if room < mebibytes or facts.f_flag & os.ST_NOEXEC else {}

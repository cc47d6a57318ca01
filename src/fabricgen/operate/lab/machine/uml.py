"""Run the lab in user-mode-linux, a Linux kernel that is an ordinary process.

The kernel uses this machine's files, and all files below / are read-only to it. It needs no root
and no KVM. It has one CPU. On two, kernel and process change the CPU for every system call, which
is three times slower.
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
from fabricgen.operate.lab.kernel import environment_of
from fabricgen.operate.lab.machine.dying import die_with_parent
from fabricgen.operate.lab.tools import KERNEL, Tools

_KERNEL = "linux.uml"


def next_cpu() -> int:
    """Return the CPU for another guest, which stays on it.

    The CPU with the fewest guests is chosen, since two guests on one CPU are half as fast. Among
    equal CPUs, the one with the most idle time in the last 0.1 s is chosen.
    """
    before = _idle()
    time.sleep(0.1)
    after = _idle()
    idle = {cpu: after[cpu] - before.get(cpu, 0) for cpu in after}
    return chosen(os.sched_getaffinity(0), _guests(), idle)


def chosen(own: Iterable[int], guests: Mapping[int, int], idle: Mapping[int, int]) -> int:
    """Choose a CPU by its number of guests and its idle time."""
    return min(own, key=lambda cpu: (guests.get(cpu, 0), -idle.get(cpu, 0)))


def _idle() -> dict[int, int]:
    lines = Path("/proc/stat").read_text().splitlines()
    return {
        int(line.split()[0][3:]): int(line.split()[4])
        for line in lines
        if line[:3] == "cpu" and line[3].isdigit()
    }


def _guests() -> Counter[int]:
    """Count the guests of each CPU: kernel processes whose parent is not a kernel process."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().partition(" (")[2].rpartition(") ")
        except OSError:  # the process has ended
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
_SHARED = Path("/dev/shm")  # noqa: S108 - default place of the guest's memory


class UserMode:
    """A booted guest; its serial line is the channel."""

    def __init__(self, folder: Path, files: Path, tools: Tools, mebibytes: int, log: int) -> None:
        """Start the guest; its engine reports on the line when it is ready."""
        kernel = tools.find(KERNEL)
        if kernel is None:
            raise LabFailure("user-mode-linux not found: run `fabricgen lab install-tools`")
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
            preexec_fn=alone,  # noqa: PLW1509 - the supervisor has one thread at this point
            start_new_session=True,
            env={**os.environ, **environment_of(kernel), **_memory_place(folder, mebibytes)},
        )
        theirs.close()
        self.group = self._process.pid

    def kill(self) -> None:
        """End the guest; all its processes end with its kernel."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def _memory_place(folder: Path, mebibytes: int) -> dict[str, str]:
    """Avoid a /dev/shm that is too small for the guest's memory or forbids code."""
    try:
        facts = os.statvfs(_SHARED)
    except OSError:
        return {"TMPDIR": str(folder)}
    room = facts.f_bavail * facts.f_frsize >> 20
    return {"TMPDIR": str(folder)} if room < mebibytes or facts.f_flag & os.ST_NOEXEC else {}

"""End processes with their parent in every case and leave nothing behind."""

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_PATIENCE = 5  # seconds to wait for the end of killed processes
_libc = ctypes.CDLL(None)
# A kernel's helper processes do not end with it, and a killed supervisor removes nothing. The shell
# needs `-s KILL` instead of `-KILL`: dash would parse the following `--` as a number.
_GUARD = """\
while read -r line; do group=$line; done
[ -z "$group" ] || kill -s KILL -- "-$group"
rm -rf -- "$1"
"""


def die_with_parent() -> None:
    """Ask the kernel to kill this process when its parent ends (prctl(2) PR_SET_PDEATHSIG)."""
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def adopt_orphans() -> None:
    """Become the parent of all orphaned descendants, to end and reap them."""
    _libc.prctl(_PR_SET_CHILD_SUBREAPER, 1)


def reap() -> None:
    """Wait for every child, including adopted ones, up to a limit."""
    end = time.monotonic() + _PATIENCE
    with contextlib.suppress(ChildProcessError):
        while time.monotonic() < end:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)


class Guard:
    """Ends a process group and removes a folder when this process requests it or ends."""

    def __init__(self, folder: Path, lock: int) -> None:
        """Start the guard process, which shares the lock until it ends."""
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            ["/bin/sh", "-c", _GUARD, "sh", str(folder)],
            stdin=subprocess.PIPE,
            pass_fds=[lock],
            start_new_session=True,
        )

    def watch(self, group: int) -> None:
        """Set the process group."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{group}\n".encode())
        self._process.stdin.flush()

    def end(self) -> None:
        """End the group, remove the folder, and wait."""
        self._process.communicate()

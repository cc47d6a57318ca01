"""Run a command on the switch and return its exit status and output."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Sequence
from typing import NamedTuple

_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
TOO_LONG, MISSING = 124, 127  # as timeout(1) and the shell have them
PRIVATE = 0o077
HELD: list[int] = []
"""Descriptors that a command may inherit: the lock of the current commit."""


class Done(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def reason(self) -> str:
        """The last lines of the error output, in one line."""
        lines = (self.err.strip() or self.out.strip()).splitlines()[-6:]
        return "; ".join(line.strip() for line in lines) or f"exit status {self.status}"


def _environment() -> dict[str, str]:
    fixed = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "HOME": "/root", "TERM": "dumb"}
    return {**os.environ, **fixed, "PATH": f"{os.environ.get('PATH', '')}:{_PATH}".lstrip(":")}


def run(argv: Sequence[str], timeout: float = 120, umask: int = -1, *, holds: bool = False) -> Done:
    """Run a command to its end; after `timeout` seconds kill it with all its processes.

    `holds`: it inherits the lock of the commit. If the commit's process is killed, the switch stays
    busy until the command has ended. Do not use it for daemons, which would keep the lock.
    """
    try:
        process = subprocess.Popen(  # noqa: S603 - fixed commands; no secret is ever in one
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
            errors="replace",
            start_new_session=True,
            umask=umask,
            pass_fds=tuple(HELD) if holds else (),
        )
    except OSError as error:
        return Done(MISSING, "", f"{argv[0]}: {error.strerror}")
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Done(TOO_LONG, "", f"{argv[0]} did not end within {timeout:g} s")
    return Done(process.returncode, out, err)

"""A command of the switch in; its exit status and words out, whatever it does."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

ENVIRONMENT = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "LANG": "C.UTF-8",
    "HOME": "/root",
    "TERM": "dumb",
}
TOO_LONG, MISSING = 124, 127  # as timeout(1) and the shell have them
PRIVATE = 0o077


class Done(NamedTuple):
    """What a command said."""

    status: int
    out: str
    err: str

    @property
    def said(self) -> str:
        """The last lines of it, in one."""
        lines = (self.err.strip() or self.out.strip()).splitlines()[-6:]
        return "; ".join(line.strip() for line in lines) or f"exit status {self.status}"


def run(argv: Sequence[str], timeout: float = 120, umask: int = -1) -> Done:
    """Run a command to its end; after `timeout` seconds it ends with all that it started."""
    try:
        process = subprocess.Popen(  # noqa: S603 - fixed commands; no secret is ever in one
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT,
            text=True,
            errors="replace",
            start_new_session=True,
            umask=umask,
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

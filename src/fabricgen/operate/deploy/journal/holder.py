"""Identify this process and check whether another process is still running."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_STARTED = 19  # field 22 of proc_pid_stat(5), counted from the field after the program's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A process and the machine that runs it.

    Containers share a host name, and a pid means another process after a reboot.

    Attributes:
        machine: The boot and the PID namespace of the pid.
        born: Start time in units of the kernel, because pids are reused.
    """

    host: str
    machine: str
    pid: int
    born: str


def this_process() -> Holder:
    """Return this process."""
    return Holder(
        host=socket.gethostname(),
        machine=_machine(),
        pid=os.getpid(),
        born=_born(os.getpid()) or "",
    )


def lives(holder: Holder) -> bool | None:
    """Check whether a process of this machine is alive; None when that is not visible from here."""
    if not holder.machine or holder.machine != _machine():
        return None
    born = _born(holder.pid)
    if born is None:
        return None if _hidden(holder.pid) else False
    return born == holder.born


def runs_here(host: str, pid: int) -> bool:
    """Check whether a process with this pid runs on this machine, if the host name matches."""
    return host == socket.gethostname() and pid > 0 and bool(_born(pid) or _hidden(pid))


def _machine() -> str:
    """Return the identity of this boot; empty without /proc, where only heartbeats count."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _born(pid: int) -> str | None:
    """Return the start time of a process; empty for a zombie, None when it is not visible."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    state, *rest = text.rpartition(")")[2].split()  # the name may contain spaces and brackets
    return "" if state in "ZX" else rest[_STARTED - 1]


def _hidden(pid: int) -> bool:
    """Check for a process that /proc does not show (hidepid in proc(5))."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True

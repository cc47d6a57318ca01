"""Identifies this process and tells whether another one is still running."""

import os
import socket
from dataclasses import dataclass
from pathlib import Path

_PROC = Path("/proc")
_STARTED = 19  # field 22 of proc_pid_stat(5), counted from the one after the program's name


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """A process. machine: the boot and the PID namespace that its pid belongs to.

    A host name says neither: containers share one, and a pid means another process after a reboot.
    born: when it was started, as the kernel counts it, because pids are used again.
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
    """Tell whether a process of this machine lives; None when one cannot see that from here."""
    if not holder.machine or holder.machine != _machine():
        return None
    born = _born(holder.pid)
    if born is None:
        return None if _hidden(holder.pid) else False
    return born == holder.born


def runs_here(host: str, pid: int) -> bool:
    """Tell whether a process of that number runs on this machine, if the machine has that name."""
    return host == socket.gethostname() and pid > 0 and bool(_born(pid) or _hidden(pid))


def _machine() -> str:
    """Return nothing where there is no /proc: then only heartbeats tell who lives."""
    try:
        boot = (_PROC / "sys/kernel/random/boot_id").read_text().strip()
        return f"{boot} {(_PROC / 'self/ns/pid').readlink()}"
    except OSError:
        return ""


def _born(pid: int) -> str | None:
    """Return when a process was started; nothing for a zombie, None when it is not to be seen."""
    try:
        text = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return None
    state, *rest = text.rpartition(")")[2].split()  # the name may hold spaces and brackets
    return "" if state in "ZX" else rest[_STARTED - 1]


def _hidden(pid: int) -> bool:
    """Tell whether a process is there although /proc does not show it (hidepid in proc(5))."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True

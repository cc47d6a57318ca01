"""Choose how a lab runs on this machine: on its own kernel, or on one in user mode."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.kernel import needs_newer_kernel
from fabricgen.operate.lab.machine.dying import die_with_parent
from fabricgen.operate.lab.tools import Tools, missing_packages

_SETUP = """\
files=$1
shift
mount --make-rprivate /
cd "$files" # it may be below /run, which is about to be covered
mount -t tmpfs -o mode=755 run /run
mkdir -p /run/netns /run/lock /run/files
mount -c --bind . /run/files # -c: "." itself, not its path
cd /
exec "$@"
"""


def refused_devices(kinds: Iterable[str]) -> list[str]:
    """Return the kinds of interfaces that this kernel cannot create, by a test."""
    tried = [
        f"ip link add x type {kind} {_more(kind)} && ip link del x || echo {kind}" for kind in kinds
    ]
    done = subprocess.run(  # noqa: S603 - our own command
        ["/usr/bin/unshare", "-n", "sh", "-c", "{ " + "\n".join(tried) + "\n} 2>/dev/null"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split() if done.returncode == 0 or done.stdout else ["network namespaces"]


def _more(kind: str) -> str:
    return {"vrf": "table 1001", "vxlan": "id 1 dstport 4789"}.get(kind, "")


class Direct:
    """An engine in its own mount, network and process namespaces; killing it ends all of them."""

    def __init__(self, files: Path, tools: Tools, log: int) -> None:
        """Start the engine; it reports on the line when it is ready."""
        ours, theirs = socket.socketpair()
        self._ours = ours
        self.line = ours.fileno()
        engine = (sys.executable, "-m", "fabricgen.operate.lab.engine.main", str(theirs.fileno()))
        places = ("/run/files", ":".join(map(str, tools.layers)))
        spaces = ("unshare", "-m", "-u", "-n", "-p", "-i", "--fork", "--kill-child", "--mount-proc")
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            [*spaces, "sh", "-ec", _SETUP, "sh", str(files), *engine, *places],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 - the supervisor has one thread at this point
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        theirs.close()
        self.group = self._process.pid

    def kill(self) -> None:
        """End the engine and all its processes."""
        self._process.kill()
        self._process.wait()


# Measured with FRR 8.4, lldpd and sshd on each switch: docs/evidence/lab.md.
SWITCH_MIB = 60
HOST_MIB = 2
BASE_MIB = 300
_DEVICES = ("vrf", "vxlan", "veth", "bridge", "dummy")


@dataclass(frozen=True, slots=True)
class Choice:
    """The selected kernel, and the reason."""

    way: str  # direct | uml
    why: str


class Machine(Protocol):
    """A started machine.

    Attributes:
        line: Descriptor of the supervisor's end of the channel.
        group: Process group of all its processes outside.
    """

    line: int
    group: int

    def kill(self) -> None:
        """End the machine and all its processes."""


def choose(wanted: str | None = None) -> Choice:
    """Choose the kernel of a lab; raise LabFailure if the requested kernel is not available."""
    lacking = _kernel_lacks()
    if wanted == "direct" and lacking:
        raise LabFailure(f"the lab cannot run directly on this kernel: {lacking}")
    if wanted == "direct" or (wanted is None and not lacking):
        return Choice("direct", "this kernel supports VRF and VXLAN, and you are root")
    return Choice("uml", f"in a Linux kernel of its own: {lacking or 'requested'}")


def _kernel_lacks() -> str:
    if os.getuid() != 0:
        return "you are not root"
    refused = refused_devices(_DEVICES)
    return f"this kernel does not support {', '.join(refused)}" if refused else ""


def memory_needed(switches: int, hosts: int) -> int:
    """Return the largest memory of a lab in MiB."""
    return BASE_MIB + SWITCH_MIB * switches + HOST_MIB * hosts


def require(choice: Choice, tools: Tools, switches: int, hosts: int, *, fresh: bool = False) -> int:
    """Check programs and memory of this machine; return the memory of the lab in MiB.

    fresh: a switch boots with DHCP.
    """
    if tools.frr and tools.frr_root is None:
        raise LabFailure(
            f"FRR {tools.frr} is not unpacked; use `fabricgen lab install-tools --frr {tools.frr}`"
        )
    packages = missing_packages(tools, uml=choice.way == "uml", fresh=fresh)
    if packages:
        raise LabFailure(
            f"missing packages: {', '.join(packages)}. `fabricgen lab install-tools` unpacks "
            f"them into {tools.folder} without an installation; or run: apt-get install "
            f"{' '.join(packages)}"
        )
    needed, free = memory_needed(switches, hosts), available_mib()
    if needed > free:
        fits = max(0, (free - BASE_MIB - HOST_MIB * hosts) // SWITCH_MIB)
        raise LabFailure(
            f"{switches} switches and {hosts} hosts need {needed} MiB, but this machine has "
            f"{free} MiB free, enough for {fits} switches; select fewer with --limit"
        )
    if choice.way == "uml" and needs_newer_kernel(tools):
        raise LabFailure(
            "this CPU has AMX, and a User-Mode Linux before 7 does not boot on it. `fabricgen lab "
            f"install-tools` unpacks a newer one into {tools.folder} without an installation"
        )
    return needed


def available_mib() -> int:
    """Return the free memory of this machine in MiB."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable"):
            return int(line.split()[1]) // 1024
    return 0

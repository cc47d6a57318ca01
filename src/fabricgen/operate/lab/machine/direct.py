"""The lab on this machine's own kernel: an engine in namespaces that vanish with it."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from fabricgen.operate.lab.machine.dying import die_with_parent
from fabricgen.operate.lab.tools import Tools

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
    """Return the kinds of interfaces that this kernel does not make, by trying."""
    tried = [
        f"ip link add x type {kind} {_more(kind)} && ip link del x || echo {kind}" for kind in kinds
    ]
    done = subprocess.run(  # noqa: S603 - our own words
        ["/usr/bin/unshare", "-n", "sh", "-c", "{ " + "\n".join(tried) + "\n} 2>/dev/null"],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.split() if done.returncode == 0 or done.stdout else ["network namespaces"]


def _more(kind: str) -> str:
    return {"vrf": "table 1001", "vxlan": "id 1 dstport 4789"}.get(kind, "")


class Direct:
    """An engine in mount, network and process spaces of its own; killing it ends all of them."""

    def __init__(self, files: Path, tools: Tools, log: int) -> None:
        """Start it; it is ready when it says so on the line."""
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
            preexec_fn=die_with_parent,  # noqa: PLW1509 - the keeper has one thread when it starts this
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        )
        theirs.close()
        self.group = self._process.pid

    def kill(self) -> None:
        """End it and everything in it."""
        self._process.kill()
        self._process.wait()

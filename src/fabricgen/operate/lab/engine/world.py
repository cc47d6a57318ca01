"""Build the root file system of switches: this machine's files under the lab's own tools."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path("/run/fabricgen")
# Debian's packages create these in their postinst, which does not run for unpacked tools.
FRR_USER = 990
_ACCOUNTS = {"frr": FRR_USER, "_lldpd": 991, "sshd": 992}
_GROUPS = {"frr": FRR_USER, "frrvty": 993, "_lldpd": 991, "sudo": 27, "adm": 4}
_PRIVATE = (
    *("etc/frr", "etc/ssh", "etc/network", "etc/lldpd.d", "etc/sysctl.d", "var/log/frr"),
    "root",
)
"""Folders of this machine that are hidden from switches; only root can read some of them."""
_LLDP = "configure lldp tx-interval 5\nconfigure lldp tx-hold 24\n"
"""Read after the rendered file: a silent neighbor is found after 5 s instead of 30 s.
Known neighbors stay for the default of 120 s.
"""
PATH = "/usr/sbin:/usr/bin:/sbin:/bin"
ENVIRONMENT = {"PATH": PATH, "LANG": "C.UTF-8", "HOME": "/root", "TERM": "dumb"}
"""Environment of every command; `use_tools` adds search paths for the unpacked tools."""


_LOADER = "usr/lib64/ld-linux-*"
"""A tree with its own loader (x86-64's name) belongs to another release: its libraries are too new
for this machine's programs, so only switches use it.
"""


def use_tools(trees: Sequence[Path]) -> None:
    """Add the tools to the search path of the machine's commands: ip, tc, nsenter."""
    own = [tree for tree in trees if not any(tree.glob(_LOADER))]
    if own:
        places = [place for tree in own for place in (tree / "usr/sbin", tree / "usr/bin")]
        libraries = [place for tree in own for place in (tree / "usr/lib").glob("*-linux-gnu")]
        ENVIRONMENT["PATH"] = ":".join((PATH, *map(str, places)))
        ENVIRONMENT["LD_LIBRARY_PATH"] = ":".join(map(str, libraries))


@dataclass(frozen=True, slots=True)
class World:
    """The layers of every switch.

    Attributes:
        tools: Trees of unpacked packages, the uppermost first; empty when all are installed.
    """

    tools: tuple[Path, ...]

    @property
    def lower(self) -> str:
        """Return the lower layers of a switch's root in the notation of overlayfs."""
        return f"{ROOT / 'tools'}:/" if self.tools else "/"

    @property
    def base(self) -> Path:
        """Return the initial upper layer of every switch."""
        return ROOT / "base"

    def find(self, path: str) -> Path | None:
        """Find a file among the tools or on this machine."""
        for root in (*self.tools, Path("/")):
            if (root / path).exists():
                return root / path
        return None

    def prepare(self) -> None:
        """Make the base of all switches: accounts, and private folders that hide the machine's."""
        base = self.base
        self._lay_tools()
        for name in _PRIVATE:
            (base / name).mkdir(parents=True, exist_ok=True)
            os.setxattr(base / name, "trusted.overlay.opaque", b"y")
        self._accounts(base / "etc")
        own = self.find("etc/network/ifupdown2")
        if own is not None:
            shutil.copytree(own, base / "etc/network/ifupdown2")
        (base / "etc/frr/vtysh.conf").write_text("service integrated-vtysh-config\n")
        (base / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
        (base / "etc/lldpd.conf").write_text("")
        (base / "etc/lldpd.d/lab.conf").write_text(_LLDP)

    def _lay_tools(self) -> None:
        """Mount the tools as a separate file system: overlayfs rejects a layer inside another."""
        if not self.tools:
            return
        for name in ("tools", "empty"):
            (ROOT / name).mkdir(parents=True)
        layers = f"lowerdir={':'.join(map(str, (*self.tools, ROOT / 'empty')))}"
        run(["mount", "-t", "overlay", "-o", layers, "overlay", str(ROOT / "tools")], check=True)

    def lay_hosts(self) -> None:
        """Make the common root of all hosts, which differ only in their networks."""
        place = ROOT / "hosts"
        shutil.copytree(self.base, place / "upper")
        for name in ("work", "root"):
            (place / name).mkdir()
        layers = f"lowerdir={self.lower},upperdir={place}/upper,workdir={place}/work"
        root = str(place / "root")
        run(["mount", "-t", "overlay", "-o", layers, "overlay", root], check=True)
        for name in ("proc", "dev"):
            run(["mount", "--rbind", f"/{name}", f"{root}/{name}"], check=True)
        run(["mount", "-t", "tmpfs", "tmp", f"{root}/tmp"], check=True)  # noqa: S108 - a folder of the hosts

    def _accounts(self, etc: Path) -> None:
        passwd = ["root:x:0:0:root:/root:/bin/sh", "nobody:x:65534:65534::/nonexistent:/bin/false"]
        passwd += [f"{n}:x:{i}:{i}::/nonexistent:/bin/false" for n, i in _ACCOUNTS.items()]
        members = {"frrvty": "frr"}
        group = ["root:x:0:", "nogroup:x:65534:", "tty:x:5:", "sshd:x:992:"]
        group += [f"{name}:x:{number}:{members.get(name, '')}" for name, number in _GROUPS.items()]
        (etc / "passwd").write_text("\n".join(passwd) + "\n")
        (etc / "group").write_text("\n".join(group) + "\n")
        names = [line.split(":")[0] for line in passwd]
        (etc / "shadow").write_text("".join(f"{name}:*:19000:0:99999:7:::\n" for name in names))
        (etc / "shadow").chmod(0o600)
        (etc / "gshadow").write_text("".join(f"{line.split(':')[0]}:*::\n" for line in group))


def run(
    argv: Sequence[str], text: str | None = None, timeout: float = 120, *, check: bool = False
) -> subprocess.CompletedProcess[str]:
    """Run a command of the machine; raise LabError if the command failed and `check` is true."""
    done = subprocess.run(  # noqa: S603 - the engine's own commands
        argv,
        input=text,
        capture_output=True,
        text=True,
        timeout=timeout,
        env=ENVIRONMENT,
        check=False,
    )
    if check and done.returncode:
        reason = (done.stderr or done.stdout).strip()
        raise LabError(f"{argv[0]} failed ({done.returncode}): {reason}")
    return done


class LabError(Exception):
    """A failure in the lab, in one sentence."""


class RefusedError(LabError):
    """A switch refuses a line of its rendered files."""

"""The programs a lab needs: found on this machine, or unpacked from Debian's packages beside it.

Unpacking instead of installing: nothing on the machine changes, no service starts, no root is
needed, and ifupdown2 does not push out the ifupdown that the machine itself may live by.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from fabricgen.lab.client import LabFailure

# A file that must be there, and the Debian package that has it.
_NEEDED = {
    "usr/lib/frr/bgpd": "frr",
    "usr/lib/frr/frr-reload.py": "frr-pythontools",
    "usr/share/ifupdown2/__main__.py": "ifupdown2",
    "usr/sbin/lldpcli": "lldpd",
    "usr/sbin/sshd": "openssh-server",
    "usr/bin/ssh-keygen": "openssh-client",
    "usr/sbin/tc": "iproute2",
    "usr/bin/ping": "iputils-ping",
    "usr/bin/pkill": "procps",
    "usr/bin/systemd-sysusers": "systemd-standalone-sysusers",
    "usr/bin/systemd-tmpfiles": "systemd-standalone-tmpfiles",
}
_FOR_UML = {"usr/bin/linux.uml": "user-mode-linux"}
_FOR_FRESH = {"usr/sbin/kea-dhcp4": "kea-dhcp4-server", "usr/sbin/dhclient": "isc-dhcp-client"}
_IFUPDOWN2 = "usr/share/ifupdown2"
_MERGED = ("bin", "sbin", "lib", "lib64")


@dataclass(frozen=True, slots=True)
class Tools:
    """The folder of unpacked packages. root: it, where it is filled."""

    folder: Path

    @classmethod
    def here(cls) -> Self:
        """Return this user's."""
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return cls(Path(cache) / "fabricgen" / "lab")

    @property
    def root(self) -> Path | None:
        """The root of the unpacked tree, None when nothing was unpacked."""
        root = self.folder / "root"
        return root if (root / "usr").is_dir() else None

    def find(self, path: str) -> Path | None:
        """Find a file among the unpacked packages or on this machine, if it can be read."""
        for root in (self.root, Path("/")):
            if root is not None and os.access(root / path, os.R_OK):
                return root / path
        return None


def missing_packages(tools: Tools, *, uml: bool, fresh: bool = False) -> list[str]:
    """Return the packages whose programs are neither installed nor unpacked."""
    needed = _NEEDED | (_FOR_UML if uml else {}) | (_FOR_FRESH if fresh else {})
    return [package for path, package in needed.items() if tools.find(path) is None]


def unpack(tools: Tools, packages: list[str]) -> list[str]:
    """Fetch packages with what they depend on and unpack them; return the files' names."""
    if not shutil.which("apt-get"):
        raise LabFailure(f"no apt-get here; install {', '.join(packages)} by this system's means")
    debs = tools.folder / "debs"
    (debs / "partial").mkdir(parents=True, exist_ok=True)
    if _fetch(debs, packages, []):
        lists = tools.folder / "lists"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        own = [f"-oDir::State::lists={lists}"]
        _apt(["update", "-qq", *own, "-oAPT::Sandbox::User="])
        if refusal := _fetch(debs, packages, own):
            raise LabFailure(f"apt-get does not give {', '.join(packages)}: {refusal}")
    root = tools.folder / "root"
    for name in _MERGED:
        (root / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (root / name).is_symlink():
            (root / name).symlink_to(f"usr/{name}")
    archives = sorted(debs.glob("*.deb"))
    for deb in archives:
        _extract(deb, root)
    _finish(root)
    shutil.rmtree(debs)
    return [deb.name for deb in archives]


def _finish(root: Path) -> None:
    """Do what ifupdown2's postinst does: nothing of a package runs where it is only unpacked."""
    program = root / _IFUPDOWN2 / "__main__.py"
    if program.exists():
        program.chmod(0o755)
        words = ["/usr/bin/python3", "-I", "-m", "compileall", "-q", str(program.parent)]
        subprocess.run(words, check=False, capture_output=True)  # noqa: S603 - only for speed


def _apt(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        ["apt-get", "-oDebug::NoLocking=1", *words],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
    )


def _fetch(debs: Path, packages: list[str], more: list[str]) -> str:
    """Download packages and what they need beyond what is installed; say why not, else nothing."""
    options = ["-oAPT::Sandbox::User=", f"-oDir::Cache::archives={debs}", *more]
    words = ["--download-only", "--reinstall", "--no-install-recommends", "-y", *options]
    done = _apt(["install", *words, *packages])
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def _extract(deb: Path, root: Path) -> None:
    """Unpack one package; /bin and /sbin stay the links they are on a merged system."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as source:  # noqa: S603, S607
        done = subprocess.run(  # noqa: S603
            ["tar", "-x", "--keep-directory-symlink", "--no-same-owner", "-C", root],  # noqa: S607
            stdin=source.stdout,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise LabFailure(f"unpacking {deb.name}: {done.stderr.strip()}")

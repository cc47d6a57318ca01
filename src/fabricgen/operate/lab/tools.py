"""Find the programs that a lab needs on this machine, or unpack them from Debian packages.

Unpacking changes nothing on the machine, starts no service and needs no root. An installation of
ifupdown2 would remove the ifupdown that the machine itself may use.
"""

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from fabricgen.operate.lab.client import LabFailure

# Required file and its Debian package.
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
KERNEL = "usr/bin/linux.uml"
_FOR_UML = {KERNEL: "user-mode-linux"}
_FOR_FRESH = {"usr/sbin/kea-dhcp4": "kea-dhcp4-server", "usr/sbin/dhclient": "isc-dhcp-client"}
_IFUPDOWN2 = "usr/share/ifupdown2"
_MERGED = ("bin", "sbin", "lib", "lib64")


@dataclass(frozen=True, slots=True)
class Tools:
    """The folder of unpacked packages.

    Attributes:
        frr: Version of an unpacked FRR; empty for the one of this system.
    """

    folder: Path
    frr: str = ""

    @classmethod
    def here(cls, frr: str = "") -> Self:
        """Return the tools of this user."""
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        return cls(Path(cache) / "fabricgen" / "lab", frr)

    def home_of(self, frr: str) -> Path:
        """Return the folder of an FRR."""
        return self.folder / f"frr-{frr}"

    @property
    def frr_root(self) -> Path | None:
        """Return the tree of the requested FRR, None when it is not unpacked."""
        root = self.home_of(self.frr) / "root"
        return root if self.frr and (root / "usr/lib/frr/zebra").exists() else None

    def frr_command(self, program: str) -> tuple[str, ...] | None:
        """Return the command for a program of the requested FRR, None without it.

        Its libraries need a newer loader than the one of this system, so its own loader starts the
        program.
        """
        root = self.frr_root
        loaders = sorted(root.glob("usr/lib64/ld-linux-*")) if root else []
        if root is None or not loaders:
            return None
        places = sorted((*root.glob("usr/lib/*-linux-gnu"), *root.glob("usr/lib/*-linux-gnu/frr")))
        return (str(loaders[0]), "--library-path", ":".join(map(str, places)), str(root / program))

    @property
    def layers(self) -> tuple[Path, ...]:
        """Return the trees that overlay this system on switches, the uppermost first."""
        return tuple(root for root in (self.frr_root, self.root) if root is not None)

    @property
    def root(self) -> Path | None:
        """Return the root of the unpacked tree, None when nothing was unpacked."""
        root = self.folder / "root"
        return root if (root / "usr").is_dir() else None

    def find(self, path: str) -> Path | None:
        """Find a readable file among the unpacked packages or on this machine."""
        for root in (self.root, Path("/")):
            if root is not None and os.access(root / path, os.R_OK):
                return root / path
        return None


def missing_packages(tools: Tools, *, uml: bool, fresh: bool = False) -> list[str]:
    """Return the packages whose programs are neither installed nor unpacked."""
    needed = _NEEDED | (_FOR_UML if uml else {}) | (_FOR_FRESH if fresh else {})
    return [package for path, package in needed.items() if tools.find(path) is None]


def unpack(tools: Tools, packages: list[str]) -> list[str]:
    """Download packages with their dependencies and unpack them; return the names of the files."""
    if not shutil.which("apt-get"):
        raise LabFailure(
            f"apt-get not found: install {', '.join(packages)} with the package manager of this "
            "system"
        )
    debs = tools.folder / "debs"
    (debs / "partial").mkdir(parents=True, exist_ok=True)
    if _fetch(debs, packages, []):
        lists = tools.folder / "lists"
        (lists / "partial").mkdir(parents=True, exist_ok=True)
        own = [f"-oDir::State::lists={lists}"]
        apt(["update", "-qq", *own, "-oAPT::Sandbox::User="])
        if refusal := _fetch(debs, packages, own):
            raise LabFailure(f"apt-get cannot download {', '.join(packages)}: {refusal}")
    root = tools.folder / "root"
    laid_out(root)
    archives = sorted(debs.glob("*.deb"))
    for deb in archives:
        extract(deb, root)
    _finish(root)
    shutil.rmtree(debs)
    return [deb.name for deb in archives]


def laid_out(root: Path) -> None:
    """Make the folders of a system whose /bin and /lib are links."""
    for name in _MERGED:
        (root / "usr" / name).mkdir(parents=True, exist_ok=True)
        if not (root / name).is_symlink():
            (root / name).symlink_to(f"usr/{name}")


def _finish(root: Path) -> None:
    """Run the steps of ifupdown2's postinst, because unpacking runs no script of a package."""
    program = root / _IFUPDOWN2 / "__main__.py"
    if program.exists():
        program.chmod(0o755)
        words = ["/usr/bin/python3", "-I", "-m", "compileall", "-q", str(program.parent)]
        subprocess.run(words, check=False, capture_output=True)  # noqa: S603 - only for speed


def apt(words: list[str], folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run apt-get without locks, in a folder."""
    return subprocess.run(  # noqa: S603
        ["apt-get", "-oDebug::NoLocking=1", *words],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
        stdin=subprocess.DEVNULL,
        cwd=folder,
    )


def _fetch(debs: Path, packages: list[str], more: list[str]) -> str:
    """Download packages and missing dependencies; return the error, empty on success."""
    options = ["-oAPT::Sandbox::User=", f"-oDir::Cache::archives={debs}", *more]
    words = ["--download-only", "--reinstall", "--no-install-recommends", "-y", *options]
    done = apt(["install", *words, *packages])
    if done.returncode == 0:
        return ""
    lines = done.stderr.strip().splitlines()
    return lines[-1] if lines else f"exit code {done.returncode}"


def extract(deb: Path, root: Path) -> None:
    """Unpack one package; /bin and /sbin stay links on a merged system."""
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb], stdout=subprocess.PIPE) as source:  # noqa: S603, S607
        done = subprocess.run(  # noqa: S603
            ["tar", "-x", "--keep-directory-symlink", "--no-same-owner", "-C", root],  # noqa: S607
            stdin=source.stdout,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        raise LabFailure(f"unpacking {deb.name} failed: {done.stderr.strip()}")

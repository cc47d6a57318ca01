"""Unpack packages of another Debian release, with their libraries and loader."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, apt, extract, laid_out

SUITES = {"10.3": "trixie"}
"""Debian suite by FRR version (packages.debian.org, source package frr: 10.3-3)."""
RELEASES = {"10.3": "linux:debian13"}
"""Platform by FRR version."""
_PACKAGES = ("frr", "frr-pythontools")
_LIBRARY = re.compile(r"(?:lib|gcc-\d+-base).*(?<!-bin)(?<!-modules)(?<!-common)(?<!-runtime)")
"""Only libraries of the dependencies are needed; programs come from this system."""
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_FORMAT = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)"
_OWN = re.compile(r"^VERSION_CODENAME=\"?(\w+)", re.MULTILINE)


def unpack_frr(tools: Tools, version: str, machine: Path = Path("/")) -> list[str]:
    """Download an FRR from the mirror of this machine's apt; return the names of the packages.

    machine: root of the system whose release and keys are used.
    """
    home = tools.home_of(version)
    shutil.rmtree(home, ignore_errors=True)
    source = Source(f"FRR {version}", SUITES[version], machine)
    archives = unpack_from(source, home, _PACKAGES)
    if not (home / "root/usr/lib/frr/zebra").exists():
        raise LabFailure(f"the Debian suite {SUITES[version]} contains no FRR")
    return archives


class Source(NamedTuple):
    """A request: the name for messages, the Debian suite, and the system whose mirror is asked."""

    what: str
    suite: str
    machine: Path = Path("/")


def unpack_from(source: Source, home: Path, packages: Sequence[str]) -> list[str]:
    """Download packages and their libraries, and unpack them into `root` below a folder.

    The libraries belong to the first package. Raises LabFailure without apt or a mirror.
    """
    if not shutil.which("apt-get"):
        raise LabFailure(f"apt-get not found: {source.what} requires it")
    line = _mirror(source)
    debs = home / "debs"
    debs.mkdir(parents=True)
    options = _options(home, line)
    _asked(["update", "-qq", *options], source)
    listed = ["install", "-y", "--no-install-recommends", "--print-uris", *options, packages[0]]
    needed = [_name(line) for line in _asked(listed, source).splitlines() if line[:1] == "'"]
    libraries = [name for name in needed if _LIBRARY.fullmatch(name)]
    _asked(["download", *options, *packages, *libraries], source, debs)
    root = home / "root"
    laid_out(root)
    archives = sorted(debs.glob("*.deb"))
    for deb in archives:
        extract(deb, root)
    for name in ("debs", "apt"):
        shutil.rmtree(home / name)
    return [deb.name for deb in archives]


def _mirror(source: Source) -> str:
    """Return the sources line of a suite, with the mirror of this machine's release."""
    machine, what = source.machine, source.what
    try:
        found = _OWN.search((machine / "etc/os-release").read_text())
    except OSError:
        found = None
    if found is None:
        raise LabFailure(
            f"{what} is available for Debian only, and this machine does not run Debian"
        )
    rows = [
        line.split("|") for line in _asked(["indextargets", "--format", _FORMAT], source).split()
    ]
    mirrors = [row[0] for row in rows if row[1:] == [found[1], "main"]]
    if not mirrors:
        raise LabFailure(f"apt has no source for {found[1]} main: add a Debian mirror for {what}")
    keys = machine / _KEYRING.relative_to("/")
    signed = f"[signed-by={keys}] " if keys.exists() else ""
    return f"deb {signed}{mirrors[0]} {source.suite} main\n"


def _options(home: Path, line: str) -> list[str]:
    """Return options that limit apt to this source and hide installed packages."""
    own = home / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (own / folder).mkdir(parents=True)
    (own / "status").touch()
    (own / "sources.list").write_text(line)
    return [
        "-oAPT::Sandbox::User=",
        f"-oDir::Etc::sourcelist={own}/sources.list",
        "-oDir::Etc::sourceparts=/dev/null",
        f"-oDir::State={own}/state",
        f"-oDir::State::status={own}/status",
        f"-oDir::Cache={own}/cache",
    ]


def _asked(words: list[str], source: Source, folder: Path | None = None) -> str:
    done = apt(words, folder)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise LabFailure(f"apt-get cannot download {source.what}: {said}")
    return done.stdout


def _name(line: str) -> str:
    """Return the package in a line of `--print-uris`: 'URI' FILE SIZE HASH."""
    return line.split()[1].partition("_")[0]

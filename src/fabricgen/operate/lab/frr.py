"""Unpack an FRR of another Debian release, with its libraries and loader."""

import re
import shutil
from pathlib import Path

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, apt, extract, laid_out

SUITES = {"10.3": "trixie"}
"""Debian suite by FRR version (packages.debian.org, source package frr: 10.3-3)."""
RELEASES = {"10.3": "linux:debian13"}
"""Platform by FRR version."""
_PACKAGES = ("frr", "frr-pythontools")
_LIBRARY = re.compile(r"(?:lib|gcc-\d+-base).*(?<!-bin)(?<!-modules)(?<!-common)(?<!-runtime)")
"""Only libraries of FRR's dependencies are needed; programs come from this system."""
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_FORMAT = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)"
_OWN = re.compile(r"^VERSION_CODENAME=\"?(\w+)", re.MULTILINE)


def unpack_frr(tools: Tools, version: str, machine: Path = Path("/")) -> list[str]:
    """Download an FRR from the mirror of this machine's apt; return the names of the packages.

    machine: root of the system whose release and keys are used.
    """
    if not shutil.which("apt-get"):
        raise LabFailure(f"apt-get not found: FRR {version} requires it")
    home = tools.home_of(version)
    shutil.rmtree(home, ignore_errors=True)
    debs = home / "debs"
    debs.mkdir(parents=True)
    options = _options(home, _source(version, machine))
    _asked(["update", "-qq", *options], version)
    listed = ["install", "-y", "--no-install-recommends", "--print-uris", *options, "frr"]
    needed = [_name(line) for line in _asked(listed, version).splitlines() if line[:1] == "'"]
    libraries = [name for name in needed if _LIBRARY.fullmatch(name)]
    _asked(["download", *options, *_PACKAGES, *libraries], version, debs)
    root = home / "root"
    laid_out(root)
    archives = sorted(debs.glob("*.deb"))
    for deb in archives:
        extract(deb, root)
    if not (root / "usr/lib/frr/zebra").exists():
        raise LabFailure(f"the Debian suite {SUITES[version]} contains no FRR")
    for name in ("debs", "apt"):
        shutil.rmtree(home / name)
    return [deb.name for deb in archives]


def _source(version: str, machine: Path) -> str:
    """Return the sources line of a suite, with the mirror of this machine's release."""
    try:
        found = _OWN.search((machine / "etc/os-release").read_text())
    except OSError:
        found = None
    if found is None:
        raise LabFailure(
            f"FRR {version} is available for Debian only, and this machine does not run Debian"
        )
    rows = [
        line.split("|") for line in _asked(["indextargets", "--format", _FORMAT], version).split()
    ]
    mirrors = [row[0] for row in rows if row[1:] == [found[1], "main"]]
    if not mirrors:
        raise LabFailure(
            f"apt has no source for {found[1]} main: add a Debian mirror for FRR {version}"
        )
    keys = machine / _KEYRING.relative_to("/")
    signed = f"[signed-by={keys}] " if keys.exists() else ""
    return f"deb {signed}{mirrors[0]} {SUITES[version]} main\n"


def _options(home: Path, source: str) -> list[str]:
    """Return options that limit apt to this source and hide installed packages."""
    own = home / "apt"
    for folder in ("state/lists/partial", "cache/archives/partial"):
        (own / folder).mkdir(parents=True)
    (own / "status").touch()
    (own / "sources.list").write_text(source)
    return [
        "-oAPT::Sandbox::User=",
        f"-oDir::Etc::sourcelist={own}/sources.list",
        "-oDir::Etc::sourceparts=/dev/null",
        f"-oDir::State={own}/state",
        f"-oDir::State::status={own}/status",
        f"-oDir::Cache={own}/cache",
    ]


def _asked(words: list[str], version: str, folder: Path | None = None) -> str:
    done = apt(words, folder)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise LabFailure(f"apt-get cannot download FRR {version}: {said}")
    return done.stdout


def _name(line: str) -> str:
    """Return the package in a line of `--print-uris`: 'URI' FILE SIZE HASH."""
    return line.split()[1].partition("_")[0]

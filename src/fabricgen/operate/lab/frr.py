"""Unpacks an FRR of another Debian release, with its libraries and loader."""

import re
import shutil
from pathlib import Path

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.tools import Tools, apt, extract, laid_out

SUITES = {"10.3": "trixie"}
"""FRR by the Debian suite that has it (packages.debian.org, source package frr: 10.3-3)."""
RELEASES = {"10.3": "linux:debian13"}
"""The platform whose files such an FRR is given."""
_PACKAGES = ("frr", "frr-pythontools")
_LIBRARY = re.compile(r"(?:lib|gcc-\d+-base).*(?<!-bin)(?<!-modules)(?<!-common)(?<!-runtime)")
"""Of the packages that FRR depends on, only libraries are needed; programs stay this system's."""
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_FORMAT = "$(REPO_URI)|$(RELEASE)|$(COMPONENT)"
_OWN = re.compile(r"^VERSION_CODENAME=\"?(\w+)", re.MULTILINE)


def unpack_frr(tools: Tools, version: str, machine: Path = Path("/")) -> list[str]:
    """Fetch an FRR from the mirror that this machine's apt uses; return the files' names.

    machine: root of the system whose release and keys count.
    """
    if not shutil.which("apt-get"):
        raise LabFailure(f"no apt-get here, which alone can fetch FRR {version}")
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
        raise LabFailure(f"the suite {SUITES[version]} gave no FRR")
    for name in ("debs", "apt"):
        shutil.rmtree(home / name)
    return [deb.name for deb in archives]


def _source(version: str, machine: Path) -> str:
    """Return the line of sources for a suite: the mirror of the machine's own release."""
    try:
        found = _OWN.search((machine / "etc/os-release").read_text())
    except OSError:
        found = None
    if found is None:
        raise LabFailure(f"FRR {version} comes from Debian's mirror, and this is no Debian")
    rows = [
        line.split("|") for line in _asked(["indextargets", "--format", _FORMAT], version).split()
    ]
    mirrors = [row[0] for row in rows if row[1:] == [found[1], "main"]]
    if not mirrors:
        raise LabFailure(
            f"apt has no source of {found[1]} main, whose mirror would have FRR {version}"
        )
    keys = machine / _KEYRING.relative_to("/")
    signed = f"[signed-by={keys}] " if keys.exists() else ""
    return f"deb {signed}{mirrors[0]} {SUITES[version]} main\n"


def _options(home: Path, source: str) -> list[str]:
    """Let apt know nothing but that source, and nothing of what is installed."""
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
        raise LabFailure(f"apt-get does not give FRR {version}: {said}")
    return done.stdout


def _name(line: str) -> str:
    """Return the package in a line of `--print-uris`: 'URI' FILE SIZE HASH."""
    return line.split()[1].partition("_")[0]

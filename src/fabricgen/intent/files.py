"""Reads the YAML files of a site directory and reports every file that it cannot read."""

import os
import re
import stat
from collections.abc import Collection
from pathlib import Path

from fabricgen.core.confined import Folder, Refused, TooLarge
from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.core.own_templates import FOLDER, OwnTemplates, read_templates

SUFFIXES = (".yaml", ".yml")
MAX_SITE = 8 * 2**20
"""Maximum bytes of all files of a site together."""
TOO_LARGE = (
    f"the files of the site exceed {MAX_SITE >> 20} MiB together; split the site or remove files"
)
TREE_MARK = "manifest.json"
"""Manifest of a rendered tree. A folder with this file is output, never intent."""
FACTS = "catalog"
"""Folder of a site with its hardware facts, which are read separately from the intent."""
PRICES = f"{FACTS}/prices.csv"
"""Prices of parts as a spreadsheet saves them, the only file that is not YAML."""
_MOST_BYTES = 65_536
"""Bytes at the start of a YAML file that `is_site` searches."""
_SITE_KEY = re.compile(rb"^(site|'site'|\"site\")\s*:", re.MULTILINE)
_ASIDE = (FOLDER, "inventory")
"""Top-level folders of a site without intent: custom templates and the inventory."""
SiteFiles = tuple[dict[str, str], list[Diagnostic], OwnTemplates, str]
"""Texts by path, errors of reading, custom templates, and the path of the site."""


def site_files(site: Path) -> list[Path]:
    """Return every YAML file of a site directory that contains intent, in a stable order."""
    return _yaml(site, _visible(site))


def is_site(folder: Path) -> bool:
    """Return whether one of the YAML files of a folder has the key `site`. Never raises OSError."""
    try:
        names = sorted(path.name for path in folder.iterdir())
        return TREE_MARK not in names and any(_has_site_key(folder / name) for name in names)
    except OSError:
        return False


def _has_site_key(path: Path) -> bool:
    if not path.name.endswith(SUFFIXES) or path.name.startswith(".") or not path.is_file():
        return False
    with path.open("rb") as file:
        return _SITE_KEY.search(file.read(_MOST_BYTES)) is not None


def is_fact(path: str) -> bool:
    """Return whether a path below a site is in the folder of its hardware facts."""
    return path.startswith(f"{FACTS}/")


def is_aside(folder: str, names: Collection[str]) -> bool:
    """Return whether a folder is not read as intent; `folder` is relative to the site.

    These are hidden folders, rendered trees (`names` are the files in the folder), custom templates
    and the inventory.
    """
    return folder in _ASIDE or folder.rpartition("/")[2].startswith(".") or TREE_MARK in names


def is_read(path: str) -> bool:
    """Return whether fabricgen reads a file, by its path below a site."""
    return path.endswith(SUFFIXES) or path == PRICES


def _yaml(site: Path, paths: list[Path]) -> list[Path]:
    return [
        path
        for path in paths
        if is_read(path.relative_to(site).as_posix()) and (path.is_symlink() or not path.is_dir())
    ]


def read_site(site: Path) -> SiteFiles:
    """Read a site. Never raises for errors in its files."""
    texts: dict[str, str] = {}
    findings: list[Diagnostic] = []
    wrong = _not_a_folder(site)
    if wrong is not None:
        return {}, [wrong], (), ""
    paths = _visible(site)
    left = MAX_SITE
    with Folder(site) as folder:
        for path in _yaml(site, paths):
            content = _read(folder, path, path.relative_to(site).as_posix(), left, findings)
            if content is not None:
                left -= len(content)
                texts[spelled(path)] = content.decode("utf-8-sig")
    if not texts and not findings:
        findings.append(
            Diagnostic(
                Code.UNREADABLE,
                f"no *.yaml file in {str(site)!r}",
                hint="`fabricgen init` lists valid starter sites",
            )
        )
    findings.extend(
        Diagnostic(
            Code.UNREADABLE,
            "is a link to a folder; fabricgen does not follow it",
            position=Position(spelled(path), 1, 1),
            hint="copy the files here",
            severity=Severity.WARNING,
        )
        for path in paths
        if path.is_symlink() and os.path.isdir(path)  # noqa: PTH112 - pathlib's may raise
    )
    templates, unread = read_templates(site)
    return texts, [*findings, *unread], templates, f"{spelled(site)}/"


def _visible(site: Path) -> list[Path]:
    """Return the files and linked folders in folders of intent."""
    paths = []
    for root, folders, names in os.walk(site):
        here = Path(root)
        if here != site and is_aside(here.relative_to(site).as_posix(), names):
            folders.clear()
            continue
        paths += [here / name for name in (*folders, *names) if not name.startswith(".")]
    return sorted(paths, key=lambda path: path.relative_to(site).as_posix())


def _not_a_folder(site: Path) -> Diagnostic | None:
    try:
        if stat.S_ISDIR(site.stat().st_mode):
            return None
        why = "is not a directory"
    except FileNotFoundError:
        why = "does not exist"
    except OSError as error:
        why = f"cannot be read: {error.strerror}"
    return Diagnostic(
        Code.UNREADABLE, f"the site {str(site)!r} {why}", hint="name a directory with *.yaml files"
    )


def spelled(path: Path) -> str:
    """Return a path as printable text, whatever bytes the file name has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _read(
    folder: Folder, path: Path, inner: str, most: int, findings: list[Diagnostic]
) -> bytes | None:
    """Return the UTF-8 bytes of a file, or add a finding with the reason."""
    place = Position(spelled(path), 1, 1)
    try:
        content = folder.read(inner, most)
        content.decode()
    except UnicodeDecodeError as error:
        before = bytes(error.object[: error.start]).decode("utf-8", "replace")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        findings.append(
            Diagnostic(
                Code.UNREADABLE,
                f"the byte {error.object[error.start]:02X} is not UTF-8 text",
                position=Position(place.file, line, column),
                hint="save the file as UTF-8",
            )
        )
    except TooLarge:
        findings.append(Diagnostic(Code.TOO_DEEP_OR_LARGE, TOO_LARGE, position=place))
    except Refused as error:
        hint = "replace the link by the file" if path.is_symlink() else ""
        findings.append(Diagnostic(Code.UNREADABLE, error.reason, position=place, hint=hint))
    except OSError as error:
        findings.append(
            Diagnostic(Code.UNREADABLE, f"cannot be read: {error.strerror}", position=place)
        )
    else:
        return content
    return None

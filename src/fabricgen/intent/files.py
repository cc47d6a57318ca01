"""Reads the YAML files of a site directory and reports every file that it cannot read."""

import os
import stat
from collections.abc import Collection
from pathlib import Path

from fabricgen.core.confined import Folder, Refused, TooLarge
from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.core.own_templates import FOLDER, OwnTemplates, read_templates

SUFFIXES = (".yaml", ".yml")
MAX_SITE = 8 * 2**20
"""Bytes of all files of a site together."""
TOO_LARGE = f"the files of a site have more than {MAX_SITE >> 20} MiB together"
TREE_MARK = "manifest.json"
"""The file that a rendered tree has: a folder with it is output, never intent."""
FACTS = "catalog"
"""The folder of a site with hardware facts of its own: read with the intent, and not as intent."""
PRICES = f"{FACTS}/prices.csv"
"""What parts cost, as a spreadsheet saves it: the one file that is no YAML."""
_ASIDE = (FOLDER, "inventory")
"""Folders at the top of a site that say something else: own templates, how switches are reached."""
SiteFiles = tuple[dict[str, str], list[Diagnostic], OwnTemplates, str]
"""Texts by the path they are named with, what could not be read, own templates, the site's path."""


def site_files(site: Path) -> list[Path]:
    """Return every YAML file of a site directory that is intent, in a stable order."""
    return _yaml(site, _visible(site))


def is_fact(path: str) -> bool:
    """Tell whether a path below a site is in the folder of its hardware facts."""
    return path.startswith(f"{FACTS}/")


def is_aside(folder: str, names: Collection[str]) -> bool:
    """Tell whether a folder below a site, as path from there, is not read as intent.

    Hidden ones are not, rendered trees are not (`names` are the files in it), nor are own templates
    and the inventory.
    """
    return folder in _ASIDE or folder.rpartition("/")[2].startswith(".") or TREE_MARK in names


def is_read(path: str) -> bool:
    """Tell whether a file, by its path below a site, is one that is read."""
    return path.endswith(SUFFIXES) or path == PRICES


def _yaml(site: Path, paths: list[Path]) -> list[Path]:
    return [
        path
        for path in paths
        if is_read(path.relative_to(site).as_posix()) and (path.is_symlink() or not path.is_dir())
    ]


def read_site(site: Path) -> SiteFiles:
    """Read a site. Never raises for what people write."""
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
                hint="`fabricgen init` lists valid sites to start from",
            )
        )
    findings.extend(
        Diagnostic(
            Code.UNREADABLE,
            "a link to a folder; what is in it is not read",
            position=Position(spelled(path), 1, 1),
            hint="put the files here",
            severity=Severity.WARNING,
        )
        for path in paths
        if path.is_symlink() and os.path.isdir(path)  # noqa: PTH112 - pathlib's may raise
    )
    templates, unread = read_templates(site)
    return texts, [*findings, *unread], templates, f"{spelled(site)}/"


def _visible(site: Path) -> list[Path]:
    """Return what is in folders of intent, links to folders too; the others are passed by."""
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
    """Return a path as text that can be printed, whatever bytes the file's name has."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _read(
    folder: Folder, path: Path, inner: str, most: int, findings: list[Diagnostic]
) -> bytes | None:
    """Return the UTF-8 of a file, or say why not."""
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
        hint = "put the file itself here" if path.is_symlink() else ""
        findings.append(Diagnostic(Code.UNREADABLE, error.reason, position=place, hint=hint))
    except OSError as error:
        findings.append(
            Diagnostic(Code.UNREADABLE, f"cannot be read: {error.strerror}", position=place)
        )
    else:
        return content
    return None

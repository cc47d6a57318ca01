"""Read an output folder and compare it with its manifest byte by byte."""

import hashlib
import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from fabricgen.compile.output.manifest import FILE, Entry, Manifest, read_manifest
from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.core.workers import mapped

_AT_ONCE = 4096  # files that a worker is given; fewer are not worth a worker


class Refused(Failure):
    """The output folder cannot or must not be written."""

    def __init__(self, diagnostic: Diagnostic | str, hint: str = "") -> None:
        if isinstance(diagnostic, str):
            diagnostic = Diagnostic(Code.OUTPUT_UNWRITABLE, diagnostic, hint=hint)
        super().__init__(diagnostic)


def standing(target: Path, *, force: bool, jobs: int = 1) -> tuple[Manifest, set[str]]:
    """Return the existing tree and its edited files; refuse a folder that is not a tree."""
    if not target.exists():
        return Manifest(), set()
    if not target.is_dir():
        raise Refused(f"{target} is a file", "name a folder with -o")
    manifest = read_manifest(target)
    if manifest is None:
        if any(target.iterdir()):
            raise Refused(
                f"{target} contains files but no {FILE} of a rendered tree",
                "name an empty or new folder with -o",
            )
        return Manifest(), set()
    return manifest, edits(target, manifest, force=force, jobs=jobs)


def edits(target: Path, manifest: Manifest, *, force: bool, jobs: int = 1) -> set[str]:
    """Return the edited files of a tree; refuse foreign files and, unless forced, edits."""
    _nothing_foreign(target, manifest)
    edited = _edited(target, manifest, jobs)
    if edited and not force:
        raise Refused(
            f"{len(edited)} file(s) in {target} were changed by hand, for example {min(edited)}",
            "move the change into the intent, or use --force to overwrite",
        )
    return edited


def _nothing_foreign(target: Path, manifest: Manifest) -> None:
    foreign = sorted(set(_files_in(target)) - manifest.files.keys() - {FILE})
    if foreign:
        raise Refused(
            f"{target} contains {len(foreign)} file(s) that do not belong to the rendered tree, "
            f"for example {foreign[0]}",
            "move them out, because the complete folder is replaced",
        )


def _files_in(folder: Path) -> Iterator[str]:
    skip = len(str(folder)) + 1
    for root, _, names in os.walk(folder):
        below = f"{root}/"[skip:]
        for name in names:
            yield below + name


def _edited(target: Path, manifest: Manifest, jobs: int) -> set[str]:
    """Hash every file on disk."""
    entries = list(manifest.files.items())
    parts = [entries[first : first + _AT_ONCE] for first in range(0, len(entries), _AT_ONCE)]
    edited = mapped(partial(_edited_of, target), parts, min(jobs, len(parts)))
    return {path for paths in edited for path in paths}


def _edited_of(target: Path, entries: list[tuple[str, Entry]]) -> list[str]:
    with Folder(target) as tree:
        return [path for path, entry in entries if _differs(tree, path, entry)]


def _differs(tree: Folder, path: str, entry: Entry) -> bool:
    """Return whether a file is changed, removed, or replaced by a link."""
    try:
        return hashlib.sha256(tree.read(path)).hexdigest() != entry.sha256
    except OSError:
        return True

"""Read an output folder and compare it with its manifest byte by byte.

The files of a switch or server are not read if they have the same inodes, sizes and times as after
the last render on this machine.
"""

import hashlib
import os
import time
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from fabricgen.compile.output.manifest import (
    FILE,
    SERVER,
    Entry,
    Manifest,
    folder_of_file,
    read_manifest,
)
from fabricgen.compile.output.remembered import Remembered
from fabricgen.core.confined import Folder
from fabricgen.core.diagnostics import Code, Diagnostic, Failure
from fabricgen.core.record import record
from fabricgen.core.workers import mapped

_AT_ONCE = 4096  # files that a worker is given; fewer are not worth a worker


class Refused(Failure):
    """The output folder cannot or must not be written."""

    def __init__(self, diagnostic: Diagnostic | str, hint: str = "") -> None:
        if isinstance(diagnostic, str):
            diagnostic = Diagnostic(Code.OUTPUT_UNWRITABLE, diagnostic, hint=hint)
        super().__init__(diagnostic)


@record(kw_only=True)
class Standing:
    """An existing tree.

    Attributes:
        edited: Edited files.
        stamps: Stamps of the owners without edited files.
    """

    manifest: Manifest
    edited: set[str]
    stamps: dict[str, str]


def standing(target: Path, before: Remembered | None, *, force: bool, jobs: int = 1) -> Standing:
    """Return the existing tree and its edited files; refuse a folder that is not a tree."""
    nothing = Standing(manifest=Manifest(), edited=set(), stamps={})
    if not target.exists():
        return nothing
    if not target.is_dir():
        raise Refused(f"{target} is a file", "name a folder with -o")
    mine = before is not None and before.is_current(target)
    manifest = before.manifest if before is not None and mine else read_manifest(target)
    if manifest is None:
        if any(target.iterdir()):
            raise Refused(
                f"{target} contains files but no {FILE} of a rendered tree",
                "name an empty or new folder with -o",
            )
        return nothing
    stamps = before.stamps if before is not None and mine else {}
    return edits(target, manifest, stamps, force=force, jobs=jobs)


def edits(
    target: Path, manifest: Manifest, stamps: Mapping[str, str], *, force: bool, jobs: int = 1
) -> Standing:
    """Find the edited files of a tree; refuse foreign files and, unless forced, edits.

    The files of an owner are not read if the stamp has not changed.
    """
    owners = by_owner(manifest.files)
    same, settled = _stamped(target, owners, stamps)
    _nothing_foreign(target, manifest, {f for f in same if f + SERVER not in manifest.files})
    edited = _edited(target, manifest, [each for each in owners if each not in same], jobs)
    if edited and not force:
        raise Refused(
            f"{len(edited)} file(s) in {target} were changed by hand, for example {min(edited)}",
            "move the change into the intent, or use --force to overwrite",
        )
    wrong = set(map(folder_of_file, edited))
    kept = {folder: each for folder, each in settled.items() if folder not in wrong}
    return Standing(manifest=manifest, edited=edited, stamps=kept)


def by_owner(paths: Iterable[str]) -> dict[str, list[str]]:
    """Return the paths of files by the folder of their owner."""
    owners: dict[str, list[str]] = {}
    for path in paths:
        owners.setdefault(folder_of_file(path), []).append(path)
    return owners


_SOON = 2 * 10**9
"""Nanoseconds. A file that changed just before it was looked at may have another text since."""


def _stamped(
    target: Path, owners: Mapping[str, Sequence[str]], before: Mapping[str, str]
) -> tuple[set[str], dict[str, str]]:
    """Return the owners with an unchanged stamp, and every stamp that can be relied on."""
    linked = {top for top in {each.partition("/")[0] for each in owners} if _is_link(target, top)}
    same: set[str] = set()
    now, settled = time.time_ns(), dict[str, str]()
    for folder, paths in owners.items():
        if folder.partition("/")[0] in linked:
            continue
        text, last = stamp(target, folder, paths)
        if text and before.get(folder) == text:
            same.add(folder)
        if folder in same or (text and last < now - _SOON):
            settled[folder] = text
    return same, settled


def _is_link(target: Path, top: str) -> bool:
    return (target / top).is_symlink()


def stamp(target: Path, folder: str, paths: Iterable[str]) -> tuple[str, int]:
    """Return the state of an owner's files and folders on disk, and the time of the last change.

    A changed or added file changes the state, because the kernel sets the time of a change. The
    state is empty if a file is missing.
    """
    places = set(paths)
    for path in paths:
        above = path.rpartition("/")[0]
        while len(above) >= len(folder) and above not in places:
            places.add(above)
            above = above.rpartition("/")[0]
    try:
        facts = [os.lstat(f"{target}/{place}") for place in sorted(places)]
    except OSError:
        return "", 0
    rows = [(f.st_ino, f.st_mode, f.st_size, f.st_mtime_ns, f.st_ctime_ns) for f in facts]
    last = max(row[-1] for row in rows)
    return hashlib.sha256(repr(rows).encode()).hexdigest()[:32], last


def stamps_of(target: Path, manifest: Manifest) -> dict[str, str]:
    """Return the stamps of a tree that is new; its manifest was written last."""
    written = (target / FILE).lstat().st_ctime_ns
    found = {}
    for folder, paths in by_owner(manifest.files).items():
        text, last = stamp(target, folder, paths)
        if text and last < written:
            found[folder] = text
    return found


def _nothing_foreign(target: Path, manifest: Manifest, same: Container[str]) -> None:
    foreign = sorted(set(_files_in(target, same)) - manifest.files.keys() - {FILE})
    if foreign:
        raise Refused(
            f"{target} contains {len(foreign)} file(s) that do not belong to the rendered tree, "
            f"for example {foreign[0]}",
            "move them out, because the complete folder is replaced",
        )


def _files_in(folder: Path, same: Container[str]) -> Iterator[str]:
    """Yield the files of a tree, except in the folders of some owners."""
    skip = len(str(folder)) + 1
    for root, folders, names in os.walk(folder):
        below = f"{root}/"[skip:]
        folders[:] = [name for name in folders if below + name not in same]
        for name in names:
            if below + name not in same:
                yield below + name


def _edited(target: Path, manifest: Manifest, owners: Collection[str], jobs: int) -> set[str]:
    """Hash the files of some owners."""
    some = set(owners)
    entries = [each for each in manifest.files.items() if folder_of_file(each[0]) in some]
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

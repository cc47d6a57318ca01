"""Rendered files in, an output folder out: whole or not at all, stale files gone, nothing lost."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fabricgen.compiler import File
from fabricgen.diagnostics import Code, Diagnostic
from fabricgen.output.exchange import put_in_place, recover
from fabricgen.output.manifest import FILE, Entry, read_manifest, sha256, write_manifest


class Refused(Exception):  # noqa: N818 - it carries the sentence a person reads
    """The output folder cannot or must not be written."""

    def __init__(self, message: str, hint: str = "") -> None:
        """Keep the diagnostic to print."""
        super().__init__(message)
        self.diagnostic = Diagnostic(Code.OUTPUT_UNWRITABLE, message, hint=hint)


@dataclass(frozen=True, slots=True)
class Written:
    """What a render did to the folder."""

    files: int
    changed: int
    removed: int


def write_tree(target: Path, site: str, files: Iterable[File], *, keep_rest: bool = False,
               force: bool = False) -> Written:
    """Replace the tree at `target` by these files, atomically.

    keep_rest: keep files of the old tree that are not among the new (a partial render). force:
    overwrite files that were edited by hand. Raises Refused; the old tree then stands untouched.
    """
    target = Path(os.path.realpath(target))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        recover(target)
        old, edited = _old_entries(target, force=force)
        new = target.with_name(f".{target.name}.fabricgen-new-{os.getpid()}")
        shutil.rmtree(new, ignore_errors=True)
        try:
            return _build(new, target, site, files, old, edited, keep_rest=keep_rest)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise Refused(f"cannot write {target}: {error.strerror or error}",
                      "the tree that stood there is unchanged") from error


def _build(new: Path, target: Path, site: str, files: Iterable[File], old: dict[str, Entry],
           edited: set[str], *, keep_rest: bool) -> Written:
    new.mkdir()
    entries: dict[str, Entry] = {}
    made: set[Path] = set()
    changed = 0
    for file in files:
        entry = Entry(sha256(file.text), file.executable)
        same = old.get(file.path) == entry and file.path not in edited
        changed += not same
        _place(new / file.path, target / file.path, file, made, same=same)
        entries[file.path] = entry
    if keep_rest:
        for path in old.keys() - entries.keys():
            (new / path).parent.mkdir(parents=True, exist_ok=True)
            _keep(target / path, new / path)
            entries[path] = old[path]
    write_manifest(new, site, entries)
    os.sync()
    removed = len(old.keys() - entries.keys())
    if not changed and not removed and old:
        return Written(len(entries), 0, 0)
    put_in_place(new, target)
    return Written(len(entries), changed, removed)


def _place(place: Path, before: Path, file: File, made: set[Path], *, same: bool) -> None:
    if place.parent not in made:
        place.parent.mkdir(parents=True, exist_ok=True)
        made.add(place.parent)
    if same:
        _keep(before, place)
        return
    with place.open("w", encoding="utf-8", newline="") as stream:
        stream.write(file.text)
    if file.executable:
        place.chmod(0o755)


def _keep(before: Path, place: Path) -> None:
    """Take a file over from the old tree: linked, or copied where links are not to be had."""
    try:
        os.link(before, place)
    except OSError:
        shutil.copy2(before, place)


def _old_entries(target: Path, *, force: bool) -> tuple[dict[str, Entry], set[str]]:
    """Return the tree that stands there and what of it was edited; refuse what is not ours."""
    if not target.exists():
        return {}, set()
    if not target.is_dir():
        raise Refused(f"{target} is a file", "name a folder with -o")
    entries = read_manifest(target)
    if entries is None:
        if any(target.iterdir()):
            raise Refused(f"{target} holds files but no {FILE} of a rendered tree",
                          "name an empty or new folder with -o")
        return {}, set()
    mine = set(entries) | {FILE}
    foreign = sorted(path for path in _files_in(target) if path not in mine)
    if foreign:
        raise Refused(f"{target} holds {len(foreign)} file(s) that are not of the rendered tree, "
                      f"as {foreign[0]}", "move them out; the folder is replaced as a whole")
    edited = sorted(path for path, entry in entries.items() if _edited(target / path, entry))
    if edited and not force:
        raise Refused(f"{len(edited)} file(s) in {target} were changed by hand, as {edited[0]}",
                      "carry the change into the intent, or use --force to overwrite")
    return entries, set(edited)


def _files_in(folder: Path) -> Iterator[str]:
    for root, _, names in os.walk(folder):
        for name in names:
            yield (Path(root) / name).relative_to(folder).as_posix()


def _edited(path: Path, entry: Entry) -> bool:
    try:
        text = path.read_bytes().decode("utf-8", errors="replace")
    except OSError:
        return True
    return path.is_symlink() or sha256(text) != entry.sha256

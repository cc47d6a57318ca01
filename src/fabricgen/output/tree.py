"""Switches to render in, an output folder out: whole or not at all, stale files gone, nothing lost.

A switch whose fingerprint is that of the tree that stands there keeps its files unrendered.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Protocol

from fabricgen.diagnostics import Code, Diagnostic, Failure
from fabricgen.output.exchange import put_in_place, recover
from fabricgen.output.manifest import (
    FILE,
    Entry,
    Manifest,
    folder_of_file,
    read_manifest,
    sha256,
    write_manifest,
)
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fabricgen.compiler import File


class Part(Protocol):
    """One folder of a tree."""

    @property
    def folder(self) -> str:
        """Its path below the tree; a file beside the folders is a part by its own name."""

    @property
    def fingerprint(self) -> Callable[[], str]:
        """Hashes all that its files are made from: two parts that share it have the same files."""

    @property
    def render(self) -> Callable[[], Sequence[File]]:
        """Makes its files; not called when the tree has them already."""


@record()
class Made:
    """A part whose files are made already; they are what its fingerprint hashes."""

    folder: str
    files: tuple[File, ...]

    def fingerprint(self) -> str:
        """Return the hash of all files."""
        return sha256("".join(f"{file.path}\0{file.text}\0" for file in self.files))

    def render(self) -> Sequence[File]:
        """Return the files."""
        return self.files


def parts(files: Iterable[File]) -> list[Made]:
    """Group files by the folder of the tree that they belong to."""
    groups: dict[str, list[File]] = defaultdict(list)
    for file in files:
        groups[folder_of_file(file.path)].append(file)
    return [Made(folder, tuple(group)) for folder, group in groups.items()]


class Refused(Failure):
    """The output folder cannot or must not be written."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(Diagnostic(Code.OUTPUT_UNWRITABLE, message, hint=hint))


@dataclass(slots=True, kw_only=True)
class Written:
    """What a render did to the folder. switches: with the servers. rendered: those not kept."""

    files: int = 0
    changed: int = 0
    removed: int = 0
    switches: int = 0
    rendered: int = 0


def write_tree(
    target: Path, site: str, jobs: Iterable[Part], *, keep_rest: bool = False, force: bool = False
) -> Written:
    """Replace the tree at `target` by these switches' files, atomically.

    keep_rest: keep switches of the old tree that are not among the jobs (a partial render). force:
    overwrite files that were edited by hand. Raises Refused; the old tree then stands untouched.
    """
    target = Path(os.path.realpath(target))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        recover(target)
        old, edited = _standing(target, force=force)
        new = target.with_name(f".{target.name}.fabricgen-new-{os.getpid()}")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            build = _Build(new, target, old, edited)
            for job in jobs:
                build.add(job)
            if keep_rest:
                build.keep_rest()
            return build.finish(site)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise Refused(
            f"cannot write {target}: {error.strerror or error}",
            "the tree that stood there is unchanged",
        ) from error


class _Build:
    """A new tree in the making, beside the old one."""

    def __init__(self, new: Path, target: Path, old: Manifest, edited: set[str]) -> None:
        self.new, self.target, self.old, self.edited = new, target, old, edited
        self.manifest, self.written = Manifest(), Written()
        self._made: set[Path] = set()
        self._by_folder: dict[str, dict[str, Entry]] = defaultdict(dict)
        for path, entry in old.files.items():
            self._by_folder[folder_of_file(path)][path] = entry

    def add(self, job: Part) -> None:
        """Take a switch over from the old tree if nothing changed, else render it."""
        self.written.switches += 1
        self.manifest.sources[job.folder] = source = job.fingerprint()
        standing = self._by_folder.get(job.folder, {})
        same = self.old.sources.get(job.folder) == source
        if same and standing and not self.edited & standing.keys():
            for path, entry in standing.items():
                self.keep(path, entry)
            return
        self.written.rendered += 1
        for file in job.render():
            self.place(file)

    def place(self, file: File) -> None:
        """Write one file, or take it over when its text did not change."""
        entry = Entry(sha256(file.text), file.executable)
        if self.old.files.get(file.path) == entry and file.path not in self.edited:
            self.keep(file.path, entry)
            return
        self.written.changed += 1
        self.manifest.files[file.path] = entry
        place = self.room(file.path)
        with place.open("w", encoding="utf-8", newline="") as stream:
            stream.write(file.text)
        if file.executable:
            place.chmod(0o755)

    def keep(self, path: str, entry: Entry) -> None:
        """Take a file over from the old tree: linked, or copied where links are not to be had."""
        place = self.room(path)
        try:
            os.link(self.target / path, place)
        except OSError:
            shutil.copy2(self.target / path, place)
        self.manifest.files[path] = entry

    def room(self, path: str) -> Path:
        """Return where a file goes, with its folder made."""
        place = self.new / PurePosixPath(path)
        if place.parent not in self._made:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._made.add(place.parent)
        return place

    def keep_rest(self) -> None:
        """Take over every switch that was not asked for."""
        for folder, entries in self._by_folder.items():
            if folder not in self.manifest.sources:
                self.manifest.sources[folder] = self.old.sources.get(folder, "")
                for path, entry in entries.items():
                    self.keep(path, entry)

    def finish(self, site: str) -> Written:
        """Write the manifest and swap the trees."""
        self.written.files = len(self.manifest.files)
        self.written.removed = len(self.old.files.keys() - self.manifest.files.keys())
        if self.old == self.manifest and not self.edited:
            return self.written
        write_manifest(self.new, site, self.manifest)
        os.sync()
        put_in_place(self.new, self.target)
        return self.written


def _standing(target: Path, *, force: bool) -> tuple[Manifest, set[str]]:
    """Return the tree that stands there and what of it was edited; refuse what is not ours."""
    if not target.exists():
        return Manifest(), set()
    if not target.is_dir():
        raise Refused(f"{target} is a file", "name a folder with -o")
    manifest = read_manifest(target)
    if manifest is None:
        if any(target.iterdir()):
            raise Refused(
                f"{target} holds files but no {FILE} of a rendered tree",
                "name an empty or new folder with -o",
            )
        return Manifest(), set()
    foreign = sorted(set(_files_in(target)) - manifest.files.keys() - {FILE})
    if foreign:
        raise Refused(
            f"{target} holds {len(foreign)} file(s) that are not of the rendered tree, "
            f"as {foreign[0]}",
            "move them out; the folder is replaced as a whole",
        )
    edited = {path for path, entry in manifest.files.items() if _edited(target / path, entry)}
    if edited and not force:
        raise Refused(
            f"{len(edited)} file(s) in {target} were changed by hand, as {min(edited)}",
            "carry the change into the intent, or use --force to overwrite",
        )
    return manifest, edited


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

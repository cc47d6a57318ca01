"""Write rendered files to an output folder atomically and remove stale files.

Several processes may place files. One of them completes the new tree and puts it in the place of
the old one. A file with the text of the old tree is linked, not written. Where a single fabric
changed, the folders of the others stay untouched.
"""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.compile.output.exchange import put_fabric_in_place, put_in_place, recover, remember
from fabricgen.compile.output.existing_tree import Refused, standing
from fabricgen.compile.output.manifest import (
    BYTES,
    FILE,
    WAITING,
    Entry,
    Manifest,
    folder_of_file,
    sha256,
    write_manifest,
)
from fabricgen.compile.output.server_files import is_package, packages_of
from fabricgen.core.record import record
from fabricgen.core.workers import WorkerDied

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from fabricgen.compile.compiler import File

__all__ = ["Build", "Placed", "Refused", "Written", "building", "write_tree"]


@record(kw_only=True)
class Placed:
    """File in the new tree. changed: it differs from the old tree."""

    path: str
    entry: Entry
    changed: bool


@dataclass(slots=True, kw_only=True)
class Written:
    """Result of a render in the folder."""

    files: int = 0
    changed: int = 0
    removed: int = 0


@contextmanager
def building(target: Path, *, force: bool = False, jobs: int = 1) -> Iterator[Build]:
    """Make a new tree next to `target`, and remove it unless it is finished.

    force: overwrite files that were edited by hand. Raises Refused; the old tree is unchanged.
    """
    target = Path(os.path.realpath(target))
    if not target.name:
        raise Refused(
            f"{target} is not a folder that can be replaced",
            "name an empty or new folder with -o",
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        recover(target)
        old, edited = standing(target, force=force, jobs=jobs)
        new = target.with_name(f".{target.name}.fabricgen-new-{os.getpid()}")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            yield Build(new, target, old, edited)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except (OSError, WorkerDied) as error:
        raise Refused(
            f"cannot write {target}: {getattr(error, 'strerror', None) or error}",
            "the existing tree is unchanged",
        ) from error


def write_tree(target: Path, site: str, files: Iterable[File], *, force: bool = False) -> Written:
    """Replace the tree at `target` by these files, atomically. Raises Refused."""
    with building(target, force=force) as build:
        build.take(map(build.place, files))
        return build.finish(Manifest(site=site))


class Build:
    """New tree next to the old one, until it is finished."""

    def __init__(self, new: Path, target: Path, old: Manifest, edited: set[str]) -> None:
        self.new, self.target, self.old, self.edited = new, target, old, edited
        self.files: dict[str, Entry] = {}
        self.changed: dict[str, None] = {}
        self._kept: set[str] = set()
        self._rooms: set[str] = set()

    def place(self, file: File) -> Placed:
        """Put one file into the new tree, in whatever process."""
        entry = Entry(sha256(file.text), file.executable)
        changed = self.old.files.get(file.path) != entry or file.path in self.edited
        if not changed:
            return Placed(path=file.path, entry=entry, changed=False)
        place = self._room(file.path)
        with open(place, "wb") as stream:  # noqa: PTH123 - 100,000s
            stream.write(file.text.encode(errors=BYTES))
        if file.executable:
            Path(place).chmod(0o755)
        return Placed(path=file.path, entry=entry, changed=True)

    def take(self, placed: Iterable[Placed]) -> None:
        """Record the placed files."""
        for each in placed:
            self.files[each.path] = each.entry
            if each.changed:
                self.changed[each.path] = None

    def keep_rest(self) -> None:
        """Take over the files of every switch and server of which nothing was placed."""
        taken = {folder_of_file(path) for path in self.files}
        every = {folder_of_file(path) for path in self.old.files}
        self.keep({folder for folder in every - taken if not is_package(folder)})

    def keep(self, folders: Collection[str]) -> None:
        """Take over all files of some switches and servers, with the packages that these use."""
        old = {path: folder_of_file(path) for path in self.old.files}
        kept = [path for path, folder in old.items() if folder in folders]
        known = set(filter(is_package, old.values()))
        used = packages_of(self.target, kept, known) if known else set()
        for path, folder in old.items():
            if folder in folders or folder in used:
                self.files[path] = self.old.files[path]

    def removed(self) -> list[str]:
        """Return the files of the old tree that the new one does not have."""
        return [path for path in self.old.files if path not in self.files]

    def finish(self, manifest: Manifest) -> Written:
        """Swap the trees; where no file differs, the old one stays and only the record is new."""
        manifest.files = self.files
        removed = len(self.removed())
        if manifest != self.old or self.edited:
            self._replace(manifest, removed)
        remember(self.target)
        return Written(files=len(self.files), changed=len(self.changed), removed=removed)

    def _replace(self, manifest: Manifest, removed: int) -> None:
        record = self.new / FILE
        write_manifest(record, manifest)
        if self.old.files and not self.changed and not removed:
            record.replace(self.target / FILE)
        elif not self._swap_fabric(record):
            self._keep("")
            os.sync()
            put_in_place(self.new, self.target)

    def _swap_fabric(self, record: Path) -> bool:
        """Swap the folder of the only fabric that differs; False where it takes the whole tree."""
        differing = {path.partition("/")[0] for path in (*self.changed, *self.removed())}
        fabric = differing.pop() if len(differing) == 1 else ""
        stays = any(path.startswith(f"{fabric}/") for path in self.files)
        if not fabric or not stays or not (self.target / fabric).is_dir():
            return False
        self._keep(f"{fabric}/")
        waiting = record.rename(self.new / fabric / WAITING)
        os.sync()
        if put_fabric_in_place(self.new, self.target, fabric):
            return True
        waiting.rename(record)
        return False

    def _keep(self, below: str) -> None:
        """Take files over from the old tree: linked, or copied where links are not to be had."""
        for path in self.files:
            if path.startswith(below) and path not in self.changed and path not in self._kept:
                place = self._room(path)
                self._kept.add(path)
                try:
                    os.link(f"{self.target}/{path}", place)
                except OSError:
                    shutil.copy2(f"{self.target}/{path}", place)

    def _room(self, path: str) -> str:
        """Return where a file goes, with its folder there."""
        place = f"{self.new}/{path}"
        folder = place.rpartition("/")[0]
        if folder not in self._rooms:
            with suppress(FileExistsError):
                os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - the same
            self._rooms.add(folder)
        return place

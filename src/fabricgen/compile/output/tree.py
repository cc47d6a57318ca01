"""Write rendered files to an output folder atomically and remove stale files.

Several processes may place files. Where few files of a tree change, they alone are moved into it.
Otherwise one process completes a new tree and puts it in the place of the old one. A file with the
text of the old tree is linked there, not written.
"""

from __future__ import annotations

import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.compile.output.exchange import (
    make_durable,
    put_files_in_place,
    put_in_place,
    recover,
)
from fabricgen.compile.output.existing_tree import Refused, Standing, stamps_of, standing
from fabricgen.compile.output.manifest import (
    BYTES,
    FILE,
    Entry,
    Manifest,
    folder_of_file,
    sha256,
    write_manifest,
)
from fabricgen.compile.output.remembered import remember
from fabricgen.compile.output.server_files import is_package, packages_of
from fabricgen.core.record import record
from fabricgen.core.workers import WorkerDied

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from fabricgen.compile.compiler import File
    from fabricgen.compile.output.remembered import Remembered

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
def building(
    target: Path, before: Remembered | None = None, *, force: bool = False, jobs: int = 1
) -> Iterator[Build]:
    """Make a new tree next to `target`, and remove it unless it is finished.

    Args:
        target: The output folder.
        before: Known facts of the existing tree.
        force: Overwrite files that were edited by hand.
        jobs: Number of parallel processes.

    Raises:
        Refused: The folder cannot be written. The old tree is unchanged.
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
        old = standing(target, before, force=force, jobs=jobs)
        new = target.with_name(f".{target.name}.fabricgen-new-{os.getpid()}")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        try:
            yield Build(new, target, old)
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


NO_OWNERS: Mapping[str, str] = {}
_FEW = 4
"""Share of files that may change without a new tree: one of this number."""


class Build:
    """New tree next to the old one, until it is finished."""

    def __init__(self, new: Path, target: Path, standing: Standing) -> None:
        self.new, self.target = new, target
        self.old, self.edited, self._stamps = standing.manifest, standing.edited, standing.stamps
        self.files: dict[str, Entry] = {}
        self.changed: dict[str, None] = {}
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

    def finish(
        self, manifest: Manifest, base: str = "", owners: Mapping[str, str] = NO_OWNERS
    ) -> Written:
        """Replace the files; where no file differs, the old tree stays and the record is new.

        Args:
            manifest: The new manifest without files.
            base: Hash of the inputs that all owners share.
            owners: Hash of each owner's slice, by folder.
        """
        manifest.files = self.files
        removed = self.removed()
        touched = set(map(folder_of_file, (*self.changed, *removed)))
        stamps = {folder: each for folder, each in self._stamps.items() if folder not in touched}
        if manifest != self.old or self.edited:
            stamps = self._replace(manifest, len(removed), stamps)
        there = {folder_of_file(path) for path in self.files}
        made = {folder: each for folder, each in owners.items() if folder in there}
        remember(self.target, base, made, stamps)
        return Written(files=len(self.files), changed=len(self.changed), removed=len(removed))

    def _replace(self, manifest: Manifest, removed: int, stamps: dict[str, str]) -> dict[str, str]:
        """Replace the files or the tree; return the stamps that hold then."""
        record = self.new / FILE
        write_manifest(record, manifest)
        differing = len(self.changed) + removed
        with ThreadPoolExecutor(1) as beside:
            durable = beside.submit(make_durable, self.new, (*self.changed, FILE))
            first = {} if self.old.files else stamps_of(self.new, manifest)
            durable.result()
        if self.old.files and not differing:
            record.replace(self.target / FILE)
        elif self.edited or not self.old.files or differing * _FEW > len(self.old.files):
            self._keep_all()
            put_in_place(self.new, self.target)
            return first
        else:
            put_files_in_place(self.new, self.target, self.old, manifest)
        return stamps

    def _keep_all(self) -> None:
        """Take files over from the old tree: linked, or copied where links are not to be had."""
        for path in self.files:
            if path not in self.changed:
                place = self._room(path)
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

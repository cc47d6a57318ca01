"""Stamps of a tree: files that nobody touched are not read, and every edit is noticed."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.output.test_tree import SWITCHES, group

from fabricgen.compile.output.existing_tree import Refused, Standing, edits
from fabricgen.compile.output.manifest import Manifest
from fabricgen.compile.output.remembered import known
from fabricgen.compile.output.tree import building
from fabricgen.core.confined import Folder


@pytest.fixture
def stamped(tmp_path: Path) -> Path:
    """Return a tree whose files are older than its manifest."""
    target = tmp_path / "out"
    with building(target) as build:
        build.take(map(build.place, group(SWITCHES[0], "one\n")))
        time.sleep(0.05)
        build.finish(Manifest(site="t"))
    return target


def stands(target: Path) -> Standing:
    before = known(target)
    assert before is not None
    assert before.stamps.keys() == {f"backend/{SWITCHES[0].name}"}
    return edits(target, before.manifest, before.stamps, force=False)


def test_an_untouched_file_is_not_read(stamped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> bytes:
        raise AssertionError("it is read")

    before = known(stamped)
    assert before is not None
    monkeypatch.setattr(Folder, "read", never)
    assert edits(stamped, before.manifest, before.stamps, force=False).stamps == before.stamps
    with pytest.raises(AssertionError, match="it is read"):
        edits(stamped, before.manifest, {}, force=False)


def edited_in_place(folder: Path) -> None:
    """Change a file, but not its size and time."""
    place = folder / "a.cfg"
    times = place.stat()
    place.write_text("two\n")
    os.utime(place, ns=(times.st_atime_ns, times.st_mtime_ns))


def replaced(folder: Path) -> None:
    times = (folder / "a.cfg").stat()
    (folder / "new").write_text("two\n")
    os.utime(folder / "new", ns=(times.st_atime_ns, times.st_mtime_ns))
    (folder / "new").rename(folder / "a.cfg")


def linked(folder: Path) -> None:
    shutil.move(folder, folder.parent.parent.parent / "moved")
    folder.symlink_to(folder.parent.parent.parent / "moved")


def linked_above(folder: Path) -> None:
    shutil.move(folder.parent, folder.parent.parent.parent / "moved")
    folder.parent.symlink_to(folder.parent.parent.parent / "moved")


@pytest.mark.parametrize("edit", [edited_in_place, replaced, linked, linked_above])
def test_a_touched_file_is_read(stamped: Path, edit: Callable[[Path], None]) -> None:
    edit(stamped / "backend" / SWITCHES[0].name)
    with pytest.raises(Refused, match="changed by hand"):
        stands(stamped)


@pytest.mark.parametrize("below", [".", "b"])
def test_a_foreign_file_in_an_untouched_folder_is_refused(stamped: Path, below: str) -> None:
    (stamped / "backend" / SWITCHES[0].name / below / "mine.txt").touch()
    with pytest.raises(Refused, match=r"mine\.txt"):
        stands(stamped)


def test_a_file_that_changed_just_now_is_read_next_time(stamped: Path) -> None:
    os.utime(stamped / "backend" / SWITCHES[0].name / "a.cfg")
    assert stands(stamped).stamps == {}

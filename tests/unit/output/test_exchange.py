"""One folder in the place of another: in one step, or in two where the file system lacks it."""

import ctypes
import errno
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from fabricgen.compile.output import exchange
from fabricgen.compile.output.exchange import aside_of, put_in_place, recover

DEAD = 2**22 + 1  # no process has a number above 2^22, the kernel's PID_MAX_LIMIT


def folder(path: Path, text: str) -> Path:
    path.mkdir()
    (path / "file").write_text(text)
    return path


def standing(place: Path) -> dict[str, str]:
    return {path.name: (path / "file").read_text() for path in place.iterdir()}


def test_the_first_tree_is_moved_there(tmp_path: Path) -> None:
    put_in_place(folder(tmp_path / "new", "new"), tmp_path / "out")
    assert standing(tmp_path) == {"out": "new"}


def test_a_tree_takes_the_place_of_another_without_a_moment_of_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Renames would leave such a moment."""
    one, out = folder(tmp_path / "new", "new"), folder(tmp_path / "out", "old")
    monkeypatch.delattr(Path, "rename")
    put_in_place(one, out)
    assert standing(tmp_path) == {"out": "new"}


def test_a_folder_is_named_from_where_the_person_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put_in_place(folder(Path("new"), "new"), folder(Path("out"), "old"))
    assert standing(tmp_path) == {"out": "new"}


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EACCES])
def test_what_is_forbidden_is_no_lack_of_the_file_system(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    one, out = folder(tmp_path / "new", "new"), folder(tmp_path / "out", "old")

    def renameat2(*_: object) -> int:
        ctypes.set_errno(number)
        return -1

    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: SimpleNamespace(renameat2=renameat2))
    if number == errno.EACCES:
        with pytest.raises(PermissionError, match=str(out)):
            put_in_place(one, out)
        assert standing(tmp_path) == {"new": "new", "out": "old"}
    else:
        put_in_place(one, out)
        assert standing(tmp_path) == {"out": "new"}


def test_two_renames_do_it_where_the_file_system_cannot_exchange(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exchange, "_exchange", lambda *_: False)
    put_in_place(folder(tmp_path / "new", "new"), folder(tmp_path / "out", "old"))
    assert standing(tmp_path) == {"out": "new"}


@pytest.mark.parametrize(("there", "text"), [(False, "old"), (True, "new")])
def test_what_waits_aside_comes_back_unless_the_new_tree_stands(
    tmp_path: Path, text: str, *, there: bool
) -> None:
    out = tmp_path / "out"
    folder(aside_of(out), "old")
    if there:
        folder(out, "new")
    recover(out)
    assert standing(tmp_path) == {"out": text}


def test_what_the_dead_left_half_written_goes_and_what_others_write_stays(
    tmp_path: Path,
) -> None:
    kept = [f".out.fabricgen-new-{os.getpid()}", ".out.fabricgen-new-1", ".other.fabricgen-new-x"]
    for name in (*kept, f".out.fabricgen-new-{DEAD}", ".out.fabricgen-new-x"):
        folder(tmp_path / name, "half")
    recover(tmp_path / "out")
    assert sorted(standing(tmp_path)) == sorted(kept)

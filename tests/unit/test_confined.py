"""Files below a folder are read; whatever would lead out of it is refused, in words."""

import errno
import os
import pickle
from pathlib import Path

import pytest

from fabricgen.core.confined import Folder, Refused, TooLarge, is_below, read_file, write_whole


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Make root/a/b/file and root/file, and a file beside the root."""
    (tmp_path / "root" / "a" / "b").mkdir(parents=True)
    (tmp_path / "root" / "a" / "b" / "file").write_text("deep")
    (tmp_path / "root" / "file").write_text("top")
    (tmp_path / "secret").write_text("secret")
    return tmp_path / "root"


def test_files_of_any_depth_are_read_in_any_order(root: Path) -> None:
    with Folder(root) as folder:
        read = [folder.text(path) for path in ("a/b/file", "file", "a/b/file", "a/b/file")]
    assert read == ["deep", "top", "deep", "deep"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../secret", "a/../../secret", "a//b/file", ""])
def test_a_path_that_leads_out_is_refused(root: Path, path: str) -> None:
    assert not is_below(path)
    with Folder(root) as folder, pytest.raises(Refused, match="is not a path below the folder"):
        folder.read(path)


def test_a_linked_file_is_refused(root: Path) -> None:
    (root / "link").symlink_to("../secret")
    with Folder(root) as folder, pytest.raises(Refused, match="a link"):
        folder.read("link")


def test_a_file_in_a_linked_folder_is_refused_and_others_are_read_after_it(root: Path) -> None:
    (root / "a" / "link").symlink_to(root.parent)
    with Folder(root) as folder:
        with pytest.raises(Refused, match="a link"):
            folder.read("a/link/secret")
        assert folder.text("a/b/file") == "deep"


def test_the_folder_itself_may_be_a_link(root: Path) -> None:
    (root.parent / "named").symlink_to("root")
    assert read_file(root.parent / "named" / "file") == b"top"


def test_a_pipe_is_not_waited_for(root: Path) -> None:
    os.mkfifo(root / "pipe")
    with Folder(root) as folder, pytest.raises(Refused, match="not a plain file"):
        folder.read("pipe")


@pytest.mark.parametrize("path", ["a", "nowhere", "file/inside", "a/nowhere/file"])
def test_what_is_no_file_is_an_error(root: Path, path: str) -> None:
    with Folder(root) as folder, pytest.raises(OSError, match=r"plain file|No such|Not a dir"):
        folder.read(path)


def test_a_file_is_read_up_to_what_its_reader_wants(root: Path) -> None:
    with Folder(root) as folder:
        assert folder.read("file", most=3) == b"top"
        with pytest.raises(TooLarge, match="more than 2 bytes"):
            folder.read("file", most=2)


def test_no_descriptor_stays_open(root: Path) -> None:
    (root / "link").symlink_to("a")
    before = os.listdir("/proc/self/fd")  # noqa: PTH208 - names alone
    with Folder(root) as folder:
        for path in ("a/b/file", "a", "link/b/file", "nowhere", "../secret", "file"):
            try:
                folder.read(path)
            except OSError:
                continue
    assert os.listdir("/proc/self/fd") == before  # noqa: PTH208 - the same


@pytest.mark.parametrize("error", [Refused("a link"), TooLarge(5)])
def test_a_reason_crosses_to_another_process(error: Refused) -> None:
    again = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert (type(again), again.reason) == (type(error), error.reason)


def test_a_file_that_is_written_is_read_whole_and_nobody_else_may_read_it(tmp_path: Path) -> None:
    place = tmp_path / "plan.json"
    (tmp_path / f".plan.json.{os.getpid()}").write_text("of a process that died")
    for text in ("old\n", "né\r\n"):
        write_whole(place, text)
        assert place.read_bytes() == text.encode()
    assert place.stat().st_mode & 0o777 == 0o600
    assert list(tmp_path.iterdir()) == [place]


def test_a_write_that_fails_leaves_the_old_file_and_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "plan.json"
    write_whole(place, "old\n")

    def full(descriptor: int) -> None:
        assert os.fstat(descriptor).st_size == 4, "it is on the disk before it is in place"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(place, "new\n")
    assert place.read_text() == "old\n"
    assert list(tmp_path.iterdir()) == [place]


def test_a_link_is_replaced_and_what_it_leads_to_stays(tmp_path: Path) -> None:
    elsewhere, place = tmp_path / "elsewhere", tmp_path / "plan.json"
    elsewhere.write_text("mine\n")
    place.symlink_to(elsewhere)
    write_whole(place, "new\n")
    assert (elsewhere.read_text(), place.read_text()) == ("mine\n", "new\n")
    assert not place.is_symlink()

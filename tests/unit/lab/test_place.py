"""The folder of a lab: where it is, whose it is, who holds it, and whether anybody is at home."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabricgen.lab.client import LabFailure
from fabricgen.lab.place import Place, labs_folder

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Have a folder of the session; pytest's own are too long for sockets."""
    with tempfile.TemporaryDirectory(prefix="labs-", dir="/tmp") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


@pytest.fixture
def labs(runtime: Path) -> Path:
    """Let the folder of all labs be in a folder of the test; it is not made yet."""
    return runtime / f"fabricgen-{os.getuid()}"


def test_a_lab_that_still_boots_says_so(tmp_path: Path) -> None:
    with pytest.raises(LabFailure, match="the lab oslo is still booting"):
        Place(tmp_path / "oslo").facts()


def test_the_folder_of_all_labs_is_made_for_its_user_alone(labs: Path) -> None:
    assert labs_folder() == labs
    assert labs.stat().st_mode & 0o777 == 0o700
    assert labs_folder() == labs, "it is there already"


def test_without_a_folder_of_the_session_it_is_a_temporary_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path))
    assert labs_folder().parent == tmp_path


@pytest.mark.parametrize("mode", [0o750, 0o705, 0o777])
def test_a_folder_that_others_may_read_is_refused(labs: Path, mode: int) -> None:
    labs.mkdir()
    labs.chmod(mode)
    with pytest.raises(LabFailure, match="is not a folder of yours alone"):
        labs_folder()


def test_a_link_to_a_folder_is_refused(labs: Path) -> None:
    labs.with_name("another").mkdir(mode=0o700)
    labs.symlink_to("another")
    with pytest.raises(LabFailure, match="is not a folder of yours alone"):
        labs_folder()


def test_a_folder_of_another_user_is_refused(labs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labs.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: int(labs.name.partition("-")[2]) + 1)
    labs.rename(labs.with_name(f"fabricgen-{os.getuid()}"))
    with pytest.raises(LabFailure, match="is not a folder of yours alone"):
        labs_folder()


@pytest.mark.parametrize("name", ["", "-x", ".x", "a/b", "a b", "ä"])
def test_a_name_that_is_no_name_of_a_file_is_refused(labs: Path, name: str) -> None:
    with pytest.raises(LabFailure, match="is no name for a lab"):
        Place.of(name)


def test_the_files_of_a_lab_have_their_names(labs: Path) -> None:
    place = Place.of("oslo-1.a_b")
    assert (place.name, place.folder) == ("oslo-1.a_b", labs / "oslo-1.a_b")
    files = (place.socket, place.files, place.intent, place.key, place.known_hosts, place.log)
    assert [file.relative_to(place.folder).as_posix() for file in files] == [
        *("socket", "files", "intent", "key", "known_hosts", "log")
    ]


def test_a_folder_too_long_for_a_socket_is_refused(
    runtime: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """sun_path of unix(7) has 108 bytes with its zero; the longest socket is uml/mconsole."""
    fits = 107 - len("/uml/mconsole") - len(f"/fabricgen-{os.getuid()}/oslo")
    for length, good in ((fits, True), (fits + 1, False)):
        folder = f"{runtime}/".ljust(length, "x")
        Path(folder).mkdir()
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        if good:
            assert Place.of("oslo").name == "oslo"
        else:
            with pytest.raises(LabFailure, match="is too long for a socket"):
                Place.of("oslo")


def test_a_lab_lives_while_somebody_answers_at_its_socket(labs: Path) -> None:
    place = Place.of("oslo")
    place.folder.mkdir()
    lives = [place.alive]
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(place.socket))
        listening.listen()
        lives.append(place.alive)
    lives.append(place.alive)  # the file is still there, nobody answers
    assert lives == [False, True, False]


def test_a_folder_is_held_by_one_and_emptied_for_the_next(labs: Path) -> None:
    place = Place.of("oslo")
    lock = place.take()
    assert lock is not None
    (place.folder / "log").write_text("of the first\n")
    assert Place.of("oslo").take() is None
    assert place.log.exists()
    os.close(lock)
    again = place.take()
    assert again is not None
    assert not place.log.exists()
    os.close(again)

"""The folder of a lab: where it is, whose it is, who holds it, and whether anybody is at home."""

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.unit.lab.stand_in import StandIn

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.place import Place, chosen, labs_folder, running


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
    with pytest.raises(LabFailure, match="must be a folder with access for you only"):
        labs_folder()


def test_a_link_to_a_folder_is_refused(labs: Path) -> None:
    labs.with_name("another").mkdir(mode=0o700)
    labs.symlink_to("another")
    with pytest.raises(LabFailure, match="must be a folder with access for you only"):
        labs_folder()


def test_a_folder_of_another_user_is_refused(labs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    labs.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: int(labs.name.partition("-")[2]) + 1)
    labs.rename(labs.with_name(f"fabricgen-{os.getuid()}"))
    with pytest.raises(LabFailure, match="must be a folder with access for you only"):
        labs_folder()


@pytest.mark.parametrize("name", ["", "-x", ".x", "a/b", "a b", "ä"])
def test_a_name_that_is_no_name_of_a_file_is_refused(labs: Path, name: str) -> None:
    with pytest.raises(LabFailure, match="is not a lab name"):
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


def test_a_place_that_a_dead_lab_left_is_removed_and_the_others_run(
    lab: Callable[[str], StandIn],
) -> None:
    lab("oslo").up()
    lab("bern").up()
    Place.of("dead").folder.mkdir()
    (labs_folder() / "a-file").write_text("of nobody's\n")
    assert [place.name for place in running()] == ["bern", "oslo"]
    assert sorted(path.name for path in labs_folder().iterdir()) == ["a-file", "bern", "oslo"]


def test_a_lab_that_boots_is_not_cleared_away(lab: Callable[[str], StandIn]) -> None:
    place = lab("oslo").place
    lock = place.take()
    assert lock is not None
    assert running() == []
    assert place.folder.is_dir(), "its lock is held"
    os.close(lock)
    assert running() == []
    assert not place.folder.exists()


def test_nothing_is_cleared_where_there_is_nothing(lab: Callable[[str], StandIn]) -> None:
    lab("oslo").place.clear()
    assert list(labs_folder().iterdir()) == []


def test_a_folder_is_emptied_of_folders_files_and_links(
    tmp_path: Path, lab: Callable[[str], StandIn]
) -> None:
    (tmp_path / "kept").write_text("not of the lab\n")
    place = lab("oslo").place
    (place.folder / "files" / "deep").mkdir(parents=True)
    (place.folder / "link").symlink_to(tmp_path)
    place.log.write_text("x")
    lock = place.take()
    assert lock is not None
    assert list(place.folder.iterdir()) == []
    assert (tmp_path / "kept").exists()
    os.close(lock)


def test_the_lab_that_is_meant_is_the_named_or_the_only_one(lab: Callable[[str], StandIn]) -> None:
    with pytest.raises(LabFailure, match=r"^no lab is running; start one with `fabricgen lab up"):
        chosen(None)
    lab("oslo").up()
    assert chosen(None).name == chosen("oslo").name == "oslo"
    with pytest.raises(LabFailure, match=r"^lab 'bern' is not running; "):
        chosen("bern")
    lab("bern").up()
    assert chosen("oslo").name == "oslo"
    with pytest.raises(LabFailure, match=r"^several labs are running: bern, oslo; select one with"):
        chosen(None)


def test_what_was_noted_when_it_booted_is_told_again(lab: Callable[[str], StandIn]) -> None:
    stand_in = lab("oslo")
    stand_in.up(way="direct", limit=["leaf*"])
    assert stand_in.place.facts() == {"way": "direct", "limit": ["leaf*"], "lifted": None}

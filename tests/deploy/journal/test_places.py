"""Journals that cannot be opened or written, and addresses with passwords: one sentence each."""

import importlib.util
import os
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from uuid import uuid4

import pytest
from sqlalchemy import event

from fabricgen.operate.deploy.journal.database import Database
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import JournalFailure


def said(address: str | Path) -> str:
    with pytest.raises(JournalFailure) as refused:
        Journal.open(address)
    told = "".join(traceback.format_exception(refused.value))
    assert "sqlalchemy.exc" not in told
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_a_file_of_something_else_is_no_journal_and_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("buy cables\n" * 200)
    assert said(path) == f"journal {path}: the file is not a journal"
    assert path.read_text() == "buy cables\n" * 200


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    assert said(tmp_path) == f"journal {tmp_path}: the file cannot be opened or created"


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert said(tmp_path / "file" / "journal.db").endswith("Not a directory")


@pytest.mark.parametrize("address", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "http://x"])
def test_other_databases_are_refused(address: str) -> None:
    assert "use a file or postgresql://host/database" in said(address)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_every_spelling_of_postgresql_is_understood(scheme: str) -> None:
    assert Database(f"{scheme}://h/d").engine.url.drivername == "postgresql+psycopg"


def test_a_missing_driver_is_named_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert "pip install '.[postgres]'" in said("postgresql://h/d")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:{}@127.0.0.1:1/d",
        "postgresql://ann@127.0.0.1:1/d?password={}",
        "postgresql://ann:{}@127.0.0.1:1/d?sslpassword={}",
        "postgresql://ann@127.0.0.1:{}/d",
        "postgresql://ann:{}@127.0.0.1:1/d?nonsense={}",
        "postgresql://[ann:{}@x/d",
        "mysql://ann:{}@x/d",
    ],
)
def test_a_password_of_an_address_is_never_said(address: str) -> None:
    canary = f"S3CRET-{uuid4()}"
    with pytest.raises(JournalFailure) as refused:
        Journal.open(address.replace("{}", canary))
    assert canary not in "".join(traceback.format_exception(refused.value))


def test_what_the_driver_says_while_it_connects_is_told_alike(tmp_path: Path) -> None:
    database = Database(str(tmp_path / "journal.db"))

    @event.listens_for(database.engine, "connect")
    def _broken(*_: object) -> None:
        raise sqlite3.OperationalError("gone away\nsecond line")

    with pytest.raises(JournalFailure, match=r"journal\.db: gone away$"), database.reading():
        pass


def test_a_server_that_is_not_there(tmp_path: Path) -> None:
    assert "connection failed" in said("postgresql://ann:x@127.0.0.1:1/d")


def poor(case: str, folder: Path, *before: str) -> list[str]:
    """Return what a process says that is short of something."""
    module = [sys.executable, "-m", "tests.deploy.journal.poor", case, str(folder)]
    done = subprocess.run([*before, *module], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_file_that_may_not_grow_gives_one_error_and_nothing_half_written(tmp_path: Path) -> None:
    journal = f"journal {tmp_path / 'journal.db'}"
    assert poor("limited", tmp_path) == [
        f"{journal}: disk write failed; nothing was written",
        "10 steps",
        "2010 steps",
    ]


def test_a_full_disk_gives_one_error_and_nothing_half_written(tmp_path: Path) -> None:
    own = ["unshare", "--mount", *([] if os.getuid() == 0 else ["--map-root-user"])]
    mount = ["sh", "-c", f'mount -t tmpfs -o size=2m tmpfs {tmp_path} && exec "$@"', "sh"]
    tried = subprocess.run([*own, *mount, "true"], capture_output=True, text=True, check=False)
    if tried.returncode:
        pytest.skip(f"no small file system can be mounted here: {tried.stderr.strip()}")
    assert poor("full", tmp_path, *own, *mount) == [
        f"journal {tmp_path / 'journal.db'}: the disk is full; nothing was written",
        "10 steps",
        "2010 steps",
    ]


def test_a_folder_that_may_not_be_written_is_said_and_its_journal_still_read() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told = poor("read-only", folder)
        (folder / "made").chmod(0o755)
    assert told == [
        f"journal {folder}/new/journal.db: Permission denied",
        "0 pushes",
        f"journal {folder}/made/journal.db: no permission to write",
    ]

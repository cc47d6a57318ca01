"""Opens the database of a journal, which keeps every acknowledged entry."""

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from fabricgen.operate.deploy.journal.records import JournalFailure

_PATIENCE = 30
"""Seconds to wait for another process's transaction."""
_DRIVER = "postgresql+psycopg"
_WRITING = "fabricgen_writing"


class Database:
    """An engine and its name, which never holds a password."""

    def __init__(self, address: str) -> None:
        """Take a path, sqlite:///path or postgresql://…; nothing is opened yet."""
        url = _parsed(address)
        self.file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
        # A query may hold a password, too: libpq reads ?password=.
        plain = url.set(drivername="postgresql", query={})
        self.shown = str(self.file or plain.render_as_string(hide_password=True))
        self.engine = _sqlite(url) if self.file else _postgresql(url)
        self._driver_error: type[Exception] = self.engine.dialect.loaded_dbapi.Error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read what is committed, all of one moment where the database can.

        JournalFailure also for rows that no journal holds: somebody else wrote to it.
        """
        try:
            with self.told(), self.engine.connect() as connection, connection.begin():
                yield connection
        except (LookupError, TypeError, ValueError):
            raise JournalFailure(f"journal {self.shown}: {_DAMAGED}") from None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write all or nothing; on return it is on the disk."""
        with self.told(), self.engine.connect() as bare:
            connection = bare.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection

    @contextmanager
    def told(self) -> Iterator[None]:
        """Say in one sentence what the database refuses; never a value, never a password."""
        try:
            yield
        except DBAPIError as error:
            raise JournalFailure(f"journal {self.shown}: {_reason(error.orig)}") from None
        except SQLAlchemyError as error:
            raise JournalFailure(f"journal {self.shown}: {type(error).__name__}") from None
        except self._driver_error as error:  # while it connects: SQLAlchemy passes those on
            raise JournalFailure(f"journal {self.shown}: {_reason(error)}") from None

    def make_file(self) -> None:
        """Make an empty file that only its owner may read; SQLite's own would follow the umask.

        Files that SQLite puts beside it get the same mode.
        """
        if self.file is None or self.file.exists():
            return
        try:
            folder = self.file.parent
            if not folder.exists():
                folder.mkdir(parents=True, mode=0o700)
                (folder / ".gitignore").write_text("*\n")
            os.close(os.open(self.file, os.O_CREAT | os.O_WRONLY, 0o600))
        except OSError as error:
            raise JournalFailure(f"journal {self.shown}: {error.strerror}") from None


def _parsed(address: str) -> URL:
    if "://" not in address:
        return URL.create("sqlite", database=address)
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise JournalFailure("the address of the journal is not a URL") from None
    if url.drivername in {"postgres", "postgresql", _DRIVER}:
        if importlib.util.find_spec("psycopg") is None:
            raise JournalFailure("a journal in PostgreSQL needs psycopg: pip install '.[postgres]'")
        return url.set(drivername=_DRIVER)
    if url.drivername == "sqlite" and url.database not in {None, "", ":memory:"}:
        return url
    raise JournalFailure(
        f"a journal is a file or postgresql://host/database, not {url.drivername}://"
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url, poolclass=NullPool, hide_parameters=True, connect_args={"timeout": _PATIENCE}
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        """Make a commit durable, and let SQLAlchemy begin transactions, not Python's sqlite3.

        sqlite.org/pragma.html#pragma_synchronous: with a rollback journal, FULL keeps the database
        whole when power fails, but only EXTRA also syncs the folder after the journal was deleted;
        without that a transaction that was acknowledged may be undone by a power cut. A write-ahead
        log would do with FULL, but its readers share memory, so it needs a local file system
        (sqlite.org/wal.html), and a push writes too seldom to gain by it.
        """
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        """Take the write lock at once: a reader that turns writer would be refused, not queued."""
        writing = connection.get_execution_options().get(_WRITING)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _postgresql(url: URL) -> Engine:
    engine = create_engine(
        url,
        isolation_level="READ COMMITTED",
        pool_pre_ping=True,
        hide_parameters=True,
        connect_args={"connect_timeout": 10, "application_name": "fabricgen"},
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        """A role or database may have switched waiting for the disk off; a journal needs it on."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('synchronous_commit', 'on', false)"
                " WHERE current_setting('synchronous_commit') = 'off'"
            )
            cursor.execute(f"SET lock_timeout = '{_PATIENCE}s'")
        connection.commit()

    return engine


_DAMAGED = "what is in it is damaged; name another with --journal, and this one stays as it is"
_SAID = {
    "SQLITE_FULL": "the disk is full; nothing of this was written",
    "SQLITE_IOERR": "the disk does not take it; nothing of this was written",
    "SQLITE_READONLY": "it may not be written here",
    "SQLITE_CANTOPEN": "it cannot be opened or made here",
    "SQLITE_NOTADB": "this file is no journal",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_BUSY": f"another process kept it busy for {_PATIENCE} seconds",
    "SQLITE_PERM": "it may not be opened",
}


def _reason(error: BaseException | None) -> str:
    """Say why: by SQLite's name of the error, else the first line of what PostgreSQL says."""
    name = str(getattr(error, "sqlite_errorname", ""))
    for known, reason in _SAID.items():
        if name.startswith(known):
            return reason
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

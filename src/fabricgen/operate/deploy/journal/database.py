"""Open the database of a journal. It retains every acknowledged entry."""

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
    """A database engine and a display name without a password."""

    def __init__(self, address: str) -> None:
        """Parse a path, sqlite:///path or postgresql://…, without a connection."""
        url = _parsed(address)
        self.file = Path(url.database or "") if url.get_backend_name() == "sqlite" else None
        # A query may contain a password, too: libpq reads ?password=.
        plain = url.set(drivername="postgresql", query={})
        self.shown = str(self.file or plain.render_as_string(hide_password=True))
        self.engine = _sqlite(url) if self.file else _postgresql(url)
        self._driver_error: type[Exception] = self.engine.dialect.loaded_dbapi.Error

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Read committed entries, from one moment where the database supports it.

        Raises:
            JournalFailure: The database fails, or another program wrote invalid rows.
        """
        try:
            with self.told(), self.engine.connect() as connection, connection.begin():
                yield connection
        except (LookupError, TypeError, ValueError):
            raise JournalFailure(f"journal {self.shown}: {_DAMAGED}") from None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write all or nothing; after the block the data is on disk."""
        with self.told(), self.engine.connect() as bare:
            connection = bare.execution_options(**{_WRITING: True})
            with connection.begin():
                yield connection

    @contextmanager
    def told(self) -> Iterator[None]:
        """Translate a database error into one sentence without values and passwords."""
        try:
            yield
        except DBAPIError as error:
            raise JournalFailure(f"journal {self.shown}: {_reason(error.orig)}") from None
        except SQLAlchemyError as error:
            raise JournalFailure(f"journal {self.shown}: {type(error).__name__}") from None
        except (
            self._driver_error
        ) as error:  # SQLAlchemy does not wrap errors of a connection attempt
            raise JournalFailure(f"journal {self.shown}: {_reason(error)}") from None

    def make_file(self) -> None:
        """Create an empty file that only its owner can read; SQLite would apply the umask.

        SQLite gives the same mode to its temporary files next to it.
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
        raise JournalFailure("--journal: the address is not a URL") from None
    if url.drivername in {"postgres", "postgresql", _DRIVER}:
        if importlib.util.find_spec("psycopg") is None:
            raise JournalFailure("a journal in PostgreSQL needs psycopg: pip install '.[postgres]'")
        return url.set(drivername=_DRIVER)
    if url.drivername == "sqlite" and url.database not in {None, "", ":memory:"}:
        return url
    raise JournalFailure(
        f"unsupported journal {url.drivername}://: use a file or postgresql://host/database"
    )


def _sqlite(url: URL) -> Engine:
    engine = create_engine(
        url, poolclass=NullPool, hide_parameters=True, connect_args={"timeout": _PATIENCE}
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _: Any) -> None:
        """Make a commit durable, and let SQLAlchemy begin transactions instead of Python's sqlite3.

        With a rollback journal, synchronous=FULL keeps the database consistent after a power
        failure (sqlite.org/pragma.html#pragma_synchronous). Only EXTRA also syncs the folder after
        the journal file is deleted. Without EXTRA, a power cut may undo an acknowledged
        transaction. A write-ahead log needs only FULL. But its readers share memory, so it needs a
        local file system (sqlite.org/wal.html), and a push writes too rarely to benefit.
        """
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous = EXTRA")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        """Take the write lock at once: SQLite rejects a reader that later becomes a writer."""
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
        """Enable synchronous_commit: a role or database may have disabled it."""
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT set_config('synchronous_commit', 'on', false)"
                " WHERE current_setting('synchronous_commit') = 'off'"
            )
            cursor.execute(f"SET lock_timeout = '{_PATIENCE}s'")
        connection.commit()

    return engine


_DAMAGED = "the content is damaged; select another journal with --journal, this file is not changed"
_SAID = {
    "SQLITE_FULL": "the disk is full; nothing was written",
    "SQLITE_IOERR": "disk write failed; nothing was written",
    "SQLITE_READONLY": "no permission to write",
    "SQLITE_CANTOPEN": "the file cannot be opened or created",
    "SQLITE_NOTADB": "the file is not a journal",
    "SQLITE_CORRUPT": _DAMAGED,
    "SQLITE_BUSY": f"another process locked it for {_PATIENCE} seconds",
    "SQLITE_PERM": "no permission to open",
}


def _reason(error: BaseException | None) -> str:
    """Return the reason from SQLite's error name or PostgreSQL's first line."""
    name = str(getattr(error, "sqlite_errorname", ""))
    for known, reason in _SAID.items():
        if name.startswith(known):
            return reason
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

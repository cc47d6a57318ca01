"""Store the changes between looks at switches in the database of the journal."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, inspect, select, text

from fabricgen.operate.deploy.journal.database import Database
from fabricgen.operate.deploy.journal.records import JournalFailure
from fabricgen.operate.deploy.journal.tables import Now
from fabricgen.operate.state.timeline.packing import texts_of
from fabricgen.operate.state.timeline.records import RECORDING, RETAINED, Identity, Lane, Written
from fabricgen.operate.state.timeline.snapshot import Seen
from fabricgen.operate.state.timeline.tables import (
    DAYS,
    HOURS,
    LOOKS,
    METADATA,
    SWITCHES,
    TIMELINE,
    VERSION,
)
from fabricgen.operate.state.timeline.writing import DAY, Writer

_BATCH = 50
"""Switches of one transaction, so that a push never waits long for the database."""
_WRITING = 0x66677469  # "fgti": advisory lock of PostgreSQL; SQLite has one writer anyway


class Timeline:
    """The changes of switches over time."""

    def __init__(self, database: Database, *, retained: timedelta = RETAINED) -> None:
        """Set the database of a journal, and the age of the oldest change."""
        self.database, self.retained = database, retained

    def write(self, lane: Lane, looks: Mapping[str, Seen], identity: Identity) -> Written:
        """Store the changes since the last look at each switch.

        Each transaction stores some switches completely. A look that is older than the stored one
        of a switch changes nothing there.

        Raises:
            JournalFailure: The database cannot be written.
        """
        changed, outdated, number = 0, list[str](), None
        every = sorted(looks)
        for start in range(0, len(every), _BATCH):
            names = every[start : start + _BATCH]
            texts = {name: texts_of(looks[name].facts) for name in names}
            with self.writing() as connection:
                writer = Writer(connection, lane, identity, _now(connection, identity), number)
                for name in names:
                    outcome = writer.write(name, looks[name], texts[name])
                    changed += outcome is True
                    outdated += [name] if outcome is None else []
                number = writer.look
        if lane.lane != RECORDING:  # a recording may be older than the retained age
            self.prune(lane, self.retained)
        return Written(
            switches=len(looks) - len(outdated), changed=changed, outdated=tuple(outdated)
        )

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Write as the only process, with all tables."""
        with self.database.writing() as connection, report_damage(self.database.shown):
            if self.database.file is None:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _WRITING})
            if not has_tables(connection, self.database.shown):
                METADATA.create_all(connection)
                connection.execute(TIMELINE.insert().values(version=VERSION))
            yield connection

    def prune(self, lane: Lane, age: timedelta) -> int:
        """Delete changes and summaries of days that ended before an age; return the days.

        The last state of each switch and all baselines remain.
        """
        with self.writing() as connection:
            now = connection.scalar(select(Now()))
            assert now is not None
            return _prune(connection, lane, now - age)


@contextmanager
def report_damage(shown: str) -> Iterator[None]:
    """Report rows that another program wrote or that are damaged."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AssertionError):
        raise JournalFailure(
            f"journal {shown}: the timeline is damaged; select another journal with --journal"
        ) from None


def has_tables(connection: Connection, shown: str) -> bool:
    """Return whether the tables exist; refuse tables of another version."""
    if not inspect(connection).has_table(TIMELINE.name):
        return False
    version = connection.scalar(select(TIMELINE.c.version))
    if version != VERSION:
        raise JournalFailure(f"journal {shown}: its timeline has version {version}, not {VERSION}")
    return True


def _now(connection: Connection, identity: Identity) -> tuple[datetime, datetime]:
    """Return the time of the database, now and when the switches answered."""
    now = connection.scalar(select(Now()))
    assert now is not None
    return now, now - timedelta(seconds=max(0.0, time.monotonic() - identity.taken))


def _prune(connection: Connection, lane: Lane, before: datetime) -> int:
    oldest = int(before.timestamp() // DAY)
    mine = select(SWITCHES.c.number).where(
        SWITCHES.c.site == lane.site, SWITCHES.c.lane == lane.lane
    )
    days = 0
    for table in (DAYS, HOURS):
        old = (table.c.switch.in_(mine), table.c.day < oldest)
        days += connection.execute(delete(table).where(*old)).rowcount
    gone = (LOOKS.c.site == lane.site, LOOKS.c.lane == lane.lane, LOOKS.c.at < before)
    connection.execute(delete(LOOKS).where(*gone))
    return days

"""Define the tables of a journal for SQLite and PostgreSQL and read the database's clock."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

VERSION = 3
"""Version of the tables. A newer journal is rejected because an old program would misread it."""


class Utc(TypeDecorator[datetime]):
    """A time with the zone UTC; SQLite stores none and returns a naive time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, dialect: Any) -> datetime | None:
        """Attach the zone UTC."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Now(FunctionElement[datetime]):
    """Time of the database in milliseconds: clocks of clients may differ by more than a minute."""

    type = Utc()
    inherit_cache = True
    name = "now"


@compiles(Now, "sqlite")
def _sqlite_now(*_: Any, **__: Any) -> str:
    # SQLAlchemy reads the digits after the point as microseconds; SQLite returns three digits.
    return "(strftime('%Y-%m-%d %H:%M:%f', 'now') || '000')"


@compiles(Now, "postgresql")
def _postgresql_now(*_: Any, **__: Any) -> str:
    return "clock_timestamp()"  # now() would return the start of the transaction


METADATA = MetaData()

# Names start with `fabricgen`, because the team's database may contain other tables.
JOURNAL = Table("fabricgen_journal", METADATA, Column("version", Integer, primary_key=True))

PUSHES = Table(
    "fabricgen_pushes",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("id", String(40), nullable=False, unique=True),
    Column("site", String(200), nullable=False),
    Column("plan", String(200), nullable=False),
    Column("kind", String(20), nullable=False),
    Column("who", String(200), nullable=False),
    Column("host", String(255), nullable=False),
    Column("started", Utc, nullable=False),
    Column("ended", Utc),
    Column("result", String(20)),
    Column("version", String(60), nullable=False),
    Column("intent", String(200), nullable=False),
    Index("fabricgen_pushes_of_site", "site", "number"),
)

STEPS = Table(
    "fabricgen_steps",
    METADATA,
    Column("number", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("push", ForeignKey(PUSHES.c.id), nullable=False),
    Column("switch", String(255), nullable=False),
    Column("batch", Integer, nullable=False),
    Column("phase", String(20), nullable=False),
    Column("at", Utc, nullable=False),
    Column("message", Text, nullable=False),
    Column("before", String(64)),
    Column("after", String(64)),
    Index("fabricgen_steps_of_push", "push", "switch", "number"),
)

PLANS = Table(
    "fabricgen_plans",
    METADATA,
    Column("id", String(200), primary_key=True),
    Column("kept", Utc, nullable=False),
    Column("document", LargeBinary, nullable=False),
)

SIGNED = Table(
    "fabricgen_signed",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("push", ForeignKey(PUSHES.c.id), nullable=False),
    Column("act", String(20), nullable=False),
    Column("plan", String(64), nullable=False),
    Column("site", String(200), nullable=False),
    Column("who", String(200), nullable=False),
    Column("made", Utc, nullable=False),
    Column("until", Utc, nullable=False),
    Column("reason", Text, nullable=False),
    Column("signature", Text, nullable=False),
    Index("fabricgen_signed_of_push", "push", "number"),
)

LOCKS = Table(
    "fabricgen_locks",
    METADATA,
    Column("site", String(200), primary_key=True),
    Column("token", String(40), nullable=False),
    Column("who", String(200), nullable=False),
    Column("host", String(255), nullable=False),
    Column("machine", String(120), nullable=False),
    Column("pid", Integer, nullable=False),
    Column("born", String(40), nullable=False),
    Column("plan", String(200), nullable=False),
    Column("since", Utc, nullable=False),
    Column("heartbeat", Utc, nullable=False),
)

TAKEOVERS = Table(
    "fabricgen_takeovers",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("at", Utc, nullable=False),
    Column("site", String(200), nullable=False),
    Column("by", String(200), nullable=False),
    Column("host", String(255), nullable=False),
    Column("plan", String(200), nullable=False),
    Column("of_who", String(200), nullable=False),
    Column("of_host", String(255), nullable=False),
    Column("of_pid", Integer, nullable=False),
    Column("of_plan", String(200), nullable=False),
    Column("of_since", Utc, nullable=False),
    Column("why", String(300), nullable=False),
)

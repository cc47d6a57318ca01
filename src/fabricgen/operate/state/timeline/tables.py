"""Define the tables of the timeline in the database of the journal."""

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    UniqueConstraint,
)

from fabricgen.operate.deploy.journal.tables import Utc

VERSION = 1
"""Version of the timeline's tables. The journal has its own, and needs no timeline."""
METADATA = MetaData()

TIMELINE = Table("fabricgen_timeline", METADATA, Column("version", Integer, primary_key=True))

SWITCHES = Table(
    "fabricgen_timeline_switches",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("site", String(200), nullable=False),
    Column("lane", String(200), nullable=False),
    Column("switch", String(255), nullable=False),
    Column("first", Utc, nullable=False),
    Column("full", Utc, nullable=False),
    Column("at", Utc, nullable=False),
    Column("clock", Float),
    Column("source", String(20), nullable=False),
    Column("who", String(200), nullable=False),
    Column("facts", LargeBinary, nullable=False),
    Column("names", Integer),
    Column("numbers", LargeBinary),
    UniqueConstraint("site", "lane", "switch"),
)
"""The last state of each switch. `lane`: empty for the site, `lab NAME`, or `recording`.

`first`, `full`, `at`: times of the first look, the last complete one, and the last one."""

LOOKS = Table(
    "fabricgen_timeline_looks",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("site", String(200), nullable=False),
    Column("lane", String(200), nullable=False),
    Column("source", String(20), nullable=False),
    Column("who", String(200), nullable=False),
    Column("host", String(255), nullable=False),
    Column("tool", Utc, nullable=False),
    Column("at", Utc, nullable=False),
    Index("fabricgen_timeline_looks_of_site", "site", "at"),
)
"""Looks that found a change. `tool` has the clock of the tool, and `at` the database's clock."""

DAYS = Table(
    "fabricgen_timeline_days",
    METADATA,
    Column("switch", ForeignKey(SWITCHES.c.number), primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("events", LargeBinary, nullable=False),
    Column("net", LargeBinary, nullable=False),
)
"""The changes of a switch on one day since 1970, and their sum."""

HOURS = Table(
    "fabricgen_timeline_hours",
    METADATA,
    Column("switch", ForeignKey(SWITCHES.c.number), primary_key=True),
    Column("day", Integer, primary_key=True),
    Column("hours", LargeBinary, nullable=False),
)
"""The hourly summaries of a switch on one day."""

NAMES = Table(
    "fabricgen_timeline_names",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("digest", String(64), nullable=False, unique=True),
    Column("names", LargeBinary, nullable=False),
)
"""Lists of measures, which hours and states refer to."""

BASELINES = Table(
    "fabricgen_timeline_baselines",
    METADATA,
    Column("number", Integer, primary_key=True),
    Column("site", String(200), nullable=False),
    Column("lane", String(200), nullable=False),
    Column("name", String(100), nullable=False),
    Column("who", String(200), nullable=False),
    Column("at", Utc, nullable=False),
    UniqueConstraint("site", "lane", "name"),
)

BASELINE_STATES = Table(
    "fabricgen_timeline_baseline_states",
    METADATA,
    Column("baseline", ForeignKey(BASELINES.c.number), primary_key=True),
    Column("switch", ForeignKey(SWITCHES.c.number), primary_key=True),
    Column("at", Utc, nullable=False),
    Column("facts", LargeBinary, nullable=False),
)

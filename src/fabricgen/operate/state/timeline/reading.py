"""Read the changes of switches from the timeline."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, select

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.measures import Measure
from fabricgen.operate.deploy.journal.database import Database
from fabricgen.operate.state.timeline.changes import Event
from fabricgen.operate.state.timeline.hours import Summary, names_from, summaries
from fabricgen.operate.state.timeline.packing import Day, events_from, facts_of, state_from
from fabricgen.operate.state.timeline.records import Lane, Moment, Past
from fabricgen.operate.state.timeline.tables import DAYS, HOURS, LOOKS, NAMES, SWITCHES
from fabricgen.operate.state.timeline.timeline import has_tables, report_damage
from fabricgen.operate.state.timeline.writing import DAY


class History:
    """The stored changes of the switches of one site."""

    def __init__(self, database: Database, lane: Lane) -> None:
        """Set the database of a journal, the site and its lane."""
        self._database, self._lane = database, lane

    def since(self, time: datetime, switches: Collection[str] = ()) -> list[Past]:
        """Return the changes of each switch after a time, or of some switches."""
        with self.reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(_switches(self._lane, switches)).all()
            totals = _totals(connection, self._lane, switches, time.timestamp())
        return [_past(row, *totals.get(row.number, (Day(), False))) for row in rows]

    def moments(self, switch: str, time: datetime) -> list[Moment]:
        """Return the history of one switch after a time, oldest first."""
        after = time.timestamp()
        of_switch = and_(*_mine(self._lane), SWITCHES.c.switch == switch)
        query = (
            select(DAYS.c.events)
            .join(SWITCHES, DAYS.c.switch == SWITCHES.c.number)
            .where(of_switch, DAYS.c.day >= int(after // DAY))
            .order_by(DAYS.c.day)
        )
        with self.reading() as connection:
            if connection is None:
                return []
            events = [
                event
                for (blob,) in connection.execute(query)
                for event in events_from(blob)
                if event.at > after
            ]
            looks = {
                row.number: row
                for row in connection.execute(
                    select(LOOKS).where(LOOKS.c.number.in_({each.look for each in events}))
                )
            }
        return [_moment(event, looks.get(event.look)) for event in events]

    def facts(self, switch: str) -> Facts:
        """Return the last state of a switch; empty without a look."""
        query = select(SWITCHES.c.facts).where(*_mine(self._lane), SWITCHES.c.switch == switch)
        with self.reading() as connection:
            blob = connection.scalar(query) if connection is not None else None
            return facts_of(state_from(blob)) if blob is not None else {}

    def hours(self, switch: str, time: datetime) -> list[tuple[int, Measure, Summary]]:
        """Return the ended hours of a switch after a time: hour since 1970, measure, summary."""
        query = (
            select(HOURS.c.hours)
            .join(SWITCHES, HOURS.c.switch == SWITCHES.c.number)
            .where(*_mine(self._lane), SWITCHES.c.switch == switch)
            .where(HOURS.c.day >= int(time.timestamp() // DAY))
            .order_by(HOURS.c.day)
        )
        with self.reading() as connection:
            if connection is None:
                return []
            names = {row.number: names_from(row.names) for row in connection.execute(select(NAMES))}
            blobs = [entry for (day,) in connection.execute(query) for entry in _entries(day)]
            return [
                each
                for blob in blobs
                for each in summaries(blob, names)
                if (each[0] + 1) * 3600 > time.timestamp()
            ]

    @contextmanager
    def reading(self) -> Iterator[Connection | None]:
        """Read from one moment. None if the journal has no timeline."""
        with self._database.reading() as connection, report_damage(self._database.shown):
            yield connection if has_tables(connection, self._database.shown) else None


def _mine(lane: Lane) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return SWITCHES.c.site == lane.site, SWITCHES.c.lane == lane.lane


def _switches(lane: Lane, switches: Collection[str]) -> Any:
    columns = (SWITCHES.c.number, SWITCHES.c.switch, SWITCHES.c.first, SWITCHES.c.at)
    query = select(*columns).where(*_mine(lane)).order_by(SWITCHES.c.switch)
    return query.where(SWITCHES.c.switch.in_(switches)) if switches else query


def _totals(
    connection: Connection, lane: Lane, switches: Collection[str], after: float
) -> dict[int, tuple[Day, bool]]:
    """Return the changes of each switch after a time, and whether they are incomplete.

    The first day has single changes. Of each later day only the sum is read.
    """
    first = int(after // DAY)
    mine = [*_mine(lane)]
    if switches:
        mine.append(SWITCHES.c.switch.in_(switches))
    joined = DAYS.join(SWITCHES, DAYS.c.switch == SWITCHES.c.number)
    found: dict[int, tuple[Day, bool]] = {}
    of_day = select(DAYS.c.switch, DAYS.c.events).select_from(joined).where(*mine)
    for row in connection.execute(of_day.where(DAYS.c.day == first)):
        events = [each for each in events_from(row.events) if each.at > after]
        total = Day()
        for each in events:
            total.add(each)
        found[row.switch] = total, any(each.more for each in events)
    later = select(DAYS.c.switch, DAYS.c.net).select_from(joined).where(*mine)
    for row in connection.execute(later.where(DAYS.c.day > first).order_by(DAYS.c.day)):
        total, _ = found.setdefault(row.switch, (Day(), False))
        total.merge(Day.load(row.net))
    return found


def _past(row: Row[Any], total: Day, incomplete: bool) -> Past:  # noqa: FBT001 - from a pair
    return Past(
        switch=row.switch,
        first=row.first.timestamp(),
        at=row.at.timestamp(),
        sums=total.sums(),
        returned=total.returned,
        incomplete=incomplete,
    )


def _moment(event: Event, look: Row[Any] | None) -> Moment:
    if look is None:
        return Moment(event=event)
    return Moment(
        event=event,
        source=look.source,
        who=look.who,
        host=look.host,
        tool=look.tool.astimezone(UTC),
    )


def _entries(day: bytes) -> Iterator[bytes]:
    """Yield the hours of a day; each has its length before it."""
    start = 0
    while start < len(day):
        length = int.from_bytes(day[start : start + 4], "big")
        yield day[start + 4 : start + 4 + length]
        start += 4 + length

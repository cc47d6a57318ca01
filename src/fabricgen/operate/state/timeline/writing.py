"""Write one look at one switch: its changes, its hour, and its new state."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Insert, Row, and_, select

from fabricgen.nos.measures import Measure
from fabricgen.operate.state.timeline.changes import Change, Event
from fabricgen.operate.state.timeline.hours import HOUR, Working, names_blob, names_from
from fabricgen.operate.state.timeline.packing import (
    Day,
    State,
    changes_between,
    events_blob,
    events_from,
    facts_of,
    state_blob,
    state_from,
    state_of,
    texts_of,
)
from fabricgen.operate.state.timeline.records import RECORDING, Identity, Lane
from fabricgen.operate.state.timeline.snapshot import FINDING, Seen, completed, sessions_in
from fabricgen.operate.state.timeline.tables import DAYS, HOURS, LOOKS, NAMES, SWITCHES

DAY = 86_400
MOST_LISTED = 20_000
"""Changes of a switch that are listed for one day. Sums have all changes."""
_SERIAL = ("identity",)


class Writer:
    """Writes the switches of one transaction."""

    def __init__(
        self,
        connection: Connection,
        lane: Lane,
        identity: Identity,
        times: tuple[datetime, datetime],
        look: int | None,
    ) -> None:
        """Set the transaction, the time of the database now and at the look, and its number."""
        self._connection, self._lane, self._identity = connection, lane, identity
        self._now, self._taken = times
        self.look = look

    def write(self, name: str, seen: Seen, texts: Mapping[str, str]) -> bool | None:
        """Write a look at a switch; return whether something changed, None if it is outdated."""
        row = self._row(name)
        if row is None:
            begins = seen.answered and not seen.partial
            if begins:
                self._first(name, seen, texts)
            return begins
        at = self._time(row, seen)
        if at is None:
            return None
        before = state_from(row.facts)
        after = before
        if not seen.partial or seen.facts:
            after = self._after(before, seen, texts)
        changes = changes_between(before, after)
        values: dict[str, Any] = {"at": at} if seen.facts else {}
        if not seen.partial:
            values |= {"full": at, "source": self._identity.source, "who": self._identity.who}
            values["clock"] = seen.clock if seen.clock is not None else row.clock
        if changes:
            # A value that a complete look misses was last seen in a complete look.
            since = row.at if seen.partial else row.full
            self._event(row, (before, after), seen, (since, at), changes)
            values["facts"] = state_blob(after)
        if seen.numbers:
            restarted = _restarted(changes, row, seen)
            values |= self._summarized(row, seen, at, restarted=restarted)
        if not values:
            return False
        number = SWITCHES.c.number == row.number
        self._connection.execute(SWITCHES.update().where(number).values(**values))
        return bool(changes)

    @staticmethod
    def _after(before: State, seen: Seen, texts: Mapping[str, str]) -> State:
        whole = seen.answered and not seen.partial and not seen.lost
        if not whole or any(_unchecked(before, seen)):
            texts = texts_of(completed(facts_of(before), seen))
        return state_of(texts, before)

    def _row(self, name: str) -> Row[Any] | None:
        mine = (SWITCHES.c.site == self._lane.site, SWITCHES.c.lane == self._lane.lane)
        query = select(SWITCHES).where(*mine, SWITCHES.c.switch == name)
        return self._connection.execute(query).one_or_none()

    def _time(self, row: Row[Any], seen: Seen) -> datetime | None:
        """Return the time of this look, or None if the stored look is newer.

        A stored time between the answers and now is one of another process, which wrote first. A
        stored time after now means that the clock of the database went back: then looks have the
        stored time until the clock has caught up. Recordings have the time of the switch.
        """
        if self._lane.lane == RECORDING and seen.clock is not None:
            own = datetime.fromtimestamp(seen.clock, UTC)
            return own if own >= row.at else None
        if self._taken < row.at <= self._now:
            return None
        at: datetime = max(self._taken, row.at)
        return at

    def _first(self, name: str, seen: Seen, texts: Mapping[str, str]) -> None:
        """Store the first state of a switch."""
        at = self._taken
        if self._lane.lane == RECORDING and seen.clock is not None:
            at = datetime.fromtimestamp(seen.clock, UTC)
        values: dict[str, Any] = {"site": self._lane.site, "lane": self._lane.lane, "switch": name}
        values |= {
            "first": at,
            "full": at,
            "at": at,
            "clock": seen.clock,
            "who": self._identity.who,
        }
        values |= {"source": self._identity.source, "facts": state_blob(state_of(texts, {}))}
        self._connection.execute(SWITCHES.insert().values(**values))
        row = self._row(name)
        if seen.numbers and row is not None:
            numbers = self._summarized(row, seen, at, restarted=False)
            mine = SWITCHES.c.number == row.number
            self._connection.execute(SWITCHES.update().where(mine).values(**numbers))

    def _event(
        self,
        row: Row[Any],
        states: tuple[State, State],
        seen: Seen,
        window: tuple[datetime, datetime],
        changes: Sequence[Change],
    ) -> None:
        """Add the changes to the day of this look."""
        (before, after), (since, at) = states, window
        old = before["pending"].facts("pending") if "pending" in before else {}
        new = after["pending"].facts("pending") if "pending" in after else {}
        event = Event(
            look=self._look_number(at),
            since=since.timestamp(),
            at=at.timestamp(),
            clock=seen.clock,
            sessions=tuple(sorted({*sessions_in(old), *sessions_in(new)})),
            changes=tuple(changes),
        )
        day = int(at.timestamp() // DAY)
        mine = and_(DAYS.c.switch == row.number, DAYS.c.day == day)
        stored = self._connection.execute(select(DAYS).where(mine)).one_or_none()
        events = events_from(stored.events) if stored else []
        total = Day.load(stored.net) if stored else Day()
        total.add(event)
        room = max(0, MOST_LISTED - sum(len(each.changes) for each in events))
        values = {"events": events_blob([*events, _cut(event, room)]), "net": total.blob()}
        if stored:
            self._connection.execute(DAYS.update().where(mine).values(**values))
        else:
            self._connection.execute(DAYS.insert().values(switch=row.number, day=day, **values))

    def _look_number(self, at: datetime) -> int:
        """Return the number of this look; store its identity with the first change."""
        if self.look is None:
            identity = self._identity
            values: dict[str, Any] = {"site": self._lane.site, "lane": self._lane.lane}
            values |= {"source": identity.source, "who": identity.who, "host": identity.host}
            stored = LOOKS.insert().values(**values, tool=identity.tool, at=at)
            self.look = inserted(self._connection, stored)
        return self.look

    def _summarized(
        self, row: Row[Any], seen: Seen, at: datetime, *, restarted: bool
    ) -> dict[str, Any]:
        """Return the new columns of the running hour; store the hour before if it has ended."""
        hour = int(at.timestamp() // HOUR)
        working = Working.empty((), hour)
        if row.names is not None:
            working = Working.load(self._names(row.names), row.numbers)
        if self._taken.timestamp() < working.at <= self._now.timestamp():
            return {}  # another process stored later readings: an older counter looks restarted
        working.at = max(working.at, at.timestamp())
        known: Collection[Measure] = working.names
        if working.hour != hour:
            known = working.read()
            self._close(row, working, hour)
        names = sorted({*known, *seen.numbers})
        working = working.moved(names, restarted=restarted)
        working.add(seen.numbers)
        same = row.names is not None and names == self._names(row.names)
        number = row.names if same else self._number(names)
        return {"names": number, "numbers": working.blob()}

    def _close(self, row: Row[Any], working: Working, hour: int) -> None:
        """Append the summary of the ended hour to its day."""
        day = working.hour * HOUR // DAY
        closed = working.close(hour, row.names)
        entry = len(closed).to_bytes(4, "big") + closed
        mine = and_(HOURS.c.switch == row.number, HOURS.c.day == day)
        stored = self._connection.scalar(select(HOURS.c.hours).where(mine))
        if stored is not None:
            self._connection.execute(HOURS.update().where(mine).values(hours=stored + entry))
        else:
            values = {"switch": row.number, "day": day, "hours": entry}
            self._connection.execute(HOURS.insert().values(**values))

    @cached_property
    def _known(self) -> dict[int | None, list[Measure]]:
        return {}

    def _names(self, number: int) -> list[Measure]:
        if number not in self._known:
            query = select(NAMES.c.names).where(NAMES.c.number == number)
            self._known[number] = names_from(self._connection.execute(query).scalar_one())
        return self._known[number]

    def _number(self, names: list[Measure]) -> int:
        digest, blob = names_blob(names)
        query = select(NAMES.c.number).where(NAMES.c.digest == digest)
        number = self._connection.scalar(query)
        if number is None:
            stored = NAMES.insert().values(digest=digest, names=blob)
            number = inserted(self._connection, stored)
        self._known[number] = names
        return int(number)


def inserted(connection: Connection, statement: Insert) -> int:
    """Insert a row and return its number."""
    key = connection.execute(statement).inserted_primary_key
    assert key is not None
    return int(key[0])


def _unchecked(before: State, seen: Seen) -> Iterator[bool]:
    """Yield for each stored finding whether its check did not run now."""
    found = before[FINDING].facts(FINDING) if FINDING in before else {}
    return (key[1] not in seen.checks for key in found)


def _cut(event: Event, room: int) -> Event:
    """Return an event with at most some changes."""
    if len(event.changes) <= room:
        return event
    return Event(
        look=event.look,
        since=event.since,
        at=event.at,
        clock=event.clock,
        sessions=event.sessions,
        changes=event.changes[:room],
        more=len(event.changes) - room,
    )


def _restarted(changes: Sequence[Change], row: Row[Any], seen: Seen) -> bool:
    """Return whether the counters belong to another switch or began again at zero."""
    replaced = any(each.key == _SERIAL and each.attribute == "serial" for each in changes)
    if seen.uptime is None or row.clock is None or seen.clock is None:
        return replaced
    return replaced or seen.clock - seen.uptime > row.clock

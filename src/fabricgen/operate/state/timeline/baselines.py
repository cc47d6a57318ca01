"""Store named states of a site, and compare the last states with them."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import delete, func, insert, literal, select

from fabricgen.operate.deploy.journal.tables import Now
from fabricgen.operate.state.timeline.changes import Net, Sums
from fabricgen.operate.state.timeline.packing import changes_between, state_from
from fabricgen.operate.state.timeline.reading import History
from fabricgen.operate.state.timeline.records import Against, Baseline, Lane, Past
from fabricgen.operate.state.timeline.tables import BASELINE_STATES, BASELINES, SWITCHES
from fabricgen.operate.state.timeline.timeline import Timeline
from fabricgen.operate.state.timeline.writing import inserted

MOST = 100
"""Largest number of characters of a name."""


class BaselineExistsError(Exception):
    """A baseline with this name exists."""


class Baselines:
    """The baselines of the switches of one site."""

    def __init__(self, timeline: Timeline, lane: Lane) -> None:
        """Set the timeline, the site and its lane."""
        self._timeline, self._lane = timeline, lane
        self._history = History(timeline.database, lane)

    def save(self, name: str, who: str, switches: Collection[str]) -> int:
        """Store the last states of switches under a name; return their number.

        Raises:
            BaselineExistsError: The name exists. A baseline is never overwritten.
        """
        mine = (SWITCHES.c.site == self._lane.site, SWITCHES.c.lane == self._lane.lane)
        with self._timeline.writing() as connection:
            if connection.scalar(select(BASELINES.c.number).where(*self._named(name))) is not None:
                raise BaselineExistsError(name)
            values: dict[str, Any] = {"site": self._lane.site, "lane": self._lane.lane}
            stored = insert(BASELINES).values(**values, name=name, who=who, at=Now())
            number = inserted(connection, stored)
            rows = select(literal(number), SWITCHES.c.number, SWITCHES.c.at, SWITCHES.c.facts)
            chosen = rows.where(*mine, SWITCHES.c.switch.in_(switches))
            columns = ["baseline", "switch", "at", "facts"]
            connection.execute(insert(BASELINE_STATES).from_select(columns, chosen))
            of_baseline = BASELINE_STATES.c.baseline == number
            count = select(func.count()).select_from(BASELINE_STATES).where(of_baseline)
            return int(connection.scalar(count) or 0)

    def delete(self, name: str) -> bool:
        """Delete a baseline; return whether it existed."""
        with self._timeline.writing() as connection:
            number = connection.scalar(select(BASELINES.c.number).where(*self._named(name)))
            of_states = BASELINE_STATES.c.baseline == number
            connection.execute(delete(BASELINE_STATES).where(of_states))
            connection.execute(delete(BASELINES).where(BASELINES.c.number == number))
        return number is not None

    def list(self) -> list[Baseline]:
        """Return all baselines, oldest first."""
        of_states = BASELINE_STATES.c.baseline == BASELINES.c.number
        count = select(func.count()).select_from(BASELINE_STATES).where(of_states)
        query = select(BASELINES, count.scalar_subquery().label("switches"))
        mine = (BASELINES.c.site == self._lane.site, BASELINES.c.lane == self._lane.lane)
        with self._history.reading() as connection:
            if connection is None:
                return []
            rows = connection.execute(query.where(*mine).order_by(BASELINES.c.number)).all()
        return [
            Baseline(name=row.name, who=row.who, at=row.at, switches=row.switches) for row in rows
        ]

    def compare(self, name: str, switches: Collection[str] = ()) -> Against | None:
        """Compare the last states with a baseline; None if it does not exist."""
        query = (
            select(
                SWITCHES, BASELINE_STATES.c.at.label("then"), BASELINE_STATES.c.facts.label("old")
            )
            .join(BASELINE_STATES, BASELINE_STATES.c.switch == SWITCHES.c.number)
            .join(BASELINES, BASELINES.c.number == BASELINE_STATES.c.baseline)
            .where(*self._named(name))
        )
        with self._history.reading() as connection:
            if connection is None:
                return None
            at = connection.scalar(select(BASELINES.c.at).where(*self._named(name)))
            rows = connection.execute(query).all()
            if at is None:
                return None
            rows = [row for row in rows if not switches or row.switch in switches]
            differing = {row.switch: _differing(row) for row in rows}
        begin = min((row.then for row in rows), default=at)
        windows = {past.switch: past for past in self._history.since(begin, switches)}
        known = {row.switch for row in rows}
        return Against(
            at=at.timestamp(),
            pasts={
                row.switch: Past(
                    switch=row.switch,
                    first=row.then.timestamp(),
                    at=row.at.timestamp(),
                    sums=_timed(differing[row.switch], windows[row.switch].sums),
                )
                for row in rows
            },
            absent=tuple(sorted(windows.keys() - known)),
        )

    def _named(self, name: str) -> tuple[Any, ...]:
        mine = (BASELINES.c.site == self._lane.site, BASELINES.c.lane == self._lane.lane)
        return (*mine, BASELINES.c.name == name)


def _differing(row: Any) -> Sums:
    """Return the values that differ from a baseline, without a time."""
    changes = changes_between(state_from(row.old), state_from(row.facts))
    return {each.spot: Net(each.old, each.new, 0, 0, ()) for each in changes}


def _timed(sums: Sums, windows: Sums) -> Sums:
    """Return sums with the time of the last change of each value, where it is still stored."""
    return {
        spot: net._replace(
            since=windows[spot].since,
            at=windows[spot].at,
            sessions=windows[spot].sessions,
        )
        if spot in windows
        else net
        for spot, net in sums.items()
    }

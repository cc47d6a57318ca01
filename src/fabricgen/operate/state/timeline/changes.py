"""Compute the changes between two states of a switch, and their sum over time."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Facts, Key, Value

Spot = tuple[Key, str]
"""An object and its attribute."""


class Change(NamedTuple):
    """One changed value; None if the object or the attribute did not exist."""

    key: Key
    attribute: str
    old: Value | None
    new: Value | None

    @property
    def spot(self) -> Spot:
        """Return the object and the attribute."""
        return self.key, self.attribute


@record(kw_only=True)
class Event:
    """Changes of one switch that one look found.

    Attributes:
        look: Number of the look.
        since: Time of the look before, which had the old values.
        at: Time of this look.
        clock: Clock of the switch at this look, if it was read.
        sessions: Configuration sessions on the switch, as `NAME of WHO`.
        changes: The changes.
        more: Number of changes that are not listed because there were too many.
    """

    look: int
    since: float
    at: float
    clock: float | None
    sessions: tuple[str, ...]
    changes: tuple[Change, ...]
    more: int = 0


class Net(NamedTuple):
    """Sum of all changes of one value.

    Attributes:
        old: Value before the first change.
        new: Value after the last change.
        since: Start of the window of the last change.
        at: End of the window of the last change.
        sessions: Configuration sessions at the last change.
    """

    old: Value | None
    new: Value | None
    since: float
    at: float
    sessions: tuple[str, ...]


Sums = dict[Spot, Net]


def compare(before: Mapping[Key, Mapping[str, Value]], after: Facts) -> list[Change]:
    """Return every changed value, in the order of the objects."""
    found = []
    for key in sorted(before.keys() | after.keys()):
        old, new = before.get(key, {}), after.get(key, {})
        if old == new:
            continue
        names = [*old, *(name for name in new if name not in old)]
        found += [
            Change(key, name, old.get(name), new.get(name))
            for name in names
            if old.get(name) != new.get(name)
        ]
    return found


def add(sums: Sums, spot: Spot, later: Net) -> None:
    """Add a later sum of one value."""
    earlier = sums.get(spot)
    sums[spot] = later if earlier is None else later._replace(old=earlier.old)

"""One difference between the model and a running switch, and the two sides it is found between."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.fabric.facts import DEFAULT
from fabricgen.fabric.observed import ESTABLISHED, Part
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.fabric.observed import Observed
    from fabricgen.proof.expected import Expected


class Kind(StrEnum):
    """What to do about a difference."""

    WRONG = "wrong"  # a value contradicts the model: waiting will not change it
    NOT_YET = "not yet"  # what protocols bring about is missing: it may still come
    UNREAD = "unread"  # nothing is known, because it could not be read


@record(kw_only=True)
class Difference:
    """One difference; `what` is the thing it is about, `sentence` says all of it."""

    switch: str
    kind: Kind
    what: str
    expected: str
    observed: str
    sentence: str


@dataclass(frozen=True)
class Sides:
    """What a switch must show, and what it shows."""

    expected: Expected
    observed: Observed

    def differs(self, kind: Kind, what: str, expected: str, observed: str, says: str) -> Difference:
        """Return a difference; `says` is the sentence without the switch."""
        switch = self.expected.switch
        return Difference(
            switch=switch,
            kind=kind,
            what=what,
            expected=expected,
            observed=observed,
            sentence=f"{switch}: {says}",
        )

    def wrong(self, what: str, subject: str, expected: object, observed: object) -> Difference:
        """Return a value that contradicts the model."""
        says = f"{subject} {observed}, the model says {expected}"
        return self.differs(Kind.WRONG, what, str(expected), str(observed), says)

    def missing(self, what: str, says: str) -> Difference:
        """Return a thing that is not there, and that only a configuration brings."""
        return self.differs(Kind.WRONG, what, "there", "missing", says)

    def unknown(self, what: str, says: str) -> Difference:
        """Return a thing that the model does not know."""
        says = f"{says}, which the model does not know"
        return self.differs(Kind.WRONG, what, "nothing", "there", says)

    def read(self, *parts: Part) -> bool:
        """Tell whether all of these parts could be read."""
        return not any(part in self.observed.unread for part in parts)

    @cached_property
    def lost_vrfs(self) -> frozenset[str]:
        """VRFs that are not there: what should be in one of them is not named once more."""
        if not self.read(Part.INTERFACES):
            return frozenset()
        there = {vrf.name for vrf in self.observed.vrfs}
        return frozenset(vrf.name for vrf in self.expected.vrfs if vrf.name not in there)

    @cached_property
    def silent(self) -> frozenset[str]:
        """Ports whose session with the next switch is down: routes over them are missing, too."""
        running = self.observed.sessions
        return frozenset(
            session.interface
            for session in self.expected.sessions
            if session.vrf == DEFAULT and session.interface is not None
            if (session.vrf, session.peer) not in running
            or running[session.vrf, session.peer].state != ESTABLISHED
        )

    @cached_property
    def miscabled(self) -> frozenset[str]:
        """Ports at whose other end someone else was heard: no session can be expected there."""
        wanted = {one.port: one for one in self.expected.neighbours}
        return frozenset(
            one.port
            for one in self.observed.neighbours
            if one.port in wanted and not wanted[one.port].is_met_by(one)
        )

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """Prefixes all of whose ways lead over silent ports: sessions to them cannot be up."""
        return frozenset(
            route.prefix
            for route in self.expected.routes
            if route.interfaces and set(route.interfaces) <= self.silent
        )


def listed(items: Iterable[object]) -> str:
    """Join things for a sentence; `nothing` when there are none."""
    return ", ".join(map(str, items)) or "nothing"


def few(items: Iterable[str], most: int = 4) -> str:
    """Join things for a sentence: the first ones, and how many more there are."""
    found = list(items)
    more = len(found) - most
    return f"{listed(found[:most])} and {more} more" if more > 0 else listed(found)


Differences = Iterator[Difference]

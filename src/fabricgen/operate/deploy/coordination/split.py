"""Find what differs between the ends of a term from batch to batch."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Server
from fabricgen.model.fabric.transition import ANY_ASN
from fabricgen.operate.deploy.coordination.agreement import agree
from fabricgen.operate.deploy.coordination.effects import effect_of, is_session
from fabricgen.operate.deploy.coordination.terms import ADDRESS, BFD, LINK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from fabricgen.core.tree.facts import Value
    from fabricgen.model.fabric.switch import Fabric
    from fabricgen.operate.deploy.coordination.agreement import End, Term
    from fabricgen.operate.deploy.coordination.effects import Effect

    Way = tuple[Value | None, Value | None]

NEVER = None
"""No batch of the plan ends the difference."""


@record(kw_only=True)
class Apart:
    """One term that differs at its ends.

    Attributes:
        begins: Batch that causes the difference, from 1; 0 if it already exists.
        ends: Batch after which all ends agree; equal to `begins` when both ends are in one batch,
            None when no batch of the plan ends it.
    """

    term: Term
    effect: Effect
    begins: int
    ends: int | None

    @property
    def stops(self) -> bool:
        """Check whether a batch of the plan interrupts something that worked."""
        return self.effect.breaks and self.begins > 0

    @property
    def outside(self) -> tuple[str, ...]:
        """Return the ends outside the plan."""
        return tuple(end.switch for end in self.term.ends if end.outside)


def apart(terms: Iterable[Term], when: Mapping[str, int]) -> Iterator[Apart]:
    """Yield all differences over time. when: the batch of each switch that changes."""
    for term in terms:
        moments = sorted({0, *(when[end.switch] for end in term.ends if end.switch in when)})
        differs = [moment for moment in moments if not _agrees(term, when, moment)]
        if differs:
            begins, last = differs[0], differs[-1]
            ends = next((moment for moment in moments if moment > last), NEVER)
        elif begun := _within(term, when):
            begins = ends = begun
        else:
            continue
        yield Apart(term=term, effect=effect_of(term), begins=begins, ends=ends)


def _within(term: Term, when: Mapping[str, int]) -> int:
    """Return the batch in which several ends change at once and do not agree meanwhile.

    The first end may change before the last, so each old value must agree with each new value.
    """
    moving: dict[int, Counter[Way]] = defaultdict(Counter)
    for end in term.ends:
        gone = end.will is None and not is_session(term)
        if end.switch in when and end.was != end.will and not gone:
            moving[when[end.switch]][end.was, end.will] += 1
    crossing = (
        batch
        for batch, ways in moving.items()
        for (was, will), (had, gets) in (*combinations(ways, 2), *_twice(ways))
        if not (agree(term.word, was, gets) and agree(term.word, will, had))
    )
    return next(crossing, 0)


def _twice(ways: Counter[Way]) -> Iterator[tuple[Way, Way]]:
    """Yield pairs of ends with an identical change."""
    return ((way, way) for way, ends in ways.items() if ends > 1)


def said(end: End, when: Mapping[str, int], moment: int) -> Value | None:
    """Return the value of an end after a batch."""
    return end.will if when.get(end.switch, moment + 1) <= moment else end.was


def _agrees(term: Term, when: Mapping[str, int], moment: int) -> bool:
    if not is_session(term):
        values = {said(end, when, moment) for end in term.ends} - {None}
        return all(agree(term.word, *pair) for pair in combinations(values, 2))
    one, other = term.ends
    absent = term.word in (ADDRESS, BFD)  # a link without addresses, a session without BFD
    standing = absent and term.kind == LINK
    if not standing and any(end.was is None and not end.outside for end in term.ends):
        return True  # a new session: nothing is lost
    mine, theirs = said(one, when, moment), said(other, when, moment)
    if one.outside or other.outside:
        near, value = (other, theirs) if one.outside else (one, mine)
        far = one if one.outside else other
        if far.was is not None:  # the value of the design, which does not change
            return agree(term.word, mine, theirs)
        return value in (near.was, ANY_ASN)
    loopbacks = term.word == ADDRESS and not standing
    if (loopbacks or not absent) and None in (one.will, other.will):  # the session is removed
        return True
    return agree(term.word, mine, theirs)


def servers_of(fabric: Fabric, leafs: Collection[str]) -> int:
    """Count the servers with a cable to one of the leafs."""
    links = fabric.topology.links_at
    return len(
        {
            link.lower.name
            for leaf in leafs
            for link in links[leaf]
            if isinstance(link.lower, Server)
        }
    )

"""The comparison itself: both sides of a switch in, all differences out, each of them once.

What follows from a difference that is named already is not named again: nothing is missed in a VRF
that is missing, and no route over a session that is down.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.fabric.observed import Part
from fabricgen.proof.compare.cables import cables
from fabricgen.proof.compare.difference import Difference, Differences, Kind, Sides, listed
from fabricgen.proof.compare.interfaces import interfaces, vrfs
from fabricgen.proof.compare.overlay import vnis
from fabricgen.proof.compare.queues import queues
from fabricgen.proof.compare.routes import routes
from fabricgen.proof.compare.sessions import bfd, bgp

if TYPE_CHECKING:
    from fabricgen.fabric.observed import Observed
    from fabricgen.proof.expected import Expected


def compare(expected: Expected, observed: Observed) -> tuple[Difference, ...]:
    """Return every difference between what a switch must show and what it shows."""
    sides = Sides(expected, observed)
    parts = (_unread, cables, vrfs, interfaces, bgp, bfd, vnis, routes, queues)
    return tuple(found for part in parts for found in part(sides))


def _unread(sides: Sides) -> Differences:
    """Yield why something could not be read that the model has something to compare with."""
    wanted = sides.expected
    asked = {
        Part.INTERFACES: wanted.interfaces,
        Part.BRIDGE: any(item.untagged or item.tagged for item in wanted.interfaces),
        Part.ROUTES: wanted.routes,
        Part.QUEUES: wanted.queues,
        Part.FILTERS: wanted.queues,
        Part.LLDP: any(one.required for one in wanted.neighbours),
        Part.BGP: wanted.sessions,
        Part.BFD: any(session.bfd for session in wanted.sessions),
        Part.VNIS: wanted.vnis,
        Part.EVPN: wanted.vnis,
    }
    causes: dict[str, list[Part]] = defaultdict(list)
    for part, why in sides.observed.unread.items():
        if asked[part]:
            causes[why].append(part)
    for why, parts in causes.items():
        what = listed(parts)
        says = f"{what} could not be read: {why}"
        yield sides.differs(Kind.UNREAD, what, "something", "unknown", says)

"""Underlay routes: packets to every other switch leave by all the ports of equal paths."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.fabric.observed import Part
from fabricgen.proof.compare.difference import Differences, Kind, Sides, few, listed

if TYPE_CHECKING:
    from fabricgen.fabric.facts import Route

_Alike = tuple[str, tuple[str, ...], tuple[str, ...]]


def routes(sides: Sides) -> Differences:
    """Yield each way that is missing or too many; prefixes of one switch that go alike are one.

    A way whose session is down is not missed here: the session is.
    """
    if not sides.read(Part.ROUTES):
        return
    alike: dict[_Alike, list[str]] = defaultdict(list)
    for route in sides.expected.routes:
        found = sides.observed.routes.get(route.prefix, ())
        if not _explained(sides, route, found):
            alike[route.origin, route.interfaces, tuple(sorted(found))].append(route.prefix)
    for (origin, wanted, found), prefixes in alike.items():
        what, to = f"routes to {origin}", f"packets to {origin} ({few(prefixes, 2)})"
        kind = Kind.WRONG if set(found) - set(wanted) else Kind.NOT_YET
        leave = f"leave by {listed(found)}" if found else "have no route"
        says = f"{to} {leave}, the model says {listed(wanted)}"
        yield sides.differs(kind, what, listed(wanted), listed(found), says)
    known = {route.prefix for route in sides.expected.routes}
    more = [prefix for prefix in sides.observed.routes if prefix not in known]
    if more:
        yield sides.unknown("routes", f"BGP has a route to {few(more)}")


def _explained(sides: Sides, route: Route, found: tuple[str, ...]) -> bool:
    """Tell whether nothing is missing but the ways over sessions that are down."""
    wanted = set(route.interfaces)
    return set(found) <= wanted and wanted - set(found) <= sides.silent

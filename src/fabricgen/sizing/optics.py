"""The links of a site in; the optics and cables with fixed ends that each fabric takes, counted.

Each sort of link is joined by transceivers that reach least beyond its length, with the fewest
fibres; by a cable with fixed ends where no transceiver is known. A transceiver stands in a cage and
serves all of the links there; a cable is one part for all the links of the cage that it is split
from.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.catalog.optics import ways
from fabricgen.fabric.topology import Port
from fabricgen.record import record
from fabricgen.sizing.sockets import far_socket, socket_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.catalog.optics import Optic, Way
    from fabricgen.fabric.switch import Fabric, Site
    from fabricgen.fabric.topology import Link


@record(kw_only=True)
class Bought:
    """What joins the links of one fabric, by name. watts: of all whose watts are known.

    unpowered: parts of which no source gives the watts. unknown: links that nothing known joins.
    blind: ends at servers of whose card nobody says anything, so that no part is counted there.
    """

    optics: dict[str, int]
    cables: dict[str, int]
    watts: float
    unpowered: int
    unknown: int
    blind: int


Places = dict[str, set[tuple[str, object]]]
"""Where the parts of each name are: those of two links of a cage are one."""


def bought(site: Site, optics: Sequence[Optic]) -> dict[str, Bought]:
    """Count the parts of every fabric, by its name."""
    return {fabric.name: _bought(fabric, optics) for fabric in site.fabrics}


def _bought(fabric: Fabric, optics: Sequence[Optic]) -> Bought:
    places: Places = defaultdict(set)
    known: dict[str, Optic] = {}
    unknown = unseen = 0
    for links in _sorts(fabric).values():
        way = _chosen(fabric, links[0], optics)
        if way is None:
            unknown += len(links)
            continue
        blind = links[0].to_server and far_socket(fabric, links[0]) is None
        unseen += len(links) if blind and not way.near.is_cable else 0
        for link in links:
            for optic, where in _parts(way, link, blind=blind):
                known[optic.name] = optic
                places[optic.name].add(where)
    counts = [(known[name], len(where)) for name, where in sorted(places.items())]
    return summed(counts, unknown=unknown, blind=unseen)


def _sorts(fabric: Fabric) -> dict[tuple[object, ...], list[Link]]:
    """Return the links by what they join: switches of a tier share ports, and so do servers."""
    found: dict[tuple[object, ...], list[Link]] = defaultdict(list)
    for link in fabric.topology.links:
        found[id(link.lower_port), id(link.upper_port), link.length].append(link)
    return found


def _parts(way: Way, link: Link, *, blind: bool) -> Iterator[tuple[Optic, tuple[str, object]]]:
    """Yield the parts of a link. blind: nobody knows what is at its far end."""
    port, far = link.upper_port, link.lower_port
    if way.near.is_cable:
        yield way.near, (link.upper.name, port.cage)
        return
    yield way.near, (link.upper.name, port.cage)
    if not blind:
        yield way.far, (link.lower.name, far.cage if isinstance(far, Port) else far.label)


def _chosen(fabric: Fabric, link: Link, optics: Sequence[Optic]) -> Way | None:
    near = socket_of(link.upper, link.upper_port)
    fits = [way for way in ways(near, far_socket(fabric, link), optics) if way.reach >= link.length]
    return min(fits, key=_rank, default=None)


def _rank(way: Way) -> tuple[object, ...]:
    fibres = (way.near.fibres or 0) + (way.far.fibres or 0)
    mixed = way.near.media != way.far.media
    return way.near.is_cable, mixed, way.reach, fibres, way.near.name, way.far.name


def summed(counts: Sequence[tuple[Optic, int]], *, unknown: int, blind: int) -> Bought:
    """Sum parts, each with its number: a cable with fixed ends draws at both."""
    watts = [
        (optic.power, number * (2 if optic.is_cable else 1), number) for optic, number in counts
    ]
    return Bought(
        optics={each.name: number for each, number in counts if not each.is_cable},
        cables={each.name: number for each, number in counts if each.is_cable},
        watts=sum(power * ends for power, ends, _ in watts if power is not None),
        unpowered=sum(number for power, _, number in watts if power is None),
        unknown=unknown,
        blind=blind,
    )

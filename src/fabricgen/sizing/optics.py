"""The cables of a site in; the optics and cables with fixed ends that each fabric takes, counted.

What a cable is made of is the choice of the physical plan. A transceiver stands in a cage and
serves all of the links there; a cable with fixed ends is one part for all the links of the cage
that it is split from.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from fabricgen.fabric.topology import Port, Server
from fabricgen.plant.cables import cables
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.catalog.optics import Optic
    from fabricgen.fabric.switch import Site
    from fabricgen.plant.cables import Cable, End


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


def bought(site: Site) -> dict[str, Bought]:
    """Count the parts of every fabric, by its name; those of cables to the outside are not ours."""
    places: dict[str, dict[str, set[tuple[str, object]]]] = defaultdict(lambda: defaultdict(set))
    known: dict[str, Optic] = {}
    unknown: Counter[str] = Counter()
    blind: Counter[str] = Counter()
    for cable in (each for each in cables(site) if each.link is not None):
        unknown[cable.fabric] += cable.way is None
        blind[cable.fabric] += _blind(cable)
        for optic, where in _parts(cable):
            known[optic.name] = optic
            places[cable.fabric][optic.name].add(where)
    return {
        fabric.name: summed(
            [(known[name], len(where)) for name, where in sorted(places[fabric.name].items())],
            unknown=unknown[fabric.name],
            blind=blind[fabric.name],
        )
        for fabric in site.fabrics
    }


def _blind(cable: Cable) -> bool:
    fibre = cable.way is not None and cable.fixed is None
    return fibre and isinstance(cable.far.owner, Server) and cable.far.optic is None


def _parts(cable: Cable) -> Iterator[tuple[Optic, tuple[str, object]]]:
    """Yield the parts of a cable and where they are: those of two links of a cage are one."""
    if cable.fixed is not None:
        yield cable.fixed, (cable.assembly, "")
        return
    for end in (cable.near, cable.far):
        if end.optic is not None:
            yield end.optic, (end.name, _cage(end))


def _cage(end: End) -> object:
    """Return the cage of an end; a NIC's port is one of its own."""
    assert end.port is not None
    return end.port.cage if isinstance(end.port, Port) else end.port.label


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

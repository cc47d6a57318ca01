"""Counts the parts of networks that fabricgen does not configure.

NVLink, InfiniBand and Fibre Channel are bought, mounted and cabled like the other networks. A fiber
link has a transceiver at both ends; copper is one cable.
"""

from collections.abc import Iterator

from fabricgen.model.cabling.lengths import sold
from fabricgen.model.cabling.media import COPPER
from fabricgen.model.cabling.parts import CABLE, OPTIC, SWITCH, Part
from fabricgen.model.fabric.floor import Beside, Floor

COLUMNS = (
    *("network", "kind", "switches", "links", "optics", "medium", "length_m"),
    *("switch_watts", "watts"),
)


def counted(floor: Floor) -> Iterator[tuple[Part, str, int]]:
    """Yield each part, its network, and the number needed."""
    for each in floor.beside:
        length = sold(each.meters, floor.laying.lengths) or each.meters
        yield Part(kind=SWITCH, name=f"{each.kind} switch"), each.name, each.switches
        cable = Part(kind=CABLE, name=f"{each.kind} {each.medium}", meters=length)
        yield cable, each.name, each.links
        if optics(each):
            name = f"{each.kind} transceiver, {each.medium}"
            yield Part(kind=OPTIC, name=name), each.name, optics(each)


def optics(network: Beside) -> int:
    """Return the number of transceivers of a network."""
    fixed = network.medium in COPPER or network.medium == "AOC"
    return 0 if fixed else 2 * network.links


def rows(floor: Floor) -> Iterator[tuple[object, ...]]:
    """Yield a row for each network, with the watts of its switches."""
    for each in floor.beside:
        watts = each.watts
        yield (
            *(each.name, each.kind, each.switches, each.links, optics(each), each.medium),
            sold(each.meters, floor.laying.lengths) or each.meters,
            *(("not known", "not known") if watts is None else (watts, watts * each.switches)),
        )

"""Writes the list of cables, one row for each cable."""

from collections.abc import Iterator, Mapping

from fabricgen.core.tables import csv_text
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.fibers import DELAY, fibers_of
from fabricgen.model.cabling.finish import METHOD
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.lowering import spell
from fabricgen.plan.cabling import Plan

_END = ("rack", "unit", "device", "port", "interface", "lanes", "optic", "label")
COLUMNS = (
    "id",
    "fabric",
    "plane",
    "rail",
    "speed",
    "medium",
    "connector",
    "length_m",
    "way_m",
    "assembly",
    "color",
    *("fibers", "grade", "polarity", "delay_ns"),
    *(f"a_{name}" for name in _END),
    *(f"b_{name}" for name in _END),
)
"""`a`: the upper end, at a switch. `b`: the other end. `way_m`: the path without rounding to
lengths on sale. `fibers`: active fibers. `polarity`: the method of TIA-568.
"""


def cabling(plan: Plan) -> str:
    """Return the list as CSV, with the fiber grades of the pieces to buy."""
    return csv_text(COLUMNS, (tuple(row.values()) for row in rows(plan)))


def rows(plan: Plan) -> Iterator[Mapping[str, object]]:
    """Yield the row of each cable, by column."""
    grades = {cable.name: run.grade for run in plan.pieces for cable in run.cables}
    yield from (cable_facts(cable, grades[cable.name]) for cable in plan.laid)


def cable_facts(cable: Cable, grade: str) -> Mapping[str, object]:
    """Return the row of a cable, by column."""
    return dict(zip(COLUMNS, _row(cable, grade), strict=True))


def _row(cable: Cable, grade: str) -> tuple[object, ...]:
    fixed, channel = cable.fixed, cable.channel
    optic = fixed or cable.near.optic
    return (
        cable.name,
        cable.fabric,
        cable.plane or "",
        cable.rail or "",
        cable.speed,
        fixed.name if fixed is not None else cable.medium or "not known",
        (optic.connector if optic is not None else None) or "",
        cable.length.meters or "",
        round(cable.length.way, 2) or "",
        cable.assembly,
        cable.color,
        fibers_of(cable) or "",
        grade,
        (channel.polarity if channel is not None else METHOD) if grade else "",
        round(cable.length.meters * DELAY, 1) or "",
        *_end(cable.near, cable.far),
        *_end(cable.far, cable.near),
    )


def _end(end: End, other: End) -> Iterator[object]:
    stand, port = end.stand, end.port
    yield stand.rack.name if stand is not None else ""
    yield stand.unit or "" if stand is not None else ""
    yield end.name
    yield printed(end)
    yield interface_of(end)
    yield f"{port.lane + 1}-{port.lane + port.lanes}" if isinstance(port, Port) else ""
    yield end.optic.name if end.optic is not None else ""
    yield label(end, other)


def printed(end: End) -> str:
    """Return the label that is printed at the cage, or the NIC's name."""
    if isinstance(end.port, Port):
        return end.port.label
    return end.port.label if end.port is not None else ""


def interface_of(end: End) -> str:
    """Return the port name of the owner's OS; a server's NIC has its own name."""
    return spell(end.owner, end.port) if end.owner is not None and end.port is not None else ""


def label(end: End, other: End) -> str:
    """Return the label of the cable at this end: this end, then the other end."""
    return f"{named(end)} > {named(other)}"


def named(end: End) -> str:
    """Return the label text of one end."""
    return f"{end.name}:{printed(end)}" if end.port is not None else end.name

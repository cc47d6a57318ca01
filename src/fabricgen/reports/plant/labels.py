"""The cables of a site in; what is printed on the label at each of their ends out.

A label is two lines: this end, and the other one. Names of devices and ports are ASCII, and a port
has one cable, so no label is there twice and none changes when a site grows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fabricgen.reports.plant.cabling import label, named, printed
from fabricgen.reports.plant.tables import csv_text

if TYPE_CHECKING:
    from fabricgen.plant.cables import Cable, End

COLUMNS = (
    *("label", "cable", "rack", "unit", "device", "port"),
    *("line1", "line2", "characters", "colour"),
)
"""characters: of the longer line, to choose the tape by. rack, unit: where this end is laid."""


def labels(cables: Iterable[Cable]) -> str:
    """Return every label as CSV, those of a cable one after the other."""
    return csv_text(COLUMNS, (row for cable in cables for row in _rows(cable)))


def _rows(cable: Cable) -> Iterator[tuple[object, ...]]:
    for end, other in ((cable.near, cable.far), (cable.far, cable.near)):
        lines = named(end), f"> {named(other)}"
        yield (
            label(end, other),
            cable.name,
            *_place(end),
            end.name,
            printed(end),
            *lines,
            max(map(len, lines)),
            cable.colour,
        )


def _place(end: End) -> tuple[object, object]:
    return (end.stand.rack.name, end.stand.unit or "") if end.stand is not None else ("", "")

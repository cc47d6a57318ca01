"""The floor in; what stands in which unit of which rack, top to bottom, out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.reports.plant.tables import csv_text

if TYPE_CHECKING:
    from fabricgen.fabric.floor import Floor, Stand

COLUMNS = (
    *("rack", "type", "row", "position", "rack_units", "rack_watts"),
    *("unit", "units", "device", "kind", "watts"),
)
"""unit: the lowest. rack_watts: what the rack has at most. watts: at most, where it is known."""


def racks(floor: Floor) -> str:
    """Return the racks as CSV, a row for each thing in them; what hangs at the side comes last."""
    return csv_text(COLUMNS, _rows(floor))


def _rows(floor: Floor) -> Iterator[tuple[object, ...]]:
    held: dict[str, list[Stand]] = defaultdict(list)
    for stand in floor.stands.values():
        held[stand.rack.name].append(stand)
    for rack in floor.racks:
        own = (rack.name, rack.type, rack.row, rack.position, rack.units, rack.watts or "")
        for stand in sorted(held[rack.name], key=lambda stand: -(stand.unit or 0)):
            watts = stand.watts if stand.watts is not None else ""
            yield (*own, stand.unit or "", stand.units or "", stand.name, stand.kind, watts)

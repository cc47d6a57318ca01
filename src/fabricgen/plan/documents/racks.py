"""The plan in; what stands in which unit of which rack, top to bottom, out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.core.tables import csv_text

if TYPE_CHECKING:
    from fabricgen.plan.cabling import Plan

COLUMNS = (
    *("rack", "type", "row", "position", "rack_units", "rack_watts", "ports"),
    *("unit", "units", "device", "kind", "watts", "airflow"),
)
"""unit: the lowest. rack_watts: what the rack has at most. watts: at most, where it is known.

ports: the aisle that ports of switches look at. airflow: in or out at those, if said.
"""


def racks(plan: Plan) -> str:
    """Return the racks as CSV, a row for each thing in them; what hangs at the side comes last."""
    return csv_text(COLUMNS, _rows(plan))


def _rows(plan: Plan) -> Iterator[tuple[object, ...]]:
    for rack in plan.site.floor.racks:
        own = (
            rack.name,
            rack.type,
            rack.row,
            rack.position,
            rack.units,
            rack.watts or "",
            rack.ports,
        )
        for stand in sorted(plan.held[rack.name], key=lambda stand: -(stand.unit or 0)):
            watts = stand.watts if stand.watts is not None else ""
            yield (
                *own,
                stand.unit or "",
                stand.units or "",
                stand.name,
                stand.kind,
                watts,
                stand.airflow,
            )

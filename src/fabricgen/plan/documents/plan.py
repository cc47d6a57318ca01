"""Writes every file of the physical plan of a site."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO
from typing import TYPE_CHECKING

from fabricgen.compile.compiler import File
from fabricgen.compile.output.manifest import BYTES
from fabricgen.core.tables import Sheet, csv_text, plain_text
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Switch
from fabricgen.nos.lowering import heard_in, spell
from fabricgen.plan.documents.acceptance import acceptance
from fabricgen.plan.documents.bom import bill
from fabricgen.plan.documents.cabling import cabling
from fabricgen.plan.documents.fibers import fiber_files
from fabricgen.plan.documents.labels import labels
from fabricgen.plan.documents.orders import orders
from fabricgen.plan.documents.pictures import pictures

if TYPE_CHECKING:
    from fabricgen.plan.cabling import Plan

# XlsxWriter only writes, needs no other package and has frequent releases. Texts are written as
# texts: no cell is a formula or a link, whatever its first character is.
_CREATED = datetime(1980, 1, 1, tzinfo=UTC)
"""Fixed time in the properties and archive entries, so that equal input gives an equal file."""
_WIDEST = 60


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return a workbook with each sheet, its heading frozen."""
    import xlsxwriter  # noqa: PLC0415 - only this file needs it

    out = BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": _CREATED})
    bold = book.add_format({"bold": True})
    for sheet in sheets:
        page = book.add_worksheet(sheet.name)
        page.freeze_panes(1, 0)
        for column, name in enumerate(sheet.columns):
            page.write_string(0, column, name, bold)
            page.set_column(column, column, _width(sheet, column))
        for row, cells in enumerate(sheet.rows, 1):
            for column, cell in enumerate(cells):
                if isinstance(cell, int | float | Decimal):
                    page.write_number(row, column, float(cell))
                elif cell != "":
                    page.write_string(row, column, str(cell))
    book.close()
    return out.getvalue()


def _width(sheet: Sheet, column: int) -> int:
    longest = max((len(str(row[column])) for row in sheet.rows), default=0)
    return min(max(longest, len(sheet.columns[column])) + 1, _WIDEST)


COLUMNS = (
    *("rack", "type", "row", "position", "rack_units", "rack_watts", "ports"),
    *("unit", "units", "device", "kind", "watts", "airflow"),
)
"""`unit`: the lowest. `rack_watts`: maximum of the rack. `watts`: maximum, if known.

`ports`: the aisle that switch ports face. `airflow`: in or out at the ports, if given.
"""


def racks(plan: Plan) -> str:
    """Return the racks as CSV, a row for each device; devices at the side come last."""
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


FORMAT = 1
Neighbor = tuple[str, str, bool]
"""Name, port, and whether LLDP must see it: not servers, nor planned or dead switches."""


def neighbors(site: Site) -> Mapping[str, Mapping[str, Neighbor]]:
    """Return the neighbor of each port, by switch and interface."""
    heard = heard_in(site)
    behind: dict[str, dict[str, Neighbor]] = defaultdict(dict)
    every = ((fabric, link) for fabric in site.fabrics for link in fabric.topology.links)
    for fabric, link in every:
        above, upper, below, lower = link.upper, link.upper_port, link.lower, link.lower_port
        both = isinstance(below, Switch)
        speaks = both and _runs(fabric, link)
        behind[above.name][spell(above, upper)] = (*heard(below, lower), speaks)
        if both:
            behind[below.name][spell(below, lower)] = (*heard(above, upper), speaks)
    return behind


def _runs(fabric: Fabric, link: Link) -> bool:
    """Return whether a cable and both of its switches are present."""
    there = link.standing is None or link.standing.runs
    return there and fabric.absent.isdisjoint((link.upper.name, link.lower.name))


def lldp(site: Site) -> str:
    """Return the neighbors as JSON, a line for each port."""
    rows = (
        (name, ",\n".join(map(_line, ports.items()))) for name, ports in neighbors(site).items()
    )
    switches = ",\n".join(f"  {json.dumps(name)}: {{\n{ports}\n  }}" for name, ports in rows)
    head = f'"format_version": {FORMAT},\n "site": {json.dumps(site.name)},\n "switches"'
    return f"{{{head}: {{\n{switches}\n }}}}\n"


def _line(port: tuple[str, Neighbor]) -> str:
    interface, (name, at, required) = port
    told = {"neighbor": name, "port": at, "required": required}
    return f"   {json.dumps(interface)}: {json.dumps(told)}"


def plan_files(plan: Plan) -> Iterator[File]:
    """Yield the files of the plan."""
    yield File("cabling.csv", cabling(plan), executable=False)
    yield File("acceptance.csv", acceptance(plan), executable=False)
    yield File("labels.csv", labels(plan), executable=False)
    yield File("lldp.json", lldp(plan.site), executable=False)
    sheets = bill(plan)
    yield File("bom.csv", csv_text(sheets[0].columns, sheets[0].rows), executable=False)
    yield File("bom.txt", plain_text(sheets), executable=False)
    yield File("bom.xlsx", workbook(sheets).decode(errors=BYTES), executable=False)
    if plan.site.floor.racks:
        yield File("racks.csv", racks(plan), executable=False)
        yield from fiber_files(plan)
    yield from pictures(plan)
    yield from orders(plan)

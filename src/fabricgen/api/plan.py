"""Returns the physical plan of a site: racks, pictures and the bill of materials."""

from __future__ import annotations

from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.api import require
from fabricgen.api.files import Named
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabricgen.api.site import Site
    from fabricgen.model.fabric.floor import Rack as Placed
    from fabricgen.plan.cabling import Plan

Cell = str | int | float


@record(kw_only=True)
class RackUnit:
    """A device in a rack.

    Attributes:
        unit: Its lowest unit, or None at the side of the rack.
        watts: Its maximum watts, or None if they are not known.
    """

    unit: int | None
    units: int
    name: str
    kind: str
    watts: int | None


@record(kw_only=True)
class Rack:
    """A rack with its devices, the highest first.

    Attributes:
        row: Number of its row, from 1.
        position: Its place in the row, from 1.
        units: Its height.
        watts: Its power, or None if the intent has none.
    """

    name: str
    type: str
    row: int
    position: int
    units: int
    watts: int | None
    devices: tuple[RackUnit, ...]


@record(kw_only=True)
class Table:
    """A table of the bill. A missing value is an empty text."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


class PhysicalPlan:
    """Racks, pictures and bill of a site."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    @cached_property
    def racks(self) -> Named[Rack]:
        """Return the racks by name."""
        floor = self._plan.site.floor
        return Named("rack", ((each.name, self._rack(each)) for each in floor.racks))

    def _rack(self, placed: Placed) -> Rack:
        held = sorted(self._plan.held[placed.name], key=lambda each: -(each.unit or 0))
        return Rack(
            name=placed.name,
            type=placed.type,
            row=placed.row,
            position=placed.position,
            units=placed.units,
            watts=placed.watts,
            devices=tuple(
                RackUnit(
                    unit=each.unit,
                    units=each.units,
                    name=each.name,
                    kind=each.kind,
                    watts=each.watts,
                )
                for each in held
            ),
        )

    @cached_property
    def bill(self) -> tuple[Table, ...]:
        """Return the tables of the bill: parts, parts by fabric, power, hours and others."""
        require("plan", "bill")
        from fabricgen.plan.documents.bom import bill

        return tuple(
            Table(
                name=each.name,
                columns=tuple(each.columns),
                rows=tuple(tuple(map(_cell, row)) for row in each.rows),
            )
            for each in bill(self._plan)
        )

    @property
    def pictures(self) -> tuple[str, ...]:
        """Return the names of the pictures: floor, rows of racks, fabrics."""
        return tuple(self._drawn)

    def picture(self, name: str) -> str:
        """Return a picture as SVG.

        Raises:
            UnknownName: The plan has no picture of this name.
        """
        if name not in self._drawn:
            from fabricgen.api.errors import unknown_name

            raise unknown_name("picture", name, self._drawn)
        return self._drawn[name]

    def front(self, rack: str) -> str:
        """Return the front of one rack as SVG.

        Raises:
            UnknownName: The site has no rack of this name.
        """
        require("plan", "front")
        from fabricgen.plan.documents.pictures.elevations import front

        return front(self._plan, self.racks[rack].name)

    @cached_property
    def _drawn(self) -> dict[str, str]:
        require("plan", "pictures")
        from fabricgen.plan.documents.pictures import pictures

        found = {each.path.removesuffix(".svg"): each.text for each in pictures(self._plan)}
        return dict(sorted(found.items(), key=lambda item: _place(item[0])))


def _place(name: str) -> tuple[int, str]:
    """Return the place of a picture: the floor comes first, then racks, then fabrics."""
    kind = name.split("/", maxsplit=1)[0]
    return ("floor", "racks", "topology").index(kind), name


def _cell(value: object) -> Cell:
    if isinstance(value, Decimal):
        return float(value)
    return value if isinstance(value, str | int | float) else str(value)


def plan_of(site: Site) -> PhysicalPlan:
    """Lay the cables of a site, and return its physical plan.

    Raises:
        InvalidSite: The site has errors.
        MissingExtra: This installation lacks the package `plan`.
    """
    require("plan", "plan_of")
    from fabricgen.plan.cabling import Plan

    return PhysicalPlan(Plan.of(site.model))


def totals(tables: Sequence[Table]) -> Iterator[tuple[str, int]]:
    """Yield the number of bought parts of each kind, from the first table of a bill."""
    parts = tables[0]
    kind, bought = parts.columns.index("kind"), parts.columns.index("bought")
    counted: dict[str, int] = {}
    for row in parts.rows:
        if row[kind] != "total":
            counted[str(row[kind])] = counted.get(str(row[kind]), 0) + int(row[bought] or 0)
    yield from counted.items()

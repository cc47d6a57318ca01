"""Represents the physical plan of a site: its cables and the files of the plan."""

from __future__ import annotations

from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed, require
from fabricgen.api.errors import UnknownName
from fabricgen.core.diagnostics import Code, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.model.fabric.switch import Site
    from fabricgen.plan.cabling import Plan


class Cabling:
    """The cables of a site with their ends, lengths and parts."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan

    @cached_property
    def rows(self) -> tuple[Mapping[str, object], ...]:
        """Return one row for each cable, with the columns of `cabling.csv`."""
        assert is_installed("plan")
        from fabricgen.plan.documents.cabling import rows

        return tuple({**row, "speed": str(row["speed"])} for row in rows(self._plan))

    def at(self, port: str) -> tuple[Mapping[str, object], ...]:
        """Return the cables at `DEVICE:PORT` with their panels, parts and work orders.

        Raises:
            UnknownName: No cable is at this port.
        """
        assert is_installed("plan")
        from fabricgen.plan.where import cables_at

        found = cables_at(self._plan, port)
        if not found.cables:
            message = f"no cable at {port!r} in this site"
            raise UnknownName(Diagnostic(Code.NO_SUCH_OBJECT, message, hint=found.hint))
        return found.cables

    def as_data(self) -> dict[str, Any]:
        """Return all rows as data."""
        return {"cables": [dict(row) for row in self.rows]}

    def write(self, folder: str | Path, *, force: bool = False) -> None:
        """Write the files of the plan, as `fabricgen cabling -o` does.

        Args:
            folder: Output folder. It is replaced as a whole.
            force: Overwrite manually changed files.

        Raises:
            Refused: The folder has foreign or changed files. Nothing was written.
        """
        assert is_installed("plan")
        from fabricgen.compile.output.tree import write_tree
        from fabricgen.plan.documents.plan import plan_files

        files = list(plan_files(self._plan))
        write_tree(Path(folder), self._plan.site.name, files, force=force)

    def __len__(self) -> int:
        """Return the number of cables."""
        return len(self._plan.laid)

    def __repr__(self) -> str:
        """Return the number of cables."""
        return f"<Cabling: {len(self):,} cables>"

    def _repr_html_(self) -> str:
        columns = ("id", "speed", "a_device", "a_port", "b_device", "b_port", "length_m")
        head = "".join(f"<th>{name}" for name in columns)
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(str(row[name]))}" for name in columns) + "</tr>"
            for row in self.rows
        )
        return f"<table><tr>{head}</tr>{rows}</table>"


def cabling(site: Site) -> Cabling:
    """Lay every cable of a site."""
    require("plan", "Site.cabling")
    from fabricgen.plan.cabling import Plan

    return Cabling(Plan.of(site))

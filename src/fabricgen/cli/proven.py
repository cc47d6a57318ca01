"""Renders a site and proves its files for verbs that export them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.cli.output import ended

if TYPE_CHECKING:
    from fabricgen.compile.compiler import File, Owner
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site


def proven(site: Site, source: SourceMap) -> list[tuple[Owner, list[File]]]:
    """Render everything. Files that do not implement the design end the verb with findings."""
    from fabricgen.api.errors import Unproven
    from fabricgen.api.proof import Bench

    try:
        return Bench(site).insisted()
    except Unproven as unproven:
        ended(unproven.examined.findings, source)

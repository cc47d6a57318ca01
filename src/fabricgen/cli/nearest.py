"""Suggests the switch whose name is nearest to an unknown name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.model.fabric.switch import Site


def hinted(site: Site, name: str, known: Iterable[str]) -> str:
    """Return what a switch is called that the intent names so, else the nearest known name."""
    every = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    called = next((each.name for each in every if each.said == name), "")
    return f"it is called {called!r}, as pinned" if called else did_you_mean(name, known)

"""Suggests the name that is nearest to an unknown name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.model.fabric.switch import Site


def hinted(site: Site, name: str, known: Iterable[str]) -> str:
    """Return the overridden name of a switch with this designed name, or the nearest name."""
    switches = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    renamed = next((switch.name for switch in switches if switch.said == name), "")
    return f"an override names it {renamed!r}" if renamed else did_you_mean(name, known)

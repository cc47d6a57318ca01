"""A designed site in; its physical plan out: cables, the pieces bought, and panels between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fabricgen.plant.cables import cables
from fabricgen.plant.mounted import held_by, mounted
from fabricgen.plant.panels import patching
from fabricgen.plant.parts import runs
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.fabric.floor import Stand
    from fabricgen.fabric.switch import Site
    from fabricgen.plant.cables import Cable
    from fabricgen.plant.mounted import Mounted
    from fabricgen.plant.panels import Patching
    from fabricgen.plant.parts import Run


@record(kw_only=True)
class Plan:
    """The cables of a site, the pieces that are laid for them, and the panels that they run by.

    mounted: panels and managers by rack. held: all that stands in a rack or hangs at it, by rack.
    """

    site: Site
    laid: Sequence[Cable]
    pieces: Sequence[Run]
    patching: Patching
    mounted: Mapping[str, Sequence[Mounted]]
    held: Mapping[str, Sequence[Stand]]

    @classmethod
    def of(cls, site: Site, laid: Sequence[Cable] | None = None) -> Plan:
        """Lay every cable of a site, unless they are laid already."""
        laid = list(cables(site)) if laid is None else laid
        by_panels = patching(laid, site.floor)
        there = mounted(by_panels, laid, site.floor)
        return cls(
            site=site,
            laid=laid,
            pieces=list(runs(laid)),
            patching=by_panels,
            mounted=there,
            held=held_by(site.floor, there),
        )

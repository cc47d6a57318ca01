"""A designed site in; its physical plan out: cables, the pieces bought, and panels between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fabricgen.plant.cables import cables
from fabricgen.plant.panels import patching
from fabricgen.plant.parts import runs
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Site
    from fabricgen.plant.cables import Cable
    from fabricgen.plant.panels import Patching
    from fabricgen.plant.parts import Run


@record(kw_only=True)
class Plan:
    """The cables of a site, the pieces that are laid for them, and the panels that they run by."""

    site: Site
    laid: Sequence[Cable]
    pieces: Sequence[Run]
    patching: Patching

    @classmethod
    def of(cls, site: Site) -> Plan:
        """Lay every cable of a site."""
        laid = list(cables(site))
        return cls(
            site=site,
            laid=laid,
            pieces=list(runs(laid)),
            patching=patching(laid, site.floor),
        )

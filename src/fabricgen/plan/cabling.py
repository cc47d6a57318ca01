"""Builds the physical plan of a site: its cables, the parts to buy and the panels between them."""

from collections.abc import Mapping, Sequence

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable, cables
from fabricgen.model.cabling.mounted import Mounted, held_by, mounted
from fabricgen.model.cabling.panels import patching
from fabricgen.model.cabling.parts import Run, runs
from fabricgen.model.cabling.patched import Patching
from fabricgen.model.fabric.floor import Stand
from fabricgen.model.fabric.switch import Site


@record(kw_only=True)
class Plan:
    """The cables of a site, the pieces to lay for them, and their panels.

    `mounted`: panels and managers by rack. `held`: all contents of a rack, including its sides, by
    rack.
    """

    site: Site
    laid: Sequence[Cable]
    pieces: Sequence[Run]
    patching: Patching
    mounted: Mapping[str, Sequence[Mounted]]
    held: Mapping[str, Sequence[Stand]]

    @classmethod
    def of(cls, site: Site, laid: Sequence[Cable] | None = None) -> "Plan":
        """Lay every cable of a site, unless `laid` contains them."""
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

"""No cable of twinaxial copper crosses from one row of racks to another.

It is thick, stiff and a few metres long: such a cable fits only as long as no rack moves, fills the
tray above the aisle, and cannot be longer when it has to go another way. Put both ends into one
row, or let the fabric lay fibre. Twisted pair reaches far enough and is not judged.
"""

from __future__ import annotations

from fabricgen.checks.tally import Tally
from fabricgen.diagnostics import Code, Examined, Severity
from fabricgen.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.plant.cables import Cable, cables_of
from fabricgen.plant.media import TWINAX

_HINT = "racks of one row, or fibre alone in `cabling.media`"


class Copper:
    """Looks at the cables of every fabric that may have copper, if there are several rows."""

    name = "copper"

    def __init__(self, site: Site) -> None:
        """Judge them."""
        self.tally = Tally(check=self.name, code=Code.COPPER_ACROSS_ROWS, noun="switches")
        rows = {rack.row for rack in site.floor.racks}
        for fabric in site.fabrics if len(rows) > 1 else ():
            media = site.floor.media[fabric.name]
            if media.best or TWINAX.intersection((*media.servers, *media.switches)):
                for cable in cables_of(fabric, site.floor):
                    self.judge(cable)

    def judge(self, cable: Cable) -> None:
        """Say where copper goes to another row."""
        near, far, fixed = cable.near.stand, cable.far.stand, cable.fixed
        if near is None or far is None or cable.link is None or fixed is None:
            return
        if near.rack.row == far.rack.row or cable.medium not in TWINAX:
            return
        what = (
            f"from {near.name} in rack {near.rack.name} to {far.name} in {far.rack.name} a "
            f"{fixed.name} of {cable.length.metres:g} m crosses from row {near.rack.row} to "
            f"row {far.rack.row}"
        )
        self.tally.add(f"in the {cable.fabric}", what, cable.link.because, _HINT, Severity.WARNING)

    def see(self, _fabric: Fabric, _piece: SwitchSlice) -> None:
        """Count the switch as examined: its cables were."""
        self.tally.objects += 1

    def result(self) -> Examined:
        """Say what was found."""
        return self.tally.result()

"""No cable of twinaxial copper crosses from one row of racks to another.

It is thick, stiff and a few metres long: such a cable fits only as long as no rack moves, fills the
tray above the aisle, and cannot be longer when it has to go another way. Put both ends into one
row, or let the fabric lay fibre. Twisted pair reaches far enough and is not judged.
"""

from fabricgen.checks.tally import Tally
from fabricgen.diagnostics import Severity
from fabricgen.plant.cables import Cable
from fabricgen.plant.media import TWINAX

_HINT = "racks of one row, or fibre alone in `cabling.media`"


def judge_copper(cable: Cable, tally: Tally) -> None:
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
    tally.add(f"in the {cable.fabric}", what, cable.link.because, _HINT, Severity.WARNING)

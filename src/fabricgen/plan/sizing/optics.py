"""The cables of a site in; the optics and cables with fixed ends that each fabric takes, counted.

What a cable is made of, and what is in a cage, is the choice of the physical plan.
"""

from dataclasses import dataclass, field

from fabricgen.model.cabling.cables import cables
from fabricgen.model.cabling.parts import plugged
from fabricgen.model.catalog.optics import Optic
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.power import PASSIVE


@dataclass(slots=True, kw_only=True)
class Bought:
    """What joins the links of one fabric, by name: transceivers, and cables with fixed ends.

    watts: of all ends whose watts are known; unpowered: ends of which no source gives them.
    unknown: links that nothing known joins. blind: ends on fibre at servers of whose card nobody
    says anything, so that no part is counted there.
    """

    optics: dict[str, int] = field(default_factory=dict)
    cables: dict[str, int] = field(default_factory=dict)
    watts: float = 0
    unpowered: int = 0
    unknown: int = 0
    blind: int = 0

    def draw(self, optic: Optic) -> None:
        """Add the watts of one end; a passive one has none of its own."""
        if optic.kind in PASSIVE:
            return
        if optic.power is None:
            self.unpowered += 1
        else:
            self.watts += optic.power


def bought(site: Site) -> dict[str, Bought]:
    """Count the parts of every fabric, by its name; those of cables to the outside are not ours."""
    found = {fabric.name: Bought() for fabric in site.fabrics}
    laid = [cable for cable in cables(site) if cable.link is not None]
    for cable in laid:
        found[cable.fabric].unknown += cable.way is None
    fixed: set[str] = set()
    for cable, _, optic in plugged(laid):
        mine = found[cable.fabric]
        if optic is None:
            mine.blind += 1
            continue
        mine.draw(optic)
        if not optic.is_cable:
            mine.optics[optic.name] = mine.optics.get(optic.name, 0) + 1
        elif cable.assembly not in fixed:
            fixed.add(cable.assembly)
            mine.cables[optic.name] = mine.cables.get(optic.name, 0) + 1
    return found

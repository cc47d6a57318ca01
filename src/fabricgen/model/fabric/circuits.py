"""Defines circuits: the lines of the links between sites, with their optics and latency."""

from collections.abc import Mapping

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.optics import Optic
from fabricgen.model.fabric.topology import Port

FIBER_DELAY = 5.0
"""Microseconds for each kilometer: 299,792 km/s / 1.468 (group index of G.652 fiber at 1550 nm)."""


@record(kw_only=True)
class Latency:
    """One-way latency of a circuit in microseconds, from border leaf to border leaf.

    `terms`: its parts, by name. `unknown`: names of parts without a source, which are not in it.
    """

    microseconds: float
    terms: tuple[tuple[str, float], ...]
    unknown: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the sum with its terms."""
        return " + ".join(f"{value:,g} us {name}" for name, value in self.terms)


@record(kw_only=True)
class CircuitEnd:
    """One end of a circuit: its leaf and the ports there. `optic`: None if it is not known."""

    leaf: str
    ports: tuple[Port, ...]
    optic: Optic | None = None


@record(eq=False, kw_only=True)
class Circuit:
    """The line of a link between sites. `number`: the name that its carrier gave it.

    `ends`: by fabric. A tunnel has none. `kilometers`: None if the intent has none. `rate`: of the
    path, or of all ports. `is_backup`: it is used while no other is up. `vrfs`: of the link.
    """

    name: str
    fabrics: tuple[str, str]
    ends: Mapping[str, CircuitEnd]
    vrfs: frozenset[str]
    number: str
    kilometers: float | None
    rate: BitsPerSecond | None
    is_backup: bool
    latency: Latency
    path: IntentPath

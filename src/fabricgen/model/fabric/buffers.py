"""Defines the packet memory of lossless switches: reserves, shared pool and pause threshold.

Every number keeps its terms, so that a report can print the derivation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.topology import Role
from fabricgen.model.lossless.marking import Points
from fabricgen.model.lossless.path import RoundTrip
from fabricgen.model.lossless.rows import PortHeadroom
from fabricgen.model.lossless.terms import Term

if TYPE_CHECKING:
    PlansByKind = Mapping[Kind, Mapping[BitsPerSecond, Points]]


@record(eq=False, kw_only=True)
class SwitchBuffers:
    """Packet memory of one switch. `ports` holds each kind of port with its count.

    `alpha`: exponent n of the dynamic threshold 2^n. `classes`: lossless groups of each port, every
    one with that port's headroom. `pause_at`: bytes in one lossless group at which pause is sent
    while all are congested. `pool`: the shared headroom pool, if any. `sku`: the hardware SKU that
    its ports select, if its OS has SKUs. `lacks`: reason why the SKU has no memory for lossless
    traffic. `from_site`: source of the figures that the site brings, or empty.
    """

    model: str
    sku: str | None
    lacks: str | None
    asic: str
    memory: Bytes
    cell: Bytes | None
    source: str
    alpha: int
    classes: int
    ports: tuple[tuple[PortHeadroom, int], ...]
    headroom: Bytes
    pool: Bytes | None
    shared: Bytes
    pause_at: Bytes | None
    terms: tuple[Term, ...]
    from_site: str = ""

    def port(self, speed: BitsPerSecond, length: Meters) -> PortHeadroom | None:
        """Return the headroom of a port, by its speed and cable."""
        for kind, _ in self.ports:
            if kind.speed == speed and kind.length == length:
                return kind
        return None


@record(eq=False, kw_only=True)
class Lossless:
    """Lossless design of a fabric: memory by switch name, marking by class and port speed.

    `above`: marking of spines and superspines, if it differs from leafs. `planner`: the planner of
    the design, for what-if questions.
    """

    switches: Mapping[str, SwitchBuffers]
    marking: PlansByKind
    round_trip: RoundTrip
    above: PlansByKind | None = None
    planner: object = None

    @property
    def plans(self) -> tuple[tuple[Kind, Points], ...]:
        """Every marking plan with its class: of all switches, or of leafs if others differ."""
        return _plans(self.marking)

    @property
    def plans_above(self) -> tuple[tuple[Kind, Points], ...]:
        """Marking plans of spines and superspines with their class; empty if equal to leafs."""
        return _plans(self.above or {})

    def marking_of(self, role: Role) -> PlansByKind:
        """Return the marking of the switches of a role."""
        return self.marking if self.above is None or role is Role.LEAF else self.above

    def plans_of(self, role: Role) -> tuple[tuple[Kind, Points], ...]:
        """Return every marking plan of the switches of a role with its class."""
        return _plans(self.marking_of(role))


def _plans(marking: PlansByKind) -> tuple[tuple[Kind, Points], ...]:
    return tuple((kind, plan) for kind, plans in marking.items() for plan in plans.values())

"""Packet memory of lossless switches: what each port keeps, what is shared, where pause lies.

Every number keeps its terms, so that a report can print the derivation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.fabric.qos import Kind
    from fabricgen.lossless.marking import Points
    from fabricgen.lossless.path import RoundTrip
    from fabricgen.lossless.rows import PortHeadroom
    from fabricgen.lossless.terms import Term
    from fabricgen.units import BitsPerSecond, Bytes, Metres


@record(eq=False, kw_only=True)
class SwitchBuffers:
    """The memory of one switch. `ports` holds each kind of port with how many there are.

    alpha: exponent n of the dynamic threshold 2^n. classes: lossless groups of each port, every one
    with that port's headroom. pause_at: bytes in one lossless group at which pause is sent while
    all are congested. pool: the headroom pool that ports share, if they do. sku: the hardware SKU
    that its ports make it, where its OS has such. lacks: why that has no memory for lossless
    traffic.
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

    def port(self, speed: BitsPerSecond, length: Metres) -> PortHeadroom | None:
        """Return the headroom of a port, by its speed and cable."""
        for kind, _ in self.ports:
            if kind.speed == speed and kind.length == length:
                return kind
        return None


@record(eq=False, kw_only=True)
class Lossless:
    """The lossless design of a fabric: memory by switch name, marking by class and port speed."""

    switches: Mapping[str, SwitchBuffers]
    marking: Mapping[Kind, Mapping[BitsPerSecond, Points]]
    round_trip: RoundTrip

    @property
    def plans(self) -> tuple[tuple[Kind, Points], ...]:
        """Every marking plan with its class."""
        return tuple(
            (kind, plan) for kind, plans in self.marking.items() for plan in plans.values()
        )

"""A vendor's row beside the computed headroom: rows in; which is used, why, how far apart."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.lossless.headroom import wire_minimum
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.lossless.headroom import Headroom
    from fabricgen.lossless.port import Port
    from fabricgen.units import BitsPerSecond, Bytes, Metres

WARN_BEYOND = Fraction(1, 10)


@record(kw_only=True)
class Row:
    """What a vendor ships for one speed and cable: `headroom` is the room left at pause."""

    speed: BitsPerSecond
    length: Metres
    headroom: Bytes
    source: str


class Rule(StrEnum):
    """Why this value is used."""

    SHIPPED = "shipped row of this speed and cable"
    SHIPPED_LONGER = "shipped row of this speed and the next longer cable"
    COMPUTED = "computed: no shipped row of this speed is long enough"


@record(kw_only=True)
class Compared:
    """`difference` is (computed - shipped) / shipped at the row's own cable; None without a row.

    computed is for the port's own cable; used is what to configure; wire is what physics asks.
    """

    computed: Headroom
    shipped: Row | None
    used: Bytes
    rule: Rule
    difference: Fraction | None
    wire: Bytes

    @property
    def warning(self) -> str | None:
        """What is wrong: computed and shipped over 10 % apart, or less than the wire can bring."""
        found = []
        if self.shipped and self.difference is not None and abs(self.difference) > WARN_BEYOND:
            row, side = self.shipped, "above" if self.difference > 0 else "below"
            found.append(
                f"the headroom computed for {row.speed} at {row.length} m is "
                f"{float(100 * abs(self.difference)):.1f} % {side} the shipped row of "
                f"{row.headroom:,} bytes, which is used"
            )
        if self.used < self.wire:
            found.append(
                f"{self.used:,} bytes are less than the {self.wire:,} that full frames on the "
                "wire can bring after pause"
            )
        return "; ".join(found) or None


def covering(port: Port, rows: Iterable[Row]) -> Row | None:
    """Return the row of the port's speed with the shortest cable that is long enough."""
    fits = (row for row in rows if row.speed == port.speed and row.length >= port.length)
    return min(fits, key=lambda row: row.length, default=None)


def compare(port: Port, computed: Headroom, rows: Iterable[Row]) -> Compared:
    """Put the row that covers the port beside the computed value and choose.

    The vendor's row wins where there is one: it was made for the chip, a formula was not.
    Nothing is scaled down to a shorter cable. Without a row the computed value and its stated
    error are used.
    """
    wire = wire_minimum(port).total
    row = covering(port, rows)
    if row is None:
        return Compared(
            computed=computed,
            shipped=None,
            used=computed.upper,
            rule=Rule.COMPUTED,
            difference=None,
            wire=wire,
        )
    there = computed.total + computed.per_metre * (row.length - port.length)
    difference = Fraction(there - row.headroom) / int(row.headroom)
    rule = Rule.SHIPPED if row.length == port.length else Rule.SHIPPED_LONGER
    return Compared(
        computed=computed,
        shipped=row,
        used=row.headroom,
        rule=rule,
        difference=difference,
        wire=wire,
    )

"""Chooses between a vendor's headroom row and the computed headroom, with reason and distance."""

from collections.abc import Iterable
from enum import StrEnum
from fractions import Fraction

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.headroom import Headroom, wire_minimum
from fabricgen.model.lossless.port import PauseResponse, Port
from fabricgen.model.lossless.terms import NOTHING

WARN_BEYOND = Fraction(1, 10)


@record(kw_only=True)
class Row:
    """Vendor row of one speed and cable: `headroom` is the space left at pause.

    `size`: the whole buffer of a group, which includes the headroom in some vendors' rows.
    `resume`: bytes at which the peer may send again, or resume_offset below the pause point.
    `alpha`: exponent of the dynamic threshold. `own`: the site brings the row.
    """

    speed: BitsPerSecond
    length: Meters
    headroom: Bytes
    source: str
    size: Bytes = NOTHING
    resume: Bytes = NOTHING
    resume_offset: Bytes | None = None
    alpha: int = 0
    own: bool = False

    @property
    def whose(self) -> str:
        """Return its origin as a word."""
        return "site's own" if self.own else "shipped"

    @property
    def below(self) -> Bytes:
        """Bytes that the group reserves besides its headroom: the size, or the part above it."""
        return Bytes(self.size - self.headroom if self.size > self.headroom else self.size)


class Rule(StrEnum):
    """Reason for the chosen value."""

    SHIPPED = "shipped row of this speed and cable"
    SHIPPED_LONGER = "shipped row of this speed and the next longer cable"
    OWN = "the site's own row of this speed and cable"
    OWN_LONGER = "the site's own row of this speed and the next longer cable"
    COMPUTED = "computed: no shipped row of this speed is long enough"
    FORMULA = "as SONiC computes it on this chip, from speed, cable and MTU"


@record(kw_only=True)
class PortHeadroom:
    """Reservation of one lossless priority group of a port, computed and from its vendor.

    `headroom`: value to configure. `computed`: for the port's own cable. `wire`: minimum by
    physics. `below`: further reservation of the group. `difference`: (computed - shipped) / shipped
    at the row's own cable; None without a row.
    """

    speed: BitsPerSecond
    length: Meters
    headroom: Bytes
    computed: Headroom
    shipped: Row | None
    rule: Rule
    difference: Fraction | None
    wire: Bytes
    below: Bytes = NOTHING

    @property
    def warning(self) -> str | None:
        """A warning if computed and shipped values are over 10 % apart."""
        if self.shipped is None or self.difference is None or abs(self.difference) <= WARN_BEYOND:
            return None
        row, side = self.shipped, "above" if self.difference > 0 else "below"
        return (
            f"the headroom computed for {row.speed} at {row.length} m is "
            f"{float(100 * abs(self.difference)):.1f} % {side} the {row.whose} row of "
            f"{row.headroom:,} bytes, which is used"
        )

    @property
    def is_short(self) -> bool:
        """Return whether the shipped row reserves less than the computed headroom."""
        return self.difference is not None and self.difference > 0

    @property
    def error(self) -> str | None:
        """An error if the value is less than the bytes on the wire."""
        if self.headroom >= self.wire:
            return None
        return (
            f"{self.headroom:,} bytes are less than the {self.wire:,} bytes that full frames on "
            "the wire can bring after pause"
        )


def covering(port: Port, rows: Iterable[Row]) -> Row | None:
    """Return the row of the port's speed with the shortest sufficient cable."""
    fits = (row for row in rows if row.speed == port.speed and row.length >= port.length)
    return min(fits, key=lambda row: row.length, default=None)


def compare(
    port: Port,
    computed: Headroom,
    rows: Iterable[Row],
    response: PauseResponse = PauseResponse.SHIPPED,
) -> PortHeadroom:
    """Compare the row that covers the port with the computed value and choose.

    A switch that computes headroom itself reads no row. Elsewhere the vendor's row wins if there is
    one, since it was made for the chip. No row is scaled down to a shorter cable. Without a row the
    computed value and its stated error are used.
    """
    wire = wire_minimum(port, response).total
    row = None if computed.by_switch else covering(port, rows)
    if row is None:
        return PortHeadroom(
            speed=port.speed,
            length=port.length,
            headroom=computed.upper,
            computed=computed,
            shipped=None,
            rule=Rule.FORMULA if computed.by_switch else Rule.COMPUTED,
            difference=None,
            wire=wire,
            below=computed.below,
        )
    there = computed.total + computed.per_meter * (row.length - port.length)
    difference = Fraction(there - row.headroom) / int(row.headroom)
    exact, longer = (Rule.OWN, Rule.OWN_LONGER) if row.own else (Rule.SHIPPED, Rule.SHIPPED_LONGER)
    rule = exact if row.length == port.length else longer
    return PortHeadroom(
        speed=port.speed,
        length=port.length,
        headroom=row.headroom,
        computed=computed,
        shipped=row,
        rule=rule,
        difference=difference,
        wire=wire,
        below=row.below,
    )

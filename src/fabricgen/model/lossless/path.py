"""Computes the round trip and the bandwidth-delay product of a path of cables and hops."""

from math import ceil

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.wire import NS_PER_METER, PREAMBLE_AND_GAP, SMALLEST_FRAME


class Nanoseconds(int):
    """A time in whole nanoseconds."""

    __slots__ = ()


@record(kw_only=True)
class Path:
    """The longest path between two NICs: its cables in order, and the latency of hops and NICs.

    There is one switch between two cables. Every figure is for one direction.
    """

    cables: tuple[Meters, ...]
    switch_latency: Nanoseconds
    nic_latency: Nanoseconds
    source: str = ""

    @property
    def switches(self) -> int:
        """The switches on the path."""
        return len(self.cables) - 1


@record()
class Delay:
    """One term of a round trip."""

    name: str
    value: Nanoseconds
    source: str


@record()
class RoundTrip:
    """An unloaded round trip; `terms` add up to `total`."""

    total: Nanoseconds
    terms: tuple[Delay, ...]


def round_trip(path: Path, speed: BitsPerSecond, mtu: Bytes) -> RoundTrip:
    """Return the unloaded round trip of a full frame forth and a smallest frame back.

    Every switch stores a frame before it forwards it; cut-through would be faster.
    """
    meters, hops = sum(path.cables), len(path.cables)
    frames = mtu + SMALLEST_FRAME + 2 * PREAMBLE_AND_GAP
    wire = ceil(hops * frames * 8 * 10**9 / int(speed))
    terms = (
        Delay(
            "cables",
            Nanoseconds(2 * meters * NS_PER_METER),
            f"2 x {meters} m x {NS_PER_METER} ns/m",
        ),
        Delay(
            "switches",
            Nanoseconds(2 * path.switches * path.switch_latency),
            f"2 x {path.switches} x {path.switch_latency} ns: {path.source}",
        ),
        Delay(
            "NICs", Nanoseconds(2 * path.nic_latency), f"2 x {path.nic_latency} ns: {path.source}"
        ),
        Delay("frames", Nanoseconds(wire), f"{hops} x {frames} bytes at {speed}"),
    )
    return RoundTrip(Nanoseconds(sum(term.value for term in terms)), terms)


def bandwidth_delay(speed: BitsPerSecond, trip: Nanoseconds) -> Bytes:
    """Return speed x round trip, in bytes rounded up."""
    return Bytes(-(-int(speed) * trip // (8 * 10**9)))

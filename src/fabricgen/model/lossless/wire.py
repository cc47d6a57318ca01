"""Computes the 802.1Qbb sum: bytes in flight after a pause, on the wire and in cells."""

from fractions import Fraction
from math import ceil

from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.model.lossless.chips import CellFit
from fabricgen.model.lossless.port import PauseResponse, Port, response_bytes
from fabricgen.model.lossless.terms import Part, exact_sum, rounded_up

NS_PER_METER = 5  # light in glass, 2/3 of c; SONiC uses 198 000 km/s, 5.05 ns
PREAMBLE_AND_GAP = 20  # 8 bytes of preamble and 12 of gap, IEEE 802.3 clause 4.2
SMALLEST_FRAME = 64
SMALLEST_SLOT = SMALLEST_FRAME + PREAMBLE_AND_GAP

# Bit times of the interfaces of both ends, as IEEE 802.1Qbb Annex N sums them; from second-hand
# copies of I/O Consolidation in the Data Center (Cisco Press), chapter 7.
_INTERFACE_BIT_TIMES = {
    BitsPerSecond.parse("10G"): 8192,
    BitsPerSecond.parse("25G"): 6144,
    BitsPerSecond.parse("40G"): 24576,
    BitsPerSecond.parse("100G"): 122880,
}
_100G = BitsPerSecond.parse("100G")


def cable_bytes(port: Port) -> Fraction:
    """Return the bytes on the cable, in both directions."""
    return Fraction(2 * port.length * NS_PER_METER * int(port.speed), 8 * 10**9)


def interface_delay(speed: BitsPerSecond) -> tuple[Bytes, str]:
    """Return the bytes in MAC and PHY of both ends, and their source.

    Above 100G no table was found, so the time of 100G is used, 1.23 us. A speed between two entries
    has the bytes of the faster one; 25G has those of 10G, which are more than its own.
    """
    if speed > _100G:
        times = ceil(_INTERFACE_BIT_TIMES[_100G] * speed / _100G)
        return Bytes(ceil(times / 8)), f"{times} bit times: the time of 100G at {speed}"
    times = max(bits for listed, bits in _INTERFACE_BIT_TIMES.items() if listed <= _at_least(speed))
    return Bytes(times // 8), f"{times} bit times: IEEE 802.1Qbb Annex N"


def _at_least(speed: BitsPerSecond) -> BitsPerSecond:
    return next(listed for listed in _INTERFACE_BIT_TIMES if listed >= speed)


def wire_parts(port: Port, response: PauseResponse) -> tuple[Part, ...]:
    """Return the terms without interface delay, the minimum of every receiver."""
    row = response_bytes(port.speed, response)
    if row is None:  # SONiC's table ends below this speed; use the response time of 400G
        row = response_bytes(port.speed, PauseResponse.CONSERVATIVE)
    assert row is not None
    answer, source = row
    own, last = port.mtu + PREAMBLE_AND_GAP, port.lossless_mtu + PREAMBLE_AND_GAP
    return (
        Part("own frame before pause", Fraction(own), "802.1Qbb: a frame just started, with gap"),
        Part("pause frame", Fraction(SMALLEST_SLOT), "64 bytes with preamble and gap"),
        Part("cable", cable_bytes(port), f"2 x {port.length} m x {NS_PER_METER} ns/m"),
        Part("peer response", Fraction(answer), source),
        Part("peer's last frame", Fraction(last), "802.1Qbb: a frame just started, with gap"),
    )


def amplification(cell: Bytes) -> Fraction:
    """Return the maximum buffer for a byte on the wire: cells x size / (frame + 20).

    The worst frames just do not fit: the smallest, 64 bytes, or one byte over whole cells.
    """
    over = rounded_up(SMALLEST_FRAME - 1, cell) + 1
    return max(_taken(SMALLEST_FRAME, cell), _taken(over, cell))


def _taken(frame: int, cell: int) -> Fraction:
    return Fraction(rounded_up(frame, cell), frame + PREAMBLE_AND_GAP)


def general_parts(port: Port, cell: Bytes, response: PauseResponse) -> tuple[Part, ...]:
    """Return the terms with interface delay, and the maximum overhead of cells."""
    held, source = interface_delay(port.speed)
    parts = (
        *wire_parts(port, response),
        Part("interfaces", Fraction(held), source),
    )
    factor = amplification(cell)
    added = Part(
        "cells",
        exact_sum(parts) * (factor - 1),
        f"cells of {cell} bytes: {float(factor):.3f} bytes of buffer for a byte on the wire",
    )
    return (*parts, added)


def fitted_parts(port: Port, cell: Bytes, model: CellFit) -> tuple[Part, ...]:
    """Return the terms of a fit: a cell for every smallest slot, cell / 84 for a wire byte."""
    turn = Fraction(model.turn_ns * int(port.speed), 8 * 10**9)
    parts = (
        Part("cable", cable_bytes(port), f"2 x {port.length} m x {NS_PER_METER} ns/m"),
        Part("turn-round", turn, f"{model.turn_ns} ns: {model.source}"),
        Part("frames", Fraction(model.constant), model.source),
    )
    factor = Fraction(int(cell), SMALLEST_SLOT)
    source = f"a cell of {cell} bytes for every {SMALLEST_SLOT} bytes on the wire"
    return (*parts, Part("cells", exact_sum(parts) * (factor - 1), source))

"""Computes SONiC's dynamic headroom of a port and chip, with its terms.

It also computes the reserved size that is deducted before the pool is shared. The code is
sonic-swss cfgmgr/buffer_headroom_mellanox.lua. Its tile, whole cell factor and share of bytes are
those of e6b0c5b5 (also in yuazhe/sonic-swss@3943093d), its older forms those of ba1d1d30.
"""

from fractions import Fraction
from math import ceil

from fabricgen.core.units import Bytes
from fabricgen.model.lossless.chips import SonicDynamic
from fabricgen.model.lossless.port import (
    WORST_CASE,
    PauseResponse,
    Port,
    SmallPackets,
    Traffic,
    response_bytes,
)
from fabricgen.model.lossless.terms import KIB, NOTHING, Part, Term, exact_sum, rounded_up, whole

_LUA = "sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
_LIGHT = 198_000_000  # meters a second, `speed_of_light` of the Lua code
_SMALLEST_PACKET = 64
_MAC_PHY = Fraction(8, 10) * KIB  # mac_phy_delay 0.8, sonic-buildimage asic_table.j2
_FIXED_RESPONSE = Fraction(38, 10) * KIB  # peer_response_time 3.8, the same table
EIGHT = 8  # lanes
EGRESS_LOSSY = 9216  # bytes, size of egress_lossy_profile: buffers_defaults_objects.j2@109bd31a
MANAGEMENT = Bytes(256 * KIB)  # mgmt_pool_size, buffer_pool_mellanox.lua
POOL_SOURCE = "sonic-swss@1469e8d2 cfgmgr/buffer_pool_mellanox.lua"


def cell_factor(cell: Bytes, *, whole_factor: bool) -> Fraction:
    """Return `worst_case_factor`: bytes of buffer for a byte of the worst packets."""
    if cell > 2 * _SMALLEST_PACKET:
        factor = Fraction(cell, _SMALLEST_PACKET)
    else:
        factor = Fraction(2 * cell, 1 + cell)
    return Fraction(ceil(factor)) if whole_factor else factor


def small_share(traffic: Traffic, lossless_mtu: Bytes) -> Fraction:
    """Return the fraction of bytes in small packets, between 0 and 1.

    SHARE is the code's own `small_packet_percentage_by_byte`: 64 over the average packet. It omits
    the factor small_percent, so it is never less than the true share.
    """
    part = Fraction(traffic.small_percent, 100)
    if traffic.counted is SmallPackets.PERCENTAGE:
        return part
    return _SMALLEST_PACKET / (part * _SMALLEST_PACKET + (1 - part) * lossless_mtu)


def _response(port: Port, model: SonicDynamic, response: PauseResponse) -> Part:
    row = response_bytes(port.speed, response) if model.quanta else None
    if row is None:
        return Part("peer response", _FIXED_RESPONSE, "peer_response_time 3.8 KiB, asic_table.j2")
    value, source = row
    if port.speed == model.doubled_at:
        return Part("peer response", Fraction(2 * value), f"twice {source}")
    return Part("peer response", Fraction(value), source)


def _under_way(port: Port, model: SonicDynamic, response: PauseResponse) -> tuple[Part, ...]:
    """Return the terms of `propagation_delay`."""
    megabits = port.speed.megabits
    cable = Fraction(2 * port.length * megabits * 10**9, _LIGHT * 8 * model.kilo)
    gearbox = Fraction(2 * megabits * model.gearbox_ns, 8 * 1024)
    tile = Fraction(megabits * 120, 1000 * 8) if model.tile else Fraction(0)
    parts = (
        Part("own frame before pause", Fraction(port.mtu), "port MTU"),
        Part("cable", cable, f"2 x {port.length} m at {_LIGHT} m/s: {_LUA}"),
        Part("gearbox", gearbox, f"2 x {model.gearbox_ns} ns: PERIPHERAL_TABLE"),
        Part("MAC and PHY", _MAC_PHY, "mac_phy_delay 0.8 KiB, asic_table.j2"),
        _response(port, model, response),
        Part("tile", tile, f"120 bit times for each Gb/s: {_LUA}"),
    )
    return tuple(part for part in parts if part.value)


def sonic_parts(
    port: Port, cell: Bytes, model: SonicDynamic, traffic: Traffic, response: PauseResponse
) -> tuple[Part, ...]:
    """Return the terms before rounding."""
    factor = cell_factor(cell, whole_factor=model.whole_factor)
    share = small_share(traffic, port.lossless_mtu)
    under_way = _under_way(port, model, response)
    return (
        Part("peer's last frame", Fraction(port.lossless_mtu), "MTU of lossless traffic"),
        *under_way,
        Part(
            "cells",
            exact_sum(under_way) * share * (factor - 1),
            f"{float(100 * share):.2f} % of the bytes need {float(factor):g} each",
        ),
    )


def sonic_terms(
    port: Port, cell: Bytes, model: SonicDynamic, traffic: Traffic, response: PauseResponse
) -> tuple[Bytes, tuple[Term, ...]]:
    """Return the headroom, rounded up to 1 KiB, and its terms, which add up to it."""
    parts = sonic_parts(port, cell, model, traffic, response)
    total, terms = whole(parts, KIB, f"{_LUA}: math.ceil(xoff / 1024)")
    worst = rounded_up(exact_sum(sonic_parts(port, cell, model, WORST_CASE, response)), KIB)
    # Pull request 4757: only if the sum is still below the headroom of small packets alone.
    added = model.compensation if total + model.compensation < worst else NOTHING
    later = (
        Term("small-packet compensation", added, "sonic-swss pull request 4757"),
        Term("more for this chip", model.extra, model.source),
    )
    terms = (*terms, *(term for term in later if term.value))
    return Bytes(total + added + model.extra), terms


def below_pause(port: Port, model: SonicDynamic, xoff: Bytes) -> Bytes:
    """Return the further reservation of a lossless group: `xon`, and an MTU on eight lanes.

    Without a shared headroom pool `size` is xoff + xon + that MTU, rounded up to 1 KiB (the same
    code, of 3943093d; older code has 1 KiB less of xon on eight lanes).
    """
    wide = port.lanes == EIGHT
    xon = rounded_up(model.latency * (2 if wide else 1), KIB)
    return Bytes(rounded_up(xoff + xon + (port.mtu if wide else 0), KIB) - xoff)


def port_reserve(port: Port, model: SonicDynamic) -> Bytes:
    """Return the further reservation of a port that is up.

    `buffer_pool_mellanox.lua`: a lossy group and one for management with `pipeline_latency` each,
    10 KiB to mirror at egress, and the size of egress_lossy_profile, which its list names.
    """
    group = model.latency * 2 - KIB if port.lanes == EIGHT else model.latency
    return Bytes(2 * group + 10 * KIB + EGRESS_LOSSY)

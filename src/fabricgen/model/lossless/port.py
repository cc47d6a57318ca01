"""Defines a port that pauses and the time until a pause takes effect."""

from enum import StrEnum
from math import ceil

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Meters

QUANTUM = Bytes(64)  # 512 bit times, IEEE 802.3 31B.2

# IEEE 802.3 31B.3.7, as in sonic-net/sonic-swss@ba1d1d30 cfgmgr/buffer_headroom_mellanox.lua.
_QUANTA = {
    BitsPerSecond.parse(speed): quanta
    for speed, quanta in {
        "100M": 1,
        "1G": 2,
        "10G": 67,
        "25G": 80,
        "40G": 118,
        "50G": 147,
        "100G": 394,
        "200G": 453,
        "400G": 905,
    }.items()
}
_400G = BitsPerSecond.parse("400G")
_800G = BitsPerSecond.parse("800G")
_TABLE = "IEEE 802.3 31B.3.7 as in sonic-swss@ba1d1d30 cfgmgr/buffer_headroom_mellanox.lua"


class PauseResponse(StrEnum):
    """Above 400G: the quanta that SONiC ships, or quanta that keep the response time of 400G.

    SHIPPED: 905 at 800G, the figure of 400G (sonic-swss pull request 2860), so half its time.
    CONSERVATIVE: 905 for each 400G, 1810 at 800G. It is the default where fabricgen decides: the
    rows that NVIDIA ships for its newest chip (ACS-SN6600_LD, 800G) hold 1810
    (docs/reference/lossless-formulas.md).
    """

    SHIPPED = "shipped"
    CONSERVATIVE = "conservative"


DEFAULT = PauseResponse.CONSERVATIVE


def pause_quanta(speed: BitsPerSecond, response: PauseResponse) -> int | None:
    """Return the response in quanta; None for a speed beyond SONiC's table.

    A speed between two entries has the quanta of the faster one.
    """
    listed = next((quanta for top, quanta in _QUANTA.items() if top >= speed), None)
    if listed is not None:
        return listed
    if response is PauseResponse.CONSERVATIVE:
        return ceil(_QUANTA[_400G] * speed / _400G)
    return _QUANTA[_400G] if speed <= _800G else None


def response_bytes(speed: BitsPerSecond, response: PauseResponse) -> tuple[Bytes, str] | None:
    """Return the bytes that a peer may send before it obeys, and their source."""
    quanta = pause_quanta(speed, response)
    if quanta is None:
        return None
    source = f"{quanta} quanta of 64 bytes at {speed}: {_TABLE}"
    if speed > _400G:
        source += f", {response} above 400G"
    return Bytes(quanta * QUANTUM), source


@record(kw_only=True)
class Port:
    """One port: its line rate, its cable, its frames. Both MTUs count the whole frame.

    `lanes`: 8 matters, since NVIDIA's ports of eight lanes have two buffers.
    """

    speed: BitsPerSecond
    length: Meters
    mtu: Bytes
    lossless_mtu: Bytes
    lanes: int


class SmallPackets(StrEnum):
    """Meaning of `small_packet_percentage` in SONiC's dynamic model.

    SHARE: packets, from which the share of bytes follows (sonic-swss pull request 3235, 2024).
    PERCENTAGE: bytes, as in the HLD, older code and Barefoot.
    """

    SHARE = "share"
    PERCENTAGE = "percentage"


@record()
class Traffic:
    """Packet mix for headroom: `small_percent` % of 64-byte packets."""

    small_percent: int = 100
    counted: SmallPackets = SmallPackets.SHARE


WORST_CASE = Traffic()

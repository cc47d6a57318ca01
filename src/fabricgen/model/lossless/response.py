"""How long a peer may go on sending after pause: a speed in, bytes and their source out."""

from enum import StrEnum
from math import ceil

from fabricgen.core.units import BitsPerSecond, Bytes

QUANTUM = Bytes(64)  # 512 bit times, IEEE 802.3 31B.2

# IEEE 802.3 31B.3.7, as sonic-net/sonic-swss@ba1d1d30 cfgmgr/buffer_headroom_mellanox.lua has it.
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
    """Above 400G: the quanta SONiC ships, or quanta that keep the response time of 400G.

    SHIPPED: 905 at 800G, the figure of 400G (sonic-swss pull request 2860), so half its time.
    CONSERVATIVE: 905 for each 400G, 1810 at 800G. It is the default where fabricgen decides: the
    rows NVIDIA ships for its newest chip (ACS-SN6600_LD, 800G) hold 1810, see docs/lossless.md.
    """

    SHIPPED = "shipped"
    CONSERVATIVE = "conservative"


DEFAULT = PauseResponse.CONSERVATIVE


def pause_quanta(speed: BitsPerSecond, response: PauseResponse) -> int | None:
    """Return the response in quanta; None for a speed SONiC's table ends before.

    A speed between two of the table has the quanta of the faster one.
    """
    listed = next((quanta for top, quanta in _QUANTA.items() if top >= speed), None)
    if listed is not None:
        return listed
    if response is PauseResponse.CONSERVATIVE:
        return ceil(_QUANTA[_400G] * speed / _400G)
    return _QUANTA[_400G] if speed <= _800G else None


def response_bytes(speed: BitsPerSecond, response: PauseResponse) -> tuple[Bytes, str] | None:
    """Return the bytes a peer may send before it obeys, and their source."""
    quanta = pause_quanta(speed, response)
    if quanta is None:
        return None
    source = f"{quanta} quanta of 64 bytes at {speed}: {_TABLE}"
    if speed > _400G:
        source += f", {response} above 400G"
    return Bytes(quanta * QUANTUM), source

"""What headroom is computed for: a port with its cable, and the mix of its traffic."""

from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Bytes, Metres


@record(kw_only=True)
class Port:
    """One port: its line rate, the cable on it, its frames. Both MTUs count the whole frame.

    lanes: 8 matters, NVIDIA's ports of eight lanes have two buffers.
    """

    speed: BitsPerSecond
    length: Metres
    mtu: Bytes
    lossless_mtu: Bytes
    lanes: int


class SmallPackets(StrEnum):
    """What `small_packet_percentage` counts in SONiC's dynamic model.

    SHARE: packets, from which the share of bytes follows (sonic-swss pull request 3235, 2024).
    PERCENTAGE: bytes, as the HLD says and older code and Barefoot do.
    """

    SHARE = "share"
    PERCENTAGE = "percentage"


@record()
class Traffic:
    """The packet mix headroom is computed for: `small_percent` % of 64-byte packets."""

    small_percent: int = 100
    counted: SmallPackets = SmallPackets.SHARE


WORST_CASE = Traffic()

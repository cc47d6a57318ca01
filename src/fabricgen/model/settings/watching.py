"""Declares the limits of measured values that no standard and no vendor gives.

Every default is a choice of fabricgen, not of a source. A site may change each one.
"""

from fabricgen.core.record import record
from fabricgen.model.settings.setting import setting


@record(kw_only=True)
class WatchLimits:
    """Limits of checks of running switches. The defaults are choices of this project."""

    paused_share: float = setting(
        5.0, "Share of time in percent that a server may pause its port.", gt=0, le=100
    )
    pauses: int = setting(
        100, "PFC frames per second and priority that a server may send.", ge=1, le=10_000_000
    )
    marked_share: float = setting(
        10.0, "Share in percent of packets of a lossless queue that may be marked.", gt=0, le=100
    )
    notified_share: float = setting(
        10.0, "Least CNPs in percent of marked packets, while packets are marked.", gt=0, le=100
    )
    headroom_share: float = setting(
        80.0, "Share of the computed headroom in percent that a peak may use.", gt=0, le=100
    )
    buffer_share: float = setting(
        80.0, "Share of the computed shared threshold in percent that a peak may use.", gt=0, le=100
    )
    flaps: int = setting(3, "Changes of a link between two looks.", ge=1, le=1000)
    error_frames: int = setting(0, "Frames with errors of a port between two looks.", ge=0)
    bit_errors: float = setting(2.4e-4, "Bit error ratio before FEC.", gt=0, lt=1)
    capacity_share: float = setting(
        85.0, "Share in percent of a hardware table that may be used.", gt=0, le=100
    )
    imbalance: float = setting(
        2.0, "Largest ratio of the busiest equal-cost port to the mean of all.", gt=1, le=1000
    )
    certificate_days: int = setting(30, "Days that a certificate must still last.", ge=1, le=3650)

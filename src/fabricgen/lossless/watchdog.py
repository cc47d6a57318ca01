"""PFC watchdog timers: poll, detection, restoration and line rate in; verdicts out."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.lossless.verdict import Verdict

if TYPE_CHECKING:
    from fabricgen.units import BitsPerSecond, Milliseconds

_LONGEST_PAUSE = 65535  # quanta: the largest pause time a frame can carry, IEEE 802.3 31B.2
_QUANTUM_BITS = 512
# A watchdog must not take a pause for a deadlock: 100 full ones in a row are no accident.
_PAUSES_IN_A_ROW = 100


def longest_pause_ms(speed: BitsPerSecond) -> Fraction:
    """Return how long one pause frame can stop a port, in milliseconds."""
    return Fraction(_LONGEST_PAUSE * _QUANTUM_BITS * 1000, int(speed))


def judge_timers(
    poll: Milliseconds, detection: Milliseconds, restoration: Milliseconds, slowest: BitsPerSecond
) -> tuple[Verdict, ...]:
    """Judge the timers for the slowest port of a switch, where a pause lasts longest."""
    pauses = _PAUSES_IN_A_ROW * longest_pause_ms(slowest)
    return (
        Verdict(
            "detection spans two polls", detection >= 2 * poll, f"{detection} >= 2 x {poll} ms"
        ),
        Verdict(
            "restoration not before detection",
            restoration >= detection,
            f"{restoration} >= {detection} ms",
        ),
        Verdict(
            "detection outlasts pauses",
            detection >= pauses,
            f"{detection} >= {_PAUSES_IN_A_ROW} x {float(pauses / _PAUSES_IN_A_ROW):.3f} ms, "
            f"65535 quanta at {slowest}",
        ),
    )

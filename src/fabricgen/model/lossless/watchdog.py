"""Checks PFC watchdog timers: polling, detection and restoration at a line rate.

No source requires that restoration is at least as long as detection, so no rule requires it.
SONiC's `pfcwd start` uses twice the detection time when restoration is omitted, and any time
otherwise (sonic-utilities pfcwd/main.py). EOS and Junos limit both independently.
"""

from fractions import Fraction

from fabricgen.core.units import BitsPerSecond, Milliseconds
from fabricgen.model.lossless.terms import Verdict

_LONGEST_PAUSE = 65535  # quanta: the largest pause time of a frame, IEEE 802.3 31B.2
_QUANTUM_BITS = 512
# A watchdog must not treat a pause as a deadlock: 100 full pauses in a row are no accident.
_PAUSES_IN_A_ROW = 100


# sonic-utilities pfcwd/main.py, start_default: DEFAULT_PORT_NUM, MAX_POLL_INTERVAL_TIME. It
# multiplies poll, detection and restoration by the number of watched ports, over 32 and rounded up,
# since one process polls all ports. sonic-pfcwd.yang limits poll to 1000 ms as well.
POLLED_AT_ONCE = 32
LONGEST_POLL = Milliseconds(1000)


def growth(ports: int) -> int:
    """Return the factor of the timers if a switch polls that many ports in software."""
    return max(1, -(-ports // POLLED_AT_ONCE))


def longest_pause_ms(speed: BitsPerSecond) -> Fraction:
    """Return the maximum time that one pause frame stops a port, in milliseconds."""
    return Fraction(_LONGEST_PAUSE * _QUANTUM_BITS * 1000, int(speed))


def judge_polling(
    poll: Milliseconds, detection: Milliseconds, restoration: Milliseconds
) -> tuple[Verdict, Verdict]:
    """Check that detection and restoration each span two polls.

    EOS limits the interval to half the smaller of the two and replaces a longer one by its own (EOS
    4.36 flow-control chapter, quoted second-hand). SONiC's pfcwd refuses an interval above either.
    Junos counts detection in intervals, 2 by default.
    """
    return (
        Verdict(
            "detection spans two polls", detection >= 2 * poll, f"{detection} >= 2 x {poll} ms"
        ),
        Verdict(
            "restoration spans two polls",
            restoration >= 2 * poll,
            f"{restoration} >= 2 x {poll} ms",
        ),
    )


def judge_patience(detection: Milliseconds, slowest: BitsPerSecond) -> Verdict:
    """Check detection on the slowest port, where a pause lasts longest.

    The factor is this project's own choice; vendors name none.
    """
    pauses = _PAUSES_IN_A_ROW * longest_pause_ms(slowest)
    return Verdict(
        "detection outlasts pauses",
        detection >= pauses,
        f"{detection} >= {_PAUSES_IN_A_ROW} x {float(pauses / _PAUSES_IN_A_ROW):.3f} ms, "
        f"65535 quanta at {slowest}",
    )

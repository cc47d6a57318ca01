"""Ports by role and marking points in, egress ports that a faster ingress fills too soon said.

A port that takes from a faster one fills while marking acts: for a round trip the faster port goes
on. When that brings the group to its pause threshold even if the first marked packet makes the
senders stop, pause spreads from there and ECN never acts. It is a lower bound: marking begins with
few packets, and senders slow down by parts.
"""

from collections.abc import Iterable, Mapping

from fabricgen.design.findings import Findings
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.lossless.marking import Points, judge_step_down
from fabricgen.lossless.path import Nanoseconds
from fabricgen.units import BitsPerSecond, Bytes


def judge_step_downs(
    speeds: Iterable[set[BitsPerSecond]],
    marking: Mapping[BitsPerSecond, Points],
    pause_at: Bytes,
    trip: Nanoseconds,
    path: IntentPath,
    findings: Findings,
    of: str = "",
) -> None:
    """Judge each speed below the fastest of its switch; `speeds` has those of every role.

    of: whose marking it is, where it is not that of RoCE data.
    """
    fastest: dict[BitsPerSecond, BitsPerSecond] = {}
    for met in speeds:
        for speed in met:
            fastest[speed] = max(fastest.get(speed, speed), *met)
    for speed, ingress in sorted(fastest.items()):
        verdict = judge_step_down(marking[speed].minimum, (ingress, speed), pause_at, trip)
        if ingress > speed and not verdict.holds:
            findings.warn(
                Code.MARKING_RULE,
                f"ECN{of} on {speed} ports: {verdict.rule}: {verdict.arithmetic}",
                path,
                "links as fast as the NICs, a lower ecn.minimum, or accept that pause comes first",
            )

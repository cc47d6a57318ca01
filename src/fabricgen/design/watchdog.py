"""The PFC watchdog of the intent and the slowest port in, timers that break a rule said."""

from fabricgen.design.findings import Findings
from fabricgen.design.roce_profiles import PROFILES
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.intent.model.qos import Roce
from fabricgen.lossless.watchdog import judge_patience, judge_polling
from fabricgen.units import BitsPerSecond, Milliseconds


def judge_watchdog(
    roce: Roce, slowest: BitsPerSecond, path: IntentPath, findings: Findings
) -> None:
    """Say which rule a timer breaks: an error, a warning where a profile's owner published it."""
    watch = roce.watchdog
    if not (roce.enabled and roce.pfc and watch.enabled):
        return
    poll, detection, restoration = map(
        Milliseconds, (watch.poll, watch.detection, watch.restoration)
    )
    as_published = PROFILES[roce.profile].watchdog == (poll, detection, restoration)
    say = findings.warn if as_published else findings.error
    for key, verdict in zip(
        ("detection", "restoration"), judge_polling(poll, detection, restoration), strict=True
    ):
        if not verdict.holds:
            say(
                Code.WATCHDOG_RULE,
                f"PFC watchdog: {verdict.rule}: {verdict.arithmetic}",
                (*path, key),
                "EOS replaces a longer interval by its own; SONiC refuses one above either time",
            )
    patience = judge_patience(detection, slowest)
    if not patience.holds:
        findings.warn(
            Code.WATCHDOG_RULE,
            f"PFC watchdog: {patience.rule}: {patience.arithmetic}",
            (*path, "detection"),
            "a longer detection time, or congestion is taken for a deadlock",
        )

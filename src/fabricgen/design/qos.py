"""Traffic classes from the intent: every DSCP in exactly one class, shares that add up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.design.roce_profiles import PROFILES
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.because import Because
from fabricgen.fabric.qos import Kind, Marking, Qos, TrafficClass, Watchdog
from fabricgen.units import BitsPerSecond, Milliseconds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.design.findings import Findings
    from fabricgen.fabric.buffers import MarkingPlan
    from fabricgen.intent.model.qos import Roce

CONTROL_DSCPS = (48, 56)  # CS6 and CS7: routing protocols (RFC 4594 section 3.2)
CONTROL_CLASS = 7
BEST_EFFORT_CLASS = 0


def classify_backend(
    roce: Roce, plans: Mapping[BitsPerSecond, MarkingPlan], findings: Findings
) -> Qos:
    """Design the classes of a backend; `plans` has the marking of every port speed."""
    if not roce.enabled:
        return classify_frontend("backend")
    here: IntentPath = ("backend", "roce")
    profile = PROFILES[roce.profile]
    _distinct(roce, here, findings)
    lossless, rest = _shares(roce, here, findings)
    control = tuple(d for d in CONTROL_DSCPS if d not in (roce.dscp, roce.cnp.dscp))
    taken = {roce.dscp, roce.cnp.dscp, *control}
    others = tuple(d for d in range(64) if d not in taken)
    classes = (
        TrafficClass(Kind.BEST_EFFORT, BEST_EFFORT_CLASS, others, share=rest),
        TrafficClass(
            Kind.LOSSLESS,
            roce.priority,
            (roce.dscp,),
            share=lossless,
            paused=roce.priority if roce.pfc else None,
            marking=_markings(roce, plans),
        ),
        TrafficClass(Kind.CNP, roce.cnp.priority, (roce.cnp.dscp,), strict=True),
        TrafficClass(Kind.CONTROL, CONTROL_CLASS, control, strict=True),
    )
    return Qos(
        roce.profile,
        profile.source,
        tuple(sorted(classes, key=lambda c: c.number)),
        _watchdog(roce),
        Because(("backend.roce",), f"profile {roce.profile}: {profile.source}"),
    )


def _shares(roce: Roce, here: IntentPath, findings: Findings) -> tuple[int, int]:
    """Return the shares of the lossless class and of best effort, in percent."""
    profile, wish = PROFILES[roce.profile], roce.scheduler
    lossless = wish.lossless if wish else profile.lossless
    rest = wish.best_effort if wish else profile.best_effort
    if lossless + rest != 100:
        findings.error(
            Code.QUEUES_INCOMPLETE,
            f"the shares add up to {lossless} + {rest} = {lossless + rest} %, not 100",
            (*here, "scheduler"),
        )
    return lossless, rest


def _watchdog(roce: Roce) -> Watchdog | None:
    watch = roce.watchdog
    if not watch.enabled or not roce.pfc:
        return None
    return Watchdog(
        Milliseconds(watch.poll),
        Milliseconds(watch.detection),
        Milliseconds(watch.restoration),
        watch.action,
    )


def classify_frontend(fabric: str = "frontend") -> Qos:
    """Design the classes of a fabric without lossless traffic: routing first, then the rest."""
    rest = tuple(d for d in range(64) if d not in CONTROL_DSCPS)
    return Qos(
        "best-effort",
        "RFC 4594: network control in CS6 and CS7, the rest default forwarding",
        (
            TrafficClass(Kind.BEST_EFFORT, BEST_EFFORT_CLASS, rest, share=100),
            TrafficClass(Kind.CONTROL, CONTROL_CLASS, CONTROL_DSCPS, strict=True),
        ),
        None,
        Because((fabric,), "no lossless class: TCP and high entropy, ECMP is enough"),
    )


def _distinct(roce: Roce, here: IntentPath, findings: Findings) -> None:
    if roce.dscp == roce.cnp.dscp:
        findings.error(
            Code.QUEUES_INCOMPLETE,
            f"DSCP {roce.dscp} cannot be RoCE data and CNP at once",
            (*here, "cnp", "dscp"),
        )
    taken = {BEST_EFFORT_CLASS: "best effort", CONTROL_CLASS: "routing protocols"}
    for name, number, path in (
        ("RoCE data", roce.priority, (*here, "priority")),
        ("CNP", roce.cnp.priority, (*here, "cnp", "priority")),
    ):
        if number in taken:
            findings.error(
                Code.QUEUES_INCOMPLETE,
                f"priority {number} of {name} is already that of {taken[number]}",
                path,
            )
        taken[number] = name


def _markings(
    roce: Roce, plans: Mapping[BitsPerSecond, MarkingPlan]
) -> dict[BitsPerSecond, Marking] | None:
    if not roce.ecn.enabled:
        return None
    return {
        speed: Marking(plan.minimum, plan.maximum, plan.probability)
        for speed, plan in plans.items()
    }

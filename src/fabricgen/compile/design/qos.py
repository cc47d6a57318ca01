"""Design traffic classes: every DSCP is in one class, and the shares add up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, Bytes, Milliseconds
from fabricgen.intent.paths import at
from fabricgen.model.fabric.buffers import Lossless
from fabricgen.model.fabric.qos import Kind, Marking, Qos, TrafficClass, Watchdog
from fabricgen.model.lossless.marking import Points

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.intent import LosslessFabric
    from fabricgen.intent.model.qos import Roce, Storage

    Plans = Mapping[BitsPerSecond, Points]

CONTROL_DSCPS = (48, 56)  # CS6 and CS7: routing protocols (RFC 4594 section 3.2)
CONTROL_CLASS = 7
BEST_EFFORT_CLASS = 0


def classify(
    words: LosslessFabric, lossless: Lossless | None, tenants: tuple[TrafficClass, ...] = ()
) -> tuple[Qos, Qos | None]:
    """Design the classes of a fabric, and the classes of spines with other marking."""
    if lossless is None or words.roce is None:
        return plain_classes(words.here, tenants), None
    qos = _classified(words.roce, at(*words.at("roce")), lossless.marking, tenants)
    return qos, _marked(qos, lossless.above) if lossless.above is not None else None


def judge_classes(words: LosslessFabric, findings: Findings) -> None:
    """Report classes that share a priority or a DSCP, and shares that are no whole."""
    roce, here = words.roce, at(*words.at("roce"))
    if roce is None or not roce.enabled:
        return
    findings.attempt(lambda: _distinct(roce, here, findings))
    if roce.trimming is not None and roce.pfc:
        findings.error(
            Code.BAD_VALUE,
            "a paused queue drops nothing, so there is nothing to trim (sonic-mgmt, "
            "Packet_Trimming_Testplan.md: only lossy queues are trimmed)",
            (*here, "trimming"),
            "set `pfc: false`, or remove `trimming`",
        )
    tenants = (getattr(words, "classes", None) or {}).values()
    shares = (*_asked(roce), *(each.share for each in tenants)) if roce.scheduler else ()
    if shares and sum(shares) != 100:
        added = " + ".join(str(share) for share in shares if share)
        findings.spoil(
            Code.QUEUES_INCOMPLETE,
            f"the shares add up to {added} = {sum(shares)} %, not 100",
            (*here, "scheduler"),
        )


def _classified(
    roce: Roce,
    here: IntentPath,
    plans: Mapping[Kind, Plans],
    tenants: tuple[TrafficClass, ...],
) -> Qos:
    """Return the classes; `plans` has the marking of each class and port speed."""
    profile = PROFILES[roce.profile]
    share, rest = _shares(roce, sum(item.share or 0 for item in tenants))
    lossless = [_lossless(roce, Kind.LOSSLESS, roce, share, plans)]
    if roce.storage is not None:
        lossless.append(_lossless(roce, Kind.STORAGE, roce.storage, roce.storage.share, plans))
    strict = [
        TrafficClass(kind=Kind.CNP, number=roce.cnp.priority, dscps=(roce.cnp.dscp,), strict=True)
    ]
    if roce.trimming is not None:
        number, dscps = roce.trimming.priority, (roce.trimming.dscp,)
        strict.append(TrafficClass(kind=Kind.TRIMMED, number=number, dscps=dscps, strict=True))
    claimed = {dscp for item in (*strict, *lossless, *tenants) for dscp in item.dscps}
    control = tuple(d for d in CONTROL_DSCPS if d not in claimed)
    others = tuple(d for d in range(64) if d not in {*claimed, *control})
    classes = (
        TrafficClass(kind=Kind.BEST_EFFORT, number=BEST_EFFORT_CLASS, dscps=others, share=rest),
        *lossless,
        *tenants,
        *strict,
        TrafficClass(kind=Kind.CONTROL, number=CONTROL_CLASS, dscps=control, strict=True),
    )
    return Qos(
        profile=roce.profile,
        source=profile.source,
        classes=tuple(sorted(classes, key=lambda c: c.number)),
        watchdog=_watchdog(roce, here),
        because=Provenance((here,), f"profile {roce.profile}: {profile.source}{_loss(roce)}"),
    )


def _loss(roce: Roce) -> str:
    """Return what happens to packets of RoCE that a full queue cannot hold, if it is trimming."""
    if roce.trimming is None:
        return ""
    return (
        f"; lossy with trimming, without pause. A full queue sends the first "
        f"{roce.trimming.size} bytes of a packet with DSCP {roce.trimming.dscp}"
    )


def _marked(qos: Qos, plans: Mapping[Kind, Plans]) -> Qos:
    """Return the same classes with other marking."""
    classes = tuple(
        replace(item, marking=_markings(plans[item.kind])) if item.kind in plans else item
        for item in qos.classes
    )
    return replace(qos, classes=classes)


def _lossless(
    roce: Roce, kind: Kind, words: Roce | Storage, share: int, plans: Mapping[Kind, Plans]
) -> TrafficClass:
    """Return a class that PFC keeps from loss: its pauses have the number of the class."""
    return TrafficClass(
        kind=kind,
        number=words.priority,
        dscps=(words.dscp,),
        share=share,
        paused=words.priority if roce.pfc else None,
        marking=_markings(plans.get(kind)),
        cut=Bytes(roce.trimming.size) if roce.trimming is not None else None,
    )


def _asked(roce: Roce) -> tuple[int, ...]:
    """Return the shares of RoCE data, best effort and storage in percent, if they are written."""
    storage = roce.storage.share if roce.storage is not None else 0
    wish = roce.scheduler
    return (wish.lossless, wish.best_effort, storage) if wish is not None else ()


def _shares(roce: Roce, tenants: int) -> tuple[int, int]:
    """Return the shares of RoCE data and of best effort, in percent; storage has its own.

    tenants: shares of their classes. Without `scheduler` the profile's shares are scaled to the
    remaining percentage.
    """
    if roce.scheduler is not None:
        return roce.scheduler.lossless, roce.scheduler.best_effort
    left = 100 - tenants - (roce.storage.share if roce.storage is not None else 0)
    data = min(max(1, round(PROFILES[roce.profile].lossless * left / 100)), left - 1)
    return data, left - data


def _watchdog(roce: Roce, here: IntentPath) -> Watchdog | None:
    watch = roce.watchdog
    if not watch.enabled or not roce.pfc:
        return None
    timers = (watch.poll, watch.detection, watch.restoration)
    written = watch.model_fields_set & {"poll", "detection", "restoration"}
    return Watchdog(
        poll=Milliseconds(watch.poll),
        detection=Milliseconds(watch.detection),
        restoration=Milliseconds(watch.restoration),
        action=watch.action,
        grows=not written or timers == PROFILES[roce.profile].watchdog,
        because=Provenance(
            (at(*here, "watchdog"),),
            f"the watchdog polls every {watch.poll} ms, detects a stuck queue after "
            f"{watch.detection} ms of pause and restores it after {watch.restoration} ms without "
            "pause: at least two polls each, and longer than usual pauses "
            "(docs/design/lossless.md)",
        ),
    )


def plain_classes(here: IntentPath, tenants: tuple[TrafficClass, ...] = ()) -> Qos:
    """Design the classes of a fabric without lossless traffic: routing first, then the rest."""
    claimed = {*CONTROL_DSCPS, *(dscp for item in tenants for dscp in item.dscps)}
    rest = tuple(d for d in range(64) if d not in claimed)
    share = 100 - sum(item.share or 0 for item in tenants)
    return Qos(
        profile="best-effort",
        source="RFC 4594: network control in CS6 and CS7, the rest default forwarding",
        classes=(
            TrafficClass(kind=Kind.BEST_EFFORT, number=BEST_EFFORT_CLASS, dscps=rest, share=share),
            *tenants,
            TrafficClass(kind=Kind.CONTROL, number=CONTROL_CLASS, dscps=CONTROL_DSCPS, strict=True),
        ),
        watchdog=None,
        because=Provenance((here,), "no lossless class: TCP with high entropy needs only ECMP"),
    )


def _distinct(roce: Roce, here: IntentPath, findings: Findings) -> None:
    if roce.dscp == roce.cnp.dscp:
        findings.spoil(
            Code.QUEUES_INCOMPLETE,
            f"DSCP {roce.dscp} cannot be used for RoCE data and CNP at once",
            (*here, "cnp", "dscp"),
        )
    taken = {BEST_EFFORT_CLASS: "best effort", CONTROL_CLASS: "routing protocols"}
    wanted: list[tuple[str, int, IntentPath]] = [
        ("RoCE data", roce.priority, (*here, "priority")),
        ("CNP", roce.cnp.priority, (*here, "cnp", "priority")),
    ]
    if roce.storage is not None:
        _own_dscp(roce, "storage", roce.storage.dscp, (*here, "storage", "dscp"), findings)
        wanted.append(("storage", roce.storage.priority, (*here, "storage", "priority")))
    if roce.trimming is not None:
        name = "trimmed packets"
        _own_dscp(roce, name, roce.trimming.dscp, (*here, "trimming", "dscp"), findings)
        wanted.append((name, roce.trimming.priority, (*here, "trimming", "priority")))
    for name, number, path in wanted:
        if number in taken:
            findings.spoil(
                Code.QUEUES_INCOMPLETE,
                f"priority {number} of {name} is already used by {taken[number]}",
                path,
            )
        taken[number] = name


def _own_dscp(roce: Roce, name: str, dscp: int, path: IntentPath, findings: Findings) -> None:
    """Report a DSCP that another class has: RoCE data, CNPs, storage or control traffic."""
    owners = {
        **dict.fromkeys(CONTROL_DSCPS, "routing protocols"),
        roce.cnp.dscp: "CNP",
        roce.dscp: "RoCE data",
    }
    if roce.storage is not None and name != "storage":
        owners[roce.storage.dscp] = "storage"
    if dscp in owners:
        findings.spoil(
            Code.QUEUES_INCOMPLETE,
            f"DSCP {dscp} of {name} is already used by {owners[dscp]}",
            path,
        )


def _markings(plans: Plans | None) -> dict[BitsPerSecond, Marking] | None:
    if plans is None:
        return None
    return {
        speed: Marking(plan.minimum, plan.maximum, plan.probability)
        for speed, plan in plans.items()
    }

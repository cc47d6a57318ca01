"""Check ECN marks next to pauses, and the notifications that should follow them."""

from collections.abc import Iterator

from fabricgen.operate.state.watch.looks import Pair
from fabricgen.operate.state.watch.model import (
    OURS,
    Level,
    Sight,
    Spot,
    WatchRule,
    lossless,
    marks,
    number,
    per_second,
    percent,
)
from fabricgen.prove.catalogue.thresholds import KMAX, PAUSE_AT

_DCQCN = "Congestion Control for Large-Scale RDMA Deployments (DCQCN), SIGCOMM 2015"
_CNP_COUNTERS = "torvalds/linux, IB/mlx5: Support congestion related counters"


def _without_marks(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield a priority that a switch pauses although it marks no packet of the priority."""
    if "ecn-marked" in pair.uncounted:
        return
    marked, rates = pair.grown("ecn-marked"), pair.rates("pause-sent")
    for priority in pair.plan.paused:
        own = {names: rate for names, rate in rates.items() if names[1] == priority}
        own = {names: rate for names, rate in own.items() if lossless(pair, names)}
        busiest = max(own, key=own.__getitem__, default=None)
        if priority not in pair.plan.marked or busiest is None:
            continue
        is_marked = any(more for names, more in marked.items() if names[1] == priority)
        if is_marked or own[busiest] < sight.limits.pauses:
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch} pauses {pair.plan.ports[busiest[0]].far} "
            f"{per_second(own[busiest])} and marks nothing in queue {priority}: "
            f"{_why_unmarked(pair, busiest)}",
            metric="pause-sent",
            value=own[busiest],
            limit=float(sight.limits.pauses),
            unit="frames/s",
            port=busiest[0],
            number=priority,
            far=pair.plan.ports[busiest[0]].far,
        )


def _why_unmarked(pair: Pair, names: tuple[str, ...]) -> str:
    """Return the cause by the designed points: marking must begin below the pause point."""
    most, pause = number(pair, KMAX, *names), number(pair, PAUSE_AT, *names)
    if most is None or pause is None:
        return "Kmax is above the pause point, or ECN is off"
    if most > pause:
        return f"Kmax of {most:,.0f} bytes is above the pause point of {pause:,.0f}"
    return (
        f"the designed Kmax of {most:,.0f} bytes is below the pause point of {pause:,.0f}, so ECN "
        "is off on the switch or the senders set no ECT"
    )


def _as_designed(sight: Sight, pairs: list[Pair]) -> Iterator[Spot]:
    """Yield a fabric with marked packets and without pauses."""
    del sight
    rate = sum(sum(each.rates("ecn-marked").values()) for each in pairs)
    counted = all(not {"pause-sent", "pause-received"} & each.uncounted.keys() for each in pairs)
    paused = any(
        more
        for each in pairs
        for metric in ("pause-sent", "pause-received")
        for more in each.grown(metric).values()
    )
    if rate and counted and not paused:
        yield Spot(
            switch="",
            fabric=pairs[0].plan.fabric,
            sentence=f"{pairs[0].plan.fabric}: {per_second(rate, 'packets')} are marked and "
            "nothing is paused, as designed",
            metric="ecn-marked",
            value=rate,
            unit="packets/s",
        )


def _share(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield queues with many marked packets."""
    sent = pair.grown("queue-packets")
    for names, more in pair.grown("ecn-marked").items():
        port, packets = lossless(pair, names), sent.get(names, 0.0)
        if port is None or not packets or 100 * more <= sight.limits.marked_share * packets:
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch} marks {percent(more / packets)} of the packets of queue "
            f"{names[1]} of {port.name} to {port.far}: more is sent than the port can take",
            metric="ecn-marked",
            value=more / packets,
            limit=sight.limits.marked_share / 100,
            unit="share",
            port=port.name,
            number=names[1],
            far=port.far,
        )


def _other_queue(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield marked packets of queues that the design does not mark."""
    del sight
    for names, more in pair.grown("ecn-marked").items():
        if not more or names[1] in pair.plan.marked:
            continue
        what = "of CNPs " if names[1] == pair.plan.cnp else ""
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch}: queue {names[1]} {what}of {names[0]} marked "
            f"{more:,.0f} packets; the design does not mark it",
            metric="ecn-marked",
            value=more,
            limit=0.0,
            unit="packets",
            port=names[0],
            number=names[1],
        )


def _notified(sight: Sight, pairs: list[Pair]) -> Iterator[Spot]:
    """Yield a fabric in which few CNPs follow many marks."""
    more = sum(sum(each.grown("ecn-marked").values()) for each in pairs)
    counted = _cnps(sight, pairs)
    if counted is None or not more or 100 * counted >= sight.limits.notified_share * more:
        return
    by = "the NICs sent" if sight.now.cnps is not None else "servers were sent"
    yield Spot(
        switch="",
        fabric=pairs[0].plan.fabric,
        sentence=f"{pairs[0].plan.fabric}: {more:,.0f} packets were marked, but {by} "
        f"{counted:,.0f} CNPs ({percent(counted / more)}): NICs do not react to marks",
        metric="ecn-marked",
        value=counted / more,
        limit=sight.limits.notified_share / 100,
        unit="share",
    )


def _cnps(sight: Sight, pairs: list[Pair]) -> float | None:
    """Return the CNPs between the looks: of the NICs, else the packets in queues to servers."""
    if sight.now.cnps is not None:
        then = sight.before.cnps if sight.before is not None else None
        if then is None:
            return None
        own = {port.far for each in pairs for port in each.plan.lossless if port.to_server}
        both = own & then.keys() & sight.now.cnps.keys()
        return sum(max(0.0, sight.now.cnps[name] - then[name]) for name in both) if both else None
    queues = [
        more
        for each in pairs
        for names, more in each.grown("queue-packets").items()
        if names[1] == each.plan.cnp
        and (port := each.plan.ports.get(names[0])) is not None
        and port.to_server
    ]
    return sum(queues) if queues else None


def lacks_cnps(sight: Sight, pairs: list[Pair]) -> str:
    """Return why the CNPs of a fabric are unknown; empty if they are known."""
    if _cnps(sight, pairs) is not None:
        return ""
    if sight.now.cnps is None:
        return "no queue of CNPs is counted, and the NICs were not asked (--hosts)"
    return "no server of the fabric has NIC counters in both looks"


MARKS = (
    WatchRule(
        name="PauseWithoutMarks",
        level=Level.WARNING,
        meaning="A switch pauses and marks nothing: Kmax is above the pause point, ECN is off, or "
        "the senders set no ECT.",
        limit="`watch.pauses` frames a second and no mark",
        source=f"{_DCQCN}: marking begins before PFC, frames by {OURS}",
        metrics=("pause-sent", "ecn-marked"),
        finds=_without_marks,
        rates=True,
        applies=marks,
    ),
    WatchRule(
        name="OtherQueueMarked",
        check="EcnUnexpected",
        level=Level.ALARM,
        meaning="Marked packets of a queue that the design does not mark, such as the CNP queue.",
        limit="no packet",
        source="the design",
        metrics=("ecn-marked",),
        finds=_other_queue,
        grows=True,
    ),
    WatchRule(
        name="MarkedShare",
        check="EcnRate",
        level=Level.WARNING,
        meaning="Many packets of a lossless queue are marked: its port is congested.",
        limit="`watch.marked_share` of the packets",
        source=OURS,
        metrics=("ecn-marked", "queue-packets"),
        finds=_share,
        grows=True,
        applies=marks,
    ),
    WatchRule(
        name="FewNotifications",
        level=Level.WARNING,
        meaning="Few CNPs follow the marks: NICs do not run DCQCN, or CNPs are lost.",
        limit="`watch.notified_share` of the marked packets",
        source=f"{OURS}; a NIC sends at most one CNP in 50 us for a flow: {_DCQCN}; "
        f"np_cnp_sent: {_CNP_COUNTERS}",
        metrics=("ecn-marked",),
        whole=_notified,
        lacks=lacks_cnps,
        grows=True,
        applies=marks,
    ),
    WatchRule(
        name="MarksWithoutPauses",
        level=Level.NOTE,
        meaning="Packets are marked and nothing is paused: ECN controls the congestion.",
        limit="any mark, and no pause",
        source=_DCQCN,
        metrics=("ecn-marked", "pause-sent", "pause-received"),
        whole=_as_designed,
        rates=True,
        applies=marks,
    ),
)
"""Rules about ECN marks."""

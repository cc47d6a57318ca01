"""Check pause frames by their direction.

A switch *receives* the frames that its neighbor sends because the neighbor cannot take more. It
*sends* frames because its own ingress group is full.
"""

from collections.abc import Iterator, Mapping

from fabricgen.operate.state.watch.looks import Pair
from fabricgen.operate.state.watch.model import (
    OURS,
    Level,
    Sight,
    Spot,
    WatchRule,
    lossless,
    per_second,
    percent,
)

_PFC = "IEEE 802.1Qbb"
_MICROSECONDS = 1_000_000
Rates = Mapping[tuple[str, ...], float]


def _slow_receiver(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield server ports that receive many pauses, or are paused for long."""
    name, limits = pair.plan.switch, sight.limits
    times = pair.rates("paused-time")
    for names, rate in pair.rates("pause-received").items():
        port = lossless(pair, names)
        if port is None or not port.to_server:
            continue
        share = times.get(names, 0.0) / _MICROSECONDS
        if rate < limits.pauses and 100 * share <= limits.paused_share:
            continue
        timed = f", {percent(min(share, 1.0))} of the time" if names in times else ""
        yield Spot(
            switch=name,
            sentence=f"{port.far} pauses {name} {per_second(rate)}{timed}: slow receiver "
            f"(priority {names[1]} of {port.name})",
            metric="pause-received",
            value=rate,
            limit=float(limits.pauses),
            unit="frames/s",
            port=port.name,
            number=names[1],
            far=port.far,
        )


def _full_ingress(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield ports that send many pauses."""
    for names, rate in pair.rates("pause-sent").items():
        port = lossless(pair, names)
        if port is None or rate < sight.limits.pauses:
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch} pauses {port.far} {per_second(rate)}: the ingress group "
            f"of {port.name} is full, {port.far} sends more than leaves (priority {names[1]})",
            metric="pause-sent",
            value=rate,
            limit=float(sight.limits.pauses),
            unit="frames/s",
            port=port.name,
            number=names[1],
            far=port.far,
        )


def _paused_by_unread(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield ports that a switch without counters pauses. Other switches report it themselves."""
    for names, rate in pair.rates("pause-received").items():
        port = lossless(pair, names)
        if port is None or port.to_server or rate < sight.limits.pauses:
            continue
        far = sight.pairs.get(port.far)
        if far is not None and (port.far_port, names[1]) in far.rates("pause-sent"):
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{port.far} pauses {pair.plan.switch} {per_second(rate)}: its ingress group "
            f"is full (priority {names[1]} of {port.name}; {port.far} did not report it)",
            metric="pause-received",
            value=rate,
            limit=float(sight.limits.pauses),
            unit="frames/s",
            port=port.name,
            number=names[1],
            far=port.far,
        )


def _spreading(sight: Sight, pairs: list[Pair]) -> Iterator[Spot]:
    """Yield a fabric whose switches pause on two or more tiers."""
    tiers: dict[int, dict[str, float]] = {}
    for pair in pairs:
        found = [
            rate
            for names, rate in pair.rates("pause-sent").items()
            if rate >= sight.limits.pauses and lossless(pair, names)
        ]
        if found:
            tiers.setdefault(pair.plan.tier, {})[pair.plan.switch] = sum(found)
    if len(tiers) < 2:
        return
    top = [max(own, key=own.__getitem__) for _, own in sorted(tiers.items())]
    yield Spot(
        switch=top[0],
        sentence=f"{pairs[0].plan.fabric}: pauses spread over {len(tiers)} tiers: "
        f"{', '.join(top)} pause at the same time",
        metric="pause-sent",
        value=float(len(tiers)),
        limit=1.0,
        unit="tiers",
    )


def _other_priority(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield pauses of a priority that the design does not pause on the port."""
    del sight
    for metric, word in (("pause-received", "received"), ("pause-sent", "sent")):
        for names, more in pair.grown(metric).items():
            if more and lossless(pair, names) is None:
                port = pair.plan.ports.get(names[0])
                far = port.far if port is not None else ""
                link = f" to {far}" if far else ""
                yield Spot(
                    switch=pair.plan.switch,
                    sentence=f"{pair.plan.switch}: {names[0]}{link} {word} {more:,.0f} pauses of "
                    f"priority {names[1]}, which the design does not pause there",
                    metric=metric,
                    value=more,
                    limit=0.0,
                    unit="frames",
                    port=names[0],
                    number=names[1],
                    far=far,
                )


def _link_pause(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield 802.3x pauses."""
    del sight
    for metric, word in (("link-pause-received", "received"), ("link-pause-sent", "sent")):
        for (name,), more in pair.grown(metric).items():
            if more:
                port = pair.plan.ports.get(name)
                far = port.far if port is not None else ""
                link = f" to {far}" if far else ""
                yield Spot(
                    switch=pair.plan.switch,
                    sentence=f"{pair.plan.switch}: {name}{link} {word} {more:,.0f} 802.3x pauses, "
                    "which stop every class",
                    metric=metric,
                    value=more,
                    limit=0.0,
                    unit="frames",
                    port=name,
                    far=far,
                )


PAUSES = (
    WatchRule(
        name="SlowReceiver",
        check="PauseShare",
        level=Level.WARNING,
        meaning="A server pauses its leaf port: it takes less than the fabric delivers.",
        limit="`watch.pauses` frames a second, or `watch.paused_share` of the time",
        source=OURS,
        metrics=("pause-received",),
        also=("paused-time",),
        finds=_slow_receiver,
        rates=True,
    ),
    WatchRule(
        name="FullIngress",
        level=Level.WARNING,
        meaning="A switch pauses a server or a switch: its ingress group is full.",
        limit="`watch.pauses` frames a second",
        source=OURS,
        metrics=("pause-sent",),
        finds=_full_ingress,
        rates=True,
    ),
    WatchRule(
        name="PausedBySwitch",
        level=Level.WARNING,
        meaning="A switch that does not count its sent pauses pauses this one.",
        limit="`watch.pauses` frames a second",
        source=OURS,
        metrics=("pause-received",),
        finds=_paused_by_unread,
        rates=True,
    ),
    WatchRule(
        name="PausesSpread",
        level=Level.ALARM,
        meaning="Switches of two or more tiers pause at once: congestion spreads over the fabric.",
        limit="`watch.pauses` frames a second on two tiers",
        source=f"{OURS}, with the effect in RDMA over Commodity Ethernet at Scale, SIGCOMM 2016",
        metrics=("pause-sent",),
        whole=_spreading,
        rates=True,
    ),
    WatchRule(
        name="OtherPriority",
        check="PfcUnexpected",
        level=Level.ALARM,
        meaning="Pauses of a priority that the design does not pause on the port.",
        limit="no frame",
        source=f"the design; {_PFC}",
        metrics=("pause-received", "pause-sent"),
        finds=_other_priority,
        grows=True,
    ),
    WatchRule(
        name="LinkPause",
        check="LinkPause",
        level=Level.ALARM,
        meaning="802.3x pauses, which stop all classes. PFC replaces them.",
        limit="no frame",
        source="the design; IEEE 802.3 annex 31B, 802.1Qbb",
        metrics=("link-pause-received", "link-pause-sent"),
        finds=_link_pause,
        grows=True,
    ),
)
"""Rules about pause frames."""

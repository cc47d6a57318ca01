"""Check lost packets of lossless classes and storms of the PFC watchdog."""

from collections.abc import Iterator

from fabricgen.operate.state.watch.looks import Pair
from fabricgen.operate.state.watch.model import Level, Sight, Spot, WatchRule, lossless

_LOSSLESS = "IEEE 802.1Qbb: a paused priority loses no frame"
_WATCHDOG = "sonic-net/sonic-swss orchagent/pfcwdorch.cpp; Arista EOS PFC watchdog"


def _queue_drops(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield lossless queues that dropped packets."""
    del sight
    cause = "the queue was full, or the watchdog dropped"
    yield from _drops(pair, "queue-drops", ("to", "queue"), cause)


def _group_drops(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield lossless groups that dropped packets."""
    del sight
    cause = "the headroom is too small, or the sender ignores pauses"
    yield from _drops(pair, "group-drops", ("from", "group"), cause)


def _drops(pair: Pair, metric: str, words: tuple[str, str], cause: str) -> Iterator[Spot]:
    link, word = words
    for names, more in pair.grown(metric).items():
        port = lossless(pair, names)
        if port is None or not more:
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch} dropped {more:,.0f} packets {link} {port.far} in the "
            f"lossless {word} {names[1]} of {port.name}: {cause}",
            metric=metric,
            value=more,
            limit=0.0,
            unit="packets",
            port=port.name,
            number=names[1],
            far=port.far,
        )


def _storms(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield queues with a new storm."""
    del sight
    for names, more in pair.grown("watchdog-storms").items():
        port = pair.plan.ports.get(names[0])
        if not more or port is None:
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch}: the PFC watchdog of {port.name} detected "
            f"{more:,.0f} storms of queue {names[1]}, because {port.far} paused without end",
            metric="watchdog-storms",
            value=more,
            limit=0.0,
            unit="storms",
            port=port.name,
            number=names[1],
            far=port.far,
        )


def _active(sight: Sight, pair: Pair) -> Iterator[Spot]:
    """Yield queues in a storm that has not ended."""
    del sight
    ended = pair.now.of("watchdog-restored")
    for names, storms in pair.now.of("watchdog-storms").items():
        port = pair.plan.ports.get(names[0])
        if port is None or names not in ended or storms <= ended[names]:
            continue
        yield Spot(
            switch=pair.plan.switch,
            sentence=f"{pair.plan.switch}: queue {names[1]} of {port.name} to {port.far} is in a "
            "storm, and the watchdog does not forward its packets",
            metric="watchdog-storms",
            value=storms - ended[names],
            limit=0.0,
            unit="storms",
            port=port.name,
            number=names[1],
            far=port.far,
        )


DROPS = (
    WatchRule(
        name="GroupDrop",
        check="LosslessDrops",
        level=Level.ALARM,
        meaning="A lossless group dropped packets: its headroom was full.",
        limit="no packet",
        source=_LOSSLESS,
        metrics=("group-drops",),
        finds=_group_drops,
        grows=True,
    ),
    WatchRule(
        name="QueueDrop",
        check="LosslessDrops",
        level=Level.ALARM,
        meaning="A lossless queue dropped packets.",
        limit="no packet",
        source=_LOSSLESS,
        metrics=("queue-drops",),
        finds=_queue_drops,
        grows=True,
    ),
    WatchRule(
        name="Storm",
        check="PfcStorms",
        level=Level.ALARM,
        meaning="The PFC watchdog detected a storm.",
        limit="no storm",
        source=_WATCHDOG,
        metrics=("watchdog-storms",),
        finds=_storms,
        grows=True,
    ),
    WatchRule(
        name="StormActive",
        check="PfcStorms",
        level=Level.ALARM,
        meaning="A storm has not ended: the queue loses packets now.",
        limit="as many ends as storms",
        source=_WATCHDOG,
        metrics=("watchdog-storms", "watchdog-restored"),
        finds=_active,
    ),
)
"""Rules about lost packets."""

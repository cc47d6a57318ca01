"""Check the peaks of queues, groups and headroom next to the computed thresholds."""

from collections.abc import Iterator

from fabricgen.operate.state.watch.looks import Pair
from fabricgen.operate.state.watch.model import (
    OURS,
    Level,
    Sight,
    Spot,
    WatchRule,
    marks,
    percent,
)
from fabricgen.operate.state.watch.ranking import (
    AGAINST,
    GROUP,
    METRIC,
    POOL_ROOM,
    QUEUE,
    ROOM,
    Tight,
    peaks,
)
from fabricgen.prove.catalogue.thresholds import (
    HEADROOM,
    KMAX,
    PAUSE_AT,
    POOL,
    LosslessPlan,
)

_FULL = 1.0
_TWICE = 2.0


def _headroom(sight: Sight, pair: Pair) -> Iterator[Spot]:
    for row in peaks(pair, ROOM):
        if row.share * 100 > sight.limits.headroom_share:
            port = pair.plan.ports[row.port]
            cause = (
                "frames were lost, or the switch has more than computed"
                if row.share >= _FULL
                else f"check the length ({port.length} m) and the MTU of the cable"
            )
            yield _spot(row, sight.limits.headroom_share / 100, cause, alarm=row.share >= _FULL)


def _groups(sight: Sight, pair: Pair) -> Iterator[Spot]:
    for row in peaks(pair, GROUP):
        if row.share * 100 > sight.limits.buffer_share:
            cause = "it pauses now" if row.share >= _FULL else "it pauses soon"
            yield _spot(row, sight.limits.buffer_share / 100, cause)


def _queues(sight: Sight, pair: Pair) -> Iterator[Spot]:
    del sight
    for row in peaks(pair, QUEUE):
        if row.share > _FULL:
            cause = "every packet is marked, and senders do not slow down"
            yield _spot(row, _FULL, cause, alarm=row.share > _TWICE)


def _pools(sight: Sight, pair: Pair) -> Iterator[Spot]:
    for row in peaks(pair, POOL_ROOM):
        if row.share * 100 > sight.limits.headroom_share:
            cause = "too many ports are paused at one time"
            yield _spot(row, sight.limits.headroom_share / 100, cause, alarm=row.share >= _FULL)


def _spot(row: Tight, limit: float, cause: str, *, alarm: bool = False) -> Spot:
    far = f" to {row.far}" if row.far else ""
    return Spot(
        switch=row.switch,
        sentence=f"{row.switch}: {row.place}{far} peaked at {row.peak:,.0f} bytes, "
        f"{percent(row.share)} of the computed {AGAINST[row.kind]} of {row.computed:,.0f}: {cause}",
        metric=METRIC[row.kind],
        value=row.share,
        limit=limit,
        unit="share",
        port=row.port,
        number=row.number,
        far=row.far,
        level=Level.ALARM if alarm else None,
    )


def has_pool(plan: LosslessPlan) -> bool:
    """Return whether the design has a shared headroom pool."""
    return (POOL,) in plan.numbers


PEAKS = (
    WatchRule(
        name="HeadroomUse",
        check="HeadroomUse",
        level=Level.WARNING,
        meaning="The headroom of a group is nearly full: the cable or the frames are longer than "
        "designed, or the neighbor reacts late.",
        limit="`watch.headroom_share` of the computed headroom; from 100 % an alarm",
        source=f"headroom of the design (`fabricgen lossless`), share: {OURS}",
        metrics=("headroom-peak",),
        finds=_headroom,
        threshold=HEADROOM,
    ),
    WatchRule(
        name="GroupPeak",
        level=Level.WARNING,
        meaning="A lossless group is near the occupancy at which it pauses.",
        limit="`watch.buffer_share` of alpha x (shared pool - peaks of all groups), at least the "
        "designed pause point",
        source=f"alpha and pool of the design, formula of SONiC `dynamic_th`, share: {OURS}",
        metrics=("group-peak",),
        finds=_groups,
        threshold=PAUSE_AT,
    ),
    WatchRule(
        name="QueuePeak",
        level=Level.WARNING,
        meaning="A queue grew beyond Kmax, from which every packet is marked.",
        limit="Kmax; from 2 x Kmax an alarm",
        source=f"Kmax of the design, factor 2: {OURS}",
        metrics=("queue-peak",),
        finds=_queues,
        threshold=KMAX,
        applies=marks,
    ),
    WatchRule(
        name="PoolHeadroom",
        check="PoolUse",
        level=Level.WARNING,
        meaning="The shared headroom pool of a switch is nearly full.",
        limit="`watch.headroom_share` of the designed pool; from 100 % an alarm",
        source=f"pool of the design, share: {OURS}",
        metrics=("pool-headroom-peak",),
        finds=_pools,
        applies=has_pool,
    ),
)
"""Rules about watermarks."""

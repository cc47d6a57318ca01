"""Rank queues, groups and headroom by their peak next to the computed threshold."""

from collections.abc import Iterable, Iterator, Mapping
from heapq import nlargest

from fabricgen.core.record import record
from fabricgen.operate.state.watch.looks import Pair
from fabricgen.prove.catalogue.thresholds import ALPHA, HEADROOM, KMAX, PAUSE_AT, POOL, SHARED

QUEUE, GROUP, ROOM, POOL_ROOM = "queue", "group", "headroom", "headroom pool"
METRIC = {
    QUEUE: "queue-peak",
    GROUP: "group-peak",
    ROOM: "headroom-peak",
    POOL_ROOM: "pool-headroom-peak",
}
"""The metric of each kind of memory."""
AGAINST = {
    QUEUE: "Kmax",
    GROUP: "pause point",
    ROOM: "headroom",
    POOL_ROOM: "headroom pool",
}
"""Words for the computed threshold of each kind."""


@record(kw_only=True)
class Tight:
    """One peak next to its computed threshold.

    Attributes:
        number: Number of the queue or group. Name of the pool.
        peak, computed: Bytes.
        sampled: Seconds of one sample on the switch. None if unknown.
    """

    switch: str
    kind: str
    port: str
    number: str
    far: str
    peak: float
    computed: float
    sampled: float | None

    @property
    def share(self) -> float:
        """Return peak / computed."""
        return self.peak / self.computed

    @property
    def place(self) -> str:
        """Return the object as text."""
        return f"{self.port} {self.kind} {self.number}" if self.port else f"{self.kind}"


def tightest(pairs: Iterable[Pair], most: int = 10) -> list[Tight]:
    """Return the peaks with the largest share of their threshold."""
    every = (row for pair in pairs for kind in METRIC for row in peaks(pair, kind))
    return nlargest(most, every, key=lambda row: row.share)


def peaks(pair: Pair, kind: str) -> Iterator[Tight]:
    """Yield the peaks of one kind that have a threshold."""
    metric, plan = METRIC[kind], pair.plan
    sampled = pair.now.sampled.get(metric)
    pause = _pause_point(pair) if kind == GROUP else 0.0
    for names, peak in pair.now.of(metric).items():
        computed = _computed(plan.numbers, kind, names, pause)
        port = plan.ports.get(names[0])
        if computed:
            yield Tight(
                switch=plan.switch,
                kind=kind,
                port=names[0] if len(names) > 1 else "",
                number=names[-1],
                far=port.far if port is not None else "",
                peak=peak,
                computed=computed,
                sampled=sampled,
            )


def _computed(
    numbers: Mapping[tuple[str, ...], float], kind: str, names: tuple[str, ...], pause: float
) -> float | None:
    if kind == ROOM:
        return numbers.get((HEADROOM, *names))
    if kind == QUEUE:
        return numbers.get((KMAX, *names))
    if kind == POOL_ROOM:
        return numbers.get((POOL,))
    least = numbers.get((PAUSE_AT, *names))
    return max(least, pause) if least is not None else None


def _pause_point(pair: Pair) -> float:
    """Return the bytes at which a group of a switch pauses: alpha x free bytes of the pool.

    The occupancy is the sum of all peaks of the sample, as if they were at one time, so the real
    threshold was not lower. SONiC (`dynamic_th`) and devlink-sb have the same formula.
    """
    numbers = pair.plan.numbers
    shared, alpha = numbers.get((SHARED,)), numbers.get((ALPHA,))
    if shared is None or alpha is None:
        return 0.0
    used = sum(pair.now.of("group-peak").values())
    return max(0.0, alpha * (shared - used))

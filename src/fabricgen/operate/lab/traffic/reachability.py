"""Prove which hosts reach each other, over how many routers, between all pairs.

There is one measurement, and a line for each expectation: allowed pairs, and every kind of
isolation.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.pairs import Apart, Pair, judge_matrix
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked

ROUNDS = 4
"""Attempts for a packet that does not arrive; all of them are used for a forbidden packet."""


def reachability(bench: Bench) -> Iterator[Proof]:
    """Send a packet for every ordered pair of endpoints."""
    places = [(pair.source, pair.target) for pair in bench.pairs]
    heard = bench.probe("matrix", pairs=places, rounds=ROUNDS, wait=1, size=100, dscp=0)
    yield from judge(bench.plan, bench.pairs, heard)
    overlays = [each.overlay for each in bench.fabrics if each.overlay is not None]
    if not bench.plan.guarded and any(each.zones.members for each in overlays):
        why = "this lab's kernel has no nftables for IP, so isolated zones may reach each other"
        yield not_asked("apart: zones", why)


def judge(
    plan: LabPlan, pairs: Sequence[Pair], heard: Mapping[str, Mapping[str, Any]]
) -> Iterator[Proof]:
    """Yield a line for allowed pairs, and one for each kind of isolation in the site."""
    groups: dict[Apart | None, list[tuple[Pair, Mapping[str, Any] | None]]] = defaultdict(list)
    for place, pair in enumerate(pairs):
        groups[pair.apart].append((pair, heard.get(str(place))))
    for apart in (None, *Apart):
        group = groups.get(apart)
        if group:
            yield _line(plan, apart, group)


def _line(
    plan: LabPlan, apart: Apart | None, group: Sequence[tuple[Pair, Mapping[str, Any] | None]]
) -> Proof:
    arrived = sum(got is not None for _, got in group)
    faults = judge_matrix(plan, group)
    if apart is not None:
        sentence = f"{arrived} of {len(group)} pairs that must not reach each other do: {apart}"
        return judged(f"apart: {apart.name.lower()}", sentence, faults, arrived=arrived)
    hops = sorted({pair.routers for pair, _ in group if pair.routers is not None})
    counts = " or ".join(str(hop) for hop in hops)
    sentence = f"{arrived} of {len(group)} pairs arrive, each over {counts} routers as designed"
    return judged("reachability", sentence, faults, arrived=arrived, pairs=len(group))

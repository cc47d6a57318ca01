"""Write an example series of looks for `fabricgen watch --from`: `watch_series.py SITE DIR [N]`.

The measures are written, as in tests/unit/watch/written.py: no switch was asked.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.unit.watch.written import Series

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.operate.state.watch.plans import lossless_plans
from fabricgen.operate.state.watch.series import record
from fabricgen.prove.catalogue.thresholds import HEADROOM, KMAX, LosslessPlan

INTERVAL = 10.0


def example(plans: dict[str, LosslessPlan]) -> Series:
    """Return a series with a slow receiver, a long cable, a silent switch and unread marks."""
    fabric = next(iter(plans.values())).fabric
    leafs = [plan for plan in plans.values() if plan.tier == 1 and plan.fabric == fabric]
    spines = [plan for plan in plans.values() if plan.tier == 2 and plan.fabric == fabric]
    leaf, far, spine, lost = leafs[2], leafs[1], spines[0], leafs[-1]
    own = [port.name for port in leaf.lossless if port.to_server]
    up = next(port.name for port in leaf.lossless if not port.to_server)
    down = next(port.name for port in spine.lossless if port.far == far.switch)
    number = leaf.paused[0]
    series = Series(plans)
    series.rates[leaf.switch] = {
        ("pause-received", own[11], number): 1900.0,
        ("paused-time", own[11], number): 38_000.0,
        ("ecn-marked", own[11], number): 310_000.0,
        ("queue-packets", own[11], number): 2_900_000.0,
        ("pause-sent", up, number): 140.0,
        ("group-drops", own[20], number): 1.2,
    }
    series.levels[leaf.switch] = {
        ("queue-peak", own[11], number): 1.31 * leaf.numbers[KMAX, own[11], number],
        ("headroom-peak", up, number): 0.71 * leaf.numbers[HEADROOM, up, number],
        ("queue-peak", own[3], number): 0.92 * leaf.numbers[KMAX, own[3], number],
    }
    series.levels[spine.switch] = {
        ("headroom-peak", down, number): 0.86 * spine.numbers[HEADROOM, down, number],
    }
    series.unknown[spines[1].switch] = {
        ("ecn-marked",): "SONiC 202411 counts no marks",
    }
    series.silent[lost.switch] = "no answer within 30 s"
    return series


def main(site: str, target: str, number: int = 3) -> int:
    """Write the looks."""
    made = compile_site(load_site(Path(site))).site
    assert made is not None
    series = example(dict(lossless_plans(made, targets_of(made).keys())))
    for place in range(1, number + 1):
        record(Path(target), place, series.look(place * INTERVAL))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])))

"""Plans batches for random fabrics and has each judged; then plans the largest site, timed.

usage: batches.py [FABRICS] | --show SITE FABRIC
The fabrics are those of the property test (tests/property/batch_sites.py), 10,000 unless told.
"""

from __future__ import annotations

import gc
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "src")]

FABRICS = 10_000
GPUS = 100_000


def many(fabrics: int) -> None:
    """Plan random changes of random sites, and count what the second look finds."""
    from hypothesis import HealthCheck, given, settings
    from tests.property.batch_sites import Change, changes

    from fabricgen.operate.deploy.batches.judge import judge_batch
    from fabricgen.operate.deploy.batches.plan import BatchRequest, plan_batches
    from fabricgen.operate.deploy.batches.sizes import sizes

    seen = {"plans": 0, "fabrics": 0, "switches": 0, "batches": 0, "violations": 0}

    def look(change: Change) -> None:
        site, names, floor, words = change
        batches = plan_batches(
            site, names, BatchRequest(sizes=sizes(words), floor=floor, together=True)
        )
        seen["plans"] += 1
        seen["fabrics"] += len(site.fabrics)
        seen["switches"] += len(names)
        seen["batches"] += len(batches)
        seen["violations"] += sum(len(judge_batch(site, b.switches, floor)) for b in batches)
        seen["violations"] += sorted(names) != sorted(n for b in batches for n in b.switches)

    run = settings(
        max_examples=fabrics, deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )(given(changes())(look))
    start = time.perf_counter()
    run()
    told = ", ".join(f"{count:,} {what}" for what, count in seen.items())
    print(f"{told} in {time.perf_counter() - start:.0f} s (design, plan and judgment)")


def large(gpus: int) -> None:
    """Plan a change of every switch of a three-tier backend."""
    import sites

    from fabricgen.compile.design.site import design_site
    from fabricgen.intent.load import load_texts
    from fabricgen.operate.deploy.batches.judge import judge_batch
    from fabricgen.operate.deploy.batches.plan import plan_batches

    loaded = load_texts(sites.backend(gpus, "eos"))
    assert loaded.intent is not None
    site = design_site(loaded.intent)[0]
    names = [switch.name for fabric in site.fabrics for switch in fabric.topology.switches]
    start = time.perf_counter()
    batches = plan_batches(site, names)
    planned = time.perf_counter()
    found = sum(len(judge_batch(site, batch.switches)) for batch in batches)
    judged = time.perf_counter()
    print(
        f"{gpus:,} GPUs: {len(names):,} switches in {len(batches)} batches, planned in "
        f"{planned - start:.2f} s, judged in {judged - planned:.1f} s, {found} violations"
    )


def show(folder: str, fabric: str) -> None:
    """Print the batches in which every switch of a fabric changes."""
    from fabricgen.compile.design.site import design_site
    from fabricgen.intent.load import load_site
    from fabricgen.operate.deploy.batches.plan import plan_batches

    loaded = load_site(Path(folder))
    assert loaded.intent is not None
    site = design_site(loaded.intent)[0]
    (chosen,) = (item for item in site.fabrics if item.name == fabric)
    names = [switch.name for switch in chosen.topology.switches]
    for number, batch in enumerate(plan_batches(site, names), 1):
        print(f"{number}. {', '.join(batch.switches)}: {batch.why}")
        for line in (*batch.stays, *batch.warnings):
            print(f"   {line}")


if __name__ == "__main__":
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    if sys.argv[1:2] == ["--show"]:
        show(*sys.argv[2:4])
        sys.exit()
    large(GPUS)
    many(int(sys.argv[1]) if len(sys.argv) > 1 else FABRICS)

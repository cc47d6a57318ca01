"""Measures what reading every line back costs, beside all else of a compile, in one process.

usage: readback_share.py [SITE [PLATFORM …]]
CPU milliseconds a switch, the best of four rounds; servers are left out on both sides. Checks and
design are in `compile`. Each switch is proven right after it is rendered, as in the verb; every
round learns each sort of switches anew. Grammars are compiled before the first round, which counts
for neither side.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from fabricgen.compile.compiler import Cutter, compile_site, files_of, folder_of
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_site
from fabricgen.prove.written import judge_of, prove

if TYPE_CHECKING:
    from collections.abc import Callable

P, T = ParamSpec("P"), TypeVar("T")
ROUNDS = 4
ROOT = Path(__file__).resolve().parents[1]


def once(site: str, platform: str) -> tuple[int, dict[str, float]]:
    """Compile and prove once; return the switches and the CPU seconds of each stage."""
    stages: dict[str, float] = defaultdict(float)

    def timed(stage: str, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        start = time.process_time()
        result = work(*args, **more)
        stages[stage] += time.process_time() - start
        return result

    judge_of.cache_clear()
    gc.collect()
    loaded = timed("compile", load_site, ROOT / "intent" / site)
    made = timed("compile", compile_site, loaded, platform).site
    assert made is not None
    cutter, renderer = Cutter(made), Renderer()
    switches = [switch for fabric in made.fabrics for switch in fabric.topology.switches]
    for switch in switches:
        switch_slice = timed("slice", cutter.cut, switch)
        files = timed("render", files_of, switch_slice, renderer)
        texts = {file.path.removeprefix(f"{folder_of(switch)}/"): file.text for file in files}
        timed("prove", prove, switch_slice, texts)
    return len(switches), stages


def main() -> None:
    """Print a row for each platform."""
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    site, *platforms = [*sys.argv[1:], *(() if sys.argv[1:] else ("three-tier",))]
    print("| platform | switches | compile | slice | render | prove | prove / all else |")
    print("|--|--:|--:|--:|--:|--:|--:|")
    for platform in platforms or ["eos", "sonic", "linux"]:
        rounds = [once(site, platform) for _ in range(ROUNDS)]
        count = rounds[0][0]
        stages = {name: min(each[name] for _, each in rounds) for name in rounds[0][1]}
        cells = " | ".join(f"{1000 * value / count:.2f}" for value in stages.values())
        rest = sum(stages.values()) - stages["prove"]
        print(f"| {platform} | {count} | {cells} | {stages['prove'] / rest:.0%} |")


if __name__ == "__main__":
    main()

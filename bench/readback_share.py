"""Measures what reading every line back costs, beside all else of a compile, in one process.

usage: readback_share.py [SITE [PLATFORM …]]
CPU milliseconds a switch, the best of four rounds; servers are left out on both sides. Checks and
design are in `compile`; the first round of `prove` learns each sort of switches anew.
"""

from __future__ import annotations

import gc
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from fabricgen.compiler import compile_site, files_of, folder_of, slices
from fabricgen.intent.load import load_site
from fabricgen.proof.written import judge_of, prove
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
ROUNDS = 4
ROOT = Path(__file__).resolve().parents[1]


def once(site: str, platform: str, stages: dict[str, float]) -> int:
    """Compile and prove once; keep the least CPU seconds of each stage, return the switches."""

    def timed(stage: str, work: Callable[[], T]) -> T:
        gc.collect()
        start = time.process_time()
        result = work()
        stages[stage] = min(stages[stage], time.process_time() - start)
        return result

    made = timed("compile", lambda: compile_site(load_site(ROOT / "intent" / site), platform)).site
    assert made is not None
    pieces = timed("slice", lambda: [piece for _, piece in slices(made)])
    renderer = Renderer()
    rendered = timed("render", lambda: [files_of(piece, renderer) for piece in pieces])
    texts = [
        {file.path.removeprefix(f"{folder_of(piece.switch)}/"): file.text for file in group}
        for piece, group in zip(pieces, rendered, strict=True)
    ]
    judge_of.cache_clear()
    timed("prove", lambda: [prove(*pair) for pair in zip(pieces, texts, strict=True)])
    return len(pieces)


def main() -> None:
    """Print a row for each platform."""
    site, *platforms = [*sys.argv[1:], *(() if sys.argv[1:] else ("three-tier",))]
    print("| platform | switches | compile | slice | render | prove | prove / all else |")
    print("|--|--:|--:|--:|--:|--:|--:|")
    for platform in platforms or ["eos", "sonic", "linux"]:
        stages: dict[str, float] = defaultdict(lambda: float("inf"))
        count = max(once(site, platform, stages) for _ in range(ROUNDS))
        cells = " | ".join(f"{1000 * value / count:.2f}" for value in stages.values())
        rest = sum(stages.values()) - stages["prove"]
        print(f"| {platform} | {count} | {cells} | {stages['prove'] / rest:.0%} |")


if __name__ == "__main__":
    main()

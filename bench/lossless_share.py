"""Measures what the lossless work costs in a compile: CPU seconds and parts of the whole.

usage: lossless_share.py [GPUS]
One process per platform: a three-tier backend goes from its texts to the text of every file and is
read back; planning, each check of the lossless class and the read-back are timed on their way.
"""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))
sys.path.insert(0, str(HERE))

if TYPE_CHECKING:
    from collections.abc import Callable

GPUS = 24_000  # 1,016 switches
CHECKS_OF_IT = ("deadlock", "queues", "polarisation", "flows", "packet-order")


def measure(gpus: int, platform: str) -> str:
    """Compile once with the clock beside what is asked about; return a row of the table."""
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    import sites

    import fabricgen.compile.design.lossless as planning
    import fabricgen.prove.qos.verify as reading
    from fabricgen.api.proof import Bench
    from fabricgen.compile import compiler
    from fabricgen.compile.checks.registry import CHECKS
    from fabricgen.intent.load import load_texts

    spent: Counter[str] = Counter()

    def timed(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def clocked(*args: Any, **kwargs: Any) -> Any:
            begun = time.process_time()
            try:
                return call(*args, **kwargs)
            finally:
                spent[name] += time.process_time() - begun

        return clocked

    planning.plan_lossless = timed("planned", planning.plan_lossless)
    for check in CHECKS:
        if check.name in CHECKS_OF_IT:
            for word in ("see", "result"):
                setattr(check, word, timed("checked", getattr(check, word)))
    for word in ("judge", "take", "result"):
        setattr(reading.Readback, word, timed("read back", getattr(reading.Readback, word)))
    begun = time.process_time()
    made = compiler.compile_site(load_texts(sites.backend(gpus, platform)))
    assert made.site is not None
    bench = Bench(made.site)
    owners = bench.owners()
    for owner in owners:
        bench.take(bench.proven(bench.cutter.cut(owner))[1])
    bench.insist()
    whole = time.process_time() - begun
    parts = [f"{spent[word]:.2f}" for word in ("planned", "checked", "read back")]
    cells = (
        platform,
        f"{len(owners):,}",
        f"{whole:.2f}",
        *parts,
        f"{sum(spent.values()) / whole:.0%}",
    )
    return "| " + " | ".join(cells) + " |"


def main() -> None:
    """Print the table."""
    from fabricgen.nos.registry import OURS

    gpus = sys.argv[1] if len(sys.argv) > 1 else str(GPUS)
    print("| platform | switches and servers | all CPU s | planned | checked | read back | share |")
    print("|--|--:|--:|--:|--:|--:|--:|")
    for platform in OURS:
        words = [sys.executable, __file__, gpus, platform]
        print(subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip())


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(measure(int(sys.argv[1]), sys.argv[2]))
    else:
        main()

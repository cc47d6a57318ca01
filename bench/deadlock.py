"""Measures the deadlock proof, each case in a fresh process; prints CPU seconds and memory.

usage: deadlock.py [GPUS ...]
A case is a designed three-tier site, or the same with one leaf that sends routes from above up
again (`broken`): then the routes are simulated instead. The share is of the time of all checks.
"""

from __future__ import annotations

import gc
import json
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "src"))
sys.path.insert(0, str(HERE))

if TYPE_CHECKING:
    from fabricgen.compile.checks.registry import Check
    from fabricgen.model.fabric.switch import Site, SwitchSlice

SIZES = (1_024, 100_000)
COLUMNS = ("case", "switches", "links", "examined", "deadlock CPU s", "of all checks", "peak MiB")


def designed(gpus: int) -> Site:
    """Design a three-tier site."""
    import sites

    from fabricgen.compile.design.site import design_site
    from fabricgen.intent.load import load_texts

    loaded = load_texts(sites.backend(gpus, "sonic"))
    assert loaded.intent is not None
    return design_site(loaded.intent)[0]


def leaky(switch_slice: SwitchSlice) -> SwitchSlice:
    """Take the policy off a switch."""
    return replace(
        switch_slice, sessions=tuple(replace(s, valley_free=False) for s in switch_slice.sessions)
    )


def measure(gpus: int, *, broken: bool) -> dict[str, Any]:
    """Run all checks over one site, and time each call; slices are cut beside the clock."""
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    from fabricgen.compile.checks.registry import CHECKS
    from fabricgen.compile.compiler import slices

    site = designed(gpus)
    shape = site.fabrics[0].topology
    checks = [kind(site) for kind in CHECKS]
    spent = dict.fromkeys((check.name for check in checks), 0.0)
    first = next(switch.name for switch in shape.switches if switch.is_leaf)
    for fabric, cut in slices(site):
        switch_slice = leaky(cut) if broken and cut.switch.name == first else cut
        for check in checks:
            begun = time.process_time()
            check.see(fabric, switch_slice)
            spent[check.name] += time.process_time() - begun
    results = {check.name: _result(check, spent) for check in checks}
    return {
        "case": f"{gpus:,} GPUs{', broken' if broken else ''}",
        "switches": f"{len(shape.switches):,}",
        "links": f"{len(shape.links):,}",
        "examined": f"{results['deadlock'].objects:,}",
        "deadlock CPU s": f"{spent['deadlock']:.2f}",
        "of all checks": f"{spent['deadlock'] / sum(spent.values()):.0%}",
        "peak MiB": f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f}",
        "said": [finding.message for finding in results["deadlock"].findings],
    }


def _result(check: Check, spent: dict[str, float]) -> Any:
    begun = time.process_time()
    made = check.result()
    spent[check.name] += time.process_time() - begun
    return made


def table(sizes: list[int]) -> None:
    """Print one row a case, and below it what the check said."""
    print(*(f"{name:>16}" for name in COLUMNS))
    for gpus in sizes:
        for word in ("designed", "broken"):
            done = subprocess.run(
                [sys.executable, __file__, "--case", str(gpus), word],
                check=True,
                capture_output=True,
                text=True,
            )
            row = json.loads(done.stdout)
            print(*(f"{row[name]:>16}" for name in COLUMNS))
            print("   ", "; ".join(row["said"]) or "proven")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--case"]:
        print(json.dumps(measure(int(sys.argv[2]), broken=sys.argv[3] == "broken")))
    else:
        table([int(word) for word in sys.argv[1:]] or list(SIZES))

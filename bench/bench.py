"""Measures the compiler, each case in a fresh process; writes build/bench.json and prints tables.

usage: bench.py [--quick] [--repeat N] [--pyavd PYTHON]
PYTHON is an interpreter that has pyavd: the peer is then measured in the same run. CPU seconds are
the figure to compare (the best of N runs); wall time depends on what else the machine does.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PEER_LEAFS = 128
GROWTH = (128, 256, 512, 1024)
GPUS = 100_000


def run(python: str, script: str, *words: str, repeat: int) -> dict[str, Any]:
    """Run one case `repeat` times, each in its own process; return the run with the least CPU."""
    results = []
    for _ in range(repeat):
        done = subprocess.run(
            [python, str(HERE / script), *words], capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{script} {' '.join(words)} failed:\n{done.stderr[-2000:]}")
        results.append(json.loads(done.stdout.splitlines()[-1]))
    best: dict[str, Any] = min(results, key=lambda result: result["cpu"])
    print(f"  {best['case']}: {best['cpu']:.2f} CPU s", file=sys.stderr)
    return best


def machine() -> dict[str, Any]:
    """Say what was measured on."""
    model = next(
        (
            line.split(":")[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.processor(),
    )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "load": os.getloadavg()[0],
    }


def row(result: dict[str, Any]) -> str:
    """One line of the table."""
    each = 1000 * result["cpu"] / result["switches"]
    return (
        f"| {result['case']} | {result['switches']:,} | {result['lines']:,} | "
        f"{result['bytes'] / 1e6:.1f} | {result['cpu']:.2f} | {each:.2f} | "
        f"{result['wall']:.1f} | {result['peak_rss_mib']:.0f} |"
    )


def growth(results: list[dict[str, Any]]) -> float:
    """Return the exponent of CPU over switches, imports apart, from the smallest to the largest."""
    first, last = results[0], results[-1]
    return math.log(pipeline(last) / pipeline(first)) / math.log(
        last["switches"] / first["switches"]
    )


def main() -> None:
    """Measure and print."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--quick", action="store_true", help="leave out the large cases")
    words.add_argument("--repeat", type=int, default=3)
    words.add_argument("--pyavd", metavar="PYTHON", help="an interpreter that has pyavd")
    asked = words.parse_args()
    ours = run(sys.executable, "measure.py", "evpn", str(PEER_LEAFS), repeat=asked.repeat)
    results = [ours]
    peer = (
        run(asked.pyavd, "peer_pyavd.py", str(PEER_LEAFS), repeat=asked.repeat)
        if asked.pyavd
        else None
    )
    sizes = GROWTH[:2] if asked.quick else GROWTH
    pods = [
        run(sys.executable, "measure.py", "evpn-pods", str(leafs), repeat=asked.repeat)
        for leafs in sizes
    ]
    results += pods
    if not asked.quick:
        results += [
            run(sys.executable, "measure.py", "backend", str(GPUS), name, repeat=1)
            for name in ("eos", "sonic", "linux")
        ]
    changed = run(sys.executable, "measure.py", "tenant", str(PEER_LEAFS), repeat=asked.repeat)
    report = {
        "format_version": 1,
        "machine": machine(),
        "results": results,
        "peer": peer,
        "tenant": changed,
        "exponent": growth(pods),
    }
    target = HERE.parent / "build" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(report, indent=1) + "\n")
    show(report, ours, peer)


def show(report: dict[str, Any], ours: dict[str, Any], peer: dict[str, Any] | None) -> None:
    """Print the tables as Markdown."""
    print(f"machine: {report['machine']}\n")
    print("| case | switches | lines | MB | CPU s | CPU ms/switch | wall s | peak RSS MiB |")
    print("|--|--|--|--|--|--|--|--|")
    for result in [*report["results"], *([peer] if peer else [])]:
        print(row(result))
    print("\n| stage of " + ours["case"] + " | CPU s |\n|--|--|")
    for stage, used in ours["stages"].items():
        print(f"| {stage} | {used['cpu']:.3f} |")
    print(f"\ngrowth from {GROWTH[0]} leafs: exponent {report['exponent']:.2f}")
    changed = report["tenant"]
    print(
        f"one tenant on 4 leafs changed: {changed['rendered']} of {changed['switches']} switches "
        f"rendered again, {changed['stages']['again']['cpu']:.2f} CPU s after "
        f"{changed['stages']['first']['cpu']:.2f} (both with design, checks and writing)"
    )
    if peer:
        print(
            f"CPU per switch: pyavd / fabricgen = {peer['cpu'] / ours['cpu']:.1f} "
            "(whole processes, imports included), "
            f"{peer['pipeline_cpu'] / pipeline(ours):.1f} (pipelines, imports excluded); "
            f"bytes {ours['bytes'] / peer['bytes']:.2f} : 1"
        )


def pipeline(result: dict[str, Any]) -> float:
    """CPU of a case without starting Python and importing."""
    return float(result["cpu"] - result["stages"]["import"]["cpu"])


if __name__ == "__main__":
    main()

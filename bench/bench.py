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
PEER_LEAFS = 128, 512
GROWTH = (128, 256, 512, 1024)
VERBS = ("evpn 128", "evpn-pods 512", "backend 100000", "mixed 100000")
GPUS = 100_000


def run(python: str, script: str, *words: str, repeat: int) -> dict[str, Any]:
    """Run one case `repeat` times, each in its own process; return the run with the least CPU."""
    results = [once(python, script, *words) for _ in range(repeat)]
    best: dict[str, Any] = min(results, key=lambda result: result["cpu"])
    print(f"  {best['case']}: {best['cpu']:.2f} CPU s", file=sys.stderr)
    return best


def once(python: str, script: str, *words: str) -> dict[str, Any]:
    """Run a script that prints one line of JSON; Python may keep what it compiled, as installed."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(
        [python, str(HERE / script), *words],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{script} {' '.join(words)} failed:\n{done.stderr[-2000:]}")
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


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
    """One line of the table; what servers cost is no part of what a switch costs."""
    each = 1000 * of_switches(result) / result["switches"]
    return (
        f"| {result['case']} | {result['switches']:,} | {result.get('servers', 0):,} | "
        f"{result['lines']:,} | "
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
    ours = run(sys.executable, "measure.py", "evpn", str(PEER_LEAFS[0]), repeat=asked.repeat)
    results = [ours]
    peers = [
        run(asked.pyavd, "peer_pyavd.py", str(leafs), repeat=asked.repeat)
        for leafs in (PEER_LEAFS if asked.pyavd else ())[: 1 if asked.quick else None]
    ]
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
    verbs = [
        once(sys.executable, "verb.py", *case.split())
        for case in VERBS[: 1 if asked.quick else None]
    ]
    verbs.append(once(sys.executable, "verb.py", "help"))
    report = {
        "format_version": 1,
        "machine": machine(),
        "results": results,
        "peers": peers,
        "verbs": verbs,
        "exponent": growth(pods),
    }
    target = HERE.parent / "build" / "bench.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text(json.dumps(report, indent=1) + "\n")
    show(report, ours)


def show(report: dict[str, Any], ours: dict[str, Any]) -> None:
    """Print the tables as Markdown."""
    print(f"machine: {report['machine']}\n")
    print(
        "| case | switches | servers | lines | MB | CPU s | CPU ms/switch | wall s | peak RSS MiB |"
    )
    print("|--|--:|--:|--:|--:|--:|--:|--:|--:|")
    for result in [*report["results"], *report["peers"]]:
        print(row(result))
    print("\n| stage of " + ours["case"] + " | CPU s |\n|--|--|")
    for stage, used in ours["stages"].items():
        print(f"| {stage} | {used['cpu']:.3f} |")
    print(f"\ngrowth from {GROWTH[0]} leafs: exponent {report['exponent']:.2f}")
    print("\n| as a user sees it | step | CPU s | wall s |\n|--|--|--:|--:|")
    for verb in report["verbs"]:
        for step, used in verb["steps"].items():
            print(f"| {verb['case']} | {step} | {used['cpu']:.2f} | {used['wall']:.2f} |")
    for peer in report["peers"]:
        beside(report, peer)


def beside(report: dict[str, Any], peer: dict[str, Any]) -> None:
    """Print how a peer compares with the case of as many leafs, per switch."""
    leafs = peer["case"].split()[1]
    mine = next(r for r in report["results"] if r["case"].split()[1] == leafs)
    verb = next((v for v in report["verbs"] if v["case"] == mine["case"]), None)
    shares = {
        "whole processes": (peer["cpu"], of_switches(mine)),
        "pipelines": (peer["pipeline_cpu"], pipeline(mine)),
        "`render`": (peer["cpu"], verb["steps"]["first"]["cpu"] if verb else math.inf),
    }
    for name, (theirs, own) in shares.items():
        ratio = theirs / peer["switches"] / (own / mine["switches"])
        print(f"CPU per switch at {leafs} leafs, pyavd / fabricgen, {name}: {ratio:.1f}")


def pipeline(result: dict[str, Any]) -> float:
    """CPU of a case without starting Python, importing, and the files of servers."""
    return float(of_switches(result) - result["stages"]["import"]["cpu"])


def of_switches(result: dict[str, Any]) -> float:
    """CPU of a case without the files of servers, which no peer makes."""
    servers = result.get("stages", {}).get("servers", {"cpu": 0.0})
    return float(result["cpu"] - servers["cpu"])


if __name__ == "__main__":
    main()

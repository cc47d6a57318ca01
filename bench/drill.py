"""A change of a running lab's intent, pushed under traffic: what each pair of servers lost.

Every ordered pair of servers that reach each other sends 10 packets a second, by the lab's own
flows, for as long as the push takes. All lost packets are counted, bridged and routed pairs apart,
and the longest gaps stand beside what the push said when.

usage: python -m bench.drill CHANGED-SITE LAB SECONDS [WORDS OF PUSH]
SECONDS: of traffic, more than the push takes.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fabricgen.cli.lab.terminal import compiled_lab
from fabricgen.lab.client import LabClient
from fabricgen.lab.place import Place
from fabricgen.lab.traffic.bench import Bench

RATE, SIZE = 10, 200  # packets a second, bytes
HEAD = 3.0  # seconds of traffic before the push
LONGEST = 12  # gaps that are told


def drill(site: str, lab: str, seconds: int, words: list[str]) -> int:
    """Push, and say what was lost; the exit code is that of the push."""
    place = Place.of(lab)
    bench = Bench(LabClient(place.socket), *compiled_lab(place))
    pairs = [pair for pair in bench.pairs if pair.routers is not None]
    flows = [
        {"pair": (pair.source, pair.target), "size": SIZE, "tos": 0, "rate": RATE} for pair in pairs
    ]
    with ThreadPoolExecutor(1) as pool, tempfile.TemporaryDirectory() as folder:
        traffic = pool.submit(bench.probe, "flows", flows=flows, seconds=seconds)
        time.sleep(HEAD)
        begun = time.monotonic()
        command = (sys.executable, "-m", "fabricgen", "push", site, "--lab", lab, *words)
        journal = str(Path(folder) / "journal.db")
        push = subprocess.Popen((*command, "--journal", journal), stdout=subprocess.PIPE, text=True)
        assert push.stdout is not None
        for line in push.stdout:
            if not line.startswith(" "):
                print(f"{HEAD + time.monotonic() - begun:6.0f} s  {line}", end="", flush=True)
        code, took = push.wait(), time.monotonic() - begun
        answer = traffic.result()
    print(f"push: exit code {code} after {took:.0f} s of {seconds}")
    for kind, routed in (("bridged", False), ("routed", True)):
        places = [place for place, pair in enumerate(pairs) if bool(pair.routers) == routed]
        print(f"{kind}: {_summary(answer, places)}")
    return code


def _summary(answer: dict[str, Any], places: list[int]) -> str:
    sent = sum(answer["sent"][place] for place in places)
    gaps = [(first / 1000, gap / 1000) for at in places for first, gap in answer["lost"][at]]
    if not gaps:
        return f"{len(places)} pairs, {sent} packets, none lost"
    lost = sum(round(gap * RATE) for _, gap in gaps)
    longest = sorted(gaps, key=lambda gap: -gap[1])[:LONGEST]
    told = ", ".join(f"{gap:.1f} s at {first:.0f} s" for first, gap in longest)
    return f"{len(places)} pairs, {sent} packets, {lost} lost; the longest gaps: {told}"


if __name__ == "__main__":
    sys.exit(drill(sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]))

"""A change of a running lab's intent, pushed under traffic: what each pair of servers lost.

Every ordered pair of servers that reach each other sends 10 packets a second, by the lab's own
flows, from before the push until some seconds after it. All lost packets are counted, bridged and
routed pairs apart, and the longest gaps stand beside what the push said when.

usage: python -m bench.drill CHANGED-SITE LAB [WORDS OF PUSH]
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from fabricgen.cli.lab.terminal import compiled_lab
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.place import Place
from fabricgen.operate.lab.traffic.bench import Bench

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

RATE = 10  # packets a second
HEAD, TAIL = 3.0, 10.0  # seconds of traffic before and after
LATE = 0.15  # seconds after which a packet is not sent any more: the sender stood still
LONGEST = 6  # gaps that are told
MOST = 3600  # seconds of traffic, should nobody end it

Pairs = list[tuple[int, int]]
"""Numbers of endpoints in the lab's plan: who sends, who hears."""


@dataclass
class Traffic:
    """Steady flows of some pairs while something else happens. size: bytes with the IP header."""

    client: LabClient
    pairs: Pairs
    size: int = 200
    begun: float = 0
    phases: list[tuple[float, str]] = field(default_factory=list)
    answer: dict[str, Any] = field(default_factory=dict)

    def __enter__(self) -> Self:
        """Begin; the first seconds are over then."""
        flows = [{"pair": pair, "size": self.size, "tos": 0, "rate": RATE} for pair in self.pairs]
        ask = {"kind": "flows", "flows": flows, "seconds": MOST, "late": LATE}
        self._pool = ThreadPoolExecutor(1)
        self.begun = time.monotonic()
        self._sent: Future[Any] = self._pool.submit(self.client.call, "probe", ask=ask)
        time.sleep(HEAD)
        return self

    def __exit__(self, *_: object) -> None:
        """Go on for some seconds, end, and keep what was lost."""
        time.sleep(TAIL)
        self.client.call("enough")
        with self._pool:
            self.answer = self._sent.result()

    def say(self, line: str) -> None:
        """Print a line beside the second of the traffic in which it is said."""
        print(f"{time.monotonic() - self.begun:6.0f} s  {line.rstrip()}", flush=True)

    def phase(self, name: str) -> None:
        """Begin what losses are told under from now on."""
        self.phases.append((time.monotonic() - self.begun, name))

    def by_phase(self, places: Sequence[int]) -> str:
        """Say how many packets of some pairs were lost in each phase, by when they were due."""
        lost = Counter({name: 0 for _, name in self.phases})
        for first, gap in (run for at in places for run in self.answer["lost"][at]):
            name = [name for begun, name in self.phases if begun <= first / 1000][-1:]
            lost[name[0] if name else "before"] += round(gap / 1000 * RATE)
        return ", ".join(f"{name} {count}" for name, count in lost.items())

    def lost(self, places: Sequence[int]) -> str:
        """Say what was lost of the pairs at some places of the list."""
        sent = sum(self.answer["sent"][place] for place in places)
        gaps = [
            (first / 1000, gap / 1000) for at in places for first, gap in self.answer["lost"][at]
        ]
        count = sum(round(gap * RATE) for _, gap in gaps)
        longest = sorted(gaps, key=lambda gap: -gap[1])[:LONGEST]
        told = ", ".join(f"{gap:.1f} s at {first:.0f} s" for first, gap in longest)
        ends = f"; the longest gaps: {told}" if gaps else ""
        return f"{len(places)} pairs, {count} of {sent} packets lost{ends}"


def push(site: Path, lab: str, words: Sequence[str], traffic: Traffic) -> int:
    """Push a changed intent, say when it says what, and return its exit code."""
    with tempfile.TemporaryDirectory() as folder:
        journal = ("--journal", str(Path(folder) / "journal.db"))
        return verb(("push", str(site), *words, "--lab", lab, "--yes", *journal), traffic)


def verb(words: Sequence[str], traffic: Traffic) -> int:
    """Call fabricgen, say when it says what, and return its exit code."""
    called = subprocess.Popen(
        (sys.executable, "-um", "fabricgen", *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert called.stdout is not None
    for line in called.stdout:
        if line.strip() and not line.startswith((" ", "warning")):
            traffic.say(line)
    code = called.wait()
    traffic.say(f"{words[0]}: exit code {code}")
    return code


def tell(traffic: Traffic, groups: Mapping[str, Sequence[int]]) -> None:
    """Print what each group of pairs lost."""
    for name, places in groups.items():
        if places:
            print(f"{name}: {traffic.lost(places)}")
            if traffic.phases:
                print(f"  by phase: {traffic.by_phase(places)}")
    if still := [length / 1000 for _, length in traffic.answer["stood"]]:
        print(f"the sender stood still for {sum(still):.1f} s in all, {max(still):.1f} s at most")


def drill(site: Path, lab: str, words: Sequence[str]) -> int:
    """Push to a lab that is up, and say what was lost; the exit code is that of the push."""
    place = Place.of(lab)
    bench = Bench(LabClient(place.socket), *compiled_lab(place))
    pairs = [pair for pair in bench.pairs if pair.routers is not None]
    with Traffic(bench.client, [(pair.source, pair.target) for pair in pairs]) as traffic:
        code = push(site, lab, words, traffic)
    bridged = [at for at, pair in enumerate(pairs) if pair.routers == 0]
    tell(traffic, {"bridged": bridged, "routed": [*{*range(len(pairs))} - {*bridged}]})
    return code


if __name__ == "__main__":
    sys.exit(drill(Path(sys.argv[1]), sys.argv[2], sys.argv[3:]))

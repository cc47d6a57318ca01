"""One case in a fresh process: a site in, one JSON line of CPU, wall and memory by stage out.

usage: measure.py evpn LEAFS | evpn-pods LEAFS | backend GPUS PLATFORM
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))


class Clock:
    """CPU and wall seconds per stage."""

    def __init__(self) -> None:
        """Start at process start, so that the interpreter and imports count as well."""
        self.stages: dict[str, dict[str, float]] = {}
        self.cpu, self.wall = 0.0, time.perf_counter()

    def lap(self, stage: str) -> None:
        """Close a stage."""
        cpu, wall = time.process_time(), time.perf_counter()
        self.stages[stage] = {"cpu": cpu - self.cpu, "wall": wall - self.wall}
        self.cpu, self.wall = cpu, wall


def main(arguments: list[str]) -> None:
    """Measure one case."""
    clock = Clock()
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    import sites

    from fabricgen.compile.compiler import Checking, Cutter, designed, files_of
    from fabricgen.compile.render import Renderer
    from fabricgen.intent.load import load_texts
    from fabricgen.model.fabric.switch import SwitchSlice
    from fabricgen.model.fabric.topology import Switch

    kind, size = arguments[0], int(arguments[1])
    clock.lap("import")
    texts = (
        sites.backend(size, arguments[2])
        if kind == "backend"
        else sites.evpn(size, pods=kind == "evpn-pods")
    )
    loaded = load_texts(texts)
    clock.lap("load")
    design = designed(loaded)
    assert design.ok, design.findings
    assert design.site is not None
    clock.lap("design")
    counted = {"switches": 0, "servers": 0, "files": 0, "lines": 0, "bytes": 0}
    checking, cutter, renderer = Checking(design), Cutter(design.site), Renderer()
    kind_of_owner = "switches"
    for owner in cutter.owners():
        if kind_of_owner == "switches" and not isinstance(owner, Switch):
            clock.lap("switches")
            kind_of_owner = "servers"
        switch_slice = cutter.cut(owner)
        if isinstance(switch_slice, SwitchSlice):
            checking.see(switch_slice)
        counted[kind_of_owner] += 1
        for file in files_of(switch_slice, renderer):
            counted["files"] += 1
            counted["lines"] += file.text.count("\n")
            counted["bytes"] += len(file.text)
    clock.lap(kind_of_owner)
    made = checking.compiled()
    assert made.ok, made.findings
    clock.lap("checks of the site")
    ports = sum(
        len(switch.ports) for fabric in design.site.fabrics for switch in fabric.topology.switches
    )
    report(arguments, clock, {**counted, "ports": ports})


def report(arguments: list[str], clock: Clock, counted: dict[str, int]) -> None:
    """Print the result as one line of JSON."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = clock.stages.values()
    print(
        json.dumps(
            {
                "case": " ".join(arguments),
                **counted,
                "cpu": sum(stage["cpu"] for stage in used),
                "wall": sum(stage["wall"] for stage in used),
                "peak_rss_mib": usage.ru_maxrss / 1024,
                "stages": clock.stages,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])

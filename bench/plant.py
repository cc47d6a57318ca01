"""The physical plan beside the compile of its configurations, in one process; prints their ratio.

usage: plant.py GPUS [PLATFORM]
A three-tier backend in racks: four servers in each, switches in racks of their own. CPU seconds.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "src"))
sys.path.insert(0, str(Path(__file__).resolve().parent))

import sites
import yaml

from fabricgen.compile.compiler import Checking, Cutter, designed, files_of
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.cables import cables
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.plan import plan_files

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site

PER_RACK, PER_ROW = 16, 80
"""Switches of a rack of the network; racks of a row: in fewer rows optics reach every end."""


def racked(gpus: int, platform: str) -> dict[str, str]:
    """Return the backend of the other benchmarks with its servers as a kind, in racks."""
    texts = sites.backend(gpus, platform)
    words: dict[str, Any] = yaml.safe_load(texts["backend.yaml"])
    del words["backend"]["servers"]
    rdma = {"fabric": "backend", "speed": "400G", "nic": "connectx-7"}
    servers = {"count": gpus // 8, "gpus": 8, "height": 8, "ports": {"rdma": rdma}}
    texts["backend.yaml"] = yaml.safe_dump(words)
    texts["servers.yaml"] = yaml.safe_dump({"servers": {"gpu": servers}})
    site = designed(load_texts(texts)).site
    assert site is not None
    names = [switch.name for fabric in site.fabrics for switch in fabric.topology.switches]
    texts["racks.yaml"] = yaml.safe_dump({"racks": racks(gpus // 32, names)})
    return texts


def racks(compute: int, names: list[str]) -> dict[str, Any]:
    """Return the racks: those of servers, and one type for each rack of switches."""
    rows = -(-compute // PER_ROW)
    held = {"servers": "gpu", "count": 4}
    found: dict[str, Any] = {"gpu": {"count": compute, "per_row": PER_ROW, "contents": [held]}}
    for number, first in enumerate(range(0, len(names), PER_RACK)):
        contents = [{"switches": name} for name in names[first : first + PER_RACK]]
        place = {"row": rows + 1 + number // PER_ROW, "position": 1 + number % PER_ROW}
        found[f"net{number}"] = {**place, "contents": contents}
    return found


def compiled(texts: dict[str, str]) -> Site:
    """Compile as `fabricgen render` does, and drop the files."""
    design = designed(load_texts(texts))
    assert design.site is not None, design.findings
    assert design.ok, design.findings
    checking, cutter, renderer = Checking(design), Cutter(design.site), Renderer()
    for owner in cutter.owners():
        switch_slice = cutter.cut(owner)
        if isinstance(switch_slice, SwitchSlice):
            checking.see(switch_slice)
        files_of(switch_slice, renderer)
    made = checking.compiled()
    assert made.ok, made.findings
    return design.site


def main(arguments: list[str]) -> None:
    """Measure one size; print one line of JSON."""
    gc.set_threshold(500_000, 50, 100)  # as the command line does
    gpus, platform = int(arguments[0]), (arguments[1:] or ["sonic"])[0]
    texts = racked(gpus, platform)
    start = time.process_time()
    site = compiled(texts)
    between = time.process_time()
    laid = list(cables(site))
    after = time.process_time()
    plan = Plan.of(site, laid)
    used: dict[str, float] = {}
    size = 0
    last = time.process_time()
    patched = last - after
    for file in plan_files(plan):
        size += len(file.text)
        now = time.process_time()
        name = file.path.partition("/")[0]
        used[name], last = round(used.get(name, 0) + now - last, 4), now
    compiling, planning = between - start, last - between
    report = {
        "gpus": gpus,
        "cables": len(laid),
        "compile": round(compiling, 2),
        "plan": round(planning, 2),
        "ratio": round(planning / compiling, 3),
        "laid": round(after - between, 2),
        "patched": round(patched, 2),
        "files": used,
        "plan_mb": round(size / 1e6, 1),
        "peak_rss_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main(sys.argv[1:])

"""One case in a fresh process: a site in, one JSON line of CPU, wall and memory by stage out.

usage: measure.py evpn LEAFS | evpn-pods LEAFS | backend GPUS PLATFORM | tenant LEAFS
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
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
    import sites

    from fabricgen.compiler import compile_site, files
    from fabricgen.intent.load import load_texts
    from fabricgen.output.tree import write_tree
    from fabricgen.render import Renderer

    clock.lap("import")
    kind, size = arguments[0], int(arguments[1])
    texts = (
        sites.backend(size, arguments[2])
        if kind == "backend"
        else sites.evpn(size, pods=kind == "evpn-pods")
    )
    loaded = load_texts(texts)
    clock.lap("load")
    made = compile_site(loaded)
    clock.lap("design and check")
    assert made.ok, made.findings
    assert made.site is not None
    counted = {"switches": 0, "files": 0, "lines": 0, "bytes": 0}

    def counting():  # noqa: ANN202 - a generator of files
        for _, group in files(made.site, renderer):
            counted["switches"] += 1
            for file in group:
                counted["files"] += 1
                counted["lines"] += file.text.count("\n")
                counted["bytes"] += len(file.text)
                yield file

    renderer = Renderer()
    for _ in counting():
        pass
    clock.lap("render")
    with tempfile.TemporaryDirectory() as folder:
        if kind != "backend":
            write_tree(Path(folder) / "out", "bench", counting())
            clock.lap("render again and write")
            for key in counted:
                counted[key] //= 2
    once = ("import", "load", "design and check", "render")
    usage = resource.getrusage(resource.RUSAGE_SELF)
    ports = sum(
        len(switch.ports) for fabric in made.site.fabrics for switch in fabric.topology.switches
    )
    print(
        json.dumps(
            {
                "case": " ".join(arguments),
                **counted,
                "ports": ports,
                "cpu": sum(clock.stages[stage]["cpu"] for stage in once),
                "wall": sum(clock.stages[stage]["wall"] for stage in once),
                "peak_rss_mib": usage.ru_maxrss / 1024,
                "stages": clock.stages,
            }
        )
    )


if __name__ == "__main__":
    main(sys.argv[1:])

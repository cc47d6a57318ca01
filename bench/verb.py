"""`fabricgen render` as a person runs it, in child processes; one JSON line of CPU and wall out.

usage: verb.py evpn|evpn-pods LEAFS | backend GPUS | mixed GPUS | help
Each case: rendered for the first time by one process, the same again, with one tenant changed, and
anew with as many processes as there are cores. mixed: the backend beside a frontend of 128 leafs.
CPU is that of all processes; what Python compiled before is kept, as in an installed package.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import sites

ROOT = Path(__file__).resolve().parents[1]
FABRICGEN = [sys.executable, "-m", "fabricgen"]


def timed(command: list[str]) -> dict[str, float]:
    """Run a command to its end; return the CPU of all its processes, and how long it took."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "cpu": after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime,
        "wall": time.perf_counter() - started,
    }


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write a site."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)


def texts_of(kind: str, size: int, vlan: int) -> dict[str, str]:
    """Return a site, with a tenant on four leafs whose VLAN id is given where it has a frontend."""
    if kind == "backend":
        return sites.backend(size, "eos")
    if kind == "mixed":
        return sites.mixed(size, vlan)
    return sites.with_local_tenant(size, vlan, pods="pods" in kind)


def rendered(kind: str, size: int) -> dict[str, dict[str, float]]:
    """Return the costs of every step."""
    steps: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-") as work:
        site, out = Path(work) / "site", Path(work) / "out"
        render = [*FABRICGEN, "render", str(site), "-o"]
        timed([*FABRICGEN, "render", "--help"])
        write(site, texts_of(kind, size, 900))
        steps["first"] = timed([*render, str(out), "--jobs", "1"])
        steps["same again"] = timed([*render, str(out), "--jobs", "1"])
        if kind != "backend":
            write(site, texts_of(kind, size, 901))
            steps["one tenant changed"] = timed([*render, str(out), "--jobs", "1"])
        steps["first, all cores"] = timed([*render, f"{out}-2"])
    return steps


def helped() -> dict[str, dict[str, float]]:
    """Return what `--help` costs, beside Python alone; the best of twenty."""
    alone, helping = [sys.executable, "-c", "pass"], [*FABRICGEN, "--help"]
    pairs = [(timed(alone), timed(helping)) for _ in range(20)]
    return {
        name: min((pair[place] for pair in pairs), key=lambda cost: cost["cpu"])
        for place, name in enumerate(("python", "--help"))
    }


if __name__ == "__main__":
    kind, *size = sys.argv[1:]
    steps = rendered(kind, int(size[0])) if size else helped()
    print(json.dumps({"case": " ".join(sys.argv[1:]), "steps": steps}))

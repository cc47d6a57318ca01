"""Measures the verbs as people type them, each in a process of its own.

usage: verbs.py [--write] [--limit SECONDS]
       verbs.py [--case NAME…] [--only WORD…] [--limit SECONDS]
       verbs.py [--write] --pyavd PYTHON
       verbs.py --small

CPU is that of the verb and all its workers. A verb that does not end within the limit is stopped
and reported. --write puts the tables into docs/evidence/performance.md, with commit and machine.
PYTHON is an interpreter that has pyavd: the peer is then measured beside `measure.py` alone.
--small runs the small cases of `make bench` once and prints one line of JSON, case → CPU seconds.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "bench"))

import sites  # noqa: E402 - found by the line above
from tables import (  # noqa: E402
    FAILURES,
    IMPORT,
    PAGE,
    RENDER,
    TWO,
    Usage,
    goals,
    insert,
    machine,
    table,
)

FABRICGEN = (sys.executable, "-m", "fabricgen")
TWELVE_LINES = {
    "site.yaml": """site: {name: pod1, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
  links: {speed: 100G}
  leaf_groups:
    web: {leafs: 1-4, servers: {per_leaf: 8, speed: 25G}}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {app: {id: 100, subnet: 10.1.0.0/24}}}}
    attachments:
      - {group: web, trunk: [app]}
"""
}

PEER_HEAD = (
    "| case | PyAVD | its switches | its CPU s | our switches | our CPU s | ratio for a switch |\n"
    "|--|--|--:|--:|--:|--:|--:|"
)


@dataclasses.dataclass(frozen=True, slots=True)
class Step:
    """One command of a case, and whether it may end with 1: an answer that is no."""

    name: str
    words: tuple[str, ...]
    answers: bool = False


@dataclasses.dataclass(frozen=True, slots=True)
class Case:
    """A site of a size, with the commands to measure on it."""

    name: str
    switches: int
    servers: int
    texts: Callable[[int], dict[str, str]]
    """The site after a number of edits."""
    edit: str = ""
    only: tuple[str, ...] = ()
    """Names of the only commands to measure; all but `import` if empty."""


def backend_case(gpus: int, switches: int) -> Case:
    """Return a three-tier backend on EOS, and with one server more."""

    def texts(edits: int) -> dict[str, str]:
        return sites.backend(gpus + 8 * edits, "eos")

    return Case(f"backend {gpus}", switches, gpus // 8, texts, "one server added")


def frontend_case(leafs: int, switches: int, *, pods: bool = False) -> Case:
    """Return an EVPN frontend, and with another VLAN id of one tenant."""

    def texts(edits: int) -> dict[str, str]:
        return sites.with_local_tenant(leafs, 900 + edits, pods=pods)

    name = f"evpn-pods {leafs}" if pods else f"evpn {leafs}"
    return Case(name, switches, leafs * sites.PORTS, texts, "one tenant changed")


def mixed_case(gpus: int, switches: int) -> Case:
    """Return a backend beside a frontend of 128 leafs, and with another VLAN id of one tenant."""

    def texts(edits: int) -> dict[str, str]:
        return sites.mixed(gpus, 900 + edits)

    return Case(f"mixed {gpus}", switches, gpus // 8 + 6144, texts, "one tenant changed")


def irregular_case(leafs: int, tenants: int) -> Case:
    """Return a frontend where each port is of a tenant by lot."""

    def texts(edits: int) -> dict[str, str]:
        return sites.scattered(leafs, tenants + edits)

    return Case(f"irregular {leafs}", leafs + 4, 0, texts, only=(FAILURES,))


def import_case(leafs: int) -> Case:
    """Return an EVPN frontend whose switches are imported."""

    def texts(edits: int) -> dict[str, str]:
        return sites.imported(leafs + edits)

    return Case(f"import {leafs}", leafs + 4, 0, texts, only=(RENDER, IMPORT))


CASES = (
    frontend_case(128, 132),
    frontend_case(512, 548, pods=True),
    backend_case(8192, 336),
    mixed_case(8192, 468),
    backend_case(100_000, 4192),
    irregular_case(200, 40),
    import_case(119),
)


def steps(case: Case, work: Path) -> Iterator[Step]:
    """Yield the commands of a case; its sites and trees are in a folder."""
    old, new, tree, fresh = (str(work / name) for name in ("old", "new", "tree", "fresh"))
    write(Path(old), case.texts(0))
    write(Path(new), case.texts(1))
    one = ("--jobs", "1")
    yield Step("check", ("check", old))
    yield Step(RENDER, ("render", old, "-o", tree, *one))
    yield Step("render, nothing changed", ("render", old, "-o", tree, *one))
    yield Step(f"render, {case.edit}", ("render", new, "-o", tree, *one))
    yield Step(TWO, ("render", old, "-o", fresh, "--jobs", "2"))
    yield Step(f"diff, {case.edit}", ("diff", old, new))
    yield Step(FAILURES, ("failures", old), answers=True)
    yield Step("reach --matrix", ("reach", old, "--matrix"), answers=True)
    yield Step("cabling", ("cabling", old, "-o", str(work / "cabling")))
    yield Step("model", ("model", old))
    yield Step("audit", ("audit", tree), answers=True)
    yield Step(IMPORT, ("import", f"{tree}/frontend", "-o", str(work / "imported")), answers=True)


def checks(work: Path) -> Iterator[Step]:
    """Yield the checks that people type first; the smallest site is in a folder."""
    twelve = work / "twelve"
    write(twelve, TWELVE_LINES)
    yield Step("check, 12 lines", ("check", str(twelve)))
    yield Step("check intent/full", ("check", str(ROOT / "intent" / "full")))


def write(folder: Path, texts: dict[str, str]) -> None:
    """Write a site."""
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text)


def use(step: Step, work: Path, *, limit: float = 900.0) -> Usage:
    """Run a command of this tree to its end, or until the limit of wall seconds.

    Args:
        step: The command.
        work: Folder for the cache of the user, so that runs do not share one.
        limit: Wall seconds after which the process group is stopped.
    """
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "src"),
        "XDG_CACHE_HOME": str(work / "cache"),
        "COLUMNS": "100",
    }
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    with (work / "errors").open("w+b") as errors:
        process = subprocess.Popen(
            [*FABRICGEN, *step.words],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            start_new_session=True,
        )
        timer = threading.Timer(limit, os.killpg, (process.pid, signal.SIGKILL))
        timer.start()
        _, status, used = os.wait4(process.pid, 0)
        timer.cancel()
        code = process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        if code not in {0, 2, -signal.SIGKILL, 1 if step.answers else 0}:
            said = errors.read().decode(errors="replace")[-2000:]
            sys.exit(f"fabricgen {' '.join(step.words)} ended with {code}:\n{said}")
    wall = time.perf_counter() - started
    return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, code >= 0)


# ------------------------------------------------------------------ small cases of `make bench`


def small() -> dict[str, float]:
    """Return the CPU seconds of small cases: stages in one process, and verbs."""
    found: dict[str, float] = {}
    for words in (("evpn", "48"), ("backend", "2048", "sonic")):
        for stage, used in script(sys.executable, "measure.py", *words)["stages"].items():
            found[f"{' '.join(words)}: {stage}"] = used["cpu"]
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-") as folder:
        work = Path(folder)
        small_frontend = [
            dataclasses.replace(step, name=f"evpn 12: {step.name}")
            for step in steps(frontend_case(12, 16), work)
            if step.name.startswith(("render", "diff", "failures", "audit"))
        ]
        for step in (
            Step("--help", ("--help",)),
            *checks(work),
            Step("reach intent/lab --matrix", ("reach", str(ROOT / "intent" / "lab"), "--matrix")),
            *small_frontend,
        ):
            found[step.name] = use(step, work).cpu
    return found


# ------------------------------------------------------------------ tables of the docs


def measured(case: Case, only: list[str], limit: float) -> dict[str, Usage]:
    """Return what each command of a case used."""
    found: dict[str, Usage] = {}
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-") as folder:
        work = Path(folder)
        for step in steps(case, work):
            if step.name not in case.only if case.only else step.name == IMPORT:
                continue
            if only and step.name != RENDER and not step.name.startswith(tuple(only)):
                continue
            used = found[step.name] = use(step, work, limit=limit)
            report(case.name, step.name, used)
    return found


def report(case: str, step: str, used: Usage) -> None:
    """Print what a command used."""
    print(
        f"{case}: {step}: {used.cpu:.2f} CPU s, {used.wall:.2f} s, {used.memory:.0f} MiB"
        f"{'' if used.ended else ', stopped at the limit'}",
        file=sys.stderr,
        flush=True,
    )


def starts(runs: int = 9) -> dict[str, Usage]:
    """Return the least use of a bare interpreter, and of the checks that people type first."""
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-") as folder:
        work = Path(folder)
        commands = list(checks(work))
        taken = [[use(step, work) for step in commands] for _ in range(runs)]
        bare = min(bare_start() for _ in range(runs))
    best = (min(used, key=attrgetter("cpu")) for used in zip(*taken, strict=True))
    names = (step.name for step in commands)
    return {"python": Usage(bare, bare, 0), **dict(zip(names, best, strict=True))}


def bare_start() -> float:
    """Return the CPU seconds of an interpreter that does nothing."""
    process = subprocess.Popen([sys.executable, "-c", "pass"])
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime


def beside_pyavd(python: str, leafs: int, kind: str, pairs: int = 2) -> str:
    """Return a row of the peer table: whole processes, switches only, runs taken in turns.

    Args:
        python: An interpreter that has pyavd.
        leafs: Number of leafs.
        kind: `evpn` or `evpn-pods`, the site of `measure.py`.
        pairs: Number of runs of each; the least CPU counts.
    """
    peers, own = [], []
    for _ in range(pairs):
        peers.append(script(python, "peer_pyavd.py", str(leafs)))
        own.append(script(sys.executable, "measure.py", kind, str(leafs)))
    peer = min(peers, key=lambda used: used["cpu"])
    mine = min(own, key=lambda used: used["cpu"] - used["stages"]["servers"]["cpu"])
    switches = mine["cpu"] - mine["stages"]["servers"]["cpu"]
    ratio = peer["cpu"] / peer["switches"] / (switches / mine["switches"])
    return (
        f"| {kind} {leafs} | {peer['version']} | {peer['switches']} | {peer['cpu']:.2f} "
        f"| {mine['switches']} | {switches:.3f} | {ratio:.0f} |"
    )


def script(python: str, name: str, *words: str) -> dict[str, Any]:
    """Run a script of this folder and return the JSON that it prints last."""
    command = [python, str(ROOT / "bench" / name), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Measure, print and, when told, write the page."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true")
    options.add_argument("--small", action="store_true")
    options.add_argument("--case", nargs="*", default=[], help="names of cases")
    options.add_argument("--only", nargs="*", default=[], help="first words of steps")
    options.add_argument("--pyavd", metavar="PYTHON")
    options.add_argument("--limit", type=float, default=300.0)
    asked = options.parse_args()
    if asked.small:
        print(json.dumps(small()))
        return
    if asked.pyavd:
        rows = [
            beside_pyavd(asked.pyavd, leafs, kind)
            for kind, leafs in (("evpn", 128), ("evpn-pods", 512))
        ]
        tables = {"pyavd": f"{PEER_HEAD}\n" + "\n".join(rows)}
    else:
        part = bool(asked.case or asked.only)
        if part and asked.write:
            options.error("--write replaces whole tables: measure all cases and commands")
        results = {
            case.name: measured(case, asked.only, asked.limit)
            for case in CASES
            if not asked.case or case.name in asked.case
        }
        if not part:
            results["start"] = starts()
        devices = {case.name: case.switches + case.servers for case in CASES}
        tables = {"verbs": table(results, devices, asked.limit), "goals": goals(results)}
    where = machine()
    for name, rows_of in tables.items():
        print(f"{where}\n\n{rows_of}\n")
        if asked.write:
            PAGE.write_text(insert(PAGE.read_text(), name, f"{where}\n\n{rows_of}"))


if __name__ == "__main__":
    main()

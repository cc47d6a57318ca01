"""512 switches with written answers at 50 ms: the time and memory of `verify` with all checks.

A STAND-IN fleet of 50 threads sleeps 50 ms for each look, and returns the answers of a switch from
its file. The answers are *written* by tests/written for EOS, so they are no recording. Another
process writes them first, so that only the work of `verify` is measured: to compile the site, to
expect, to parse, to compare, to run all checks, and to print.

usage: python -m bench.verify_scale [SWITCHES]
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from fabricgen.intent.load import Loaded

LATENCY, WORKERS = 0.05, 50  # seconds of one look, simultaneous looks
PLATFORM = "eos"


class Driver:
    """Returns the answers of one switch after the latency."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def read(self, _request: str) -> str:
        time.sleep(LATENCY)
        return self._place.read_text(encoding="utf-8")


class Fleet:
    """Asks the switches with some threads, as the fleet of a push does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def look(self, names: Collection[str], action: Callable[[Any, str], Any]) -> dict[str, Any]:
        def ask(name: str) -> Any:
            return SimpleNamespace(value=action(Driver(self._folder / name), name), said="")

        with ThreadPoolExecutor(WORKERS) as pool:
            return dict(zip(names, pool.map(ask, names), strict=True))

    def close(self, names: Collection[str]) -> None:
        """Close nothing."""


def loaded(switches: int) -> Loaded:
    """Return pods of 59 leafs and 4 spines, and 8 superspines: 8 pods are 512 switches."""
    from bench.sites import pods

    from fabricgen.intent.load import load_texts

    return load_texts(pods(max(1, (switches - 8) // 63)))


def write(switches: int, folder: Path) -> None:
    """Write the answers of each switch to a file."""
    from tests.written.eos.eapi import output
    from tests.written.eos.switches import written

    from fabricgen.compile.compiler import compile_site
    from fabricgen.nos.registry import reader_of
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.prove.verifier import expectations

    site = compile_site(loaded(switches), PLATFORM).site
    reader = reader_of(PLATFORM)
    assert site is not None
    assert reader is not None
    wanted = expectations(site, frozenset(targets_of(site)))
    for name, shown in written(site).items():
        answers = output(shown, reader.request(wanted[name].facts))
        (folder / name).write_text(answers, encoding="utf-8")


def run(switches: int, folder: Path) -> dict[str, object]:
    """Verify all switches, and return the figures."""
    from fabricgen.cli.formats.verify import as_json
    from fabricgen.compile.compiler import compile_site
    from fabricgen.intent.source import SourceMap
    from fabricgen.operate.deploy.targets import targets_of
    from fabricgen.operate.deploy.verify import verified
    from fabricgen.prove.catalogue.load import catalogue

    begun, spent = time.monotonic(), time.process_time()
    site = compile_site(loaded(switches), PLATFORM).site
    assert site is not None
    compiled = time.monotonic() - begun
    compiled_mib = _memory()
    targets = targets_of(site)
    ready = SimpleNamespace(site=site, targets=targets, there=targets, fleet=Fleet(folder))
    result = verified(cast("Any", ready), catalogue(), 0.0)
    checked = time.monotonic() - begun
    checked_mib = _memory()
    printed = len(as_json(result, SourceMap(), {}))
    return {
        "switches": len(result.results),
        "checks": len(catalogue()),
        "compile_s": round(compiled, 1),
        "checked_s": round(checked, 1),
        "all_s": round(time.monotonic() - begun, 1),
        "cpu_s": round(time.process_time() - spent, 1),
        "answers_mib": round(sum(each.stat().st_size for each in folder.iterdir()) / 2**20, 1),
        "compiled_mib": compiled_mib,
        "checked_mib": checked_mib,
        "most_mib": _memory(),
        "json_bytes": printed,
        "failed": sum(1 for each in result.every() if each.outcome == "failed"),
    }


def _memory() -> int:
    """Return the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main(switches: int, *words: str) -> None:
    """Write the answers in one process, verify in another one, and print one line of JSON."""
    if words:
        step, folder = words
        if step == "write":
            write(switches, Path(folder))
        else:
            sys.stdout.write(json.dumps(run(switches, Path(folder))) + "\n")
        return
    with tempfile.TemporaryDirectory() as place:
        for step in ("write", "run"):
            words = (sys.executable, "-m", "bench.verify_scale", str(switches), step, place)
            subprocess.run(words, check=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 512, *sys.argv[2:])

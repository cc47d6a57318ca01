"""Mutants in; what the related tests say of each out. Each worker has a copy of the tree."""

import importlib
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.mutants.child import run_tests
from tests.mutants.rooms import ROOT, stages
from tests.mutants.sample import Mutant, mutated

LIBRARIES = (
    *("pydantic", "yaml", "jinja2", "netaddr", "click", "rich.console", "rich.table"),
    *("hypothesis", "jsonschema", "xdist.scheduler", "sqlalchemy", "paramiko", "nornir.core"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """killer: the test that failed, or how its run ended; empty: the mutant survived."""

    mutant: Mutant
    killer: str
    stage: int
    cpu: float


@dataclass(slots=True)
class Copy:
    """A copy of the tree, in which one mutant stands at a time."""

    place: Path
    _clock: int = field(default=1_000_000_000)

    @contextmanager
    def holding(self, module: str, text: str) -> Iterator[None]:
        """Have a module say something else for a while."""
        original = (self.place / module).read_text(encoding="utf-8")
        self._write(module, text)
        try:
            yield
        finally:
            self._write(module, original)

    def _write(self, module: str, text: str) -> None:
        """Write a module; Python knows its bytecode by the file's time, so each has its own."""
        self._clock += 10
        (self.place / module).write_text(text, encoding="utf-8")
        os.utime(self.place / module, (self._clock, self._clock))


def copy_of(tree: Path, place: Path) -> Copy:
    """Copy the sources, tests and all else that the tests read; no caches, nothing built."""
    ignored = shutil.ignore_patterns(".*_cache", "__pycache__", ".git", ".venv", ".hypothesis")
    shutil.copytree(tree, place, symlinks=True, ignore=ignored)
    (place / ".venv").symlink_to((tree / ".venv").resolve())
    with suppress(OSError, subprocess.CalledProcessError):  # some tests ask git for files
        for command in (["init", "-q"], ["add", "-A"]):
            subprocess.run(["git", *command], cwd=place, check=True, capture_output=True)
    return Copy(place)


_COPY: Copy


def _begin(places: Path) -> None:
    """Prepare a worker: a copy of its own, and what every child would import anew."""
    global _COPY  # noqa: PLW0603 - a worker of a pool keeps what it has in its module
    end_runs_at_termination()
    _COPY = copy_of(ROOT, places / f"copy{os.getpid()}")
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)


def end_runs_at_termination() -> None:
    """Have this process end the run it waits for when a pool that stops early terminates it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))


def judge(mutant: Mutant, most: int) -> Verdict:
    """Run the tests of each stage, of so many at most, until one fails."""
    cpu = 0.0
    groups = stages(mutant.module)[:most]
    with _COPY.holding(mutant.module, mutated(mutant)):
        for stage, tests in enumerate(groups):
            outcome = run_tests(_COPY.place, tests)
            cpu += outcome.cpu
            if outcome.failed:
                return Verdict(mutant=mutant, killer=outcome.failed, stage=stage, cpu=cpu)
    return Verdict(mutant=mutant, killer="", stage=len(groups), cpu=cpu)


def verdicts(
    mutants: Iterable[Mutant], places: Path, *, workers: int, cpu: float, most: int
) -> Iterator[Verdict]:
    """Yield each mutant's verdict as it is known, until so many CPU seconds were used."""
    used = 0.0
    with multiprocessing.get_context("fork").Pool(workers, _begin, (places,)) as pool:
        for verdict in pool.imap_unordered(partial(judge, most=most), mutants):
            used += verdict.cpu
            yield verdict
            if used > cpu:
                return


def not_passing(tests: Iterable[str], places: Path) -> set[str]:
    """Return those of some tests that fail without any mutant: they killed nothing."""
    copy = copy_of(ROOT, places / "unmutated")
    left, failing = sorted(tests), set()
    while left and (failed := run_tests(copy.place, left).failed):
        failing.add(failed)
        if failed not in left:
            return failing | set(left)
        left.remove(failed)
    return failing

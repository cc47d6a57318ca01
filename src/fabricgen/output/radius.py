"""The tree that stands and each newly rendered switch in, how much the replacement hurts out."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.output.manifest import folder_of_file, read_manifest
from fabricgen.output.risks import changes_in
from fabricgen.tree.judge import worst

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from fabricgen.compiler import File, Job
    from fabricgen.tree.risk import Risk

LIMIT = 256
"""Switches and servers that are judged; `fabricgen diff` judges any number, and groups them."""


@dataclass(slots=True)
class Radius:
    """How many switches and servers change, by the worst that happens to each."""

    judged: Counter[Risk] = field(default_factory=Counter)
    more: int = 0  # that change, too, and were not judged

    def __str__(self) -> str:
        """Return `3 session-reset, 12 hitless`; nothing when nothing changed."""
        parts = [f"{self.judged[risk]} {risk.word}" for risk in sorted(self.judged, reverse=True)]
        return ", ".join([*parts, f"{self.more:,} more not judged"] if self.more else parts)

    def see(self, folder: str, before: dict[str, str], after: dict[str, str]) -> None:
        """Count one switch or server, if its files differ."""
        if before == after:
            return
        if self.judged.total() < LIMIT:
            self.judged[worst(changes_in(folder, before, after))] += 1
        else:
            self.more += 1


def weighed(target: Path, jobs: Iterable[Job], radius: Radius, *, whole: bool) -> Iterator[Job]:
    """Pass jobs through; one that is rendered is judged against the tree that stands.

    whole: what the tree has and the jobs do not will be gone.
    """
    manifest = read_manifest(target)
    if manifest is None:
        yield from jobs
        return
    standing: dict[str, list[str]] = defaultdict(list)
    for path in manifest.files:
        standing[folder_of_file(path)].append(path)
    for job in jobs:
        old = standing.pop(job.folder, [])
        yield replace(job, render=partial(_seen, target, old, job, radius))
    if whole:
        for folder, old in standing.items():
            radius.see(folder, _texts(target, folder, old), {})


def _seen(target: Path, old: list[str], job: Job, radius: Radius) -> list[File]:
    made = job.render()
    after = {file.path.removeprefix(f"{job.folder}/"): file.text for file in made}
    radius.see(job.folder, _texts(target, job.folder, old), after)
    return made


def _texts(target: Path, folder: str, paths: list[str]) -> dict[str, str]:
    return {path.removeprefix(f"{folder}/"): _text(target / path) for path in paths}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

"""A new tree beside the one that stands in, how much the replacement hurts out."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.output.manifest import folder_of_file
from fabricgen.output.risks import changes_in
from fabricgen.tree.judge import worst

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fabricgen.output.tree import Build
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


def radius_of(build: Build) -> Radius:
    """Judge every switch and server of which a file changed, came or went; none for a first tree.

    To be asked before the trees are swapped: both are read from disk.
    """
    radius = Radius()
    if not build.old.files:
        return radius
    touched = dict.fromkeys(map(folder_of_file, [*build.changed, *build.removed()]))
    before, after = _by_folder(build.old.files), _by_folder(build.files)
    for folder in list(touched)[:LIMIT]:
        old = _texts(folder, before[folder], build.target.joinpath)
        new = _texts(folder, after[folder], build.place_of)
        if old != new:
            radius.judged[worst(changes_in(folder, old, new))] += 1
    radius.more = max(0, len(touched) - LIMIT)
    return radius


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        groups[folder_of_file(path)].append(path)
    return groups


def _texts(folder: str, paths: list[str], place: Callable[[str], Path]) -> dict[str, str]:
    return {path.removeprefix(f"{folder}/"): _text(place(path)) for path in paths}


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

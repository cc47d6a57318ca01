"""A new tree beside the one that stands in, how much the replacement hurts out."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from fabricgen.compile.output.manifest import folder_of_file
from fabricgen.compile.output.risks import changes_in
from fabricgen.compile.output.tree import Build
from fabricgen.core.confined import Folder
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Risk

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
    with Folder(build.target) as stands, Folder(build.new) as made:
        for folder in list(touched)[:LIMIT]:
            old = {path: _text(stands, path) for path in before[folder]}
            new = {
                path: _text(made if path in build.changed else stands, path)
                for path in after[folder]
            }
            if old != new:
                judged = changes_in(folder, _inside(folder, old), _inside(folder, new))
                radius.judged[worst(judged)] += 1
    radius.more = max(0, len(touched) - LIMIT)
    return radius


def _by_folder(paths: Iterable[str]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        groups[folder_of_file(path)].append(path)
    return groups


def _inside(folder: str, texts: dict[str, str]) -> dict[str, str]:
    return {path.removeprefix(f"{folder}/"): text for path, text in texts.items()}


def _text(tree: Folder, path: str) -> str:
    try:
        return tree.read(path).decode(errors="replace")
    except OSError:
        return ""

"""Find risky changes of a configuration and the switches that they reach."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from fabricgen.compile.compiler import HOSTS
from fabricgen.compile.output.manifest import folder_of_file
from fabricgen.compile.output.server_files import complete, is_package
from fabricgen.compile.output.tree import Build
from fabricgen.core.confined import Folder
from fabricgen.core.record import record
from fabricgen.core.tree.judge import JOINED, judge, worst
from fabricgen.core.tree.risk import CAUTION, Change, Dialect, Kind, Risk, Rule
from fabricgen.core.tree.settings import script
from fabricgen.nos.hosts.risk import DIALECTS as HOST_DIALECTS
from fabricgen.nos.registry import nos, platforms

# `changes_of` is pure and knows no tree: a deployment can ask it about any two states.

_STRANGE = Dialect(
    file=re.compile(r".*"),
    read=script,
    rules=(),
    unknown=Rule(
        where="",
        risk=Risk.LOSSLESS_DISRUPTIVE,
        why="not known: these are not files of a platform",
        source=CAUTION,
    ),
)
_OTHER_OS = Rule(
    where="",
    risk=Risk.REBOOT,
    why="another network OS is installed",
    source="its files are those of another platform",
)


@record(kw_only=True)
class Remark:
    """Result of one rule for a device: the place, in the order of the configuration."""

    file: str
    kind: Kind
    rule: Rule
    known: bool
    places: tuple[str, ...]


def dialects_of(platform: str) -> tuple[Dialect, ...]:
    """Return the rules of a platform, or of `hosts`; they are imported when first needed."""
    return HOST_DIALECTS if platform == HOSTS else nos(platform).dialects.load()


def changes_of(platform: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Classify the changes on one device between two states, the worst first.

    platform: a NOS, or `hosts` for a server. before, after: text by path of a file, relative to the
    device's folder; empty for a device that does not exist.
    """
    changes = judge(dialects_of(platform), before, after)
    updates = nos(platform).updates if platform != HOSTS else None
    if updates is None or not before or not after:
        return changes
    return sorted([*updates.load()(before, after), *changes], key=lambda change: -change.risk)


def changes_in(folder: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Classify the changes in one folder of a tree, whose files name the platform."""
    old, new = (platform_of(folder, files) for files in (before, after))
    if old and new and old != new:
        return [
            Change(
                file="",
                where=(),
                kind=Kind.CHANGED,
                rule=_OTHER_OS,
                known=True,
                before=old,
                after=new,
            )
        ]
    platform = new or old
    return changes_of(platform, before, after) if platform else judge((_STRANGE,), before, after)


def platform_of(folder: str, files: Mapping[str, str]) -> str | None:
    """Return the platform of a folder of a tree: a NOS, or `hosts`; None for unknown files."""
    if folder.partition("/")[0] == HOSTS:
        return HOSTS
    return next((name for name in platforms() if nos(name).marker in files), None)


def remarks(changes: Iterable[Change]) -> list[Remark]:
    """Join the results of one rule for many places, the worst first."""
    alike: dict[tuple[str, Kind, Rule, bool], list[str]] = {}
    for change in changes:
        key = (change.file, change.kind, change.rule, change.known)
        alike.setdefault(key, []).append(JOINED.join(change.where))
    return [
        Remark(file=file, kind=kind, rule=rule, known=known, places=tuple(places))
        for (file, kind, rule, known), places in alike.items()
    ]


LIMIT = 256
"""Maximum number of classified devices; `fabricgen diff` groups any number."""


@dataclass(slots=True)
class Radius:
    """How many switches and servers change, by the worst that happens to each."""

    judged: Counter[Risk] = field(default_factory=Counter)
    more: int = 0  # that also change, and are not classified

    def __str__(self) -> str:
        """Return `3 session-reset, 12 hitless`; nothing when nothing changed."""
        parts = [f"{self.judged[risk]} {risk.word}" for risk in sorted(self.judged, reverse=True)]
        return ", ".join([*parts, f"{self.more:,} more not classified"] if self.more else parts)


def radius_of(build: Build) -> Radius:
    """Check every switch and server of which a file changed, came or went; none for a first tree.

    To be asked before the trees are swapped: both are read from disk.
    """
    radius = Radius()
    if not build.old.files:
        return radius
    every = dict.fromkeys(map(folder_of_file, [*build.changed, *build.removed()]))
    touched = [folder for folder in every if not is_package(folder)]
    with Folder(build.target) as stands, Folder(build.new) as made:
        before = _Tree(build.old.files, lambda path: _text(stands, path))
        after = _Tree(
            build.files, lambda path: _text(made if path in build.changed else stands, path)
        )
        for folder in touched[:LIMIT]:
            old, new = before.files(folder), after.files(folder)
            if old != new:
                radius.judged[worst(changes_in(folder, old, new))] += 1
    radius.more = max(0, len(touched) - LIMIT)
    return radius


class _Tree:
    """A tree on disk. Each package is read once."""

    def __init__(self, paths: Iterable[str], read: Callable[[str], str]) -> None:
        self._folders: dict[str, list[str]] = defaultdict(list)
        self._read = read
        for path in paths:
            self._folders[folder_of_file(path)].append(path)
        packages = filter(is_package, self._folders)
        self._packages = {path: read(path) for each in packages for path in self._folders[each]}

    def files(self, folder: str) -> dict[str, str]:
        """Return the texts of a switch or server by their paths below its folder."""
        own = {path: self._read(path) for path in self._folders.get(folder, ())}
        if folder.startswith(f"{HOSTS}/"):
            own = complete({**self._packages, **own})
        return {path.removeprefix(f"{folder}/"): text for path, text in own.items()}


def _text(tree: Folder, path: str) -> str:
    try:
        return tree.read(path).decode(errors="replace")
    except OSError:
        return ""

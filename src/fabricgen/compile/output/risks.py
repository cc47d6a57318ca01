"""Find risky changes of a configuration and the switches that they reach."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from fabricgen.compile.compiler import HOSTS
from fabricgen.compile.output.manifest import folder_of_file
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
    old, new = (_platform(folder, files) for files in (before, after))
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


def _platform(folder: str, files: Mapping[str, str]) -> str | None:
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

"""The files of one switch or server before and after in, its changes with their risk out.

`changes_of` is pure and knows no tree: a deployment can ask it about any two states.
"""

import re
from collections.abc import Iterable, Mapping

from fabricgen.compile.compiler import HOSTS
from fabricgen.core.record import record
from fabricgen.core.tree.judge import JOINED, judge
from fabricgen.core.tree.risk import CAUTION, Change, Dialect, Kind, Risk, Rule
from fabricgen.core.tree.settings import script
from fabricgen.nos.hosts.risk import DIALECTS as HOST_DIALECTS
from fabricgen.nos.registry import nos, platforms

_STRANGE = Dialect(
    file=re.compile(r".*"),
    read=script,
    rules=(),
    unknown=Rule(
        where="",
        risk=Risk.LOSSLESS_DISRUPTIVE,
        why="not known: these are no platform's files",
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
    """What one rule says about a device: where it applies, in the order of the configuration."""

    file: str
    kind: Kind
    rule: Rule
    known: bool
    places: tuple[str, ...]


def dialects_of(platform: str) -> tuple[Dialect, ...]:
    """Return the rules of a platform, or of `hosts`; they are imported when first needed."""
    return HOST_DIALECTS if platform == HOSTS else nos(platform).dialects.load()


def changes_of(platform: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Judge what changes on one device between two states, the worst first.

    platform: a NOS, or `hosts` for a server. before, after: path of a file, relative to the
    device's folder, to its text; empty for a device that does not exist.
    """
    changes = judge(dialects_of(platform), before, after)
    updates = nos(platform).updates if platform != HOSTS else None
    if updates is None or not before or not after:
        return changes
    return sorted([*updates.load()(before, after), *changes], key=lambda change: -change.risk)


def changes_in(folder: str, before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    """Judge what changes in one folder of a tree, whose files tell the platform."""
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
    """Put together what one rule says of many places, the worst first."""
    alike: dict[tuple[str, Kind, Rule, bool], list[str]] = {}
    for change in changes:
        key = (change.file, change.kind, change.rule, change.known)
        alike.setdefault(key, []).append(JOINED.join(change.where))
    return [
        Remark(file=file, kind=kind, rule=rule, known=known, places=tuple(places))
        for (file, kind, rule, known), places in alike.items()
    ]

"""Classifies the risk of every change between the files of one device before and after.

A section that is added or removed completely is one change, classified by its head. A removed and
an added setting in the same section are one change if a rule calls their difference a value.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from fabricgen.core.tree.risk import Change, Dialect, Kind, Risk, Rule
from fabricgen.core.tree.settings import Path, Settings

JOINED = " > "
NEW = Rule(
    where="",
    risk=Risk.HITLESS,
    why="the device is new: it carries no traffic yet",
    source="the old tree has no file of it",
)
GONE = Rule(
    where="",
    risk=Risk.REBOOT,
    why="the device is removed: all its neighbors' ports go down",
    source="the new tree has no file of it",
)


def judge(
    dialects: Sequence[Dialect], before: Mapping[str, str], after: Mapping[str, str]
) -> list[Change]:
    """Classify every difference between two states of one device, the worst first.

    `before`, `after`: path of a file, relative to the device's folder, to its text.
    """
    if not before or not after:
        rule, kind = (NEW, Kind.ADDED) if after else (GONE, Kind.REMOVED)
        return (
            [Change(file="", where=(), kind=kind, rule=rule, known=True)] if before or after else []
        )
    changes = [
        change
        for file in sorted(before.keys() | after.keys())
        if before.get(file) != after.get(file)
        for change in _file(dialects, file, before.get(file, ""), after.get(file, ""))
    ]
    return sorted(changes, key=lambda change: -change.risk)  # stable: then by file and place


def worst(changes: Iterable[Change]) -> Risk:
    """Return the highest risk; hitless if only order and comments change."""
    return max((change.risk for change in changes), default=Risk.HITLESS)


def _file(dialects: Sequence[Dialect], file: str, old: str, new: str) -> list[Change]:
    dialect = next(item for item in dialects if item.file.fullmatch(file))
    before, after = dialect.read(old), dialect.read(new)
    come, gone = _heads(after, before), _heads(before, after)
    slots: dict[Path | str, list[Path]] = defaultdict(list)
    for path in reversed(come):
        slots[_slot(dialect.rules, path)].append(path)
    changes = []
    for path in gone:
        twins = slots[_slot(dialect.rules, path)]
        if twins:
            changes.append(_change(dialect, file, twins.pop(), Kind.CHANGED, before, after, path))
        else:
            changes.append(_change(dialect, file, path, Kind.REMOVED, before, after))
    changes += [
        _change(dialect, file, path, Kind.ADDED, before, after)
        for twins in slots.values()
        for path in twins
    ]
    changes += [
        _change(dialect, file, path, Kind.CHANGED, before, after, path)
        for path, value in before.items()
        if value != after.get(path, value)
    ]
    changes += _unknown_below(dialect, file, changes, before, after)
    return sorted(changes, key=lambda change: change.where)


def _unknown_below(
    dialect: Dialect, file: str, changes: Iterable[Change], before: Settings, after: Settings
) -> list[Change]:
    """Return the unclassified lines in new sections whose heads are hitless."""
    heads = {
        change.where
        for change in changes
        if change.kind is Kind.ADDED and change.risk is Risk.HITLESS and change.where not in before
    }
    inside = [path for path in after if any(path[:n] in heads for n in range(1, len(path)))]
    below = (_change(dialect, file, path, Kind.ADDED, before, after) for path in inside)
    return [change for change in below if not change.known]


def _heads(here: Settings, there: Settings) -> list[Path]:
    """Return the paths that are only here; for a complete section only its head."""
    return [
        path for path in here if path not in there and (path[:-1] not in here or path[:-1] in there)
    ]


def _slot(rules: tuple[Rule, ...], path: Path) -> Path | str:
    """Return the path without its value by a rule; two paths of one slot are one change."""
    place = JOINED.join(path)
    for rule in rules:
        match = pattern(rule.where).fullmatch(place)
        if match and match.groupdict().get("value") is not None:
            return place[: match.start("value")] + "\0" + place[match.end("value") :]
    return path


def _change(
    dialect: Dialect,
    file: str,
    path: Path,
    kind: Kind,
    before: Settings,
    after: Settings,
    old: Path = (),
) -> Change:
    rule = rule_for(dialect, path, kind, before, after)
    was = before.get(old, "") or (old[-1] if old and old != path else "")
    now = after.get(path, "") or (path[-1] if old and old != path else "")
    return Change(
        file=file,
        where=path,
        kind=kind,
        rule=rule,
        known=rule is not dialect.unknown,
        before=was,
        after=now,
    )


def rule_for(dialect: Dialect, path: Path, kind: Kind, before: Settings, after: Settings) -> Rule:
    """Return the first rule that fits, or the dialect's cautious class."""
    place = JOINED.join(path)
    for rule in dialect.rules:
        if (
            kind in rule.kinds
            and pattern(rule.where).fullmatch(place)
            and (rule.when is None or rule.when(path, before, after))
        ):
            return rule
    return dialect.unknown


@cache
def pattern(where: str) -> re.Pattern[str]:
    """Compile a rule's pattern once."""
    return re.compile(where, re.DOTALL)

"""Lists the changed keys of two intents with their old and new values and places."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from fabricgen.core.diagnostics import IntentPath, Position
from fabricgen.core.own_templates import OwnTemplate
from fabricgen.core.units import counted
from fabricgen.intent.load import Loaded
from fabricgen.review.model import CATALOG, INTENT, RELEASE, TEMPLATE, Cause

_LONGEST = 60
_RELEASE_KEYS = frozenset(("release", "releases"))
Pair = tuple[IntentPath | None, IntentPath | None, Any, Any]
"""Path and value on both sides; a side without the key has the path None."""
_NOTHING = object()


def causes(before: Loaded, after: Loaded) -> tuple[Cause, ...]:
    """Return every changed key of two intents, and every changed custom template.

    A new or removed mapping is one cause. Items of lists are compared by content, so an inserted
    item does not change the items after it.
    """
    pairs = _joined(_pairs((), (), before.source.root, after.source.root), before, after)
    found = [_cause(before, after, pair) for pair in pairs]
    ones, others = ({each.name: each for each in side.templates} for side in (before, after))
    texts = ({name: each.text for name, each in side.items()} for side in (ones, others))
    templates = (
        replace(each, old=_top(ones.get(name)), new=_top(others.get(name)))
        for each in _files(TEMPLATE, *texts)
        for name in map(str, each.path)
    )
    return (*found, *templates, *_files(CATALOG, before.facts, after.facts))


def _top(template: OwnTemplate | None) -> Position | None:
    return Position(template.place, 1, 1) if template is not None else None


def _joined(pairs: Iterable[Pair], before: Loaded, after: Loaded) -> Iterator[Pair]:
    """Join the changed keys of one item of a list, which people change together."""
    groups: dict[object, list[Pair]] = {}
    for pair in pairs:
        path = pair[1] if pair[1] is not None else pair[0] or ()
        item = len(path) > 1 and isinstance(path[-2], int)
        groups.setdefault(path[:-1] if item else (path, pair[0]), []).append(pair)
    for group in groups.values():
        if len(group) == 1:
            yield group[0]
            continue
        ones = {str(old[-1]): one for old, _, one, _ in group if old is not None}
        others = {str(new[-1]): other for _, new, _, other in group if new is not None}
        olds = [old[:-1] for old, *_ in group if old is not None]
        news = [new[:-1] for _, new, *_ in group if new is not None]
        old, new = olds[0] if olds else news[0], news[0] if news else olds[0]
        known = before.source.locate(old) is not None
        yield old if known else None, new if after.source.locate(new) else None, ones, others


def _cause(before: Loaded, after: Loaded, pair: Pair) -> Cause:
    old, new, one, other = pair
    path = new if new is not None else old or ()
    if isinstance(one, dict) and isinstance(other, dict) and not (one and other):
        one, other = one or None, other or None
    return Cause(
        kind=RELEASE if path and path[-1] in _RELEASE_KEYS else INTENT,
        path=path,
        before="" if old is None else one_line(one),
        after="" if new is None else one_line(other),
        old=before.source.locate(old) if old is not None else None,
        new=after.source.locate(new) if new is not None else None,
    )


def one_line(value: Any) -> str:
    """Return a value on one line, shortened: `310`, `{id: 310, subnet: 10.0.0.0/24}`."""
    text = _spelled(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _spelled(value: Any) -> str:
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {_spelled(each)}' for key, each in value.items())}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_spelled, value))}]"
    if isinstance(value, str):
        return value if value and value.isprintable() else json.dumps(value)
    return json.dumps(value)


def _pairs(old: IntentPath, new: IntentPath, one: Any, other: Any) -> Iterator[Pair]:
    """Yield the smallest parts that differ."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys((*one, *other)):
            paths = (*old, key), (*new, key)
            mine, theirs = one.get(key, _NOTHING), other.get(key, _NOTHING)
            if mine is _NOTHING:
                yield None, paths[1], None, theirs
            elif theirs is _NOTHING:
                yield paths[0], None, mine, None
            else:
                yield from _pairs(*paths, mine, theirs)
    elif isinstance(one, list) and isinstance(other, list) and (one or other):
        yield from _items(old, new, one, other)
    elif type(one) is not type(other) or one != other:
        yield old, new, one, other


def _items(
    old: IntentPath, new: IntentPath, one: Sequence[Any], other: Sequence[Any]
) -> Iterator[Pair]:
    """Yield the differences of two lists. Replaced items are compared one by one."""
    first, second = ([_spelled(item) for item in items] for items in (one, other))
    for step, i, j, k, m in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if step == "equal":
            continue
        both = min(j - i, m - k)
        for n in range(both):
            yield from _pairs((*old, i + n), (*new, k + n), one[i + n], other[k + n])
        for n in range(i + both, j):
            yield (*old, n), None, one[n], None
        for n in range(k + both, m):
            yield None, (*new, n), None, other[n]


def _files(kind: str, ones: Mapping[str, str], others: Mapping[str, str]) -> Iterator[Cause]:
    """Yield the files of a site that differ and are not intent."""
    for name in dict.fromkeys((*ones, *others)):
        old, new = ones.get(name, ""), others.get(name, "")
        if old != new:
            before, after = (
                counted(text.count("\n"), "line") if text else "" for text in (old, new)
            )
            yield Cause(kind=kind, path=(name,), before=before, after=after)

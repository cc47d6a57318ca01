"""Merge custom entries into a printed CONFIG_DB and report conflicts."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from fabricgen.core.json_text import to_json
from fabricgen.core.tree.database import numbers_in
from fabricgen.core.tree.outline import Clash, Item

if TYPE_CHECKING:
    from collections.abc import Iterator

_Path = tuple[str, ...]


def written(text: str, origin: object) -> Item:
    """Return own entries as an outline: tables, keys and fields, each with its whole path."""
    root = Item(text="")
    for path, value in _walk(json.loads(text)):
        above = root
        for _ in path[1:]:
            above = above.below[-1]
        above.below.append(
            Item(text=_spelled(path, value), origin=origin, raw=json.dumps([path, value]))
        )
    return root


def _walk(tables: dict[str, dict[str, dict[str, Any]]]) -> Iterator[tuple[_Path, Any]]:
    """Yield tables and keys, without a value, and fields."""
    for table, entries in tables.items():
        yield (table,), None
        for key, fields in entries.items():
            yield (table, key), None
            for name, value in fields.items():
                yield (table, key, name), value


def _spelled(path: _Path, value: Any) -> str:
    said = "" if value is None else f" {value if isinstance(value, str) else json.dumps(value)}"
    return " > ".join(path) + said


def _folded(path: _Path) -> _Path:
    """Return a path without capital letters: no two of ours differ by them alone."""
    return tuple(part.lower() for part in path)


def merged(before: str, texts: list[Item]) -> tuple[str, list[Item | None], list[Clash]]:
    """Return the database with custom entries, the item of each of its lines, and conflicts."""
    database = json.loads(before)
    known = {path: Item(text=_spelled(path, value)) for path, value in _walk(database)}
    letters = {_folded(path): item for path, item in known.items()}
    clashes = []
    for item in (item for text in texts for item, _ in text.walk()):
        keys, value = json.loads(item.raw)
        path, here = tuple(keys), database
        for key in path[:-1]:
            here = here[key]
        ours = known.get(path)
        if ours is None:
            if other := letters.get(_folded(path)):
                why = "differs only in capital letters from"
                clashes.append(Clash(own=item, other=other, why=why))
            here[path[-1]] = {} if value is None else value
            known[path] = item
        elif value is not None or (len(path) > 1 and not item.below):
            why = "repeats" if here[path[-1]] == (value or {}) else "contradicts"
            clashes.append(Clash(own=item, other=ours, why=why))
    after = f"{to_json(database)}\n"
    rows: list[Item | None] = [None] * after.count("\n")
    for path, number in numbers_in(after).items():
        rows[number - 1] = known.get(path)
    return after, rows, clashes

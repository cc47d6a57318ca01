"""Reads the rows of a NetBox REST API answer and the kind of things that it lists.

An answer is an object with `count`, `next`, `previous` and `results`, or the list of results alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.diagnostics import Position
from fabricgen.importer.inventory.kinds import KINDS, Kind, kind_of
from fabricgen.importer.inventory.rows import (
    MOST_ROWS,
    NOTHING,
    Row,
    Say,
    Table,
    unknown,
    unreadable,
)

_PATHS = sorted({name for kind in KINDS for name in kind.names if "." in name})
Item = Mapping[str, Any]


def results(document: object) -> list[Item] | None:
    """Return the objects of an answer. None for other JSON."""
    listed = document.get("results") if isinstance(document, dict) else document
    if isinstance(listed, list) and listed and all(isinstance(item, dict) for item in listed):
        return listed
    return None


def tables(file: str, document: object, say: Say) -> Iterator[Table]:
    """Yield a table for each kind of objects."""
    place = Position(file, 1, 1)
    items = results(document) or []
    if isinstance(document, dict) and document.get("next"):
        count = document.get("count")
        message = f"only one page of several: it has {len(items):,} of {count} objects"
        say(unreadable(place, message))
    if len(items) > MOST_ROWS:
        say(unreadable(place, f"too many objects: only the first {MOST_ROWS:,} are read"))
    sorts: dict[str, tuple[Kind, list[Row]]] = {}
    strange = 0
    for number, item in enumerate(items[:MOST_ROWS]):
        said = _said(item)
        kind = kind_of({*item, *said})
        if kind is None:
            strange += 1
            continue
        row = Row(said=said, place=place, what=f"results[{number}]: ")
        sorts.setdefault(kind.noun, (kind, []))[1].append(row)
        if len(sorts[kind.noun][1]) == 1:
            for finding in unknown(place, kind, list(item)):
                say(finding)
    if strange:
        say(unreadable(place, f"ignored objects of unknown kinds: {strange:,}"))
    for kind, rows in sorts.values():
        yield Table(kind=kind, rows=iter(rows))


def _said(item: Item) -> dict[str, str]:
    """Return the fields of an object by key and by path, with cable ends as in an import form."""
    said = {key: text for key, value in item.items() if (text := _text(value)) is not None}
    for path in _PATHS:
        if path.partition(".")[0] in item:
            text = _text(_dug(item, path.split(".")))
            if text is not None:
                said[path] = text
    for side in "ab":
        said |= _end(side, item)
    return said


def _dug(value: Any, path: Sequence[str]) -> Any:
    """Return the value at a path. A number is an index."""
    for key in path:
        if isinstance(value, list) and key.isdigit():
            value = value[int(key)] if int(key) < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return value


def _text(value: Any) -> str | None:
    """Return a value as cell text. None for nothing and for composite values."""
    if isinstance(value, bool):
        return str(value).lower()
    text = value.strip() if isinstance(value, str) else ""
    return text if text not in NOTHING else None


def _end(side: str, item: Item) -> Iterator[tuple[str, str]]:
    """Yield one end of a cable: a list of terminations, or one before NetBox 3.3."""
    listed = item.get(f"{side}_terminations")
    every = listed if isinstance(listed, list) else []
    ends = [(_dug(each, ["object_type"]), _dug(each, ["object"])) for each in every]
    if f"termination_{side}" in item:
        ends = [(item.get(f"termination_{side}_type"), item.get(f"termination_{side}"))]
    found = {
        "device": dict.fromkeys(_text(_dug(end, ["device", "name"])) for _, end in ends),
        "name": [_text(_dug(end, ["name"])) for _, end in ends],
        "type": dict.fromkeys(_text(kind) for kind, _ in ends),
    }
    for column, values in found.items():
        known = [value for value in values if value is not None]
        if known and len(known) == len(values):
            yield f"side_{side}_{column}", ",".join(known)

"""List the lines and fields of rendered files by the grammar row that claims each."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.core.tree.database import Database
from fabricgen.core.tree.grammar import Grammar
from fabricgen.prove.written import judge_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator

    from fabricgen.core.tree.table import Level, Row

_NUMBER = re.compile(r"\d+")
_ORDER = frozenset({"seq"})
"""Variables that only number an entry of a list: the order stays, so the meaning does."""


class Place(NamedTuple):
    """One line of a text file, or one field of a database.

    Attributes:
        row: The grammar row that claims it: file, section heads and shape.
        line: Number of the line, from 0; -1 in a database.
        field: Table, entry and field of a database; the field is empty for an entry without any.
        values: Where the variables of the row begin and end in the line.
    """

    row: str
    line: int = -1
    field: tuple[str, str, str] = ("", "", "")
    values: tuple[tuple[int, int], ...] = ()


def places(platform: str, path: str, text: str) -> Iterator[Place]:
    """Yield each line or field of a file that a grammar row claims."""
    judge = judge_of(platform)
    assert judge is not None
    witness = judge.witness(path)
    if isinstance(witness, Database):
        yield from _fields(path, text)
    elif isinstance(witness, Grammar):
        yield from _lines(witness, path, text)
    else:  # files of other readers: the first words of a line are its row
        for number, line in enumerate(text.splitlines()):
            words = " ".join(line.split()[:2])
            if words and not line.startswith(("#", "!")):
                shape = re.sub(r"\d+(?:s\d)?", "<n>", words)
                spans = tuple((m.start(), m.end()) for m in _NUMBER.finditer(line))
                yield Place(row=f"{_folder(path)}: {shape}", line=number, values=spans[-1:])


def _folder(path: str) -> str:
    return path if "." in path.rpartition("/")[2] else re.sub(r"\.d/.*", ".d/*", path)


def _fields(path: str, text: str) -> Iterator[Place]:
    for table, entries in json.loads(text).items():
        for key, fields in entries.items():
            parts = "|".join("*" for _ in key.split("|"))
            for field in fields or [""]:
                shape = field if not field[:1].isdigit() and "Ethernet" not in field else "*"
                row = f"{path}: {table} {parts} {shape}".rstrip()
                yield Place(row=row, field=(table, key, field))


def _lines(grammar: Grammar, path: str, text: str) -> Iterator[Place]:
    table = grammar._table
    open_: list[tuple[int, Level | None, str]] = []
    for number, raw in enumerate(text.split("\n")):
        line = raw.strip()
        if not line or line in table.ends or line.startswith(table.comment):
            continue
        indent = len(raw) - len(raw.lstrip())
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        level, above = open_[-1][1:] if open_ else (table.top, "")
        match = level.match(line) if level is not None else None
        if match is None:
            continue
        row = match[0]
        name = f"{above} > {row.shape}".removeprefix(" > ")
        spans = tuple(_spans(row, line, indent))
        yield Place(row=f"{_folder(path)}: {name}", line=number, values=spans)
        if row.whole or row.below:
            open_.append((indent, None if row.whole else row.below, name))


def _spans(row: Row, line: str, indent: int) -> Iterator[tuple[int, int]]:
    match = row.pattern.fullmatch(line) if row.pattern is not None else None
    for name in row.variables if match is not None else ():
        if name in _ORDER:
            continue
        if match is not None and match[name] is not None:
            yield match.start(name) + indent, match.end(name) + indent


def removed(text: str, place: Place) -> str:
    """Return the text without the line and the lines below it, or without the field."""
    if place.line < 0:
        return _without(text, place)
    lines = text.split("\n")
    margin = len(lines[place.line]) - len(lines[place.line].lstrip())
    end = place.line + 1
    while end < len(lines) and lines[end].strip() and _margin(lines[end]) > margin:
        end += 1
    return "\n".join(lines[: place.line] + lines[end:])


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _without(text: str, place: Place) -> str:
    table, key, field = place.field
    database = json.loads(text)
    if field and len(database[table][key]) > 1:
        del database[table][key][field]
    else:
        del database[table][key]
    return json.dumps({name: rows for name, rows in database.items() if rows}, indent=4) + "\n"


def changed(text: str, place: Place, chosen: random.Random) -> str | None:
    """Return the text with one value of the row changed; None where the row has no value."""
    if place.line < 0:
        return _with(text, place, chosen)
    if not place.values:
        return None
    begin, end = chosen.choice(place.values)
    lines = text.split("\n")
    line = lines[place.line]
    lines[place.line] = line[:begin] + other(line[begin:end], chosen) + line[end:]
    return "\n".join(lines)


def _with(text: str, place: Place, chosen: random.Random) -> str:
    table, key, field = place.field
    database = json.loads(text)
    rows = database[table]
    if field:
        old = rows[key][field]
        new = other(old, chosen) if isinstance(old, str) else [*old[:-1], other(old[-1], chosen)]
        rows[key][field] = new
    else:
        rows[other(key, chosen)] = rows.pop(key)
    return json.dumps(database, indent=4) + "\n"


def other(value: str, chosen: random.Random) -> str:
    """Return another value: one of its numbers is one more, or the word is another."""
    swapped = _WORDS.get(value)
    if swapped is not None:
        return swapped
    numbers = list(_NUMBER.finditer(value))
    if not numbers:
        return f"{value}x"
    match = chosen.choice(numbers)
    return f"{value[: match.start()]}{int(match[0]) + 1}{value[match.end() :]}"


_WORDS = {
    "up": "down", "down": "up", "true": "false", "false": "true", "yes": "no", "no": "yes",
    "on": "off", "off": "on", "in": "out", "out": "in", "permit": "deny", "deny": "permit",
    "enable": "disable", "enabled": "disabled", "tagged": "untagged", "untagged": "tagged",
    "rs": "none", "none": "rs", "tcp": "udp", "udp": "tcp", "ingress": "egress",
    "trunk": "access", "upstream": "downstream", "downstream": "upstream",
}  # fmt: skip
"""A value that the same row takes and that means something else."""

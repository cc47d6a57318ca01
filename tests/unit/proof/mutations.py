"""Rendered files in, the same with one line or one field changed or gone out, from a seed."""

import json
import random
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

Files = dict[str, str]
_SAYS_NOTHING = re.compile(r"\s*(?:[#!].*|exit\S*)?")
"""Comments, blank lines, and the lines of FRR that only end a section."""
_NUMBER = re.compile(r"\d+(?!.*\d)")


def mutants(files: Files, count: int, seed: int) -> Iterator[tuple[str, Files]]:
    """Yield `count` mutants with what was done to each."""
    chosen = random.Random(seed)
    places: list[tuple[str, int | tuple[str, str, str]]] = [*_lines(files), *_fields(files)]
    for path, place in chosen.sample(places, min(count, len(places))):
        gone = chosen.random() < 0.5
        if isinstance(place, int):
            told, text = _line(files[path], place, gone=gone)
        else:
            told, text = _field(files[path], place, gone=gone)
        yield f"{path}: {told}", {**files, path: text}


def _lines(files: Files) -> Iterator[tuple[str, int]]:
    for path, text in files.items():
        if not path.endswith(".json"):
            for number, line in enumerate(text.split("\n")):
                if not _SAYS_NOTHING.fullmatch(line):
                    yield path, number


def _fields(files: Files) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for path, text in files.items():
        if path.endswith(".json"):
            for table, entries in json.loads(text).items():
                for key, fields in entries.items():
                    for field in fields or [""]:
                        yield path, (table, key, field)


def _line(text: str, number: int, *, gone: bool) -> tuple[str, str]:
    lines = text.split("\n")
    old = lines[number]
    if gone:
        del lines[number]
        return f"without line {number + 1} {old!r}", "\n".join(lines)
    lines[number] = changed(old)
    return f"line {number + 1} {old!r} is {lines[number]!r}", "\n".join(lines)


def changed(text: str) -> str:
    """Return another text: its last number is one more, or its last word is longer."""
    match = _NUMBER.search(text)
    if match is None:
        return f"{text}x"
    return f"{text[: match.start()]}{int(match[0]) + 1}{text[match.end() :]}"


def _field(text: str, place: tuple[str, str, str], *, gone: bool) -> tuple[str, str]:
    table, key, field = place
    database: dict[str, Any] = deepcopy(json.loads(text))
    entry = database[table][key]
    name = " ".join(place)
    if gone or not field:
        told = f"without {name}"
        if field and len(entry) > 1:
            del entry[field]
        else:
            del database[table][key]
    else:
        old = entry[field]
        entry[field] = changed(old) if isinstance(old, str) else [*old[:-1], changed(old[-1])]
        told = f"{name} {old!r} is {entry[field]!r}"
    return told, json.dumps(database, indent=4) + "\n"

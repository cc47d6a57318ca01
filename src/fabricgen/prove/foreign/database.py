"""Reports why a text is not a valid JSON database of tables, with the line.

Keys of entries may be secrets, such as SNMP communities, so messages name none.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from fabricgen.core.tree.database import NO_DATABASE

Fault = tuple[int, str]
"""A line, and the error there."""


class _Pairs(list[tuple[str, Any]]):
    """A JSON object with its keys, including repeated ones."""

    def twice(self) -> str:
        """Return a repeated key; empty if there is none."""
        return next((key for key, many in Counter(k for k, _ in self).items() if many > 1), "")


def unread(text: str) -> Fault:
    """Return why a text is not a database."""
    line, why = next(_faults(text), (1, "it has no table of a switch"))
    return line, f"this file is {NO_DATABASE}: {why}"


def lossy(text: str) -> Fault | None:
    """Return why a part of a database is not read; None if all of it is read."""
    if next(_faults(text), None) is not None:
        return unread(text)
    what = next(_twice(json.loads(text, object_pairs_hook=_Pairs)), "")
    return (1, f"{what} is repeated: a switch reads only the last one") if what else None


def _twice(tables: _Pairs) -> Iterator[str]:
    if tables.twice():
        yield f"table {tables.twice()}"
    for table, entries in tables:
        if entries.twice():
            yield f"a key of table {table}"
        for _, fields in entries:
            if fields.twice():
                yield f"field {fields.twice()} of an entry of {table}"


def _faults(text: str) -> Iterator[Fault]:
    try:
        tables = json.loads(text, object_pairs_hook=_Pairs)
    except json.JSONDecodeError as error:
        yield error.lineno, error.msg
        return
    except (RecursionError, ValueError):
        yield 1, "it is nested too deep, or contains too long a number"
        return
    if not isinstance(tables, _Pairs):
        yield 1, "it does not begin with {"
        return
    for table, entries in tables:
        if not isinstance(entries, _Pairs):
            yield 1, f"table {table} is not a mapping of entries"
            continue
        for _, fields in entries:
            if not isinstance(fields, _Pairs):
                yield 1, f"an entry of table {table} is not a mapping of fields"
                continue
            wrong = (field for field, value in fields if not _is_text(value))
            yield from ((1, f"field {each} of an entry of {table} is not text") for each in wrong)


def _is_text(value: Any) -> bool:
    """Return whether a value is text, or a list of texts."""
    every = [value] if isinstance(value, str | _Pairs) or not isinstance(value, list) else value
    return all(isinstance(each, str) for each in every)

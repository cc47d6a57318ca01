"""Read CONFIG_DB as tables by name, with numbers in text and ranges of queues in keys."""

from collections.abc import Mapping
from typing import Any

from fabricgen.core.tree.ranges import between

Row = Mapping[str, Any]
Table = Mapping[str, Row]


class Tables:
    """The tables of one file, missing ones empty, and faults in their contents."""

    def __init__(self, tables: Mapping[str, Table]) -> None:
        self._found = tables
        self.faults: list[str] = []

    def __getitem__(self, name: str) -> Table:
        return self._found.get(name, {})

    def keys(self) -> set[str]:
        return set(self._found)

    def say(self, fault: str) -> None:
        if fault not in self.faults:
            self.faults.append(fault)


def number(text: object, missing: int | None = None) -> int | None:
    """Return a number from text; `missing` without a text, None for a word."""
    if text is None:
        return missing
    return int(text) if isinstance(text, str) and text.isdecimal() else None


def bits(text: object) -> frozenset[int]:
    """Return a list of priorities, as `3,4`; words are ignored."""
    if not isinstance(text, str) or not text:
        return frozenset()
    return frozenset(int(part) if part.isdecimal() else -1 for part in text.split(","))


def run_of(text: str) -> range:
    """Return the numbers at the end of a key: 3, or 4-7. An empty range for other texts."""
    first, dash, last = text.partition("-")
    if not first.isdecimal() or (dash and not last.isdecimal()):
        return range(0)
    try:
        return between(int(first), int(last if dash else first))
    except ValueError:
        return range(0)


def by_port(db: Tables, name: str) -> dict[str, dict[int, Row]]:
    """Return the rows of a table by port and number; a repeated number is a fault."""
    ports: dict[str, dict[int, Row]] = {}
    for key, row in db[name].items():
        port, _, numbers = key.partition("|")
        rows = ports.setdefault(port, {})
        run = run_of(numbers)
        if not run or any(item in rows for item in run):
            db.say(f"{name}|{key} has no queue or group, or one of another row")
        rows.update(dict.fromkeys(run, row))
    return ports

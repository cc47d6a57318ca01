"""Reads the lines of both sides from the difference that a switch shows for a plan.

A driver shows a unified diff, the lines of FRR with their contexts, or a line for each field of
CONFIG_DB. A difference has parts of files. A part that begins inside a section has `SECTION` above
it, so that its lines never seem to belong to the section of another part.
"""

import json
import re

from fabricgen.core.record import record
from fabricgen.nos.registry import nos

SECTION = "section not known"
"""First line of a part that begins inside a section, on both sides."""
UNKNOWN_FILE = "file not known"
"""Path of lines whose difference names no file."""
_FIELD = re.compile(r"([A-Z][A-Z0-9_]*)\|(\S+) (\S+) (.*)")
_HEAD = re.compile(r"(?:---|\+\+\+) (?:(?:running|candidate) )?(\S+)")
_FILE = re.compile(r"[ +-]#### file (\S+)(?: executable)?(?: unterminated)?")
_NONE, _ENTRY = "(none)", "(entry)"
_Tables = dict[str, dict[str, dict[str, str]]]


@record(kw_only=True)
class Parts:
    """Changed parts of the files of a switch before and after, by path."""

    before: dict[str, str]
    after: dict[str, str]

    @property
    def reversed(self) -> "Parts":
        """Return the opposite change."""
        return Parts(before=self.after, after=self.before)


def parts_of(platform: str, difference: str) -> Parts | None:
    """Return the parts in a complete difference; None if it has an unknown form."""
    reading = _Reading(nos(platform).marker, alone=nos(platform).alone)
    for line in difference.splitlines():
        if not reading.take(line):
            return None
    return reading.result()


class _Reading:
    """Reads line after line."""

    def __init__(self, marker: str, *, alone: bool) -> None:
        self._marker, self._alone = marker, alone
        self._path = marker
        self._width = 1
        self._open = self._joined = False
        self._head = ""
        self._lines: dict[str, tuple[list[str], list[str]]] = {}
        self._tables: tuple[_Tables, _Tables] = {}, {}

    def take(self, line: str) -> bool:
        """Read one line; return whether it has a known form."""
        if line.startswith("--- ") and not self._head:
            self._head = line
            return True
        if self._head:
            return self._begin(line)
        if line.startswith("@@ "):
            self._width, self._open = 1, True
            self._path = UNKNOWN_FILE if self._joined else self._path
            return True
        if field := self._field(line):
            return field
        if file := _FILE.fullmatch(line):  # files that are joined to one text
            self._path, self._open = file[1], False
            return True
        return self._add(line)

    def _begin(self, line: str) -> bool:
        """Begin a file with the second line of its header."""
        head = _HEAD.fullmatch(line) if line.startswith("+++ ") else None
        first = _HEAD.fullmatch(self._head)
        self._head = ""
        if head is None or first is None:
            return False
        own = head[1] if head[1] == first[1] else UNKNOWN_FILE
        own = self._marker if self._alone else own
        # without `@@` the lines of FRR follow, whose sign has a blank behind it
        self._joined = own == UNKNOWN_FILE
        self._path, self._width, self._open = own, 1 if self._alone else 2, True
        return True

    def _field(self, line: str) -> bool:
        """Read a changed field of CONFIG_DB."""
        match = _FIELD.fullmatch(line)
        if match is None or not self._marker.endswith(".json"):
            return False
        table, key, field, values = match.groups()
        pair = values.split(" -> ")
        if len(pair) != 2:
            return False
        for tables, value in zip(self._tables, pair, strict=True):
            if value != _NONE:
                row = tables.setdefault(table, {}).setdefault(key, {})
                row.update({} if field == _ENTRY else {field: value})
        return True

    def _add(self, line: str) -> bool:
        sign, text = line[:1], line[self._width :]
        if sign not in {" ", "+", "-", ""}:
            return False
        both = self._lines.setdefault(self._path, ([], []))
        if self._open and text[:1].isspace():
            for lines in both:
                lines.append(SECTION)
        self._open = False
        for lines, other in zip(both, "+-", strict=True):
            if sign != other:
                lines.append(text)
        return True

    def result(self) -> Parts | None:
        """Return the parts; None if a header has no second line."""
        if self._head:
            return None
        sides = tuple(
            {
                path: "".join(f"{line}\n" for line in both[number])
                for path, both in self._lines.items()
            }
            for number in (0, 1)
        )
        if any(self._tables):
            for files, tables in zip(sides, self._tables, strict=True):
                files[self._marker] = json.dumps(tables, indent=4, sort_keys=True) + "\n"
        for files in sides:  # the file that identifies the platform
            files.setdefault(self._marker, "{}\n" if self._marker.endswith(".json") else "")
        return Parts(before=sides[0], after=sides[1])

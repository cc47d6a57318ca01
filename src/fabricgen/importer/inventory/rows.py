"""Reads the rows of a CSV inventory with their places and the kind of things that they list."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.core.record import record
from fabricgen.importer.inventory.kinds import DELIMITERS, KINDS, LEFT, Kind, kind_of, plain

MOST_ROWS = 250_000
"""Rows of one file: more than the cables of a site with 60,000 GPUs."""
NOTHING = frozenset(("", "—", "&mdash;", "null"))
"""NetBox's text for an empty value (CABLE_LENGTH in dcim/tables/template_code.py)."""
_NAMED, _WIDEST = 8, 40
"""Unknown fields that are listed by name, and characters of each."""
Say = Callable[[Diagnostic], None]


@record(eq=False, kw_only=True)
class Row:
    """The values of one object by column.

    Attributes:
        raw: The original line.
        order: Order of its columns.
        delimiter: Delimiter of its cells.
        what: Its name, if it has no line.
    """

    said: Mapping[str, str]
    place: Position
    raw: str = ""
    order: Sequence[str] = ()
    delimiter: str = ","
    what: str = ""

    def at(self, column: str) -> Position:
        """Return the place of a cell."""
        if column not in self.order:
            return self.place
        begins = _begins(self.raw, self.order.index(column), self.delimiter)
        return self.place._replace(column=begins)


def _begins(raw: str, number: int, delimiter: str) -> int:
    """Return the first character of a cell, from 1. A quoted cell may contain delimiters."""
    quoted = False
    for at, letter in enumerate(raw, 1):
        if number == 0:
            return at
        quoted ^= letter == '"'
        number -= letter == delimiter and not quoted
    return len(raw.rstrip("\r\n")) + 1


@record(eq=False, kw_only=True)
class Table:
    """A kind of objects and its rows, which are read one by one."""

    kind: Kind
    rows: Iterator[Row]


def unreadable(
    place: Position, what: str, severity: Severity = Severity.ERROR, hint: str = ""
) -> Diagnostic:
    """Return the finding for an unreadable place."""
    code = Code.INVENTORY_UNREADABLE
    return Diagnostic(code, what, severity=severity, position=place, hint=hint)


def unknown(place: Position, kind: Kind, names: Sequence[str]) -> Iterator[Diagnostic]:
    """Report unknown fields, such as fields of a later NetBox."""
    known = LEFT | kind.names
    strange = [name for name in dict.fromkeys(names) if name and name not in known]
    if strange:
        message = f"{kind.noun}: unknown fields are ignored: {_few(strange)}"
        yield unreadable(place, message, Severity.NOTE)


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(name[:_WIDEST] for name in names[:_NAMED])}{more}"


def unlisted(place: Position, text: str, severity: Severity) -> Diagnostic:
    """Return the finding for a table of an unknown kind, with its columns and the known kinds."""
    names = max((each for each, _ in _headings(text)), key=len, default=[])
    what = f"table of an unknown kind; its columns: {_few(names) or 'none'}"
    near = max(KINDS, key=lambda kind: len(kind.names & set(names)))
    known = [f"{near.noun} have {', or '.join(near.told)}"]
    if not near.names & set(names):
        known = [f"{kind.noun} have {kind.told[0]}" for kind in KINDS]
    hint = "; ".join(known)
    return unreadable(place, what, severity, hint)


def _headings(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the column names for each possible delimiter."""
    line = next(filter(str.strip, StringIO(text[: 2**16])), "")
    for delimiter in DELIMITERS:
        yield [plain(cell) for cell in next(csv.reader([line], delimiter=delimiter), [])], delimiter


def heading(text: str) -> tuple[list[str], str]:
    """Return the column names and the delimiter. Empty for a text that is not a table."""
    return next((each for each in _headings(text) if kind_of(each[0]) is not None), ([], ""))


def table(file: str, text: str, say: Say) -> Table | None:
    """Read CSV. Return None for an unknown kind or without a required column."""
    names, delimiter = heading(text)
    kind = kind_of(names)
    if kind is None:
        return None
    place = Position(file, 1, 1)
    for lacking in kind.missing(names):
        known = (name for name in kind.columns[lacking] if "." not in name)
        missing = f"no column for {lacking.replace('_', ' ')} in {_few(names)}"
        hint = f"add one of these columns: {', '.join(known)}"
        say(unreadable(place, f"{kind.noun}: {missing}", hint=hint))
    twice = sorted({name for name in names if name in kind.names and names.count(name) > 1})
    if twice:
        say(unreadable(place, f"{kind.noun}: duplicate columns: {', '.join(twice)}"))
    if twice or kind.missing(names):
        return None
    for finding in unknown(place, kind, names):
        say(finding)
    return Table(kind=kind, rows=_Sheet(file, names, delimiter, say).rows(text))


class _Sheet:
    """Reads line by line. An invalid row is left out and reported."""

    def __init__(self, file: str, names: Sequence[str], delimiter: str, say: Say) -> None:
        self.file, self.names, self.delimiter, self.say = file, names, delimiter, say
        self.raw = ""

    def rows(self, text: str) -> Iterator[Row]:
        reader = csv.reader(self.lines(text), delimiter=self.delimiter, strict=True)
        count = -1  # the heading is not counted
        try:
            for cells in reader:
                if not any(map(str.strip, cells)):
                    continue
                count += 1
                place = Position(self.file, reader.line_num, 1)
                if count > MOST_ROWS:
                    message = f"too many rows: only the first {MOST_ROWS:,} are read"
                    self.say(unreadable(place, message))
                    return
                if count and (row := self.row(cells, place)) is not None:
                    yield row
        except csv.Error as error:
            place = Position(self.file, max(reader.line_num, 1), 1)
            self.say(unreadable(place, f"invalid CSV: {error}"))

    def lines(self, text: str) -> Iterator[str]:
        for self.raw in StringIO(text, newline=""):
            yield self.raw

    def row(self, cells: list[str], place: Position) -> Row | None:
        if len(cells) != len(self.names):
            what = f"this row has {len(cells):,} cells instead of {len(self.names)}"
            self.say(unreadable(place, what))
            return None
        stripped = zip(self.names, map(str.strip, cells), strict=True)
        said = {name: cell for name, cell in stripped if cell not in NOTHING}
        return Row(said=said, place=place, raw=self.raw, order=self.names, delimiter=self.delimiter)

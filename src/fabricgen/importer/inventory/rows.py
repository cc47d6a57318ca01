"""Reads the rows of a CSV inventory with their places and the kind of things that they list."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO

from fabricgen.core.diagnostics import Code, Diagnostic, Position, Severity
from fabricgen.core.record import record
from fabricgen.importer.inventory.kinds import DELIMITERS, KINDS, LEFT, Kind, kind_of, plain

MOST_ROWS = 250_000
"""Of one file: more than the cables of a site with 60,000 GPUs."""
NOTHING = frozenset(("", "—", "&mdash;", "null"))
"""What NetBox prints where there is nothing (CABLE_LENGTH in dcim/tables/template_code.py)."""
_NAMED, _WIDEST = 8, 40
"""Fields of those that are told by name; characters of each."""
Say = Callable[[Diagnostic], None]


@record(eq=False, kw_only=True)
class Row:
    """What is said of one thing, by column. raw, order, delimiter: the line that it comes from.

    what: what a person calls it where it has no line of its own.
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
    """Return the character, from 1, at which a cell begins; one in quotes may hold delimiters."""
    quoted = False
    for at, letter in enumerate(raw, 1):
        if number == 0:
            return at
        quoted ^= letter == '"'
        number -= letter == delimiter and not quoted
    return len(raw.rstrip("\r\n")) + 1


@record(eq=False, kw_only=True)
class Table:
    """A kind of things, and its rows, which are read one by one."""

    kind: Kind
    rows: Iterator[Row]


def unreadable(
    place: Position, what: str, severity: Severity = Severity.ERROR, hint: str = ""
) -> Diagnostic:
    """Return the finding for what cannot be read."""
    code = Code.INVENTORY_UNREADABLE
    return Diagnostic(code, what, severity=severity, position=place, hint=hint)


def unknown(place: Position, kind: Kind, names: Sequence[str]) -> Iterator[Diagnostic]:
    """Name the fields that nobody here knows, such as those of a later version of NetBox."""
    known = LEFT | kind.names
    strange = [name for name in dict.fromkeys(names) if name and name not in known]
    if strange:
        what = f"{kind.noun}: fields not known and not read: {_few(strange)}"
        yield unreadable(place, what, Severity.NOTE)


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(name[:_WIDEST] for name in names[:_NAMED])}{more}"


def unlisted(place: Position, text: str, severity: Severity) -> Diagnostic:
    """Return the finding for a table whose heading is of no kind: what it has, what is known."""
    names = max((each for each, _ in _headings(text)), key=len, default=[])
    what = f"a table of nothing that is read; its columns are: {_few(names) or 'none'}"
    near = max(KINDS, key=lambda kind: len(kind.names & set(names)))
    known = [f"{near.noun} have {', or '.join(near.told)}"]
    if not near.names & set(names):
        known = [f"{kind.noun} have {kind.told[0]}" for kind in KINDS]
    hint = "; ".join(known)
    return unreadable(place, what, severity, hint)


def _headings(text: str) -> Iterator[tuple[list[str], str]]:
    """Yield the names of the columns by each thing that may stand between them."""
    line = next(filter(str.strip, StringIO(text[: 2**16])), "")
    for delimiter in DELIMITERS:
        yield [plain(cell) for cell in next(csv.reader([line], delimiter=delimiter), [])], delimiter


def heading(text: str) -> tuple[list[str], str]:
    """Return the names of the columns and what stands between; a text of another kind has none."""
    return next((each for each in _headings(text) if kind_of(each[0]) is not None), ([], ""))


def table(file: str, text: str, say: Say) -> Table | None:
    """Read CSV; None where the heading is of no kind that is known, or lacks what is needed."""
    names, delimiter = heading(text)
    kind = kind_of(names)
    if kind is None:
        return None
    place = Position(file, 1, 1)
    for lacking in kind.missing(names):
        known = (name for name in kind.columns[lacking] if "." not in name)
        what = f"{kind.noun}: there is no column for {lacking.replace('_', ' ')} in {_few(names)}"
        say(unreadable(place, what, hint=f"it is one of: {', '.join(known)}"))
    twice = sorted({name for name in names if name in kind.names and names.count(name) > 1})
    if twice:
        say(unreadable(place, f"{kind.noun}: two columns have one name: {', '.join(twice)}"))
    if twice or kind.missing(names):
        return None
    for finding in unknown(place, kind, names):
        say(finding)
    return Table(kind=kind, rows=_Sheet(file, names, delimiter, say).rows(text))


class _Sheet:
    """Reads line by line; a row that is refused is left out and said."""

    def __init__(self, file: str, names: Sequence[str], delimiter: str, say: Say) -> None:
        self.file, self.names, self.delimiter, self.say = file, names, delimiter, say
        self.raw = ""

    def rows(self, text: str) -> Iterator[Row]:
        reader = csv.reader(self.lines(text), delimiter=self.delimiter, strict=True)
        count = -1  # the heading
        try:
            for cells in reader:
                if not any(map(str.strip, cells)):
                    continue
                count += 1
                place = Position(self.file, reader.line_num, 1)
                if count > MOST_ROWS:
                    self.say(unreadable(place, f"more than {MOST_ROWS:,} rows: no more is read"))
                    return
                if count and (row := self.row(cells, place)) is not None:
                    yield row
        except csv.Error as error:
            place = Position(self.file, max(reader.line_num, 1), 1)
            self.say(unreadable(place, f"no CSV: {error}"))

    def lines(self, text: str) -> Iterator[str]:
        for self.raw in StringIO(text, newline=""):
            yield self.raw

    def row(self, cells: list[str], place: Position) -> Row | None:
        if len(cells) != len(self.names):
            what = f"a row has {len(self.names)} cells, and this one {len(cells):,}"
            self.say(unreadable(place, what))
            return None
        stripped = zip(self.names, map(str.strip, cells), strict=True)
        said = {name: cell for name, cell in stripped if cell not in NOTHING}
        return Row(said=said, place=place, raw=self.raw, order=self.names, delimiter=self.delimiter)

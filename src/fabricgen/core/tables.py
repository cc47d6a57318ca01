"""Writes tables as CSV that no spreadsheet runs as formulas, and as text for people."""

import csv
from collections.abc import Container, Iterable, Sequence
from io import StringIO

from fabricgen.core.record import record

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""First characters that a spreadsheet interprets as a formula (OWASP, CSV Injection)."""


@record()
class Sheet:
    """One table with its name. `rows`: numbers and texts; an empty text for a missing value."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with its heading; lines end as in RFC 4180, without the carriage return."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: object) -> str:
    """Return a cell as text; numbers stay numbers."""
    text = meters(cell) if isinstance(cell, float) else str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(_FORMULA) else text


def plain_text(sheets: Iterable[Sheet]) -> str:
    """Return readable tables, one below the other, without empty ones."""
    return "\n".join(_plain(sheet) for sheet in sheets if sheet.rows)


def _plain(sheet: Sheet) -> str:
    rows = [sheet.columns, *([_safe(cell) for cell in row] for row in sheet.rows)]
    columns = enumerate(zip(*sheet.rows, strict=True))
    right = {place for place, column in columns if _numbers(column)}
    return "\n".join([sheet.name.upper(), *aligned(rows, right), ""])


def aligned(
    rows: Sequence[Sequence[str]], right: Container[int] = (), between: str = "  "
) -> list[str]:
    """Return the lines of a table. `right`: the right-aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        between.join(
            cell.rjust(width) if place in right else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def markdown_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """Return the lines of a Markdown table. `rows`: cells with intended markup."""
    lines = (f"| {' | '.join(map(str, row))} |" for row in (heads, *rows))
    head = next(lines)
    return [head, "|--" * len(heads) + "|", *lines]


def _numbers(column: Sequence[object]) -> bool:
    return any(not isinstance(cell, str) for cell in column)


def meters(value: float) -> str:
    """Format a length: 15, 1.5."""
    return f"{value:.12g}"

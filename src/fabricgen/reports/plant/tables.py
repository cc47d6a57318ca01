"""Rows in; a CSV text that no spreadsheet runs as formulas out."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet takes for a formula (OWASP, CSV Injection)."""


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table with its heading; lines end as in RFC 4180, but for the carriage return."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: object) -> str:
    """Return a cell as text; numbers stay numbers."""
    text = metres(cell) if isinstance(cell, float) else str(cell)
    return f"'{text}" if isinstance(cell, str) and text.startswith(_FORMULA) else text


def metres(value: float) -> str:
    """Spell a length: 15, 1.5."""
    return f"{value:g}"

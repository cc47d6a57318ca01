"""Sheets in; a workbook out that is the same, byte for byte, whenever it is written.

XlsxWriter writes and cannot read, needs no other package and has releases every few months. Texts
are written as texts: no cell is a formula or a link, whatever it begins with.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from io import BytesIO

from fabricgen.core.tables import Sheet

_CREATED = datetime(1980, 1, 1, tzinfo=UTC)
"""What its properties say, as the entries of its archive do: no clock makes another file."""
_WIDEST = 60


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return a workbook with each sheet, its heading standing still while it is scrolled."""
    import xlsxwriter  # noqa: PLC0415 - only this file needs it

    out = BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"created": _CREATED})
    bold = book.add_format({"bold": True})
    for sheet in sheets:
        page = book.add_worksheet(sheet.name)
        page.freeze_panes(1, 0)
        for column, name in enumerate(sheet.columns):
            page.write_string(0, column, name, bold)
            page.set_column(column, column, _width(sheet, column))
        for row, cells in enumerate(sheet.rows, 1):
            for column, cell in enumerate(cells):
                if isinstance(cell, int | float | Decimal):
                    page.write_number(row, column, float(cell))
                elif cell != "":
                    page.write_string(row, column, str(cell))
    book.close()
    return out.getvalue()


def _width(sheet: Sheet, column: int) -> int:
    longest = max((len(str(row[column])) for row in sheet.rows), default=0)
    return min(max(longest, len(sheet.columns[column])) + 1, _WIDEST)

"""The bill as files: for a spreadsheet, for people, and as a workbook."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from fabricgen.reports.plant.tables import Sheet, csv_text, plain_text
from fabricgen.reports.plant.xlsx import workbook

HOSTILE = Sheet(
    "parts", ("part", "count"), [("=cmd|'/c calc'!A0", 3), ("https://example.net", 2.5)]
)
_XML = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def _sheet(book: bytes) -> ET.Element:
    return ET.fromstring(ZipFile(BytesIO(book)).read("xl/worksheets/sheet1.xml"))  # noqa: S314


def test_no_cell_of_a_workbook_is_a_formula_or_a_link() -> None:
    book = workbook([HOSTILE])
    sheet = _sheet(book)
    assert not list(sheet.iter(f"{_XML}f"))
    assert not list(sheet.iter(f"{_XML}hyperlink"))
    cells = {cell.get("r"): cell.get("t") for cell in sheet.iter(f"{_XML}c")}
    assert cells == {"A1": "s", "B1": "s", "A2": "s", "B2": None, "A3": "s", "B3": None}
    strings = ZipFile(BytesIO(book)).read("xl/sharedStrings.xml").decode()
    assert "=cmd|'/c calc'!A0" in strings


def test_the_same_sheets_are_the_same_bytes() -> None:
    assert workbook([HOSTILE]) == workbook([HOSTILE])


def test_every_sheet_is_in_the_workbook() -> None:
    book = workbook([HOSTILE, Sheet("hours", ("fabric",), [])])
    text = ZipFile(BytesIO(book)).read("xl/workbook.xml").decode()
    assert 'name="parts"' in text
    assert 'name="hours"' in text


def test_a_table_lines_numbers_up_and_leaves_out_what_is_empty() -> None:
    other = Sheet("empty", ("x",), [])
    assert plain_text([Sheet("parts", ("part", "count"), [("a", 3), ("bb", 12)]), other]) == (
        "PARTS\npart  count\na         3\nbb       12\n"
    )


def test_a_formula_is_text_in_csv_too() -> None:
    assert csv_text(HOSTILE.columns, HOSTILE.rows).splitlines()[1] == "'=cmd|'/c calc'!A0,3"

"""The bill as files: for a spreadsheet, for people, and as a workbook."""

from decimal import Decimal
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import yaml
from tests.unit.plant.test_cables import SITE

from fabricgen.compile.compiler import File, compile_site
from fabricgen.compile.output.manifest import BYTES
from fabricgen.compile.output.tree import write_tree
from fabricgen.core.tables import Sheet, csv_text, plain_text
from fabricgen.intent.load import load_texts
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.bom import bill
from fabricgen.plan.documents.plan import workbook

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


def _bill(prices: str, **more: object) -> dict[str, Sheet]:
    texts = {"site.yaml": yaml.safe_dump({**SITE, **more}), "catalog/prices.csv": prices}
    site = compile_site(load_texts(texts)).site
    assert site is not None
    return {sheet.name: sheet for sheet in bill(Plan.of(site))}


def test_a_price_is_of_what_is_bought_and_of_each_fabric() -> None:
    sheets = _bill(
        "part,price,currency\n7060X6-64PE,41000.10,EUR\n400G-SR4,350,EUR\n",
        cabling={"spares": {"switches": 10, "optics": 2}},
    )
    rows = {row[1]: row for row in sheets["parts"].rows}
    # 9 switches and a spare one, 128 optics and 3 (2.56) spare ones
    assert rows["7060X6-64PE"][-4:-1] == (Decimal("41000.10"), Decimal("410001.00"), "EUR")
    assert rows["400G-SR4"][-4:-1] == (Decimal(350), Decimal(131 * 350), "EUR")
    lacking = sum(row[-3] == "not known" for row in sheets["parts"].rows)
    assert sheets["parts"].rows[-1][-3:] == (Decimal("455851.00"), "EUR", lacking)
    totals = {row[0]: row[-3] for row in sheets["per fabric"].rows if row[1] == "total"}
    assert totals == {
        "backend": Decimal("41000.10") * 9 + 128 * 350,
        "spares": Decimal("41000.10") + 3 * 350,
    }


def test_without_a_list_no_column_speaks_of_money() -> None:
    sheet = _bill("part,price,currency\n")["parts"]
    assert sheet.columns[-1] == "bought"
    assert {len(row) for row in sheet.rows} == {len(sheet.columns)}


def test_a_workbook_is_on_disk_as_it_was_made(tmp_path: Path) -> None:
    book = workbook([HOSTILE])
    file = File("bom.xlsx", book.decode(errors=BYTES), executable=False)
    for _ in range(2):
        write_tree(tmp_path / "plan", "lab", [file])
        assert (tmp_path / "plan" / "bom.xlsx").read_bytes() == book


def test_a_sum_that_lacks_something_says_so_and_what_it_lacks() -> None:
    sheet = _bill("part,price,currency\n")["power"]
    total = dict(zip(sheet.columns, sheet.rows[-1], strict=True))
    # 9 switches of 640 W; of 16 servers nobody says the watts
    assert (total["switch_watts"], total["server_watts"]) == (9 * 640, "not known")
    assert total["watts"] == f"at least {9 * 640 + float(str(total['optic_watts'])):.12g}"
    assert total["watts_at_most"] == f"at least {9 * 2218}"
    assert total["without_watts"] == "16 servers"

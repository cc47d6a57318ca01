"""A list of prices that a buyer keeps: what is taken, and what is said of what is not."""

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.plant.test_cables import SITE

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.floor.prices import MOST_UNKNOWN
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_site, load_texts
from fabricgen.intent.prices import MOST_ERRORS, price_list
from fabricgen.review import revisions

HEAD = "part,price,currency\n"
FILE = "catalog/prices.csv"


def read(text: str) -> list[tuple[int, str]]:
    _, findings = price_list(FILE, text)
    assert all(each.code is Code.PRICE_REFUSED for each in findings)
    return [(each.position.line, each.message) for each in findings if each.position is not None]


def test_a_list_is_read_as_a_spreadsheet_saves_it() -> None:
    text = 'Part,Price,Currency\r\n7060X6-64PE,41000,EUR\r\n\r\n"400G-SR4", 350.25 ,EUR\r\n,,\r\n'
    prices, findings = price_list(FILE, text)
    assert not findings
    assert prices.currency == "EUR"
    assert {part: str(price) for part, price in prices.prices.items()} == {
        "7060X6-64PE": "41000",
        "400G-SR4": "350.25",
    }


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a,-1,EUR", "the price of a must not be negative"),
        ("a,nan,EUR", "the price of a must be a number with a point, for example 1250.50"),
        ("a,1e9,EUR", "the price of a must be a number with a point, for example 1250.50"),
        ('a,"1.250,50",EUR', "the price of a must be a number with a point, for example 1250.50"),
        ("a,99999999999,EUR", "the price of a must be a number with a point, for example 1250.50"),
        ("a,=1+1,EUR", "the price of a must be a number with a point, for example 1250.50"),
        ("a,\u0661,EUR", "the price of a must be a number with a point, for example 1250.50"),
        ("a,1,eur", "the currency of a must be three capital letters, for example EUR"),
        ("a,1", "a line must have 3 cells, but this one has 2"),
        (",1,EUR", "a part must have 1 to 120 printable characters"),
        ("a\x1b[31m,1,EUR", "a part must have 1 to 120 printable characters"),
        (f"{'a' * 121},1,EUR", "a part must have 1 to 120 printable characters"),
    ],
)
def test_a_line_that_is_not_taken_is_said_once(line: str, said: str) -> None:
    assert read(f"{HEAD}{line}\nb,1,EUR\n") == [(2, said)]


def test_one_list_has_one_currency_and_each_part_once() -> None:
    assert read(f"{HEAD}a,1,EUR\nb,1,USD\na,2,EUR\n") == [
        (3, "b is in USD, but the lines above are in EUR; use one currency"),
        (4, "a already has a price in line 2; keep one"),
    ]


@pytest.mark.parametrize("text", ["", "a;b;c\n1;2;3\n", "7060X6-64PE,41000,EUR\n", "{}\n"])
def test_a_file_without_its_heading_is_another(text: str) -> None:
    said = "the first line of a price list must be `part,price,currency`"
    assert read(text) == [(1, said)]


def test_what_is_no_csv_is_said() -> None:
    for text in (f'{HEAD}"a"b,1,EUR\n', f"{HEAD}{'a' * 200_000},1,EUR\n", f'{HEAD}"a,1,EUR\n'):
        ((_, message),) = read(text)
        assert message.startswith("the file is not CSV: ")


def test_a_file_of_errors_alone_has_an_end() -> None:
    assert len(read(HEAD + "a,x,EUR\n" * 10_000)) == MOST_ERRORS


@pytest.mark.parametrize(
    ("part", "known"),
    [
        ("7060X6-64PE", True),
        ("SN5600", True),  # not of this site: a list may have more
        ("OSFP-800G-2SR4", True),
        ("QSFP28-100G-DAC 2.5 m", True),
        ("QSFP28-100G-DAC", False),
        ("Cat5e RJ45 5 m", True),
        ("1000BASE-T 5 m", False),
        ("Cat8 RJ45 5 m", True),
        ("Cat6 RJ45 5 m", True),
        ("25GBASE-T 5 m", False),
        ("OM4 MPO-12/APC to 2x MPO-12/APC 5 m", True),
        ("OM3 MPO-12/APC to MPO-12/APC 5 m", True),
        ("OM2 MPO-12/APC to MPO-12/APC 5 m", False),
        ("OM4 trunk MPO-12/APC 8 fibers 30 m", True),
        ("OM4 trunk MPO-12/APC 9 fibers 30 m", False),
        ("OS2 trunk MPO-24/APC 24 fibers", False),
        ("OM4 cassette 2x MPO-12/APC to 3x MPO-12/APC", True),
        ("OS2 cassette MPO-12/APC to 6x duplex LC/UPC", True),
        ("OS2 cassette MPO-12/APC to 6x SC", False),
        ("MPO-12 adapter", True),
        ("panel 48 ports 1 U", True),
        ("panel 48 ports", False),
        ("cable manager", True),
        ("OM4 MPO-12/APC to MPO-12/APC", False),
        ("7060X6-64PX", False),
    ],
)
def test_a_part_that_no_bill_has_is_said(*, part: str, known: bool) -> None:
    texts = {"site.yaml": yaml.safe_dump(SITE), FILE: f"{HEAD}{part},10,EUR\n"}
    findings = compile_site(load_texts(texts)).findings
    said = [each.message for each in findings if each.code is Code.PRICE_REFUSED]
    assert said == ([] if known else [f"no bill of materials has a part {part!r}"])


def test_the_list_alone_is_read_of_all_that_is_no_yaml() -> None:
    texts = {"site.yaml": "", FILE: "", "prices.csv": "", "catalog/other.csv": ""}
    assert revisions.of_site(texts).keys() == {"site.yaml", FILE}


def test_the_list_of_a_folder_is_read(tmp_path: Path) -> None:
    (tmp_path / "catalog").mkdir()
    (tmp_path / "site.yaml").write_text(yaml.safe_dump(SITE), encoding="utf-8")
    (tmp_path / FILE).write_bytes(b"\xef\xbb\xbf" + f"{HEAD}7060X6-64PE,-1,EUR\n".encode())
    (tmp_path / "catalog" / "notes.csv").write_text("anything", encoding="utf-8")
    loaded = load_site(tmp_path)
    assert [each.message for each in loaded.findings] == [
        "the price of 7060X6-64PE must not be negative"
    ]
    assert loaded.facts == {}


@given(st.text(max_size=200))
def test_no_text_is_a_traceback(text: str) -> None:
    for each in (text, HEAD + text):
        prices, findings = price_list(FILE, each)
        assert len(prices.prices) == len(prices.places)
        assert all(price >= 0 for price in prices.prices.values())
        assert all(each.position is not None for each in findings)


def test_a_list_of_unknown_parts_alone_has_an_end() -> None:
    lines = "".join(f"part {number},1,EUR\n" for number in range(20_000))
    findings = compile_site(load_texts({"site.yaml": yaml.safe_dump(SITE), FILE: HEAD + lines}))
    said = [each for each in findings.findings if each.code is Code.PRICE_REFUSED]
    assert len(said) == MOST_UNKNOWN

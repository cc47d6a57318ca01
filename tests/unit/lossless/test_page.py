"""Every number in the tables of docs/reference/lossless-formulas.md is computed."""

import re

import pytest
from tests.unit.lossless.tables import PAGE, TABLES, filled, table_of

TEXT = PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_a_table_of_the_page_is_computed(name: str) -> None:
    assert table_of(TEXT, name) == list(TABLES[name]())


def test_every_table_of_the_page_is_tested() -> None:
    assert sorted(re.findall(r"<!-- (\w+) -->", TEXT)) == sorted(TABLES)
    assert len(re.findall(r"^\|-", TEXT, re.MULTILINE)) == len(TABLES)
    assert filled(TEXT) == TEXT

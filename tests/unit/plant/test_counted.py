"""Networks that are counted: their switches, cables, optics and watts are in the bill."""

from typing import Any

import yaml
from tests.unit.plant.test_cables import SITE, compiled

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.core.tables import Sheet
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.cables import cables
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.bom import bill

NVLINK = {"kind": "NVLink", "switches": 9, "links": 1296, "length": 1.7, "watts": 1000}
STORAGE = {"kind": "Fibre Channel", "switches": 2, "links": 32, "length": 20, "medium": "multimode"}


def sheets(**counted: Any) -> dict[str, Sheet]:
    site = compiled(cabling={"other_networks": counted}).site
    assert site is not None
    return {sheet.name: sheet for sheet in bill(Plan.of(site))}


def parts(sheet: Sheet) -> dict[str, dict[str, object]]:
    return {
        str(row["part"]): row
        for row in (dict(zip(sheet.columns, each, strict=True)) for each in sheet.rows)
    }


def test_copper_is_one_part_and_fiber_has_two_transceivers() -> None:
    told = parts(sheets(nvl=NVLINK, san=STORAGE)["parts"])
    assert told["NVLink switch"]["nvl"] == told["NVLink switch"]["bought"] == 9
    assert told["NVLink copper 2 m"]["bought"] == 1296
    assert told["Fibre Channel multimode 20 m"]["san"] == 32
    assert told["Fibre Channel transceiver, multimode"]["bought"] == 64
    assert not any("NVLink transceiver" in name for name in told)


def test_watts_are_those_of_all_its_switches_where_they_are_known() -> None:
    rows = {row[0]: row for row in sheets(nvl=NVLINK, san=STORAGE)["counted"].rows}
    assert rows["nvl"][-1] == 9000
    assert rows["san"][-1] == "not known"


def test_no_cable_is_laid_or_configured_for_them() -> None:
    with_it, without = compiled(cabling={"other_networks": {"nvl": NVLINK}}).site, compiled().site
    assert with_it is not None
    assert without is not None
    assert [each.name for each in cables(with_it)] == [each.name for each in cables(without)]


def test_the_name_of_a_fabric_is_taken() -> None:
    found = compiled(cabling={"other_networks": {"backend": NVLINK}}).findings
    assert [each.path for each in found if each.code is Code.DUPLICATE_ID] == [
        ("cabling", "other_networks", "backend")
    ]


def test_they_have_prices_as_all_parts_have() -> None:
    words = {**SITE, "cabling": {"other_networks": {"nvl": NVLINK}}}
    prices = "part,price,currency\nNVLink switch,9000,EUR\nNVLink copper 2 m,50,EUR\n"
    texts = {"site.yaml": yaml.safe_dump(words), "catalog/prices.csv": prices}
    found = compile_site(load_texts(texts))
    assert Code.PRICE_REFUSED not in {each.code for each in found.findings}
    assert found.site is not None
    told = parts(bill(Plan.of(found.site))[0])
    assert told["NVLink switch"]["cost"] == 81000

"""The acceptance sheet: each end of a cable with its limits, and what no source gives."""

import csv
import re
from io import StringIO
from typing import Any

import pytest
import yaml
from tests.unit.plant.test_cables import SITE, compiled

from fabricgen.intent.load import load_texts
from fabricgen.model.catalog.fec import FEC_LIMITS
from fabricgen.model.catalog.optics import shipped_optics
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.acceptance import LIMITS, MEASURED, acceptance

SINGLE = {
    "servers": ["single-mode"],
    "switches": ["single-mode"],
    "optics": ["OSFP-800G-2DR4", "QSFP112-400G-DR4"],
}


def rows(**cabling: Any) -> list[dict[str, str]]:
    site = compiled(cabling=cabling).site
    assert site is not None
    text = acceptance(Plan.of(site))
    assert text.splitlines()[0] == ",".join((*LIMITS, *MEASURED))
    return list(csv.DictReader(StringIO(text)))


def test_each_end_has_the_limits_of_its_optic_and_empty_columns() -> None:
    sheet = rows(media={"backend": SINGLE})
    assert len(sheet) == 2 * len({row["cable"] for row in sheet})
    for row in sheet:
        assert (row["receive_dbm_least"], row["receive_dbm_most"]) == ("-5.9", "4")
        assert (row["pre_fec_ber_most"], row["fec_symbols_most"]) == ("2.4e-04", "15")
        assert 0 <= float(row["loss_db"]) < 0.1
        assert {row[name] for name in MEASURED} == {""}
        assert row["rack"]
        assert row["interface"]


def test_limits_without_a_source_are_not_known() -> None:
    sheet = rows()
    assert {row["optic"] for row in sheet} == {"OSFP-800G-2SR4", "400G-SR4"}
    assert {row["receive_dbm_least"] for row in sheet} == {"not known"}
    assert {row["loss_db_most"] for row in sheet} == {"not known"}


def test_a_copper_cable_has_no_light() -> None:
    sheet = rows(media={"backend": {"servers": ["copper"], "switches": ["copper"]}})
    copper = [row for row in sheet if shipped_optics()[row["optic"]].is_cable]
    assert copper
    assert {row["receive_dbm_least"] + row["loss_db"] for row in copper} == {""}
    assert {row["pre_fec_ber_most"] for row in copper} == {"2.4e-04"}


def test_the_symbols_follow_from_the_code() -> None:
    for code, limit in FEC_LIMITS.items():
        match = re.fullmatch(r"RS\((\d+),(\d+)\)", code)
        assert match is not None
        assert limit.symbols == (int(match[1]) - int(match[2])) // 2
    codes = {optic.fec for optic in shipped_optics().values() if optic.fec is not None}
    assert codes - {"CFEC", "OFEC", "SC-FEC"} == FEC_LIMITS.keys()  # coherent: not known


def test_received_power_has_a_source_and_an_order() -> None:
    known = [optic for optic in shipped_optics().values() if optic.receive is not None]
    assert len(known) == 8
    for optic in known:
        assert optic.receive is not None
        assert optic.receive[0] < optic.receive[1]
        assert "receive: " in optic.source


@pytest.mark.parametrize("receive", [[4, -5.9], [4, 4], [4], []])
def test_limits_of_a_site_are_checked(receive: list[float]) -> None:
    facts = {
        "kind": "transceiver",
        "cages": {"OSFP": {"2x400G": "400GBASE-DR4"}},
        "lanes": 8,
        "reach": 500,
        "media": "single-mode",
        "source": "Acme, data sheet",
        "receive": receive,
    }
    texts = {
        "site.yaml": yaml.safe_dump(SITE),
        "catalog/optics.yaml": yaml.safe_dump({"Acme-1": facts}),
    }
    found = [each.message for each in load_texts(texts).findings]
    assert len(found) == 1
    assert found[0].endswith("`receive` needs a minimum and then a maximum")

"""What is printed at each end of each cable."""

import csv
from io import StringIO
from typing import Any

from tests.unit.plant.test_cables import SITE, compiled, laid, moved

from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.labels import labels


def rows(**more: Any) -> list[dict[str, str]]:
    site = compiled(**more).site
    assert site is not None
    return list(csv.DictReader(StringIO(labels(Plan.of(site)))))


def test_each_end_of_each_cable_has_a_label_of_its_own() -> None:
    every = rows()
    assert len(every) == 2 * len(laid())
    assert len({row["label"] for row in every}) == len(every)


def test_a_label_says_this_end_and_then_the_other() -> None:
    here, there = rows()[:2]
    assert here["line1"] == f"{here['device']}:{here['port']}"
    assert here["line2"] == f"> {there['line1']}"
    assert there["line2"] == f"> {here['line1']}"
    assert int(here["characters"]) == max(len(here["line1"]), len(here["line2"]))


def test_it_says_where_that_end_is_laid_and_in_which_color() -> None:
    every = rows(cabling={"media": {"backend": {"color": "aqua"}}})
    assert {row["color"] for row in every} == {"aqua"}
    assert {row["rack"][:3] for row in every if row["device"].startswith("gpu")} == {"r01"}


def test_no_label_changes_when_a_rack_moves_or_servers_come() -> None:
    said = {row["label"] for row in rows()}
    assert {row["label"] for row in rows(racks=moved(9))} == said
    fewer = {"gpu": {**SITE["servers"]["gpu"], "count": 8}}
    assert {row["label"] for row in rows(servers=fewer)} < said


STRUCTURED = {"structured": {"backend": {"trunk": 8}}}


def test_a_cable_by_panels_has_a_label_at_each_end_of_each_cord() -> None:
    every = rows(cabling=STRUCTURED)
    by_panels = [each for each in laid(cabling=STRUCTURED) if each.channel is not None]
    assert by_panels
    at = {row["label"]: row for row in every}
    assert len(at) == len(every)
    for cable in by_panels:
        own = [row for row in every if row["cable"] == cable.name]
        assert [row["line1"].endswith(" panel") for row in own] == [False, True, False, True]
        for device, panel in (own[:2], own[2:]):
            assert device["rack"] == panel["rack"]
            assert panel["line1"] == f"{device['line1']} panel"
            assert panel["device"].startswith(f"{panel['rack']}-pp")
            assert panel["port"].isdigit()
    trunks = [row for row in every if ":" not in row["line2"]]
    assert len({row["line1"] for row in trunks}) == len(trunks) / 2 == 4 * 32
    assert all(row["device"].startswith(f"{row['rack']}-pp") for row in trunks)


def test_no_label_of_a_cord_changes_when_a_rack_moves_or_servers_come() -> None:
    def cords(**more: Any) -> set[str]:
        return {row["label"] for row in rows(cabling=STRUCTURED, **more) if ":" in row["line2"]}

    fewer = {"gpu": {**SITE["servers"]["gpu"], "count": 8}}
    assert cords(racks=moved(9)) == cords()
    assert cords(servers=fewer) < cords()

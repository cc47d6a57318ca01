"""What is printed at each end of each cable."""

from __future__ import annotations

import csv
from io import StringIO
from typing import Any

from tests.unit.plant.test_cables import SITE, laid, moved

from fabricgen.reports.plant.labels import labels


def rows(**more: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(labels(laid(**more)))))


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


def test_it_says_where_that_end_is_laid_and_in_which_colour() -> None:
    every = rows(cabling={"media": {"backend": {"colour": "aqua"}}})
    assert {row["colour"] for row in every} == {"aqua"}
    assert {row["rack"][:3] for row in every if row["device"].startswith("gpu")} == {"r01"}


def test_no_label_changes_when_a_rack_moves_or_servers_come() -> None:
    said = {row["label"] for row in rows()}
    assert {row["label"] for row in rows(racks=moved(9))} == said
    fewer = {"gpu": {**SITE["servers"]["gpu"], "count": 8}}
    assert {row["label"] for row in rows(servers=fewer)} < said

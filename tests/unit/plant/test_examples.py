"""`fabricgen cabling` of every example site: its tables agree with each other and with the site."""

import csv
import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from tests.cli.calling import ROOT, call

from fabricgen.compile.compiler import designed
from fabricgen.intent.load import load_site
from fabricgen.model.cabling.fibers import GRADES
from fabricgen.model.cabling.parts import BREAKOUT, CABLE, OPTIC, OUTSIDE, SHUFFLE, SWITCH, UNKNOWN
from fabricgen.model.catalog.optics import connectors, shipped_optics
from fabricgen.model.fabric.switch import Site

SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
EVERY = pytest.mark.parametrize("name", SITES)
WHOLE = {"cabling.csv", "labels.csv", "lldp.json", "bom.csv", "bom.txt", "bom.xlsx", "racks.csv"}
WHOLE |= {"fibers.csv", "floor.svg", "racks", "topology", "work-orders", "manifest.json"}
Row = dict[str, str]


@cache
def plan(name: str) -> dict[str, Any]:
    """The files of the plan by name, tables as rows."""
    with TemporaryDirectory() as folder:
        target = Path(folder) / "plan"
        said = call("cabling", str(ROOT / "intent" / name), "-o", str(target))
        assert said.code == 0, said.err
        texts = {path.name: path for path in target.iterdir()}
        tables = {key: _rows(path) for key, path in texts.items() if path.suffix == ".csv"}
        return {**texts, **tables, "lldp.json": json.loads(texts["lldp.json"].read_text())}


def _rows(path: Path) -> list[Row]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


@cache
def site_of(name: str) -> Site:
    site = designed(load_site(ROOT / "intent" / name)).site
    assert site is not None
    return site


def inside(name: str) -> list[Row]:
    """The cables that do not leave the site."""
    return [row for row in plan(name)["cabling.csv"] if row["b_port"]]


def bill(name: str, *kinds: str) -> list[Row]:
    return [row for row in plan(name)["bom.csv"] if row["kind"] in kinds]


@EVERY
def test_the_whole_plan_is_written(name: str) -> None:
    assert plan(name).keys() >= WHOLE


@EVERY
def test_each_link_is_one_cable(name: str) -> None:
    links = [link for fabric in site_of(name).fabrics for link in fabric.topology.links]
    ends = Counter((link.upper.name, link.upper_port.label, link.lower.name) for link in links)
    rows = inside(name)
    assert Counter((row["a_device"], row["a_port"], row["b_device"]) for row in rows) == ends
    every = [row["id"] for row in plan(name)["cabling.csv"]]
    assert len(set(every)) == len(every)


@EVERY
def test_every_end_is_in_a_rack_and_every_cable_is_something_that_is_sold(name: str) -> None:
    for row in plan(name)["cabling.csv"]:
        assert row["a_rack"], row["id"]
        assert row["b_rack"] or not row["b_port"], row["id"]
        assert (row["medium"] != UNKNOWN and row["length_m"]) or not row["b_port"], row["id"]


@EVERY
def test_every_end_has_its_label(name: str) -> None:
    texts = Counter(row["label"] for row in plan(name)["labels.csv"])
    assert set(texts.values()) == {1}
    wanted = {row[end] for row in inside(name) for end in ("a_label", "b_label")}
    assert wanted <= texts.keys()


@EVERY
def test_lldp_has_every_port_of_a_switch_that_a_cable_is_in(name: str) -> None:
    said = plan(name)["lldp.json"]["switches"]
    told = {(switch, port) for switch, ports in said.items() for port in ports}
    ends = {(r[f"{e}_device"], r[f"{e}_interface"]) for r in inside(name) for e in "ab"}
    assert told == {(device, port) for device, port in ends if device in said}
    for row in inside(name):
        heard = said[row["a_device"]][row["a_interface"]]["neighbor"]
        assert row["b_device"] in {heard, f"{heard}-mgmt"}


@EVERY
def test_the_bill_has_every_switch(name: str) -> None:
    there = [each for fabric in site_of(name).fabrics for each in fabric.topology.switches]
    wanted = Counter(switch.model.name for switch in there)
    assert {row["part"]: int(row["used"]) for row in bill(name, SWITCH)} == wanted


@EVERY
def test_the_bill_has_an_optic_for_each_cage_in_the_list_of_cables(name: str) -> None:
    cages = {(*_cage(row, end), row[f"{end}_optic"]) for row in inside(name) for end in "ab"}
    wanted = Counter(optic for *_, optic in cages if optic)
    counts = {row["part"]: int(row["used"]) for row in bill(name, OPTIC)}
    assert {part: count for part, count in counts.items() if part != UNKNOWN} == wanted


@EVERY
def test_the_bill_has_a_cable_for_each_cage_with_fixed_ends(name: str) -> None:
    cages = {row["assembly"] for row in inside(name) if not row["a_optic"]}
    pieces = [row for row in bill(name, CABLE, BREAKOUT) if row["part"] != OUTSIDE]
    fixed = [row for row in pieces if not _on_fiber(row)]
    assert sum(int(row["used"]) for row in fixed) == len(cages)


@EVERY
def test_legs_of_a_cable_with_fixed_ends_are_of_one_length(name: str) -> None:
    legs: dict[str, set[str]] = defaultdict(set)
    for row in inside(name):
        if not row["a_optic"]:
            legs[row["assembly"]].add(row["length_m"])
    assert {len(lengths) for lengths in legs.values()} <= {1}


@EVERY
def test_fiber_in_the_bill_has_as_many_plugs_as_the_list_of_cables(name: str) -> None:
    """A cord of a cable by panels has one plug more, at its panel."""
    fiber = [row for row in inside(name) if row["a_optic"]]
    plugs = {plug for row in fiber for end in "ab" for plug in _plugs(row, end)}
    panelled = {row["cable"] for row in plan(name).get("panels.csv", ())}
    by_panels = [row for row in fiber if row["id"] in panelled]
    cords = {plug for row in by_panels for end in "ab" for plug in _plugs(row, end)}
    pieces = [row for row in bill(name, CABLE, BREAKOUT, SHUFFLE) if _on_fiber(row)]
    assert sum(int(row["used"]) * _ends(row["part"]) for row in pieces) == len(plugs) + len(cords)


def _cage(row: Row, end: str) -> tuple[str, str]:
    """Where an end is plugged in: ports 7/1 and 7/2 are of cage 7."""
    lanes = row[f"{end}_lanes"]
    port = row[f"{end}_port"]
    return row[f"{end}_device"], port.partition("/")[0] if lanes else port


def _plugs(row: Row, end: str) -> set[tuple[object, ...]]:
    """The connectors of the optic at an end that the lanes of its port are in."""
    optic = shipped_optics().get(row[f"{end}_optic"])
    if optic is None:
        return {(*_cage(row, end), 0)}
    first, _, last = (row[f"{end}_lanes"] or f"1-{optic.lanes}").partition("-")
    count, _ = connectors(optic)
    return {
        (*_cage(row, end), (lane - 1) * count // optic.lanes)
        for lane in range(int(first), int(last) + 1)
    }


def _on_fiber(row: Row) -> bool:
    return row["part"].startswith(tuple(f"{grade} " for *_, grade in GRADES))


def _ends(part: str) -> int:
    """Plugs of a piece: `OM4 2x A to B 5 m` has three."""
    near, to, far = part.partition(" to ")
    counts = (re.search(r"\b(\d+)x ", side) for side in (near, far) if to)
    return sum(int(each[1]) if each else 1 for each in counts)

"""Trunks that meet in an area: their racks, ports, cords, loss, polarity and gender."""

import csv
from collections import Counter, defaultdict
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.plant.test_cables import SITE, compiled

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.loss import loss_of
from fabricgen.plan.bill import lines
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.fibers import fiber_files
from fabricgen.plan.documents.labels import labels
from fabricgen.plan.documents.orders import orders

FRONTEND = Path(__file__).parents[2] / "diagnostics" / "FG713" / "site" / "site.yaml"
AREA = {"row": 2, "count": 2, "panels": 12, "contents": [{"pdus": 1}]}
BETWEEN = [["gpu", "area"], ["area", "network"]]


def keys(kind: str | None = "cross-connect", **words: Any) -> dict[str, Any]:
    said = {"trunk": 8, "between": BETWEEN, **words}
    if kind is not None:
        said["through"] = {"area": kind}
    racks = {name: {**rack, "panels": 5} for name, rack in SITE["racks"].items()}
    racks["gpu"]["height"] = 48
    return {"racks": {**racks, "area": AREA}, "cabling": {"structured": {"backend": said}}}


def plan_of(**more: Any) -> Plan:
    found = compiled(**more)
    assert found.site is not None, found.findings
    return Plan.of(found.site)


def said(code: Code, **more: Any) -> list[Diagnostic]:
    return [each for each in compiled(**more).findings if each.code is code]


def rows(plan: Plan, name: str) -> list[dict[str, str]]:
    text = next(file.text for file in fiber_files(plan) if file.path == name)
    return list(csv.DictReader(StringIO(text)))


@pytest.mark.parametrize(
    ("kind", "pairs", "ports", "cords"), [("interconnect", 3, 1, 0), ("cross-connect", 4, 2, 1)]
)
def test_each_panel_of_the_area_is_a_pair_of_plugs(
    kind: str, pairs: int, ports: int, cords: int
) -> None:
    plan = plan_of(**keys(kind))
    by = {each.cable.name: each for each in plan.patching.patched}
    assert len(by) == 4 * 32
    for each in by.values():
        loss = loss_of(each.cable, plan.site.floor.losses, each)
        assert loss is not None
        assert (loss.mpo, loss.lc) == (pairs, 0)
        assert each.cable.channel is not None
        lengths = [meters for _, meters in each.cable.channel.length.terms]
        assert len(lengths) == 4 + cords
        assert each.cable.length.meters == sum(lengths)
        assert loss.total == pytest.approx(pairs * 0.35 + sum(lengths) / 1000 * 3)
    area = {rack.name for rack in plan.site.floor.racks if rack.type == "area"}
    assert sum(plan.patching.ports.get(rack, 0) for rack in area) == ports * 4 * 32
    assert len(plan.patching.trunks) == 2 * 4 * 32
    bought = Counter[str]()
    for line in lines(plan):
        bought[line.part.name] += line.used
    assert bought["MPO-12 adapter"] == (2 + ports) * 4 * 32
    assert bought["OM4 MPO-12/APC to MPO-12/APC"] == (2 + cords) * 4 * 32


def test_trunks_and_ports_of_an_area_are_used_once_and_are_in_every_list() -> None:
    plan = plan_of(**keys())
    ports = Counter(
        (joint.rack.name, port) for joint in plan.patching.joints for port in joint.ports
    )
    assert set(ports.values()) == {1}
    named = {row["trunk"]: row for row in rows(plan, "trunks.csv")}
    for joint in plan.patching.joints:
        one, other = (named[trunk] for trunk in joint.trunks)
        assert joint.rack.name in {one["a_rack"], one["b_rack"]}
        assert one["b_rack"] == other["a_rack"] == joint.rack.name
    for row in rows(plan, "panels.csv"):
        assert len(row["crossings"].split()) == 2
    told = [row["label"] for row in csv.DictReader(StringIO(labels(plan)))]
    assert len(told) == len(set(told))
    assert sum(" cord > " in label for label in told) == 2 * 4 * 32
    pages = {file.path: file.text for file in orders(plan)}
    joint = plan.patching.joints[0]
    assert f"{joint.trunks[0]} cord" in pages[f"work-orders/{joint.rack.name}.html"]


def test_the_nearest_rack_of_an_area_is_crossed() -> None:
    plan = plan_of(**keys())
    racks: dict[str, set[str]] = defaultdict(set)
    for each in plan.patching.patched:
        assert each.cable.channel is not None
        (crossing,) = each.cable.channel.crossings
        racks[each.far.rack.name].add(crossing.rack.name)
    beyond = {f"r01-0{place}": {"r02-02"} for place in (2, 3, 4)}
    assert racks == {"r01-01": {"r02-01"}, **beyond}


@pytest.mark.parametrize(
    ("kind", "method", "trunks"),
    [
        ("cross-connect", "B", ["B", "B"]),
        ("cross-connect", "A", ["A", "A"]),
        ("interconnect", "B", ["B", "A"]),
        ("interconnect", "A", ["A", "A"]),
    ],
)
def test_an_odd_number_of_pieces_exchanges_both_directions(
    kind: str, method: str, trunks: list[str]
) -> None:
    plan = plan_of(**keys(kind, polarity=method))
    laid = plan.patching.trunks[:2]
    assert [trunk.polarity for trunk in laid] == trunks
    cords = {line.part.finish.polarity for line in lines(plan) if "to MPO" in line.part.name}
    ends = ["B", "B"] if method == "B" else ["A", "B"]
    assert cords == set(ends)
    cross = [joint.polarity for joint in plan.patching.joints[:1] if joint.has_cord]
    assert [*ends, *trunks, *cross].count("B") % 2 == 1


def test_every_joint_has_pins_on_one_side() -> None:
    for kind in ("interconnect", "cross-connect"):
        plan = plan_of(**keys(kind))
        by = {trunk.name: trunk for trunk in plan.patching.trunks}
        for joint in plan.patching.joints:
            one, other = (by[name] for name in joint.trunks)
            meet = one.genders[1], other.genders[0]
            want = ("pinned", "pinned") if joint.has_cord else ("pinned", "unpinned")
            assert meet == want  # a cord has no pins
        ends = {(each.genders[0], by[each.name].racks[0][:3]) for each in by.values()}
        assert ("pinned", "r01") in ends


def test_too_many_panels_are_refused_with_their_sum() -> None:
    (found,) = said(Code.PANELS_TOO_MANY, **keys(most_panels=3))
    assert "crosses 4 panels (2 at the ends + 2 in area), but a channel may have 3" in found.message
    assert found.path == ("cabling", "structured", "backend", "most_panels")
    assert not said(Code.PANELS_TOO_MANY, **keys("interconnect", most_panels=3))
    assert not said(Code.CROSS_CONNECT, **keys())
    assert len(said(Code.CROSS_CONNECT, **keys(None))) == 1


@pytest.mark.parametrize(
    ("kind", "losses", "refused"),
    [("cross-connect", 0.35, False), ("interconnect", 0.5, False), ("cross-connect", 0.5, True)],
)
def test_the_loss_of_an_area_counts_in_the_budget(
    *, kind: str, losses: float, refused: bool
) -> None:
    words = yaml.safe_load(FRONTEND.read_text(encoding="utf-8"))
    said = words["cabling"]["structured"]["frontend"]
    said |= {"through": {"middle": kind}, "most_panels": 4}
    words["cabling"]["losses"] = {"mpo": losses}
    found = compile_site(load_texts({"site.yaml": yaml.safe_dump(words)})).findings
    told = [each.message for each in found if each.code is Code.LOSS_TOO_HIGH]
    assert bool(told) is refused
    assert all("(4 pairs of MPO, 0 of LC" in each for each in told)


def test_an_area_without_trunks_is_unknown() -> None:
    words = keys(None)
    words["cabling"]["structured"]["backend"]["through"] = {"aera": "interconnect"}
    (found,) = said(Code.UNKNOWN_REFERENCE, **words)
    assert found.message == "no trunks to racks of type 'aera'"
    assert found.hint == "did you mean 'area'?"


@pytest.mark.parametrize(
    ("kind", "gender", "clash"),
    [
        (None, "unpinned", "cords without pins"),
        (None, "pinned", ""),
        ("cross-connect", "pinned", ""),
        ("cross-connect", "unpinned", "cords without pins"),
        ("interconnect", "pinned", "each other in an adapter"),
    ],
)
def test_a_written_gender_must_mate(kind: str | None, gender: str, clash: str) -> None:
    words = keys(kind, gender=gender, **({} if kind else {"between": []}))
    found = said(Code.GENDERS_CLASH, **words)
    assert [clash in each.message for each in found] == ([True] if clash else [])
    if clash:
        assert found[0].path == ("cabling", "structured", "backend", "gender")


def test_trunks_behind_cassettes_have_the_other_gender_than_the_cassettes() -> None:
    for gender, other in ((None, "pinned"), ("pinned", "unpinned"), ("unpinned", "pinned")):
        words = keys(None, trunk=12, between=[], **({"gender": gender} if gender else {}))
        told = {line.part.kind: line.part.finish.gender for line in lines(plan_of(**words))}
        assert told["trunk"] == (gender or "unpinned")
        assert told["cassette"] == other
        assert not said(Code.GENDERS_CLASH, **words)

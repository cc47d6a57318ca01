"""What is bought for a site, and what its racks draw: counted by hand."""

import csv
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from tests.unit.plant.test_cables import compiled

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_site
from fabricgen.model.cabling.parts import counted_parts
from fabricgen.plan.bill import free_border, lines, minutes
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.cabling import cabling
from fabricgen.plan.power import loads

INTENT = Path(__file__).parents[3] / "intent"


def _laid(name: str) -> Plan:
    site = compile_site(load_site(INTENT / name)).site
    assert site is not None
    return Plan.of(site)


def _own(**more: Any) -> Plan:
    site = compiled(**more).site
    assert site is not None
    return Plan.of(site)


@pytest.fixture(scope="module")
def oob() -> Plan:
    return _laid("oob")


@pytest.fixture(scope="module")
def full() -> Plan:
    return _laid("full")


def _sums(plan: Plan, fabric: str) -> dict[tuple[str, str], int]:
    """Count the parts of a fabric, whatever their lengths and their grades."""
    sums: Counter[tuple[str, str]] = Counter()
    for part, counts in counted_parts(plan.site, plan.pieces, plan.laid).items():
        sums[part.kind, part.name.removeprefix("OM3 ").removeprefix("OM4 ")] += counts[fabric]
    return dict(+sums)


def test_a_breakout_is_one_for_four_ports(oob: Plan) -> None:
    # 16 servers with 2 ports of 25G, 4 of them in a cage; 4 leafs with a cable to either spine, and
    # those to the other row run by panels, with a cord at each end
    assert _sums(oob, "frontend") == {
        ("switch", "7050CX3-32S"): 6,
        ("breakout", "QSFP28-4xSFP28-DAC"): 8,
        ("cable", "QSFP28-100G-DAC"): 4,
        ("cable", "MPO-12/UPC to MPO-12/UPC"): 8,
        ("optic", "QSFP28-100G-SR4"): 8,
    }


def test_an_access_network_is_bought_in_pairs(oob: Plan) -> None:
    # BMCs 16, power units 12, management ports of switches 10; 2 leafs with 2 uplinks
    assert _sums(oob, "oob") == {
        ("switch", "SN2201"): 2,
        ("switch", "7050CX3-32S"): 2,
        ("cable", "Cat5e RJ45"): 38,
        ("cable", "QSFP28-100G-DAC"): 2,
        ("cable", "MPO-12/UPC to MPO-12/UPC"): 2,
        ("optic", "QSFP28-100G-SR4"): 4,
        ("cable", "to the outside"): 2,
    }


def test_an_optic_is_one_for_each_cage_and_a_cable_one_for_each_connector(full: Plan) -> None:
    # 64 servers with 8 NICs; 8 leafs with 64 ports down and 64 up, two in a cage; 8 spines
    assert _sums(full, "backend") == {
        ("switch", "7060X6-64PE"): 16,
        ("optic", "400G-SR4"): 512,
        ("optic", "OSFP-800G-2SR4"): 256 + 256 + 256,
        ("cable", "MPO-12/APC to MPO-12/APC"): 512 + 512,
    }


def test_two_ports_of_a_connector_share_a_cable_or_a_breakout(full: Plan) -> None:
    # NICs 64 x 2 + 12 x 4, four in a cage; 424 links of 200G up, two in a connector at both ends
    assert _sums(full, "storage") == {
        ("switch", "7060X6-64PE"): 6,
        ("optic", "400G-SR4"): 176,
        ("optic", "OSFP-800G-2SR4"): 44 + 106 + 106,
        ("cable", "MPO-12/APC to MPO-12/APC"): 212,
        ("breakout", "MPO-12/APC to 2x MPO-12/APC"): 88,
    }


def test_ports_of_25g_share_the_cage_of_a_leaf(full: Plan) -> None:
    sums = _sums(full, "frontend")
    assert sums["optic", "SFP28-25G-SR"] == 64 * 2 + 16 * 2
    assert sums["breakout", "MPO-12/UPC to 4x duplex LC/UPC"] == 40


def test_every_cable_is_in_one_piece(full: Plan) -> None:
    assert Counter(cable.name for piece in full.pieces for cable in piece.cables) == Counter(
        cable.name for cable in full.laid
    )


def test_a_piece_is_as_long_as_its_longest_leg(oob: Plan) -> None:
    whole = [piece for piece in oob.pieces if piece.cables[0].channel is None]
    assert len(whole) < len(oob.pieces)
    for piece in whole:
        assert (piece.part.meters or 0) == max(cable.length.meters for cable in piece.cables)


def test_the_bill_and_the_list_of_cables_say_one_grade(oob: Plan) -> None:
    said = {row["id"]: row["grade"] for row in csv.DictReader(StringIO(cabling(oob)))}
    for run in oob.pieces:
        assert {said[cable.name] for cable in run.cables} == {run.grade}
        assert run.part.name.startswith(f"{run.grade} ") or not run.grade
    assert set(said.values()) == {"", "OM3", "OM4"}


@pytest.mark.parametrize(("percent", "spares"), [(0, 0), (0.1, 1), (11, 1), (11.2, 2), (100, 9)])
def test_spares_are_rounded_up(percent: float, spares: int) -> None:
    # 8 leafs and a spine, and no percent of anything else
    plan = _own(cabling={"spares": {"switches": percent}})
    bought = {line.part.kind: line for line in lines(plan)}
    assert (bought["switch"].used, bought["switch"].spares) == (9, spares)
    assert bought["switch"].bought == 9 + spares
    assert bought["optic"].spares == 0


def test_a_whole_number_of_spares_is_not_rounded_up() -> None:
    # 0.78125 percent of the 128 optics in NICs is one, in decimals
    plan = _own(cabling={"spares": {"optics": 0.78125}})
    spares = {line.part.name: line.spares for line in lines(plan)}
    assert spares["400G-SR4"] == 1


def test_what_nobody_can_order_has_no_spares() -> None:
    near = {"media": {"backend": {"servers": ["copper"]}}, "spares": {"cables": 100}}
    unknown = [line for line in lines(_own(cabling=near)) if not line.part.known]
    assert sum(line.used for line in unknown) == 128
    assert not any(line.spares for line in unknown)


def test_hours_are_those_of_pieces(oob: Plan) -> None:
    spent = minutes(oob)
    assert {name: (count, int(each)) for name, (count, each) in spent.items()} == {
        "frontend": (8 + 4 + 8 + 8, 280),  # breakouts, copper, cords, trunks with spare ones
        "oob": (44, 440),
    }


def test_a_border_leaf_has_cages_that_nothing_is_in(oob: Plan) -> None:
    free = {leaf: cages for _, leaf, cages in free_border(oob.site, oob.laid)}
    # of 52 cages: 12 + 1 of three racks to power units and BMCs, uplinks and the office
    assert {leaf: len(cages) for leaf, cages in free.items()} == {
        "oob-leaf01": 30,
        "oob-leaf02": 30,
    }
    assert all(51 not in cages for cages in free.values())


def test_a_rack_draws_what_is_in_it_and_says_what_is_not_known(full: Plan) -> None:
    by = {load.rack.name: load for load in loads(full.site, full.laid) if load.rack is not None}
    assert (by["r01-01"].servers, by["r01-01"].used) == (4 * 10_200, 4 * 8)
    assert not any(by["r01-01"].unknown.values())
    services = by["r03-01"]  # 8 servers and 6 with disks, whose watts nobody says
    assert (services.watts, services.unknown["servers"]) == (0, {"servers": 14})
    # 7 switches of 640 W and 2 of 168 W; 7060X6-64PE at most 2,218 W, 7050CX3-32S 343 W
    assert (by["r03-03"].switches, by["r03-03"].most) == (7 * 640 + 2 * 168, 7 * 2218 + 2 * 343)


def test_what_stands_in_no_rack_is_a_load_of_its_own() -> None:
    plan = _own(racks={})
    (load,) = loads(plan.site, plan.laid)
    assert load.rack is None
    assert load.switches == 640 * len(plan.site.fabrics[0].topology.switches)
    assert load.unknown["servers"] == {"servers": 16}


@pytest.mark.parametrize(("power", "enough"), [(9 * 2218, True), (9 * 2218 - 1, False)])
def test_a_rack_needs_the_power_of_what_it_may_draw(*, power: int, enough: bool) -> None:
    # 8 leafs and a spine, 2,218 W each at most
    network = {"power": power, "contents": [{"switches": "be-*"}]}
    found = [
        each
        for each in compiled(racks={"network": network}).findings
        if each.path[:1] == ("racks",)
    ]
    paths = [each.path for each in found if each.code is Code.RACK_POWER]
    assert paths == ([] if enough else [("racks", "network", "power")])

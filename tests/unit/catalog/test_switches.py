"""Cages, modes and memory of a switch model; and every model that ships, beside its own file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen import catalog
from fabricgen.catalog.asics import asic
from fabricgen.catalog.switches import Cage, Mode, SwitchModel, model_names, switch_model
from fabricgen.lossless.memory import ShippedPool
from fabricgen.units import BitsPerSecond, Bytes, Metres

DATA = Path(catalog.__file__).parent / "data"
FILES = sorted((DATA / "switches").glob("*.yaml"))
SPEED = BitsPerSecond.parse
VIRTUAL = ("LAB-64", "SONIC-VS")
"""Switches that are no hardware: they have no chip."""


def cage(number: int, *modes: str, service: bool = False) -> Cage:
    parts = (mode.split("x") for mode in modes)
    return Cage(
        number=number,
        lanes=8,
        modes=tuple(Mode(int(count), SPEED(speed), 8 // int(count)) for count, speed in parts),
        service=service,
    )


def model(*cages: Cage, **sonic: object) -> SwitchModel:
    return SwitchModel(
        name="Box-9",
        vendor="Acme",
        asic="Anvil",
        source="the manual",
        cages=cages,
        platforms={"sonic": sonic} if sonic else {},
    )


def read(file: Path) -> tuple[dict[str, Any], SwitchModel]:
    facts = yaml.load(file.read_text(), Loader=yaml.CSafeLoader)
    found = switch_model(facts["model"])
    assert found is not None
    return facts, found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_model_that_ships_is_as_its_file_says(file: Path) -> None:
    facts, found = read(file)
    assert facts["model"] in model_names()
    for key in ("vendor", "asic", "source", "platforms"):
        assert getattr(found, key) == facts[key]
    rows = [row for row in facts["cages"] for _ in range(row["first"], row["last"] + 1)]
    assert [one.number for one in found.cages] == list(range(1, len(rows) + 1))
    for row, one in zip(rows, found.cages, strict=True):
        assert (one.lanes, one.service) == (row["lanes"], row.get("service", False))
        modes = {f"{mode.count}x{mode.speed}": mode.lanes for mode in one.modes}
        assert modes == row["modes"]
    assert (asic(found.asic) is not None) == (found.name not in VIRTUAL)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rows_of_a_model_that_ships_are_those_of_its_file(file: Path) -> None:
    facts, found = read(file)
    rows = facts["platforms"].get("sonic", {}).get("headroom", [])
    told = [
        [
            row.speed.megabits,
            row.length,
            row.size,
            row.resume,
            row.headroom,
            row.alpha,
            row.resume_offset,
        ]
        for row in found.headroom_rows
    ]
    assert told == rows
    assert {row.source for row in found.headroom_rows} <= {facts["source"]}


@pytest.mark.parametrize("name", ["", "7060x6-64pe", "7060X6", "nonesuch"])
def test_a_model_is_known_by_its_exact_name_alone(name: str) -> None:
    assert switch_model(name) is None


def test_a_mode_is_chosen_by_its_speed_and_count_or_has_the_most() -> None:
    one = cage(1, "1x800G", "2x400G", "1x400G", "8x100G")
    assert one.mode(SPEED("400G")) == Mode(2, SPEED("400G"), 4)
    assert one.mode(SPEED("400G"), 1) == Mode(1, SPEED("400G"), 8)
    assert one.mode(SPEED("800G"), 1) == Mode(1, SPEED("800G"), 8)
    assert one.mode(SPEED("800G"), 2) is None
    assert one.mode(SPEED("200G")) is None


def test_service_cages_are_for_no_fabric() -> None:
    box = model(cage(1, "1x800G", "2x400G"), cage(2, "1x800G"), cage(3, "1x10G", service=True))
    assert [one.number for one in box.usable] == [1, 2]
    assert list(map(str, box.speeds())) == ["800G", "400G"]
    assert {text: box.has_speed(SPEED(text)) for text in ("800G", "400G", "10G")} == {
        "800G": True,
        "400G": False,
        "10G": False,
    }


# Mbit/s, metres, size, xon, xoff, threshold, xon_offset
ROWS = [
    [100_000, 5, 1_000, 10, 900, -2, 20],
    [100_000, 40, 1_500, 10, 1_000, -2, None],
    [400_000, 5, 100, 10, 900, -2, 20],
]


def test_a_row_has_what_is_below_pause_where_its_size_has_the_headroom() -> None:
    box = model(headroom=ROWS)
    assert [row.below_pause for row in box.headroom_rows] == [100, 500, 0]
    assert box.below_pause(SPEED("100G")) == 500
    assert box.below_pause(SPEED("400G")) == 0
    assert box.below_pause(SPEED("800G")) == 0
    first = box.headroom_rows[0]
    assert (first.speed, first.length, first.source) == (SPEED("100G"), Metres(5), "the manual")
    assert (first.resume, first.resume_offset, first.alpha) == (Bytes(10), Bytes(20), -2)
    assert box.headroom_rows[1].resume_offset is None


@pytest.mark.parametrize(
    ("pool", "rows", "alpha"),
    [
        ({}, ROWS, -2),
        ({"mode": "dynamic"}, ROWS, -2),
        ({"mode": "static"}, ROWS, 0),
        ({"mode": "dynamic"}, [], 0),
    ],
)
def test_a_threshold_is_known_where_the_pool_is_dynamic(
    pool: dict[str, object], rows: list[list[object]], alpha: int
) -> None:
    box = model(headroom=rows, pools={"ingress_lossless_pool": pool})
    assert box.alpha == alpha


def test_a_pool_for_headroom_is_one_that_ships_with_its_size() -> None:
    pool = {"xoff": 2_000, "size": 9_000, "mode": "dynamic"}
    shared = model(pools={"ingress_lossless_pool": pool}).headroom_pool
    assert shared is not None
    assert shared == ShippedPool(Bytes(2_000), Bytes(9_000))
    assert model(pools={"ingress_lossless_pool": {"size": 9_000}}).headroom_pool is None
    assert model().headroom_pool is None
    assert (model().alpha, model().headroom_rows) == (0, ())

"""Cages, modes and memory of a switch model; and every model that ships, beside its own file."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.core.units import BitsPerSecond
from fabricgen.model import catalog
from fabricgen.model.catalog.asics import asic
from fabricgen.model.catalog.cages import Cage, Mode
from fabricgen.model.catalog.switches import Latency, SwitchModel, Watts, model_names, switch_model
from fabricgen.model.catalog.targets import with_generated

DATA = Path(catalog.__file__).parent / "data"
FILES = sorted((DATA / "switches").glob("*.yaml"))
SPEED = BitsPerSecond.parse
NO_CHIP = ("none", "unknown")
"""Of a switch that is no hardware, and of one whose maker does not say."""


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
        chip=None,
        source="the manual",
        cages=cages,
        platforms={"sonic": sonic} if sonic else {},
    )


def read(file: Path) -> tuple[dict[str, Any], SwitchModel]:
    facts = yaml.load(file.read_text(), Loader=yaml.CSafeLoader)
    found = switch_model(facts["model"])
    assert found is not None
    return facts, found


def vars_of(said: Watts | Latency | None) -> dict[str, Any]:
    return {} if said is None else asdict(said)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_model_that_ships_is_as_its_file_says(file: Path) -> None:
    facts, found = read(file)
    assert facts["model"] in model_names()
    for key in ("vendor", "asic", "source"):
        assert getattr(found, key) == facts[key]
    assert found.platforms == with_generated(facts["platforms"])
    assert found.rack_units == facts.get("rack_units")
    for key in ("watts", "latency"):
        said = getattr(found, key)
        told = {name: value for name, value in vars_of(said).items() if value is not None}
        assert told == facts.get(key, {})
    rows = [row for row in facts["cages"] for _ in range(row["first"], row["last"] + 1)]
    assert [one.number for one in found.cages] == list(range(1, len(rows) + 1))
    for row, one in zip(rows, found.cages, strict=True):
        assert (one.lanes, one.service) == (row["lanes"], row.get("service", False))
        modes = {f"{mode.count}x{mode.speed}": mode.lanes for mode in one.modes}
        assert modes == row["modes"]
    assert (asic(found.asic) is not None) == (found.asic not in NO_CHIP)


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

"""Which optics join two cages, how far they reach, and every one that ships beside its words."""

import pytest

from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.optic_facts import OpticFacts
from fabricgen.model.catalog.optics import MediaOption, Socket, modes_of, shipped_optics, ways

OPTICS = shipped_optics()


def socket(form: str, *modes: str) -> Socket:
    return Socket(forms=(form,), modes=modes)


def between(near: Socket, far: Socket | None) -> dict[tuple[str, str], int]:
    """Return the meters of each way, by the names of its two ends."""
    return {(way.near.name, way.far.name): way.reach for way in ways(near, far, OPTICS.values())}


def best(near: Socket, far: Socket | None) -> MediaOption | None:
    return max(ways(near, far, OPTICS.values()), key=lambda way: way.reach, default=None)


@pytest.mark.parametrize("name", OPTICS)
def test_an_optic_that_ships_is_well_formed_and_sourced(name: str) -> None:
    optic = OPTICS[name]
    fields = OpticFacts.model_fields.keys()
    told = {key: getattr(optic, key) for key in fields if getattr(optic, key) is not None}
    assert OpticFacts.model_validate(told).source == optic.source


def test_ends_of_one_signal_meet_whatever_their_cages_are() -> None:
    found = between(socket("OSFP", "2x400G"), socket("QSFP-DD", "1x400G"))
    assert found["800G-2FR4", "400G-FR4"] == 2_000
    assert found["OSFP-800G-2DR4", "400G-DR4"] == 500
    assert ("800G-2FR4", "400G-DR4") not in found


def test_a_splitter_reaches_less_than_a_straight_cable() -> None:
    straight = between(socket("OSFP", "2x400G"), socket("OSFP-RHS", "1x400G"))
    split = between(socket("OSFP", "4x200G"), socket("OSFP-RHS", "1x200G"))
    assert straight["OSFP-800G-2DR4", "OSFP-RHS-400G-DR4"] == 100
    assert split["OSFP-800G-2DR4", "OSFP-RHS-400G-DR4"] == 50


def test_a_cable_with_fixed_ends_is_one_thing_in_both_cages() -> None:
    found = between(socket("OSFP", "2x400G"), socket("QSFP112", "1x400G"))
    copper = {names for names, _ in found.items() if OPTICS[names[0]].is_cable}
    assert copper == {("OSFP-2xQSFP112-DAC",) * 2, ("OSFP-2xQSFP112-ACC",) * 2}
    assert between(socket("QSFP112", "1x400G"), socket("OSFP", "2x400G")).keys() >= copper


def test_a_breakout_cable_does_not_join_two_cages_of_its_near_end() -> None:
    found = between(socket("OSFP", "2x400G"), socket("OSFP", "2x400G"))
    assert ("OSFP-800G-DAC", "OSFP-800G-DAC") in found
    assert not any("QSFP112" in name for names in found for name in names)


def test_a_cage_takes_the_modules_before_its_own() -> None:
    assert best(socket("QSFP-DD", "4x10G"), socket("SFP28", "1x10G")) is not None
    assert between(socket("QSFP28", "1x100G"), socket("QSFP-DD", "1x100G")).keys() >= {
        ("QSFP28-100G-SR4", "QSFP28-100G-SR4")
    }
    assert best(socket("SFP+", "1x25G"), None) is None


def test_where_nothing_is_known_of_an_end_the_other_decides() -> None:
    found = best(socket("RJ45", "1x1G"), None)
    assert found is not None
    assert (found.near.name, found.reach) == ("1000BASE-T", 100)
    assert best(socket("unknown", "1x800G"), None) is None


def test_the_ways_of_a_speed_are_all_that_a_cage_can_be_split_into() -> None:
    assert modes_of(BitsPerSecond.parse("1.6T")) == ("1x1.6T", "2x1.6T", "4x1.6T", "8x1.6T")

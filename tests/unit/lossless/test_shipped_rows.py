"""From rows of vendors: NVIDIA's are met to the byte, Broadcom's closely, others are reported."""

import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.unit.lossless.shipped import RECIPES, Case, cases

from fabricgen.model.lossless.chips import CellFit, SonicDynamic, chip
from fabricgen.model.lossless.headroom import headroom, wire_minimum
from fabricgen.model.lossless.port import PauseResponse
from fabricgen.model.lossless.terms import NOTHING

NEWEST = "ACS-SN6600_LD"


def covered(case: Case) -> bool:
    model = case.chip.model
    return isinstance(model, CellFit) and model.covers(case.speed)


@pytest.mark.parametrize("device", sorted(RECIPES))
def test_nvidia_rows_are_met_to_the_byte(device: str) -> None:
    rows = [case for case in cases("nvidia") if case.device == device]
    assert rows
    wrong = [case for case in rows if RECIPES[device].compute(case).total != case.headroom]
    assert wrong == []


def test_nvidia_rows_are_220_and_the_14_of_the_newest_chip() -> None:
    counted = Counter(case.device == NEWEST for case in cases("nvidia"))
    assert counted == {False: 220, True: 14}


def test_the_newest_800g_rows_hold_the_conservative_response_only() -> None:
    rows = [case for case in cases("nvidia") if case.device == NEWEST]
    fast = [case for case in rows if case.speed.gigabits == 800]
    assert len(fast) == 3
    for case in fast:
        made = case.chip
        assert isinstance(made.model, SonicDynamic)
        shipped = replace(made.model, response=PauseResponse.SHIPPED, extra=NOTHING)
        total = headroom(
            case.port(RECIPES[NEWEST].lossless_mtu),
            replace(made, model=shipped),
            RECIPES[NEWEST].traffic,
        ).total
        assert case.off(total) < Fraction(-13, 100)


@pytest.mark.parametrize("asic", ["Tomahawk4", "Tomahawk5", "Trident4-X9", "Tomahawk6"])
def test_broadcom_fits_keep_their_stated_error(asic: str) -> None:
    rows = [case for case in cases("broadcom") if case.asic == asic and covered(case)]
    made = [(case, headroom(case.port(), case.chip)) for case in rows]
    worst = max(abs(case.off(result.total)) for case, result in made)
    stated = made[0][1].error
    assert stated is not None
    assert worst <= stated <= Fraction(15, 1000)
    assert stated - worst < Fraction(1, 10_000), "the stated error is not the measured one"
    assert all(result.upper >= case.headroom for case, result in made)
    assert all(result.total % case.chip.cell == 0 for case, result in made)


def test_a_fit_holds_for_the_speeds_it_was_made_from_and_no_other() -> None:
    counted = Counter(case.asic for case in cases("broadcom") if covered(case))
    assert counted == {"Tomahawk4": 6, "Tomahawk5": 12, "Trident4-X9": 6, "Tomahawk6": 9}
    slow = next(case for case in cases("broadcom") if not covered(case))
    assert headroom(slow.port(), slow.chip).error is None


def test_other_vendors_rows_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    rows = cases("others")
    with capsys.disabled():
        sys.stdout.write("\n" + "\n".join(map(line, rows)) + "\n")
    assert len(rows) > 100


def line(case: Case) -> str:
    """Say a row and what is computed for it, in one line."""
    made = headroom(case.port(), case.chip)
    floor = "" if case.headroom >= wire_minimum(case.port()).total else ", below the wire"
    return (
        f"{case.device:32} {case.asic:12} {case.speed!s:>5} {case.length:>6} m "
        f"shipped {case.headroom:>10,} computed {made.total:>11,} "
        f"{float(100 * case.off(made.total)):+8.1f} %  {made.model}{floor}"
    )


def test_every_row_names_its_source() -> None:
    rows = [case for name in ("nvidia", "broadcom", "others") for case in cases(name)]
    assert all("@" in case.source and case.source.endswith(".ini") for case in rows)
    assert chip("Tomahawk5", None).cell == 254

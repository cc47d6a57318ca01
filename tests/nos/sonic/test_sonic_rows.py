"""The rows of a SKU in; the headroom row that a port is given, by its speed and its cable, out."""

import pytest

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.headroom import Headroom
from fabricgen.model.lossless.rows import PortHeadroom, Row, Rule
from fabricgen.nos.sonic.buffers import _row

SPEED = BitsPerSecond.parse("400G")


def row(meters: int, headroom: int, size: int, speed: BitsPerSecond = SPEED) -> Row:
    return Row(
        speed=speed,
        length=Meters(meters),
        headroom=Bytes(headroom),
        source="",
        size=Bytes(size),
        resume=Bytes(18_000),
        alpha=-3,
    )


def planned(meters: int, headroom: int) -> PortHeadroom:
    return PortHeadroom(
        speed=SPEED,
        length=Meters(meters),
        headroom=Bytes(headroom),
        computed=Headroom(total=Bytes(headroom), terms=(), model=""),
        shipped=None,
        rule=Rule.COMPUTED,
        difference=None,
        wire=Bytes(0),
    )


SHORT, LONG = row(5, 300_000, 350_000), row(300, 800_000, 850_000)
OTHER = row(2_000, 900_000, 950_000, BitsPerSecond.parse("100G"))
ROWS = (OTHER, LONG, SHORT)


@pytest.mark.parametrize(("meters", "chosen"), [(3, SHORT), (5, SHORT), (6, LONG), (300, LONG)])
def test_the_shortest_cable_that_is_long_enough_decides(meters: int, chosen: Row) -> None:
    assert _row(ROWS, SPEED, Meters(meters), planned(meters, 1)) is chosen


def test_a_longer_cable_has_the_planned_headroom_and_a_size_that_grows_with_it() -> None:
    made = _row(ROWS, SPEED, Meters(400), planned(400, 1_000_000))
    assert made == row(400, 1_000_000, 1_050_000)


def test_a_size_without_the_headroom_in_it_stays() -> None:
    made = _row((row(300, 800_000, 18_000),), SPEED, Meters(400), planned(400, 1_000_000))
    assert made == row(400, 1_000_000, 18_000)


def test_without_a_plan_or_a_row_of_its_speed_a_port_has_none() -> None:
    assert _row(ROWS, SPEED, Meters(400), None) is None
    assert _row((OTHER,), SPEED, Meters(40), planned(40, 1)) is None

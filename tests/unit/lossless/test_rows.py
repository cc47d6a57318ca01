"""From a port and a vendor's rows: which value is used, why, and when people are warned."""

from fractions import Fraction

from tests.unit.lossless.shipped import cases
from tests.unit.lossless.test_models import port

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.chips import chip
from fabricgen.model.lossless.headroom import headroom
from fabricgen.model.lossless.rows import PortHeadroom, Row, Rule, compare
from fabricgen.model.lossless.sonic import cell_factor

ROWS = tuple(
    Row(speed=case.speed, length=case.length, headroom=case.headroom, source=case.source)
    for case in cases("broadcom")
    if case.asic == "Tomahawk5"
)


def compared(speed: str, meters: int, rows: tuple[Row, ...] = ROWS) -> PortHeadroom:
    asked = port(speed, meters)
    return compare(asked, headroom(asked, chip("Tomahawk5", None)), rows)


def test_the_row_of_exactly_this_cable_is_used() -> None:
    found = compared("400G", 40)
    assert (found.headroom, found.rule) == (446_024, Rule.SHIPPED)
    assert found.difference == Fraction(448_056 - 446_024, 446_024)
    assert found.warning is None


def test_a_longer_row_is_used_as_it_is_and_compared_at_its_own_cable() -> None:
    found = compared("400G", 41)
    assert (found.headroom, found.rule) == (839_216, Rule.SHIPPED_LONGER)
    assert found.shipped is not None
    assert found.shipped.length == 300
    assert found.difference is not None
    assert abs(found.difference) < Fraction(5, 1000), "as far off as at 300 m, not as 41 m is"


def test_without_a_long_enough_row_the_computed_value_and_its_error_are_used() -> None:
    found = compared("400G", 301)
    assert (found.shipped, found.difference, found.rule) == (None, None, Rule.COMPUTED)
    assert found.headroom == found.computed.upper > found.computed.total


def test_rows_of_other_speeds_do_not_count() -> None:
    assert compared("800G", 40).headroom == 835_406
    assert compared("1.6T", 5).rule is Rule.COMPUTED


def test_more_than_ten_percent_is_said() -> None:
    row = Row(
        speed=BitsPerSecond.parse("400G"),
        length=Meters(40),
        headroom=Bytes(330_200),
        source="another chip's row",
    )
    found = compared("400G", 40, (row,))
    assert found.headroom == 330_200
    assert found.warning is not None
    assert found.warning.startswith(
        "the headroom computed for 400G at 40 m is 35.7 % above the shipped row of 330,200 bytes"
    )


def test_a_row_below_the_wire_is_said() -> None:
    row = Row(
        speed=BitsPerSecond.parse("400G"),
        length=Meters(40),
        headroom=Bytes(90_000),
        source="too little",
    )
    found = compared("400G", 40, (row,))
    assert found.error is not None
    assert "90,000 bytes are less than the 96,476" in found.error
    assert compared("400G", 40).error is None


def test_a_cell_of_two_smallest_packets_is_filled_by_the_first_packet_alone() -> None:
    """buffer_headroom_mellanox.lua divides by 64 only where the cell is larger than 128 bytes."""
    factors = [cell_factor(Bytes(cell), whole_factor=False) for cell in (96, 128, 192)]
    assert factors == [Fraction(192, 97), Fraction(256, 129), Fraction(3)]
    assert cell_factor(Bytes(144), whole_factor=True) == 3

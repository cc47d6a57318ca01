"""How long a cable is, by where its ends stand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.model.cabling.lengths import length_between, sold
from fabricgen.model.fabric.floor import Laying, Rack, Stand

SOLD = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0)
LAYING = Laying(width=0.6, pitch=4.2, rise=0.45, slack=0.5, percent=10, lengths=SOLD)
PLACES = st.tuples(st.integers(1, 20), st.integers(1, 40), st.integers(1, 42))


def stand(row: int, position: int, unit: int | None) -> Stand:
    rack = Rack(
        name=f"r{row}-{position}",
        type="any",
        number=1,
        row=row,
        position=position,
        units=42,
        watts=None,
        path=(),
    )
    return Stand(name="x", kind="switch", rack=rack, unit=unit, units=1, path=())


def test_a_cable_goes_up_along_and_down_again() -> None:
    length = length_between(stand(1, 1, 2), stand(3, 5, 40), LAYING)
    # (42 - 2) x 0.04445 + 0.5, (42 - 40) x 0.04445 + 0.5, 4 x 0.6, 2 x 4.2, 2 x 0.45, a tenth
    terms = (2.278, 0.5889, 2.4, 8.4, 0.9)
    assert length.way == pytest.approx(sum(terms) * 1.1)
    assert length.meters == 20


def test_slack_is_half_a_meter_at_least() -> None:
    length = length_between(stand(1, 1, 42), stand(1, 2, 42), LAYING)
    assert length.way == pytest.approx(0.5 + 0.5 + 0.6 + 0.9 + 0.5)


def test_inside_a_rack_it_follows_its_side() -> None:
    one = stand(1, 1, 1)
    other = Stand(name="y", kind="switch", rack=one.rack, unit=21, units=1, path=())
    assert length_between(one, other, LAYING).way == pytest.approx(20 * 0.04445 + 0.8)


def test_what_hangs_at_the_side_is_counted_from_the_middle() -> None:
    one = stand(1, 1, None)
    other = Stand(name="y", kind="switch", rack=one.rack, unit=21, units=1, path=())
    assert length_between(one, other, LAYING).way == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("way", "bought"), [(5, 5), (5.1, 7), (30, 30), (31, 50), (100, 100), (101, None)]
)
def test_a_length_is_rounded_up_to_what_is_sold(way: float, bought: float | None) -> None:
    assert sold(way, SOLD) == bought


@given(PLACES, PLACES)
def test_it_is_as_long_from_either_end(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    there, back = stand(*one), stand(*other)
    assert length_between(there, back, LAYING).way == pytest.approx(
        length_between(back, there, LAYING).way
    )


@given(PLACES, PLACES, st.integers(1, 9), st.sampled_from(["row", "position"]))
def test_farther_is_longer(
    one: tuple[int, int, int], other: tuple[int, int, int], more: int, what: str
) -> None:
    row, position, unit = other
    row, position = max(row, one[0]), max(position, one[1] + 1)
    near = stand(row, position, unit)
    far = stand(row + more, position, unit) if what == "row" else stand(row, position + more, unit)
    here = stand(*one)
    assert length_between(here, far, LAYING).way > length_between(here, near, LAYING).way

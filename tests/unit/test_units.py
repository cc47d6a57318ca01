"""Speeds read and printed as engineers write them, and numbers joined to spans."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.units import BitsPerSecond, counted, spans

SPEEDS = {
    "1M": 10**6,
    "100M": 10**8,
    "1G": 10**9,
    "2.5G": 2_500_000_000,
    "400G": 4 * 10**11,
    "1T": 10**12,
    "1.6T": 1_600_000_000_000,
}


@pytest.mark.parametrize(("text", "rate"), SPEEDS.items())
def test_a_speed_is_read_and_printed_alike(text: str, rate: int) -> None:
    speed = BitsPerSecond.parse(text)
    assert (speed, str(speed)) == (rate, text)


@pytest.mark.parametrize("text", ["1000G", "1000M"])
def test_the_largest_unit_is_printed(text: str) -> None:
    assert str(BitsPerSecond.parse(text)) == {"1000G": "1T", "1000M": "1G"}[text]


def test_less_than_a_megabit_is_printed_in_bits() -> None:
    assert str(BitsPerSecond(999_999)) == "999999"
    assert str(BitsPerSecond(0)) == "0"


@pytest.mark.parametrize(
    "text", ["", "G", "0G", "010G", "10000G", "400", "400g", "1.25T", "-1G", "1G ", " 1G", "1G\n"]
)
def test_anything_else_is_no_speed(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a speed such as 100G, 400G or 1\.6T"):
        BitsPerSecond.parse(text)


def test_a_rate_is_counted_in_whole_megabits_and_gigabits() -> None:
    rate = BitsPerSecond(2_500_999_999)
    assert (rate.megabits, rate.gigabits) == (2_500, 2)
    assert (BitsPerSecond.parse("1.6T").megabits, BitsPerSecond.parse("1.6T").gigabits) == (
        1_600_000,
        1_600,
    )


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([], ""),
        ([7], "7"),
        ([5, 6], "5-6"),
        ([30, 5, 6, 7, 6], "5-7,30"),
        ([1, 3, 5], "1,3,5"),
        ([0, 1, 2, 4, 6, 7], "0-2,4,6-7"),
    ],
)
def test_numbers_are_joined_each_once_and_in_order(numbers: list[int], text: str) -> None:
    assert spans(numbers) == text


@given(st.lists(st.integers(min_value=0, max_value=60)))
def test_spans_name_the_numbers_and_no_two_of_them_touch(numbers: list[int]) -> None:
    pairs = [part.partition("-") for part in spans(numbers).split(",") if part]
    ends = [(int(first), int(last or first)) for first, _, last in pairs]
    assert {n for first, last in ends for n in range(first, last + 1)} == set(numbers)
    assert all(one[1] + 1 < other[0] for one, other in pairwise(ends))


def test_things_are_counted_as_people_do() -> None:
    said = [counted(number, noun) for number, noun in ((1, "batch"), (2, "batch"), (0, "leaf"))]
    assert [*said, counted(2000, "switch")] == ["1 batch", "2 batches", "0 leafs", "2,000 switches"]

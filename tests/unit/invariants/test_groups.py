"""The comparison of the members of a group: the usual value, and how sure it must be."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabricgen.prove.invariants.law import Member, Spot, odd, sharing, unlike
from fabricgen.prove.invariants.switch import Switch

if TYPE_CHECKING:
    from collections.abc import Iterable

SPOT = Spot(Switch("leaf", "eos", {}), ("switch",))


def _members(values: Iterable[str]) -> list[Member]:
    return [Member(f"port {n}", value, SPOT) for n, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "sure", "found"),
    [
        ("aab", 0, [("b", "a", 2)]),
        ("ba", 0, [("a", "b", 1)]),  # of two the first is usual
        ("abcc", 0, [("a", "c", 2), ("b", "c", 2)]),
        ("aab", 3, []),
        ("aaab", 3, [("b", "a", 3)]),
        ("aaabb", 3, []),  # two differ, so it may be meant
        ("", 0, []),
    ],
)
def test_members_without_the_usual_value(
    values: str, sure: int, found: list[tuple[str, str, int]]
) -> None:
    assert list(odd(values, str, sure)) == found


def test_a_breach_names_both_values_and_counts_the_others() -> None:
    (breach,) = unlike("MTU", "the same link", _members(["9000", "", "9000"]))
    assert breach.said == (
        "port 1 has MTU none, but port 0 of the same link has 9000 (2 of 3 have it)"
    )


def test_members_that_share_a_value_are_one_group_and_no_value_is_none() -> None:
    groups = sharing(_members(["1", "2", "1", "", ""]))
    assert [[each.name for each in group] for group in groups] == [["port 0", "port 2"]]

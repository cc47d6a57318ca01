"""The classes of risk: their names, their order, their meaning."""

import pytest

from fabricgen.core.tree.risk import MEANING, Risk, grows, named
from fabricgen.core.tree.settings import Settings


@pytest.mark.parametrize("risk", Risk)
def test_each_class_is_known_by_its_word_and_has_a_meaning(risk: Risk) -> None:
    assert named(risk.word) is risk
    assert MEANING[risk]


def test_they_are_ordered_by_their_harm() -> None:
    words = ["hitless", "session-reset", "lossless-disruptive", "reboot"]
    assert [risk.word for risk in sorted(Risk)] == words


SIZE = ("mmu", "limit 100")


@pytest.mark.parametrize(
    ("before", "after", "grown"),
    [
        ({("mmu", "limit 50"): ""}, {SIZE: ""}, True),
        ({("mmu", "limit 100"): ""}, {SIZE: ""}, True),
        ({("mmu", "limit 200"): ""}, {SIZE: ""}, False),
        ({("mmu", "limit 50"): "", ("mmu", "limit 200"): ""}, {SIZE: ""}, False),
        ({("mmu", "limit auto"): ""}, {SIZE: ""}, False),
        ({("mmu", "other 200"): ""}, {SIZE: ""}, True),
        ({("else", "limit 200"): ""}, {SIZE: ""}, True),
        ({}, {SIZE: ""}, True),
        ({SIZE: "7"}, {SIZE: "8"}, True),
        ({SIZE: "8"}, {SIZE: "7"}, False),
        ({SIZE: "8"}, {SIZE: "on"}, False),
        ({SIZE: "on"}, {SIZE: "8"}, False),
        ({SIZE: " "}, {SIZE: "8"}, False),
    ],
)
def test_a_number_grows_where_no_earlier_one_of_its_kind_was_larger(
    before: Settings, after: Settings, *, grown: bool
) -> None:
    """The number is the value of a setting, or the last word of its line; `auto` is none."""
    assert grows(SIZE, before, after) is grown

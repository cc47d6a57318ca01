"""The classes of risk: their names, their order, their meaning."""

from __future__ import annotations

import pytest

from fabricgen.tree.risk import MEANING, Risk, named


@pytest.mark.parametrize("risk", Risk)
def test_each_class_is_known_by_its_word_and_has_a_meaning(risk: Risk) -> None:
    assert named(risk.word) is risk
    assert MEANING[risk]


def test_they_are_ordered_by_their_harm() -> None:
    words = ["hitless", "session-reset", "lossless-disruptive", "reboot"]
    assert [risk.word for risk in sorted(Risk)] == words

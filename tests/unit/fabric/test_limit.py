"""A limit names switches by their own name or by their fabric's."""

import pytest

from fabricgen.model.fabric.limit import within


@pytest.mark.parametrize(
    "limit", [(), ("leaf1",), ("backend",), ("leaf?",), ("spine*", "back*")], ids=" ".join
)
def test_a_switch_is_meant_by_its_name_or_its_fabrics(limit: tuple[str, ...]) -> None:
    assert within(limit, "leaf1", "backend")


@pytest.mark.parametrize(
    "limit", [("leaf",), ("leaf1?",), ("Leaf1",), ("spine*", "frontend")], ids=" ".join
)
def test_a_switch_that_no_pattern_names_is_not_meant(limit: tuple[str, ...]) -> None:
    assert not within(limit, "leaf1", "backend")

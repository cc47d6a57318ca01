"""JSON as `json.dumps(..., indent=4)` prints it; what is shared is printed once and kept."""

import json
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.json_text import to_json

PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=12
)


class Shared(dict[str, Any]):
    """A table that many views hold; it is looked up by identity."""

    shared: ClassVar[bool] = True
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        return self is other


@given(VALUES)
def test_it_is_what_python_prints_with_an_indent(value: object) -> None:
    assert to_json(value) == json.dumps(value, indent=4)


@pytest.mark.parametrize("value", [{}, [], {"a": {}}, {"a": []}, [[]], [{}], "", 0, None, False])
def test_what_is_empty_takes_no_lines(value: object) -> None:
    assert to_json(value) == json.dumps(value, indent=4)


def test_a_shared_table_prints_like_any_other_at_every_depth() -> None:
    table = Shared({"MAP": {"3": "3", "4": ["4"]}})
    value = {"one": table, "inner": {"two": table, "three": [table]}}
    assert to_json(value) == json.dumps(value, indent=4)
    assert to_json(table) == json.dumps(table, indent=4)


def test_the_text_of_a_shared_table_is_kept() -> None:
    table = Shared({"a": 1})
    before = to_json({"x": table})
    table["a"] = 2  # only to see whether it is read again
    assert to_json({"x": table}) == before
    assert to_json({"x": Shared({"a": 2})}) != before

"""A record compares and hashes as a frozen dataclass does, and shows what it may show."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from types import FunctionType
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.core.record import record


@record()
class Pair:
    one: int
    other: int = 2


@record()
class Child(Pair):
    third: int = 3


@record(eq=False, kw_only=True)
class Cable:
    length: int
    hidden: str = field(default="", repr=False)


@record()
class Loose:
    text: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loose) and self.text.lower() == other.text.lower()

    def __hash__(self) -> int:
        return hash(self.text.lower())


def test_values_are_equal_and_hash_alike() -> None:
    assert {Pair(1), Pair(1, 2), Pair(2)} == {Pair(1), Pair(2)}


def test_a_record_is_not_equal_to_one_of_another_kind() -> None:
    assert Pair(1) != Child(1)


def test_an_inherited_field_counts() -> None:
    assert Child(1) != Child(2)


def test_identity_is_all_a_record_without_eq_has() -> None:
    assert Cable(length=1) != Cable(length=1)


def test_a_record_keeps_its_own_equality() -> None:
    assert Loose("A") == Loose("a")


def test_what_is_hidden_is_not_shown() -> None:
    assert repr(Cable(length=1, hidden="x")) == "Cable(length=1)"


def test_fields_and_replace_work_as_for_a_dataclass() -> None:
    assert [each.name for each in fields(Child)] == ["one", "other", "third"]
    assert replace(Child(1), third=4) == Child(1, 2, 4)


def test_keywords_only_where_they_are_asked_for() -> None:
    with pytest.raises(TypeError):
        Cable(1)  # type: ignore[call-arg]


def test_a_record_has_no_other_attribute() -> None:
    with pytest.raises(AttributeError):
        Pair(1).forth = 1  # type: ignore[attr-defined]


def test_a_record_is_pickled() -> None:
    assert pickle.loads(pickle.dumps(Pair(1))) == Pair(1)  # noqa: S301 - our own bytes


def shaped(made: Callable[..., Any]) -> tuple[type[Any], type[Any]]:
    """Return a class and a class below it, of every sort of field."""

    @made()
    class Above:
        """A class with words of its own."""

        count: ClassVar[int] = 7
        one: int
        many: Any = field(default_factory=list)

        def __post_init__(self) -> None:
            self.many = self.many, self.one

    @made(kw_only=True)
    class Below(Above):
        """And one below it."""

        named: "str"
        free: int | None = None
        kept: ClassVar = 8

        @property
        def twice(self) -> int:
            return 2 * self.one

    return Above, Below


def slotted(*, kw_only: bool = False) -> Callable[[type[Any]], type[Any]]:
    return dataclass(slots=True, kw_only=kw_only)


def outcome(kind: type[Any], values: list[int], named: dict[str, Any]) -> tuple[str, Any]:
    """Return what a call of a class shows, or its error."""
    try:
        made = kind(*values, **named)
    except TypeError as error:
        return "error", str(error)
    return repr(made), [getattr(made, each.name) for each in fields(made)]


@given(
    st.integers(0, 1),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.sampled_from(["one", "named", "free", "other"]), st.integers()),
)
def test_the_first_and_every_call_answer_as_those_of_a_dataclass(
    at: int, values: list[int], named: dict[str, Any]
) -> None:
    kind, usual = shaped(record)[at], shaped(slotted)[at]
    expected = outcome(usual, values, named)
    assert [outcome(kind, values, named) for _ in range(2)] == [expected] * 2


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize(
    "name", ["__slots__", "__match_args__", "__doc__", "count", "__qualname__"]
)
def test_a_class_without_objects_has_what_a_dataclass_has(at: int, name: str) -> None:
    assert getattr(shaped(record)[at], name) == getattr(shaped(slotted)[at], name)


def test_the_fields_are_known_before_the_first_object() -> None:
    assert [each.name for each in fields(shaped(record)[1])] == ["one", "many", "named", "free"]


def test_an_object_that_nobody_initialized_is_compared() -> None:
    def loaded() -> Any:
        made: Any = object.__new__(kind)
        made.one, made.many = 1, ()
        return made

    kind, _ = shaped(record)
    assert {loaded()} == {loaded()}


def test_the_methods_of_a_class_are_compiled_for_its_first_object() -> None:
    kind, _ = shaped(record)
    before = vars(kind)["__init__"]
    kind(1)
    assert not isinstance(before, FunctionType)
    assert isinstance(vars(kind)["__init__"], FunctionType)

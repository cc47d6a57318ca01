"""A record compares and hashes as a frozen dataclass does, and shows what it may show."""

import pickle
from dataclasses import field, fields, replace

import pytest

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

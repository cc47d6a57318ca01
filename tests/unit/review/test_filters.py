"""Filters are compared by the content of their rules and by their order."""

from fabricgen.core.tree.facts import Facts
from fabricgen.review.filters import ORDER, rule_differences


def _list(*targets: str) -> Facts:
    return {
        ("rule", "IN", f"{10 * number}"): {"action": "permit", "target": target}
        for number, target in enumerate(targets, 1)
    }


def _found(ones: Facts, others: Facts) -> list[tuple[str, str, bool]]:
    every = rule_differences(ones, others)
    return [(each.key[-1], each.attribute, each.before is None) for each in every]


def test_an_inserted_rule_is_the_only_difference() -> None:
    assert _found(_list("a", "c"), _list("a", "b", "c")) == [("permit b", "", True)]


def test_a_rule_in_another_place_changes_the_order() -> None:
    assert {each[1] for each in _found(_list("a", "b"), _list("b", "a"))} == {ORDER}


def test_a_new_list_is_one_difference() -> None:
    assert _found({}, _list("a", "b")) == [("IN", "", True)]


def test_other_numbers_of_the_same_rules_are_a_difference() -> None:
    other: Facts = {("rule", "IN", "7"): {"action": "permit", "target": "a"}}
    assert _found(_list("a"), other) == [("IN", "numbers", False)]

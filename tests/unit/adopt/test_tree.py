"""Fragments are put together; the tree of an example is the example."""

import json

import pytest
from tests.unit.adopt.examples import EXAMPLES, example, tree_of

from fabricgen.importer.tree import Tree, at, loaded, merged, without


def test_fragments_are_put_together_and_the_later_value_holds() -> None:
    first: Tree = {"site": {"name": "a", "ntp": [1, 2]}, "frontend": {"leaf": {"model": "x"}}}
    second: Tree = {"site": {"ntp": [3]}, "frontend": {"leaf": {"platform": "eos"}}}
    whole = merged(first, second)
    assert whole == {
        "site": {"name": "a", "ntp": [3]},
        "frontend": {"leaf": {"model": "x", "platform": "eos"}},
    }
    whole["site"]["ntp"].append(4)
    assert second["site"]["ntp"] == [3]


def test_what_is_taken_out_leaves_no_empty_key() -> None:
    tree = {"site": {"management": {"ntp": [1]}, "name": "a"}}
    assert without(tree, "site", "management", "ntp") == {"site": {"name": "a"}}
    assert without(tree, "site", "management", "dns") == tree
    assert at(tree, "site", "management", "ntp") == [1]
    assert at(tree, "site", "name", "ntp") is None


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_tree_of_an_example_loads(name: str) -> None:
    assert loaded(tree_of(name)).findings == ()


def test_the_files_of_an_example_are_a_network() -> None:
    switches = example("tenants").switches
    assert {each.name for each in switches} >= {"fe-leaf01", "fe-spine1"}
    assert {each.platform for each in switches} == {"eos"}


def test_a_merge_changes_no_fragment() -> None:
    """It adds to its own copies, also where a third fragment adds to the first."""
    parts: list[Tree] = [{"a": {"b": {"c": [1]}}}, {"a": {"d": {}}}, {"a": {"b": {"e": 2}, "d": 3}}]
    before = json.dumps(parts)
    whole = merged(*parts)
    assert list(whole["a"]) == ["b", "d"]
    assert whole == {"a": {"b": {"c": [1], "e": 2}, "d": 3}}
    assert whole == merged(merged(*parts[:2]), parts[2])
    whole["a"]["b"]["c"].append(2)
    assert json.dumps(parts) == before

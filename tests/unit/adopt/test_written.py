"""What is written is read as what it was, and looks as people write it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.adopt.examples import EXAMPLES, INTENT, tree_of

from fabricgen.importer.tree import Tree, loaded, merged
from fabricgen.importer.written import Notes, lines_of, written
from fabricgen.intent.load import load_texts
from fabricgen.intent.source import SourceMap, read_text

_TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)
_SCALARS = st.none() | st.booleans() | st.integers(-(10**6), 10**6) | _TEXT
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXT, inner, max_size=4),
    max_leaves=20,
)


def _read(files: dict[str, str]) -> Tree:
    parts = []
    for name, text in files.items():
        data, findings = read_text(name, text, SourceMap())
        assert not findings, (findings, text)
        parts.append(data or {})
    return merged(*parts)


@given(
    st.dictionaries(
        _TEXT.filter(lambda key: key not in {"fabrics", "tenants", "switches"}), _VALUES, max_size=5
    )
)
def test_any_tree_is_read_as_it_was(tree: Tree) -> None:
    assert _read(written(tree)) == tree


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_the_same_intent_in_no_more_lines(name: str) -> None:
    tree = tree_of(name)
    files = written(tree)
    assert load_texts(files).intent == loaded(tree).intent
    original = {str(p): p.read_text(encoding="utf-8") for p in Path(INTENT, name).rglob("*.yaml")}
    assert lines_of(files) <= lines_of(original) * 1.3
    assert max(len(line) for text in files.values() for line in text.splitlines()) <= 100


def test_a_large_site_has_a_file_for_each_part_and_a_small_one_two() -> None:
    assert {
        "site.yaml",
        "servers.yaml",
        "backend.yaml",
        "storage.yaml",
        "tenants/training.yaml",
    } <= set(written(tree_of("full")))
    assert list(written(tree_of("rail-only"))) == ["site.yaml", "racks.yaml"]


def test_a_comment_stands_behind_its_key_or_above_it() -> None:
    tree: Tree = {"site": {"name": "a"}, "frontend": {"leaf": {"model": "X", "platform": "eos"}}}
    short: Notes = {("frontend", "leaf"): "of the inventory"}
    long: Notes = {("frontend", "leaf", "model"): "w" * 90}
    assert (
        "  leaf: {model: X, platform: eos}  # of the inventory\n"
        in written(tree, short)["site.yaml"]
    )
    assert f"  leaf:\n    # {'w' * 90}\n    model: X\n" in written(tree, long)["site.yaml"]


def test_what_other_readers_take_for_something_else_is_in_quotes() -> None:
    text = written({"site": {"a": "on", "b": "29", "c": "env:X", "d": "1-4", "e": "02:00:5e"}})
    assert text["site.yaml"].endswith(
        'site:\n  a: "on"\n  b: "29"\n  c: "env:X"\n  d: 1-4\n  e: "02:00:5e"\n'
    )


def test_single_switches_come_last_in_their_order_and_ports_by_number() -> None:
    ports = {"10": {"description": "a\n"}, "9": {"move_to": "7/1"}}
    switches = {"leaf10": {"asn": 65010}, "leaf9": {"ports": ports}}
    text = written({"frontend": {"switches": switches, "leaf": {"model": "X"}}})["site.yaml"]
    assert text.endswith(
        """
frontend:
  leaf: {model: X}
  switches:
    leaf9:
      ports:
        9: {move_to: 7/1}
        10:
          description: |
            a
    leaf10: {asn: 65010}
"""
    )


def test_cages_of_which_the_same_is_said_are_one_key() -> None:
    ports: Tree = {str(cage): {"state": "reserved"} for cage in (3, 4, 5, 9)}
    ports |= {"7": {"state": "dead"}, "8/1": {"state": "reserved"}}
    ports |= {"10": {"state": "reserved", "move_to": 20}}
    tree: Tree = {"frontend": {"switches": {"fe-leaf01": {"asn": 65001, "ports": ports}}}}
    found = _read(written(tree))["frontend"]["switches"]["fe-leaf01"]
    assert found["ports"] == {
        "3-5,9": {"state": "reserved"},
        "7": {"state": "dead"},
        "8/1": {"state": "reserved"},
        "10": {"state": "reserved", "move_to": 20},
    }

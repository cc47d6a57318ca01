"""What is not structure is found again in rendered files: of each example, on each platform."""

import pytest
from tests.unit.adopt.examples import EXAMPLES, example, rendered, tree_of
from tests.unit.adopt.forgetting import forgotten, lifted

from fabricgen.adopt.sections import sections
from fabricgen.adopt.tree import loaded, without
from fabricgen.compiler import compile_site
from fabricgen.nos.registry import platforms

LARGE = frozenset({"full", "three-tier", "rail-optimised"})
"""Examples that take a while."""
CARRIED = [
    (name, platform)
    for name in EXAMPLES
    for platform in (None, *platforms())
    if name not in LARGE and compile_site(loaded(tree_of(name)), platform).ok
]


@pytest.mark.parametrize(("name", "platform"), CARRIED)
def test_an_example_comes_back_and_is_no_longer(name: str, platform: str | None) -> None:
    tree = tree_of(name)
    again = sections(example(name, platform), lifted(forgotten(tree), platform))
    assert rendered(again) == rendered(tree, platform)
    assert values(without(again, "site", "accept_unsupported")) <= values(tree)


def values(words: object) -> int:
    """Return how many values a tree has."""
    if isinstance(words, dict):
        return sum(map(values, words.values())) or 1
    return sum(map(values, words)) if isinstance(words, list) else 1

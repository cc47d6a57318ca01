"""What is not structure is found again in rendered files: of each example, on each platform."""

from typing import Any

import pytest
from tests.unit.adopt.examples import EXAMPLES, example, rendered, tree_of

from fabricgen.adopt.sections import sections
from fabricgen.adopt.tree import Tree, loaded, without
from fabricgen.catalog.catalog import SHIPPED
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
SHORT = ("frontend", "backend")


def forgotten(tree: Tree) -> Tree:
    """Return a tree without what is read here."""
    tree = without(tree, "site")
    places = [(name,) for name in SHORT] + [("fabrics", name) for name in tree.get("fabrics", {})]
    for place in places:
        for section in ("underlay",):
            tree = without(tree, *place, section)
    return tree


def lifted(tree: Tree, platform: str | None) -> Tree:
    """Return a tree with every switch on a platform that its model runs."""
    if platform is None:
        return tree

    def on(words: Any) -> Any:
        if isinstance(words, list):
            return [on(each) for each in words]
        if not isinstance(words, dict):
            return words
        model = SHIPPED.switch(str(words.get("model")))
        if model is None or platform not in model.platforms:
            return {key: on(each) for key, each in words.items()}
        left = {"release", "hwsku"}
        kept = {key: on(each) for key, each in words.items() if key not in left}
        return {**kept, "platform": platform}

    return dict(on(tree))


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

"""A tree in; the same without what readers of sections find, and with all on one platform, out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.importer.tree import at, without
from fabricgen.model.catalog.catalog import SHIPPED

if TYPE_CHECKING:
    from fabricgen.importer.tree import Tree

SHORT = ("frontend", "backend")
SECTIONS = (
    *("classes", "underlay", "roce", "load_balancing", "management", "descriptions"),
    "errdisable",
)


def forgotten(tree: Tree) -> Tree:
    """Return a tree without what is read; classes are called as who finds them calls them."""
    classes = at(tree, "frontend", "classes") or {}
    named = {name: f"queue-{words['queue']}" for name, words in classes.items()}
    tree = _renamed(_unprofiled(without(tree, "site")), named)
    places = [(name,) for name in SHORT] + [("fabrics", name) for name in tree.get("fabrics", {})]
    for place in places:
        for section in SECTIONS:
            tree = without(tree, *place, section)
    return tree


def _unprofiled(words: Any) -> Any:
    """Return words without profiles of ports, and who has them."""
    if isinstance(words, list):
        return [_unprofiled(each) for each in words]
    if not isinstance(words, dict):
        return words
    return {
        key: each if key == "roce" else _unprofiled(each)
        for key, each in words.items()
        if key not in {"port_profiles", "profile"}
    }


def _renamed(words: Any, names: dict[str, str]) -> Any:
    """Return words that call classes by other names."""
    if isinstance(words, list):
        return [_renamed(each, names) for each in words]
    if not isinstance(words, dict):
        return words
    return {
        key: names.get(str(each), each) if key == "qos" else _renamed(each, names)
        for key, each in words.items()
    }


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

"""Merges, edits and loads parts of an intent as plain data."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import Any, TypeVar

from fabricgen.intent.load import Loaded, load_texts

T = TypeVar("T")
Tree = dict[str, Any]
"""What all files of a site say together: mappings, lists and values of YAML, nothing else."""
Fragment = Tree
"""A part of one, with the keys that lead to it: {"site": {"management": {"ntp": […]}}}."""


def merged(*fragments: Fragment) -> Tree:
    """Put fragments together, key by key; of a value or list that two say, the later one holds."""
    whole: Tree = {}
    for fragment in fragments:
        for key, value in fragment.items():
            known = whole.get(key)
            if isinstance(value, dict) and isinstance(known, dict):
                whole[key] = merged(known, value)
            else:
                whole[key] = _copy(value)
    return whole


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value


def without(tree: Tree, *path: str) -> Tree:
    """Return a tree without what stands at a path; keys above it go where nothing is left."""
    first, *rest = path
    if first not in tree:
        return tree
    inner = tree[first] if rest else {}
    less = without(inner, *rest) if rest and isinstance(inner, dict) else {}
    gone = {key: value for key, value in tree.items() if key != first}
    return {key: less if key == first else value for key, value in tree.items()} if less else gone


def at(tree: Tree, *path: str) -> Any:
    """Return what stands at a path; None when nothing does."""
    here: Any = tree
    for key in path:
        here = here.get(key) if isinstance(here, dict) else None
    return here


def below(path: Iterable[str | int], value: Any) -> Any:
    """Return a value with the keys that lead to it."""
    for key in reversed(tuple(path)):
        value = {str(key): value}
    return value


def said(**keys: Any) -> Tree:
    """Return the keys that have a value."""
    return {key: value for key, value in keys.items() if value not in (None, [], {}, "")}


def usual(values: Iterable[T]) -> T | None:
    """Return what is there most often, of those the first; None of nothing."""
    count = values if isinstance(values, Counter) else Counter(values)
    return count.most_common(1)[0][0] if count else None


def loaded(tree: Tree) -> Loaded:
    """Load a tree as the one file of a site."""
    return load_texts({"site.yaml": json.dumps(tree)})

"""Merges, edits and loads parts of an intent as plain data."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, TypeVar

from fabricgen.intent.load import Loaded, load_texts

T = TypeVar("T")
Tree = dict[str, Any]
"""The content of all files of a site as mappings, lists and YAML values."""
Fragment = Tree
"""A part of a tree with the keys that lead to it: {"site": {"management": {…}}}."""
_NUMBERS = re.compile(r"\d+")


def merged(*fragments: Fragment) -> Tree:
    """Merge fragments key by key. The last one decides a value or list."""
    whole: Tree = {}
    for fragment in fragments:
        _merge_into(whole, fragment)
    return whole


def _merge_into(whole: Tree, fragment: Fragment) -> None:
    """Add a fragment to a tree whose mappings are copies already."""
    for key, value in fragment.items():
        known = whole.get(key)
        if isinstance(value, dict) and isinstance(known, dict):
            _merge_into(known, value)
        else:
            whole[key] = _copy(value)


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(each) for key, each in value.items()}
    return [_copy(each) for each in value] if isinstance(value, list) else value


def without(tree: Tree, *path: str) -> Tree:
    """Return a tree without a path. Parents that become empty are removed."""
    first, *rest = path
    if first not in tree:
        return tree
    inner = tree[first] if rest else {}
    less = without(inner, *rest) if rest and isinstance(inner, dict) else {}
    gone = {key: value for key, value in tree.items() if key != first}
    return {key: less if key == first else value for key, value in tree.items()} if less else gone


def at(tree: Tree, *path: str) -> Any:
    """Return the value at a path, or None."""
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
    """Return the most frequent value, the first one of a tie. None without values."""
    count = values if isinstance(values, Counter) else Counter(values)
    return count.most_common(1)[0][0] if count else None


def loaded(tree: Tree) -> Loaded:
    """Load a tree as the only file of a site."""
    return load_texts({"site.yaml": json.dumps(tree)})


def patterns(name: str, words: Sequence[str], *others: str) -> Iterator[str]:
    """Yield each pattern that could give a name, the name first.

    Args:
        name: A name with numbers.
        words: Words of a pattern that may replace a number.
        others: Other replacements, such as `*`.
    """
    pieces, numbers = _NUMBERS.split(name), _NUMBERS.findall(name)
    for chosen in product(*(_in_place_of(each, words, others) for each in numbers)):
        yield "".join(a + b for a, b in zip(pieces, (*chosen, ""), strict=True))


def _in_place_of(number: str, words: Sequence[str], others: Sequence[str]) -> list[str]:
    width = f":0{len(number)}" if number.startswith("0") else ""
    return [number, *(f"{{{word}{width}}}" for word in words), *others]

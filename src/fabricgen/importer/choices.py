"""Searches the values of intent keys for the tree that is nearest to the files that were read.

The compiler measures: a value is tried, and kept where fewer facts differ. Of equal values the
first wins, and the first choice is to omit the key.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from fabricgen.core.record import record
from fabricgen.importer.tree import Tree, at, below, merged, without

Distance = Callable[[Tree], int]


@record()
class Choice:
    """Possible values at a path, None for no key. The first one is preferred."""

    path: tuple[str, ...]
    values: tuple[Any, ...]


def measured_once(distance: Distance) -> Distance:
    """Return a distance function that measures each tree once."""
    known: dict[str, int] = {}

    def measured(tree: Tree) -> int:
        key = json.dumps(tree)
        if key not in known:
            known[key] = distance(tree)
        return known[key]

    return measured


def chosen(tree: Tree, choices: Iterable[Choice], distance: Distance) -> tuple[Tree, int]:
    """Try each choice in turn while the distance falls. Return the tree and its distance."""
    here, before = distance(tree), -1
    every = tuple(choices)
    while here != before:
        before = here
        for choice in every:
            tree, here = _taken(tree, here, choice, distance)
    return tree, here


def _taken(tree: Tree, here: int, choice: Choice, distance: Distance) -> tuple[Tree, int]:
    now = at(tree, *choice.path)
    for value in choice.values:
        if value == now:
            if here == 0:
                break
            continue
        other = placed(tree, choice.path, value)
        far = distance(other)
        later = now in choice.values and choice.values.index(value) > choice.values.index(now)
        if far < here or (far == here and not later):
            tree, here, now = other, far, value
    return tree, here


def placed(tree: Tree, path: tuple[str, ...], value: Any) -> Tree:
    """Return a tree with a value at a path, or without the key for None."""
    less = without(tree, *path)
    if value is None:
        return less
    return merged(less, below(path, value))

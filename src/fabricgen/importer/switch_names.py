"""A tree and the switches that are there in; the tree with their names: a pattern, or pins, out."""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from fabricgen.importer.choices import placed
from fabricgen.importer.nearness import fabric_of, facing
from fabricgen.importer.tree import merged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.importer.draft import Draft
    from fabricgen.importer.inventory.model import Inventory
    from fabricgen.importer.proposed import Models
    from fabricgen.importer.tree import Tree
    from fabricgen.model.fabric.topology import Switch
    from fabricgen.prove.foreign.switch import Judged

_NUMBERS = re.compile(r"\d+")
_WORDS = ("index", "unit", "pod", "plane", "rail")
_NO_PATTERN = re.compile(r"[^a-z0-9{}:-]")
_NO_HOST = re.compile(r"[^a-z0-9-]")


def hosts(switches: Iterable[Judged], models: Models, inventory: Inventory) -> Models:
    """Call switches as an intent may: in small letters, without a domain, with `-` for `_`.

    Their lines with a name stay as they are, and differ. Return the models by the names from now.
    """
    now: Models = {}
    every = list(switches)
    short = Counter(each.name.lower().partition(".")[0] for each in every)
    for each in every:
        before = each.name.lower()
        first = before.partition(".")[0]
        bare = _NO_HOST.sub("-", first if short[first] == 1 else before)
        spelled = before if before in inventory.named else bare
        if before in models:
            now[spelled] = models[before]
        each.name = spelled
    return now


def named(draft: Draft, tree: Tree) -> Tree:
    """Return a tree in which the switches of a fabric have the names that they have.

    One pattern for a tier where there is one, else a pin for each.
    """
    fabric = fabric_of(tree, draft.name)
    if fabric is None:
        return tree
    pairs = facing(fabric, draft.part)
    for role, _ in draft.part.roles:
        tier = [pair for pair in pairs if pair[0].role.value == role]
        if all(one.name == other.name for one, other in tier):
            continue
        pattern = _pattern(tier)
        other = placed(tree, draft.key("names", role), pattern) if pattern else tree
        if pattern and fabric_of(other, draft.name) is not None:
            tree = other
        else:
            for one, read in tier:
                if not _NO_HOST.search(read.name) and one.name != read.name:
                    tree = merged(tree, _pin(draft, one.key, read.name))
    return tree


def _pin(draft: Draft, switch: str, name: str) -> Tree:
    fragment: Tree = {"hostname": name}
    for key in reversed(draft.key("switches", switch)):
        fragment = {key: fragment}
    return fragment


def _pattern(tier: list[tuple[Switch, Judged]]) -> str:
    """Return a pattern that gives every switch its name; empty where none does."""
    first = tier[0][1].name
    pieces, digits = _NUMBERS.split(first), _NUMBERS.findall(first)
    for words in product(*map(_options, digits)):
        pattern = "".join(a + b for a, b in zip(pieces, (*words, ""), strict=True))
        if _NO_PATTERN.search(pattern):
            return ""
        if all(pattern.format(**_coordinates(one)) == other.name for one, other in tier):
            return pattern
    return ""


def _options(digits: str) -> Iterator[str]:
    yield digits
    width = f":0{len(digits)}" if digits.startswith("0") else ""
    yield from (f"{{{word}{width}}}" for word in _WORDS)


def _coordinates(switch: Switch) -> dict[str, int]:
    rail = switch.rails[0] if switch.rails else 0
    places = {word: int(getattr(switch, word)) for word in _WORDS if word != "rail"}
    return {**places, "rail": rail}

"""Finds the neighbors, interfaces and routes that own lines, or what is another's, name."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fabricgen.compile.own_lines.words import Refused, filled
from fabricgen.core.tree.keep import fits

if TYPE_CHECKING:
    from fabricgen.core.tree.facts import Key
    from fabricgen.model.fabric.own_lines import OwnText
    from fabricgen.model.fabric.switch import SwitchSlice

_NAMED = re.compile(
    r"^\s*(?P<kind>neighbor|iface|interface|ip route|ipv6 route) (?P<name>\S+)", re.MULTILINE
)
_SORTS = {
    "neighbor": ("session", "bfd"),
    "iface": ("interface",),
    "interface": ("interface",),
    "ip route": ("kernel-route",),
    "ipv6 route": ("kernel-route",),
}
_ANY = ("~", "*")


def named(piece: SwitchSlice, keep: Iterable[OwnText]) -> frozenset[tuple[str, str]]:
    """Return sorts of objects with their names, or patterns of them, that others speak of."""
    found = (match for text in _texts(piece, keep) for match in _NAMED.finditer(text))
    return frozenset((sort, each["name"]) for each in found for sort in _SORTS[each["kind"]])


def _texts(piece: SwitchSlice, keep: Iterable[OwnText]) -> Iterable[str]:
    for own in piece.own:
        try:
            yield filled(own, piece)
        except Refused:  # a finding of the site says so
            continue
    yield from (own.text for own in keep)


def is_others(key: Key, names: frozenset[tuple[str, str]]) -> bool:
    """Tell whether an object is one that others speak of."""
    return any(key[0] == sort and (n in _ANY or fits(n, key[-1])) for sort, n in names)

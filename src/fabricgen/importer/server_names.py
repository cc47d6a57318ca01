"""The ports of servers whose names do not count in; names that do, and who they are, out.

A kind of servers is told by its stem, so servers that share none, as ora-prod and sap, would be a
kind each. Those of one network that are cabled alike are one kind here, and their names are pins.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from string import ascii_lowercase
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.importer.kinds_of_servers import called
from fabricgen.intent.model.vocabulary import HOST_NAME

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fabricgen.importer.plug import Plug
    from fabricgen.importer.tree import Tree

_ENOUGH = 3
"""Fewer servers than that, cabled alike, are kinds of their own: each says more by its name."""


@record()
class Counting:
    """The names that servers have from now on, by those that they have."""

    names: Mapping[str, str]

    def pins(self) -> Tree:
        """Return kinds of servers with the names of those that are there."""
        kinds: Tree = {}
        for name, counts in sorted(self.names.items(), key=lambda each: each[1]):
            own = called(counts)
            if re.fullmatch(HOST_NAME, name):
                pins = kinds.setdefault(own.kind, {}).setdefault("pins", {})
                pins[str(own.number)] = {"hostname": name}
        return kinds


def counting(servers: Mapping[str, Sequence[Plug]]) -> Counting:
    """Number the servers that stand alone by their names, as their places are in the fabric."""
    kinds = Counter(called(name).kind for name in servers)
    alike: dict[tuple[object, ...], dict[str, Sequence[Plug]]] = defaultdict(dict)
    for name, plugs in servers.items():
        own = plugs[0].switch.name
        if kinds[called(name).kind] == 1 and not name.startswith(f"{own}-"):
            alike[_cabled(plugs)][name] = plugs
    free = (f"server-{letter}" for letter in ascii_lowercase)
    stems = (stem for stem in ("server", *free) if stem not in kinds)
    names: dict[str, str] = {}
    for each in (own for own in alike.values() if len(own) >= _ENOUGH):
        stem = next(stems, None)
        if stem is not None:
            names |= {name: f"{stem}{number:04}" for name, number in _numbered(each)}
    return Counting(names)


def _cabled(plugs: Sequence[Plug]) -> tuple[object, ...]:
    """Return how a server is cabled: how many ports of a network, how fast, bundled or not."""
    ports = Counter((each.network, int(each.speed), each.bundle) for each in plugs)
    return tuple(sorted(ports.items()))


def _numbered(servers: Mapping[str, Sequence[Plug]]) -> Iterator[tuple[str, int]]:
    """Yield the number of each by leaf, or pair of leafs, and place there; gaps count."""
    first = {name: min(plugs, key=_where) for name, plugs in servers.items()}
    at: dict[str, list[str]] = defaultdict(list)
    for name, plug in first.items():
        at[plug.switch.name].append(name)
    begin = min(_slot(plug) for plug in first.values())
    each = len([it for it in next(iter(servers.values())) if _beside(it, first)])
    places = {name: (_slot(plug) - begin) // max(each, 1) for name, plug in first.items()}
    most = max(places.values()) + 1
    for rank, leaf in enumerate(sorted(at)):
        for name in sorted(at[leaf], key=places.__getitem__):
            yield name, rank * most + places[name] + 1


def _beside(plug: Plug, first: Mapping[str, Plug]) -> bool:
    mine = first[plug.far]
    return plug.switch is mine.switch and plug.network == mine.network


def _where(plug: Plug) -> tuple[str, tuple[int, int]]:
    return plug.switch.name, plug.place


def _slot(plug: Plug) -> int:
    return plug.place[0] * plug.subs + plug.place[1]

"""The plugs of a fabric in; the kinds of its servers, by what they are called, out."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.servers import SET_NAME

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.importer.plug import Plug
    from fabricgen.prove.foreign.switch import Judged

_NUMBERED = re.compile(r"(.*?)(\d+)$")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_DIGITS = 4
"""How a number is written in names of servers, unless `names` says otherwise."""


@record()
class Called:
    """How servers of a kind are called. pattern: empty where it is the usual one."""

    kind: str
    number: int
    pattern: str


def called(name: str) -> Called:
    """Read the name of a server: gpu0001 is the first of kind gpu."""
    match = _NUMBERED.match(name)
    stem, digits = (match[1], match[2]) if match else (name, "")
    kind = _NO_NAME.sub("-", stem.lower()).strip("-") or "server"
    kind = kind[:24] if kind[0].isalpha() else f"k{kind[:24]}"
    number = f"{{number:0{len(digits)}}}" if digits[:1] == "0" else "{number}" if digits else ""
    usual = kind == stem and len(digits) == _DIGITS and digits[0] == "0"
    begins = _NO_NAME.sub("-", stem.lower()).lstrip("-")
    return Called(kind, int(digits or 1), "" if usual else begins + number)


class Ports:
    """The ports of one set of a kind of servers in one fabric."""

    def __init__(self, kind: str, network: str, plugs: list[Plug]) -> None:
        """Take those plugs."""
        self.kind, self.plugs = kind, plugs
        self.network = network if re.match(SET_NAME, network) else "eth"
        self.of: dict[str, list[Plug]] = defaultdict(list)
        for plug in plugs:
            self.of[plug.far].append(plug)

    @cached_property
    def speed(self) -> str:
        """Return the speed of most."""
        return str(BitsPerSecond(Counter(plug.speed for plug in self.plugs).most_common(1)[0][0]))

    @cached_property
    def each(self) -> int:
        """Return how many a server has."""
        return max(len(own) for own in self.of.values())

    @cached_property
    def spread(self) -> int:
        """Return over how many leafs those of a server go."""
        return max(len({plug.switch for plug in own}) for own in self.of.values())

    @cached_property
    def most(self) -> int:
        """Return how many servers the leaf with the most of them has."""
        return max(len(own) for own in self.at.values())

    @cached_property
    def at(self) -> dict[Judged, set[str]]:
        """Return the servers on each leaf."""
        found: dict[Judged, set[str]] = defaultdict(set)
        for plug in self.plugs:
            found[plug.switch].add(plug.far)
        return found

    @property
    def like(self) -> str:
        """Return what servers with the same ports have alike."""
        return f"{self.speed} {self.each} {self.lacp}"

    @property
    def lacp(self) -> bool:
        """Tell whether they are bundles."""
        return all(plug.bundle for plug in self.plugs)

    @cached_property
    def cage(self) -> int:
        """Return the first cage that they are in."""
        return min(plug.place[0] for plug in self.plugs)


def sets_of(plugs: Iterable[Plug]) -> list[Ports]:
    """Return the sets of ports by kind and network, those in the first cages first."""
    found: dict[tuple[str, str], list[Plug]] = defaultdict(list)
    for plug in plugs:
        found[called(plug.far).kind, plug.network].append(plug)
    every = [Ports(kind, network, own) for (kind, network), own in found.items()]
    return sorted(every, key=lambda each: (each.cage, each.kind, each.network))


def counted(names: Iterable[str]) -> dict[str, dict[str, int | str]]:
    """Return count and pattern of each kind that there are names of."""
    kinds: dict[str, dict[str, int | str]] = {}
    for name in sorted(names):
        own = called(name)
        words = kinds.setdefault(own.kind, {"count": 0})
        words["count"] = max(int(words["count"]), own.number)
        if own.pattern:
            words["names"] = own.pattern
    return kinds

"""The files of one switch in; its tables, and the line that each fact stands in, out.

Facts whose values are none (an address that is no address) are left out and said, so that nobody
behind this has to fear them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.diagnostics import Position
from fabricgen.fabric.port_qos import QosState, unreadable
from fabricgen.nos.registry import nos
from fabricgen.proof.written import Judge
from fabricgen.reach.written.tables import Tables, tables
from fabricgen.reach.written.values import Odd, is_bad, text, words
from fabricgen.tree.facts import GLOBAL, Attributes, Facts, Key, Value, add

if TYPE_CHECKING:
    from fabricgen.judge.folder import Found

KINDS = frozenset(
    {"switch", "interface", "vlan", "vni", "vrf", "bgp", "session", "vtep", "pair", "listens"}
    | {"neighbour"}
)
"""The facts that are judged."""
_LEFT = frozenset(
    {"in", "out", "evpn-in", "evpn-out", "connected", "taken", "told", "connected-by", "takes"}
    | {"paths", "maximum-paths"}
)
"""Attributes of which nothing is judged."""
_VRF = re.compile(r"^(?i:vrf)[_-](?=.)")
_NOT_OWN = ("unnumbered ", "dhcp")
"""How an address begins that is lent by another port, or leased: it is none of the files."""
_ASN = re.compile(r"\d+(?:\.\d+)?")


class Judged:
    """One switch of a folder."""

    def __init__(self, found: Found, *, wide: bool = False) -> None:
        """Read its files. wide: every fact is kept, and not only what is judged."""
        self.found, self.platform, self.wide = found, found.platform, wide
        runs = nos(found.platform)
        assert runs.foreign is not None
        assert runs.names is not None
        self._reader = Judge(runs.foreign.load().grammar, runs.names)
        self.odd: list[Odd] = []
        self._strange: set[str] = set()
        self.facts: Facts = {}
        for key, own in self._facts().items():
            self._keep(key, own)
        switch = self.facts.get(("switch",), {})
        self.name = text(switch.get("hostname")) or text(switch.get("own-name")) or found.name
        self.tables: Tables = tables(self.name, self.facts)
        self.asn = number(self.tables.asn or text(switch.get("asn")))

    def _facts(self) -> Facts:
        facts: Facts = {}
        for path, content in self.found.texts.items():
            reading = self._reader.read(path, content)
            self._strange |= {path} if reading.unclaimed else set()
            for key, own in reading.facts.items():
                if self.wide or key[0] in KINDS:
                    add(facts, key, own)
        return facts

    def _keep(self, key: Key, own: Attributes) -> None:
        """Keep what is judged, where its values are what they must be."""
        if is_bad(key, "", key[-1]):
            self.odd.append(Odd(key=key, attribute="", value=key[-1]))
            return
        kept: Attributes = {}
        for name, value in own.items():
            odd = [each for each in words(value) if is_bad(key, name, str(each))]
            self.odd += [
                Odd(key=key, attribute=name, value=str(each))
                for each in odd
                if name != "address" or not str(each).startswith(_NOT_OWN)
            ]
            if self.wide or name not in _LEFT or (key[0], name) == ("vrf", "connected"):
                kept |= {name: _without(value, odd)} if odd else {name: value}
        self.facts[key] = {name: value for name, value in kept.items() if value != ()}

    @cached_property
    def lines(self) -> dict[tuple[Key, str], Position]:
        """Where each fact stands: the first line that says it."""
        places: dict[tuple[Key, str], Position] = {}
        for path, content in self.found.texts.items():
            traced = self._reader.read(path, content, trace=True)
            for fact, numbers in traced.lines.items():
                if numbers:
                    at = Position(self.found.places[path], min(numbers), 1)
                    places.setdefault(fact, at)
        return places

    @cached_property
    def _objects(self) -> dict[Key, Position]:
        places: dict[Key, Position] = {}
        for (key, _), at in self.lines.items():
            known = places.get(key)
            if known is None or (known.file == at.file and at.line < known.line):
                places[key] = at
        return places

    def place(self, key: Key, *attributes: str) -> Position:
        """Return where the first of some attributes of an object stands, or the object itself."""
        for name in attributes:
            if (key, name) in self.lines:
                return self.lines[key, name]
        return self._objects.get(key) or self.top

    @property
    def top(self) -> Position:
        """The first line of its first file."""
        return Position(next(iter(self.found.places.values())), 1, 1)

    @cached_property
    def unclaimed(self) -> dict[str, list[tuple[int, str]]]:
        """The lines that nobody understands, by the path of the file."""
        read, texts = self._reader.read, self.found.texts
        return {path: read(path, texts[path], trace=True).unclaimed for path in self._strange}

    @cached_property
    def qos(self) -> QosState:
        """What its ports do with packets; none are known where the reader cannot tell."""
        late = nos(self.platform).qos
        if late is None:
            return unreadable("nobody reads it")
        try:
            return late.load()(None, self.found.texts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            return unreadable(f"its queues cannot be read: {error}")

    @cached_property
    def spelled(self) -> dict[str, str]:
        """Its ports by how others may call them, in small letters: by name, or by alias."""
        ports = self.tables.ports
        alias = {text(self.own(("interface", name)).get("alias")).lower(): name for name in ports}
        return {**alias, **{name.lower(): name for name in ports}}

    def own(self, key: Key) -> Attributes:
        """Return what is said of an object."""
        return self.facts.get(key, {})

    def listens(self) -> Iterator[tuple[str, str]]:
        """Yield the prefixes from which sessions are taken, with the peer group."""
        for key, own in self.facts.items():
            if key[0] == "listens":
                yield key[1], text(own.get("group"))


def _without(value: Value, odd: list[str]) -> Value:
    return tuple(each for each in words(value) if each not in odd)


def number(asn: str) -> int | None:
    """Return an ASN: as a number, or as two with a dot (RFC 5396); None for any other word."""
    if not _ASN.fullmatch(asn) or len(asn) > len("65535.65535"):
        return None
    high, dot, low = asn.partition(".")
    return int(high) * 65536 + int(low) if dot else int(high)


def plain(vrf: str) -> str:
    """Return the name of a VRF without what a platform asks it to begin with."""
    return vrf if vrf == GLOBAL else _VRF.sub("", vrf)


def told(place: Position) -> str:
    """Return a place as file:line."""
    return f"{place.file}:{place.line}"

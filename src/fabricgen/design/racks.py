"""Types of racks in; every rack with its place, and the management ports that it holds, out."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fabricgen.design.wiring.naming import Namer, check_pattern
from fabricgen.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.fabric.because import Because
from fabricgen.intent.paths import at
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.racks import Held, RackType

WORDS = {"site", "type", "rack", "row", "position"}
"""The words of the names of a rack and of what stands in it."""
SWITCHES, PDU = "switches", "pdu"
"""Kinds of management ports, as the VLANs of an access fabric are called."""


@record(kw_only=True)
class Rack:
    """One rack: the r-th of its type, in a row at a place; line and place count within the type.

    line: rows of its type before its own. place: racks of its type before it in the row.
    """

    type: str
    number: int
    name: str
    row: int
    position: int
    line: int
    place: int

    def words(self) -> dict[str, str | int]:
        """Return what the names of its things may have, apart from the site."""
        where: dict[str, str | int] = {"row": self.row, "position": self.position}
        return {"type": self.type, "rack": self.number, **where}


@record(kw_only=True)
class Plug:
    """A management port in a rack: its name, of which kind it is, and why."""

    name: str
    kind: str
    because: Because


def racks_of(name: str, words: RackType, site: str, findings: Findings) -> list[Rack]:
    """Return the racks of a type; a word that their names do not have is said."""
    check_pattern(words.names, WORDS, at("racks", name, "names"), findings)
    each, called = words.per_row or words.count, Namer(words.names, site)
    return [_rack(name, words, place, each, called) for place in range(words.count)]


def _rack(kind: str, words: RackType, place: int, each: int, called: Namer) -> Rack:
    line, along = divmod(place, each)
    row, position = words.row + line, words.position + along
    return Rack(
        type=kind,
        number=place + 1,
        name=called(type=kind, rack=place + 1, row=row, position=position),
        row=row,
        position=position,
        line=line,
        place=along,
    )


def judge_places(racks: Mapping[str, Iterable[Rack]], findings: Findings) -> None:
    """Report two racks at one place or of one name; the first pair of each two types."""
    places: dict[tuple[int, int], Rack] = {}
    names: dict[str, Rack] = {}
    said: set[tuple[str, str]] = set()
    for rack in (rack for each in racks.values() for rack in each):
        there = places.setdefault((rack.row, rack.position), rack)
        alike = names.setdefault(rack.name, rack)
        other = there if there is not rack else alike
        if other is rack or (other.type, rack.type) in said:
            continue
        said.add((other.type, rack.type))
        same = f"at place {rack.position} of row {rack.row}"
        if there is rack:
            same = f"named {rack.name!r}"
        findings.spoil(
            Code.DUPLICATE_ID,
            f"rack {rack.number} of {rack.type} and rack {other.number} of {other.type} are both "
            f"{same}",
            at("racks", rack.type, "position" if there is not rack else "names"),
        )


class Contents:
    """What stands in racks; each switch stands in one."""

    def __init__(
        self, switches: Iterable[str], site: str, findings: Findings, *, known: bool
    ) -> None:
        """Take the names of switches that may stand in racks. known: there are no others."""
        self._names, self._site, self._findings = sorted(switches), site, findings
        self._known = known
        self._owner: dict[str, Rack] = {}

    def of(self, rack: Rack, words: RackType) -> list[Plug]:
        """Return the management ports of a rack, in their order."""
        path: IntentPath = ("racks", rack.type, "holds")
        plugs: list[Plug] = []
        for number, held in enumerate(words.holds):
            plugs.extend(self._held(rack, held, (*path, number)))
        return plugs

    @property
    def left(self) -> list[str]:
        """Return the switches that no rack holds, in order of their names."""
        return [name for name in self._names if name not in self._owner]

    def _held(self, rack: Rack, held: Held, path: IntentPath) -> Iterator[Plug]:
        if held.pdus is not None:
            because = Because((at(*path),), "each power unit has a management port")
            for index in range(1, held.pdus + 1):
                yield Plug(name=f"{rack.name}-pdu{index}", kind=PDU, because=because)
        if held.switches is not None:
            because = Because((at(*path),), "each switch that the pattern names has one")
            for name in self._standing(rack, held.switches, (*path, "switches")):
                yield Plug(name=f"{name}-mgmt", kind=SWITCHES, because=because)

    def _standing(self, rack: Rack, pattern: str, path: IntentPath) -> list[str]:
        """Return the switches that a pattern means in this rack, as people count them."""
        check_pattern(pattern, WORDS, path, self._findings)
        wanted = Namer(pattern, self._site)(**rack.words())
        there = sorted(self._like(wanted), key=_counted)
        if not there and self._known:
            self._findings.spoil(
                Code.UNKNOWN_REFERENCE,
                f"rack {rack.number} of {rack.type} holds {wanted!r}, and no switch is called so",
                path,
                did_you_mean(wanted, self._names),
            )
        for name in there:
            other = self._owner.setdefault(name, rack)
            if other is not rack:
                self._findings.spoil(
                    Code.DUPLICATE_ID,
                    f"{name} stands in rack {rack.number} of {rack.type} and in rack "
                    f"{other.number} of {other.type}",
                    path,
                )
        return there

    def _like(self, wanted: str) -> Iterator[str]:
        """Yield the names like a pattern; they are sorted, so only those that begin so are read."""
        begin = wanted.partition("*")[0]
        for name in self._names[bisect_left(self._names, begin) :]:
            if not name.startswith(begin):
                return
            if fnmatchcase(name, wanted):
                yield name


def _counted(name: str) -> list[tuple[str, int]]:
    """Return what orders leaf2 before leaf10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", name)]

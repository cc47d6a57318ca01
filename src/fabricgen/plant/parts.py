"""The cables and switches of a site in; the parts that are bought, counted by fabric, out.

A transceiver is one for each cage that is used. A cable is one for each connector of an optic: what
joins several others is a breakout, and several with several a shuffle. A cable with fixed ends is
one for each cage.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from fabricgen.catalog.optics import connectors
from fabricgen.fabric.topology import Port
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.catalog.optics import Optic
    from fabricgen.fabric.switch import Site
    from fabricgen.plant.cables import Cable, End

SWITCH, OPTIC, CABLE, BREAKOUT, SHUFFLE = "switch", "optic", "cable", "breakout", "shuffle"
KINDS = (SWITCH, OPTIC, CABLE, BREAKOUT, SHUFFLE)
"""The kinds of parts, in the order of a bill."""
UNKNOWN = "not known"
OUTSIDE = "to the outside"
"""Names of what nobody here can choose: they are counted, and have no price."""
GRADES: Mapping[str, str] = {"multimode": "OM4", "single-mode": "OS2"}
"""What is bought of each fibre: reaches of the catalog are those on OM4."""
PAIRS: Mapping[str, str] = {"1000BASE-T": "Cat5e", "10GBASE-T": "Cat6A"}
"""What is bought for pairs, with the sources that the catalog names for each."""


@record(kw_only=True)
class Part:
    """One thing that is bought. metres: of a cable; None where that is not known."""

    kind: str
    name: str
    metres: float | None = None
    colour: str = ""

    @property
    def called(self) -> str:
        """Return what a price list calls it: a cable with its length."""
        return self.name if self.metres is None else f"{self.name} {self.metres:g} m"

    @property
    def known(self) -> bool:
        """Tell whether it can be ordered by its name."""
        return self.name not in {UNKNOWN, OUTSIDE}

    @property
    def order(self) -> tuple[object, ...]:
        """Return its place in a bill."""
        return KINDS.index(self.kind), self.name, self.metres or 0, self.colour


_LENGTH = re.compile(r"(.+) \d{1,5}(?:\.\d{1,2})? m")
_SIDE = re.compile(r"^\d{1,2}x ")


@record()
class PartNames:
    """What parts may be called.

    whole: models and optics. cables: those with fixed ends, without a length. ends: of fibre.
    """

    whole: frozenset[str]
    cables: frozenset[str]
    ends: frozenset[str]

    @classmethod
    def of(cls, switches: Iterable[str], optics: Iterable[Optic]) -> PartNames:
        """Look at all that a site may name."""
        every = list(optics)
        whole = {optic.name for optic in every if not optic.is_cable}
        cables = {_fixed(optic) for optic in every if optic.is_cable}
        ends = {connectors(optic)[1] for optic in every}
        return cls(frozenset({*switches, *whole}), frozenset(cables), frozenset({*ends, UNKNOWN}))

    def has(self, called: str) -> bool:
        """Tell whether a bill can have a part that is called so."""
        match = _LENGTH.fullmatch(called)
        if match is None:
            return called in self.whole
        grade, _, sides = match[1].partition(" ")
        near, to, far = (_SIDE.sub("", side) for side in sides.partition(" to "))
        if not to:
            return match[1] in self.cables
        return grade in GRADES.values() and {near, far} <= self.ends


Plug = tuple[str, object, int]
"""A connector: its owner, the cage or NIC, and which of the optic in it."""


@record(kw_only=True)
class Run:
    """One piece that is laid: and the cables that it is."""

    part: Part
    cables: Sequence[Cable]


def counted_parts(
    site: Site, pieces: Iterable[Run], laid: Sequence[Cable]
) -> dict[Part, Counter[str]]:
    """Count every part by fabric, in the order of a bill."""
    counts: dict[Part, Counter[str]] = defaultdict(Counter)
    for fabric in site.fabrics:
        for switch in fabric.topology.switches:
            counts[Part(kind=SWITCH, name=switch.model.name)][fabric.name] += 1
    for cable, _, optic in plugged(laid):
        if optic is None or not optic.is_cable:
            name = optic.name if optic is not None else UNKNOWN
            counts[Part(kind=OPTIC, name=name)][cable.fabric] += 1
    for run in pieces:
        counts[run.part][run.cables[0].fabric] += 1
    return {part: counts[part] for part in sorted(counts, key=lambda part: part.order)}


def plugged(laid: Iterable[Cable]) -> Iterator[tuple[Cable, End, Optic | None]]:
    """Yield each used cage once, with what is in it, be it the end of a cable.

    None where it is on fibre and nobody knows the card.
    """
    seen: set[tuple[object, ...]] = set()
    for cable in laid:
        if cable.way is None:
            continue
        for end in (cable.near, cable.far):
            optic = cable.fixed or end.optic
            key = (*_cage(end), optic and optic.name)
            if key not in seen:
                seen.add(key)
                yield cable, end, optic


def runs(laid: Iterable[Cable]) -> Iterator[Run]:
    """Yield every piece that is laid, fabric by fabric."""
    for _, cables in groupby(laid, key=lambda cable: cable.fabric):
        joined = _Joined()
        pieces: list[tuple[Plug, Plug, Cable]] = []
        for cable in cables:
            near, far = _plugs(cable.near, cable), _plugs(cable.far, cable)
            for one, other in zip_longest(near, far):
                piece = (one or near[0], other or far[0], cable)
                joined.join(piece[0], piece[1])
                pieces.append(piece)
        alike: dict[Plug, list[tuple[Plug, Plug, Cable]]] = defaultdict(list)
        for piece in pieces:
            alike[joined.first(piece[0])].append(piece)
        for group in alike.values():
            yield _run(group)


class _Joined:
    """Which connectors one piece joins."""

    def __init__(self) -> None:
        self._above: dict[Plug, Plug] = {}

    def first(self, plug: Plug) -> Plug:
        """Return the connector that stands for all of its piece."""
        above = self._above
        while (up := above.setdefault(plug, plug)) != plug:
            above[plug] = above[up]
            plug = up
        return plug

    def join(self, one: Plug, other: Plug) -> None:
        """Put two connectors onto one piece."""
        self._above[self.first(other)] = self.first(one)


def _run(group: Sequence[tuple[Plug, Plug, Cable]]) -> Run:
    cables = [cable for *_, cable in group]
    near, far = {one for one, *_ in group}, {other for _, other, _ in group}
    metres = max(cable.length.metres for cable in cables) or None
    kind, name = _named(cables[0], len(near), len(far))
    colour = cables[0].colour
    return Run(part=Part(kind=kind, name=name, metres=metres, colour=colour), cables=cables)


def _named(cable: Cable, near: int, far: int) -> tuple[str, str]:
    if cable.way is None:
        return CABLE, UNKNOWN if cable.far.owner is not None else OUTSIDE
    fixed = cable.fixed
    if fixed is not None:
        kind = BREAKOUT if len(fixed.cages) > 1 else CABLE
        return kind, _fixed(fixed)
    ends = sorted([(near, _connector(cable.near)), (far, _connector(cable.far))])
    kind = CABLE if near == far == 1 else BREAKOUT if 1 in {near, far} else SHUFFLE
    sides = " to ".join(f"{count}x {name}" if count > 1 else name for count, name in ends)
    return kind, f"{GRADES[cable.way.near.media]} {sides}"


def _fixed(optic: Optic) -> str:
    grade = PAIRS.get(optic.name)
    return f"{grade} {optic.connector}" if grade is not None else optic.name


def _connector(end: End) -> str:
    return connectors(end.optic)[1] if end.optic is not None else UNKNOWN


def _plugs(end: End, cable: Cable) -> list[Plug]:
    """Return the connectors that an interface has: a part of one, one, or several."""
    owner, cage = _cage(end)
    if cable.way is None:
        return [(owner, cable.name, 0)]
    if cable.fixed is not None:
        return [(owner, cage, 0)]
    count, _ = connectors(end.optic or cable.way.near)
    if end.optic is None or not isinstance(end.port, Port):
        return [(owner, cage, number) for number in range(count if end.optic is not None else 1)]
    first = end.port.sub * count // end.port.subs
    return [(owner, cage, first + more) for more in range(max(1, count // end.port.subs))]


def _cage(end: End) -> tuple[str, object]:
    if isinstance(end.port, Port):
        return end.name, end.port.cage
    return end.name, end.port.label if end.port is not None else ""

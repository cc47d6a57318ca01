"""Counts the parts to buy for the cables and switches of a site, by fabric.

Each used cage needs one transceiver. Each connector of an optic needs one cable. A cable that joins
one optic to several is a breakout, and one that joins several to several is a shuffle. A cable with
fixed ends counts once for each cage.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, product, zip_longest
from typing import TYPE_CHECKING

from fabricgen.core.record import record
from fabricgen.model.cabling.fibers import GRADES, grade, plugs_of
from fabricgen.model.cabling.finish import NO_FINISH, Finish, cable_finish, cord_finish
from fabricgen.model.cabling.legs import Joined
from fabricgen.model.catalog.optics import connectors

if TYPE_CHECKING:
    from fabricgen.model.cabling.cables import Cable, End
    from fabricgen.model.cabling.fibers import PlugKey
    from fabricgen.model.cabling.lengths import Length
    from fabricgen.model.catalog.optics import Optic
    from fabricgen.model.fabric.switch import Site

SWITCH, OPTIC, CABLE, BREAKOUT, SHUFFLE = "switch", "optic", "cable", "breakout", "shuffle"
TRUNK, PANEL, CASSETTE, ADAPTER = "trunk", "panel", "cassette", "adapter"
MANAGER = "cable manager"
KINDS = (
    *(SWITCH, OPTIC, CABLE, BREAKOUT, SHUFFLE),
    *(TRUNK, PANEL, CASSETTE, ADAPTER, MANAGER),
)
"""The kinds of parts, in the order of a bill."""
UNKNOWN = "not known"
OUTSIDE = "to the outside"
"""Names of parts that fabricgen cannot choose: they are counted without a price."""
PAIRS: Mapping[str, str] = {
    "1000BASE-T": "Cat5e",
    "2.5GBASE-T": "Cat5e",
    "5GBASE-T": "Cat6",
    "10GBASE-T": "Cat6A",
    "25GBASE-T": "Cat8",
    "40GBASE-T": "Cat8",
}
"""Parts for copper pairs, with the sources in the catalog."""


@record(kw_only=True)
class Part:
    """One part to buy. `meters`: length of a cable; None if unknown."""

    kind: str
    name: str
    meters: float | None = None
    color: str = ""
    finish: Finish = NO_FINISH

    @property
    def called(self) -> str:
        """Return its name in a price list: a cable includes its length."""
        return self.name if self.meters is None else f"{self.name} {self.meters:g} m"

    @property
    def known(self) -> bool:
        """Return whether it can be ordered by its name."""
        return self.name not in {UNKNOWN, OUTSIDE}

    @property
    def order(self) -> tuple[object, ...]:
        """Return its sort key in a bill."""
        finish = self.finish
        own = (finish.polarity, finish.gender, finish.jacket)
        return KINDS.index(self.kind), self.name, self.meters or 0, self.color, own


_LENGTH = re.compile(r"(.+) \d{1,5}(?:\.\d{1,2})? m")
_GRADES = frozenset(name for *_, name in GRADES)
TRUNKS = (8, 12, 16, 24)
"""Possible fiber counts of a trunk."""
_PANEL = re.compile(r"panel \d{1,3} ports \d U")
_SIDE = re.compile(r"^\d{1,2}x ")


def trunk_name(grade: str, fibers: int, polish: str) -> str:
    """Return the name of a trunk: OM4 trunk MPO-12/APC 8 fibers."""
    return f"{grade} {TRUNK} {trunk_plug(fibers, polish)} {fibers} fibers"


def trunk_plug(fibers: int, polish: str) -> str:
    """Return the plug of a trunk: eight fibers are the active ones of an MPO-12."""
    return f"MPO-{max(12, fibers)}" + (f"/{polish}" if polish else "")


def cassette_name(grade: str, back: str, front: str, counts: tuple[int, int]) -> str:
    """Return the name of a cassette: OM4 cassette 2x MPO-12/APC to 3x MPO-12/APC."""
    return f"{grade} {CASSETTE} {_side(counts[0], back)} to {_side(counts[1], front)}"


def adapter_name(plug: str) -> str:
    """Return the name of an adapter for two plugs of one kind, independent of their polish."""
    return f"{plug.partition('/')[0]} adapter"


def panel_name(ports: int, units: int) -> str:
    """Return the name of a panel, whose ports accept any plug."""
    return f"{PANEL} {ports} ports {units} U"


def _side(count: int, plug: str) -> str:
    return f"{count}x {plug}" if count > 1 else plug


@record()
class PartNames:
    """Possible names of parts.

    `whole`: models and optics. `cables`: cables with fixed ends and trunks, without a length.
    `ends`: ends of fiber.
    """

    whole: frozenset[str]
    cables: frozenset[str]
    ends: frozenset[str]

    @classmethod
    def of(cls, switches: Iterable[str], optics: Iterable[Optic]) -> PartNames:
        """Return the part names of all hardware that a site may name."""
        every = list(optics)
        whole = {optic.name for optic in every if not optic.is_cable}
        cables = {_fixed(optic) for optic in every if optic.is_cable}
        ends = {connectors(optic)[1] for optic in every}
        for said, fibers, polish in product(_GRADES, TRUNKS, ("APC", "UPC")):
            cables.add(trunk_name(said, fibers, polish))
            ends.add(trunk_plug(fibers, polish))
        whole |= {MANAGER, *(adapter_name(each) for each in ends if each.startswith("MPO"))}
        return cls(frozenset({*switches, *whole}), frozenset(cables), frozenset({*ends, UNKNOWN}))

    def has(self, called: str) -> bool:
        """Return whether a bill can have a part with this name."""
        match = _LENGTH.fullmatch(called)
        if match is None:
            return (
                called in self.whole
                or _PANEL.fullmatch(called) is not None
                or self._joins(called, f"{CASSETTE} ")
            )
        return match[1] in self.cables or self._joins(match[1], "")

    def _joins(self, called: str, kind: str) -> bool:
        """Return whether the name has a valid grade, kind and two ends."""
        said, _, sides = called.partition(f" {kind}")
        near, to, far = (_SIDE.sub("", side) for side in sides.partition(" to "))
        return bool(to) and said in _GRADES and {near, far} <= self.ends


@record(kw_only=True)
class Run:
    """One cable to lay, and the links that it carries."""

    part: Part
    cables: Sequence[Cable]

    @property
    def fabric(self) -> str:
        """Return the fabric of the cable."""
        return self.cables[0].fabric

    @property
    def grade(self) -> str:
        """Return the fiber grade of its longest leg; empty without fiber."""
        return grade(max(self.cables, key=_meters))


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
        counts[run.part][run.fabric] += 1
    return {part: counts[part] for part in sorted(counts, key=lambda part: part.order)}


def plugged(laid: Iterable[Cable]) -> Iterator[tuple[Cable, End, Optic | None]]:
    """Yield each used cage once, with its optic or cable end.

    None if the end is on fiber and the card is unknown.
    """
    seen: set[tuple[object, ...]] = set()
    for cable in laid:
        if cable.way is None and cable.near.optic is None:
            continue
        for end in (cable.near, cable.far) if cable.way is not None else (cable.near,):
            optic = cable.fixed or end.optic
            key = (*_cage(end), optic and optic.name)
            if key not in seen:
                seen.add(key)
                yield cable, end, optic


def runs(laid: Iterable[Cable]) -> Iterator[Run]:
    """Yield every cable to lay, fabric by fabric."""
    for _, cables in groupby(laid, key=lambda cable: cable.fabric):
        joined: Joined[PlugKey] = Joined()
        pieces: list[tuple[PlugKey, PlugKey, Cable]] = []
        by_panels: list[Cable] = []
        for cable in cables:
            if cable.channel is not None:
                by_panels.append(cable)
                continue
            near, far = _plugs(cable.near, cable), _plugs(cable.far, cable)
            for one, other in zip_longest(near, far):
                piece = (one or near[0], other or far[0], cable)
                joined.join(piece[0], piece[1])
                pieces.append(piece)
        alike: dict[PlugKey, list[tuple[PlugKey, PlugKey, Cable]]] = defaultdict(list)
        for piece in pieces:
            alike[joined.first(piece[0])].append(piece)
        for group in alike.values():
            yield _run(group)
        yield from _cords(by_panels)


def _cords(cables: Iterable[Cable]) -> Iterator[Run]:
    """Yield the cords from ports to panels, one for each plug, which several cables may share."""
    cords: dict[PlugKey, tuple[End, Optic, Length, list[Cable]]] = {}
    for cable in cables:
        assert cable.way is not None
        assert cable.channel is not None
        for end, optic, length in (
            (cable.near, cable.way.near, cable.channel.near),
            (cable.far, cable.way.far, cable.channel.far),
        ):
            for plug in plugs_of(end, optic):
                cords.setdefault(plug, (end, optic, length, []))[-1].append(cable)
    for end, optic, length, own in cords.values():
        sides = " to ".join(sorted([connectors(optic)[1], _connector(end)]))
        name, color = f"{grade(own[0])} {sides}", own[0].color
        finish = cord_finish(own[0], end)
        part = Part(kind=CABLE, name=name, meters=length.meters, color=color, finish=finish)
        yield Run(part=part, cables=own)


def _run(group: Sequence[tuple[PlugKey, PlugKey, Cable]]) -> Run:
    cables = [cable for *_, cable in group]
    near, far = {one for one, *_ in group}, {other for _, other, _ in group}
    longest = max(cables, key=_meters)
    kind, name = _named(longest, len(near), len(far))
    meters, color = longest.length.meters or None, longest.color
    finish = cable_finish(longest)
    part = Part(kind=kind, name=name, meters=meters, color=color, finish=finish)
    return Run(part=part, cables=cables)


def _meters(cable: Cable) -> float:
    return cable.length.meters


def _named(cable: Cable, near: int, far: int) -> tuple[str, str]:
    if cable.way is None:
        return CABLE, UNKNOWN if cable.far.owner is not None else OUTSIDE
    fixed = cable.fixed
    if fixed is not None:
        kind = BREAKOUT if len(fixed.cages) > 1 else CABLE
        return kind, _fixed(fixed)
    ends = sorted([(near, _connector(cable.near)), (far, _connector(cable.far))])
    kind = CABLE if near == far == 1 else BREAKOUT if 1 in {near, far} else SHUFFLE
    sides = " to ".join(_side(count, name) for count, name in ends)
    return kind, f"{grade(cable)} {sides}"


def _fixed(optic: Optic) -> str:
    pairs = PAIRS.get(optic.name)
    return f"{pairs} {optic.connector}" if pairs is not None else optic.name


def _connector(end: End) -> str:
    return connectors(end.optic)[1] if end.optic is not None else UNKNOWN


def _plugs(end: End, cable: Cable) -> tuple[PlugKey, ...]:
    """Return the connectors of an interface: a part of one, one, or several."""
    owner, cage = _cage(end)
    if cable.way is None:
        return ((owner, cable.name, 0),)
    if end.optic is None:
        return ((owner, cage, 0),)
    return plugs_of(end, end.optic)


def _cage(end: End) -> tuple[str, int | str]:
    return end.name, end.place.cage

"""The cables of a site in; trunks, panels and who has which fibre and port of them out.

Cables of one fabric between two racks, of one kind of fibre, share trunks: each takes the next
fibres. Every plug of a cable has a port at a panel of its own rack.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.plant.fibres import fibres_of, grade, plug_of, plugged
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.fabric.floor import Floor, Rack
    from fabricgen.plant.cables import Cable, End

POLARITY = "B"
"""Method B of TIA-568: trunks with fibre 1 at one end and the last at the other, cords alike at
both ends. It is the one that parallel optics need."""


@record(kw_only=True)
class Trunk:
    """One trunk from panel to panel. fibres: that it has; used: that carry light.

    metres: its length as it is sold, or its way where none is as long.
    """

    name: str
    fabric: str
    racks: tuple[str, str]
    fibres: int
    used: int
    grade: str
    polish: str
    metres: float


@record()
class Piece:
    """Fibres of one trunk, from 1."""

    trunk: str
    first: int
    last: int


@record(kw_only=True)
class Patched:
    """One cable by panels: its fibres, and ports at the panels of its two racks, from 1."""

    cable: Cable
    pieces: tuple[Piece, ...]
    near: tuple[int, ...]
    far: tuple[int, ...]


@record(kw_only=True)
class Bundle:
    """The trunks between two racks that have the same fibre, and the cables that use them."""

    racks: tuple[Rack, Rack]
    fabric: str
    used: int
    cables: int
    trunks: tuple[Trunk, ...]

    @property
    def installed(self) -> int:
        """Return how many fibres there are."""
        return sum(trunk.fibres for trunk in self.trunks)


@record(kw_only=True)
class Patching:
    """All trunks of a site. ports: by rack, at the fronts of its panels."""

    bundles: tuple[Bundle, ...]
    patched: tuple[Patched, ...]
    ports: Mapping[str, int]

    @property
    def trunks(self) -> list[Trunk]:
        """Return every trunk."""
        return [trunk for bundle in self.bundles for trunk in bundle.trunks]


def patching(cables: Iterable[Cable], floor: Floor) -> Patching:
    """Give every cable that runs by panels its fibres and ports."""
    places = {rack.name: number for number, rack in enumerate(floor.racks)}
    groups: dict[tuple[object, ...], list[Cable]] = defaultdict(list)
    for cable in cables:
        if cable.channel is not None and fibres_of(cable) is not None:
            groups[_group(cable, places)].append(cable)
    ports, patched, bundles = _Ports(), [], []
    for members in groups.values():
        bundle, pieces = _bundle(members, floor)
        bundles.append(bundle)
        patched += [ports.patched(each, mine) for each, mine in zip(members, pieces, strict=True)]
    return Patching(bundles=tuple(bundles), patched=tuple(patched), ports=ports.count)


def _group(cable: Cable, places: Mapping[str, int]) -> tuple[object, ...]:
    racks = sorted((_rack(end).name for end in (cable.near, cable.far)), key=places.__getitem__)
    return (cable.fabric, *racks, cable.medium, _polish(cable))


def _rack(end: End) -> Rack:
    assert end.stand is not None
    return end.stand.rack


def _polish(cable: Cable) -> str:
    assert cable.way is not None
    plug = plug_of(cable.way.near)
    return plug.polish if plug is not None else ""


def _bundle(cables: Sequence[Cable], floor: Floor) -> tuple[Bundle, list[tuple[Piece, ...]]]:
    first, words = cables[0], floor.structured[cables[0].fabric]
    racks = (_rack(first.near), _rack(first.far))
    name = f"{first.fabric}:{racks[0].name}-{racks[1].name}:{grade(first)}{_polish(first)}"
    pieces, used = [], 0
    for cable in cables:
        count = fibres_of(cable) or 0
        pieces.append(tuple(_pieces(name, used, count, words.fibres)))
        used += count
    assert first.channel is not None
    trunks = tuple(
        Trunk(
            name=f"{name}:{number + 1}",
            fabric=first.fabric,
            racks=(racks[0].name, racks[1].name),
            fibres=words.fibres,
            used=max(0, min(words.fibres, used - number * words.fibres)),
            grade=grade(first),
            polish=_polish(first),
            metres=first.channel.trunk.metres,
        )
        for number in range(trunks_for(used, words.fibres, words.spare))
    )
    whole = Bundle(racks=racks, fabric=first.fabric, used=used, cables=len(cables), trunks=trunks)
    return whole, pieces


def trunks_for(fibres: int, each: int, spare: float = 0) -> int:
    """Return how many trunks carry so many fibres and `spare` percent besides."""
    wanted = fibres + -(-fibres * spare // 100)
    return int(-(-wanted // each))


def _pieces(name: str, start: int, count: int, each: int) -> Iterable[Piece]:
    """Yield the fibres from `start` on, split where one trunk ends."""
    while count:
        number, offset = divmod(start, each)
        taken = min(count, each - offset)
        yield Piece(f"{name}:{number + 1}", offset + 1, offset + taken)
        start, count = start + taken, count - taken


@dataclass(slots=True)
class _Ports:
    """Gives plugs the next port of their rack; cables that share a plug share its port."""

    count: Counter[str] = field(default_factory=Counter)
    taken: dict[tuple[object, ...], int] = field(default_factory=dict)

    def patched(self, cable: Cable, pieces: tuple[Piece, ...]) -> Patched:
        assert cable.way is not None
        near = self._at(cable.near, plugged(cable.near, cable.way.near))
        far = self._at(cable.far, plugged(cable.far, cable.way.far))
        return Patched(cable=cable, pieces=pieces, near=near, far=far)

    def _at(self, end: End, plugs: Iterable[tuple[object, ...]]) -> tuple[int, ...]:
        rack, ports = _rack(end).name, []
        for plug in plugs:
            if (rack, *plug) not in self.taken:
                self.count[rack] += 1
                self.taken[(rack, *plug)] = self.count[rack]
            ports.append(self.taken[(rack, *plug)])
        return tuple(ports)


def panel_of(port: int, floor: Floor, rack: Rack) -> tuple[str, int, int]:
    """Return the panel that has a port of a rack, its lowest unit, and the port's number there."""
    number, place = divmod(port - 1, floor.panels.ports)
    unit = rack.units - (number + 1) * floor.panels.units + 1
    return f"{rack.name}-pp{number + 1}", unit, place + 1


def units_of(ports: int, cables: int, floor: Floor) -> tuple[int, int]:
    """Return the rack units of a rack's panels, and those of its cable managers."""
    panels = -(-ports // floor.panels.ports) * floor.panels.units
    each = floor.panels.cables
    return panels, -(-cables // each) if each else 0

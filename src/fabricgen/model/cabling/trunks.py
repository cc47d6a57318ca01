"""Lays the trunks of cables that share them, with polarity and gender of each trunk."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.fibers import grade
from fabricgen.model.cabling.finish import PINNED, UNPINNED, jacket_of
from fabricgen.model.cabling.lengths import Channel, Crossing
from fabricgen.model.cabling.media import plug_of
from fabricgen.model.cabling.parts import trunk_plug
from fabricgen.model.cabling.patched import (
    Joint,
    Patched,
    Piece,
    Trunk,
    rack_of,
    sides_of,
)
from fabricgen.model.catalog.optics import connectors
from fabricgen.model.fabric.floor import Rack, Structured

APC, UPC = "APC", "UPC"
"""Polish of a trunk behind LC cassettes: single-mode MPO is angled, and multimode was flat up to
100 Gb/s per lane (docs.nvidia.com/networking/display/cableovpub/optical+connectors).
"""


@record(kw_only=True)
class Kind:
    """Common properties of cables that share trunks. `plugs`: at the first rack, and the last.

    `racks`: both ends, with the racks between where trunks meet.
    """

    fabric: str
    racks: tuple[str, ...]
    grade: str
    plugs: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the common name of its trunks, without their number."""
        plugs = dict.fromkeys(each.removeprefix("duplex ").replace("/", "") for each in self.plugs)
        return f"{self.fabric}:{'-'.join(self.racks)}:{self.grade}:{'+'.join(plugs)}"


def kind_of(cable: Cable, places: Mapping[str, int]) -> Kind:
    """Return the kind of a cable. `places`: the order of racks."""
    ends = sorted(sides_of(cable), key=lambda side: places[rack_of(side[0]).name])
    assert cable.channel is not None
    middle = [each.rack.name for each in cable.channel.crossings]
    first, last = (rack_of(end).name for end, _ in ends)
    return Kind(
        fabric=cable.fabric,
        racks=(first, *(middle if ends[0][0] is cable.near else middle[::-1]), last),
        grade=grade(cable),
        plugs=tuple(connectors(optic)[1] for _, optic in ends),
    )


def _polish(cable: Cable) -> str:
    """Return the polish of a cable's trunks: the polish of its MPO plugs, if any."""
    plugs = [plug_of(optic) for _, optic in sides_of(cable)]
    usual = APC if cable.medium == "single-mode" else UPC
    return next((plug.polish for plug in plugs if plug is not None and plug.family == "MPO"), usual)


@record(kw_only=True)
class Laid:
    """The cables of a bundle at their panels, for which trunks are laid. `used`: active fibers."""

    kind: Kind
    words: Structured
    patched: tuple[Patched, ...]
    used: int

    @property
    def channel(self) -> Channel:
        """Return the channel of its cables, whose trunks are equal."""
        channel = self.patched[0].cable.channel
        assert channel is not None
        return channel

    @property
    def is_turned(self) -> bool:
        """Return whether the near end of the first cable is in the last rack."""
        return self.patched[0].near.rack.name != self.kind.racks[0]

    def trunks(self) -> Iterator[Trunk]:
        """Yield the trunks of each run, from the first rack to the last."""
        cable, each = self.patched[0].cable, self.words.fibers
        lengths = self.channel.trunks[::-1] if self.is_turned else self.channel.trunks
        for number in range(trunks_for(self.used, each, self.words.spare)):
            for hop, racks in enumerate(pairwise(self.kind.racks)):
                yield Trunk(
                    name=self.trunk(number, hop),
                    run=f"{self.kind.name}:{number + 1}",
                    fabric=self.kind.fabric,
                    racks=racks,
                    fibers=each,
                    used=max(0, min(each, self.used - number * each)),
                    grade=self.kind.grade,
                    polish=_polish(cable),
                    meters=lengths[hop].meters,
                    polarity=self.polarity(hop),
                    genders=(self.gender(number, hop, 0), self.gender(number, hop, 1)),
                    jacket=jacket_of(cable),
                )

    def trunk(self, number: int, hop: int) -> str:
        """Return the name of a trunk. Trunks that meet have a second number."""
        run = f"{self.kind.name}:{number + 1}"
        return f"{run}.{hop + 1}" if self.channel.crossings else run

    def crossings(self) -> tuple[Crossing, ...]:
        """Return where trunks meet, from the first rack."""
        crossings = self.channel.crossings
        return crossings[::-1] if self.is_turned else crossings

    def polarity(self, hop: int) -> str:
        """Return the type of a trunk: an odd number of pieces exchanges both directions.

        Behind an adapter between trunks a type-A trunk follows, since no cord is there.
        """
        is_adapter = hop > 0 and self.crossings()[hop - 1].cord is None
        return "A" if is_adapter else self.words.polarity

    def gender(self, number: int, hop: int, end: int) -> str:
        """Return the gender of a trunk at its first end, 0, or at its second, 1."""
        if self.words.gender:
            return self.words.gender
        rack = self.kind.racks[hop + end]
        if rack in (self.kind.racks[0], self.kind.racks[-1]):
            return PINNED if self.straight(rack, number) else UNPINNED
        crossing = self.crossings()[hop + end - 1]
        return UNPINNED if crossing.cord is None and not end else PINNED

    def straight(self, rack: str, number: int) -> bool:
        """Return whether a run ends in adapters of a rack; a dark one ends as the first run."""
        name = f"{self.kind.name}:{number + 1}"
        sides = [
            side.straight
            for each in self.patched
            if any(piece.trunk == name for piece in each.pieces)
            for side in (each.near, each.far)
            if side.rack.name == rack
        ]
        return sides[0] if sides else number > 0 and self.straight(rack, 0)

    def joints(self, at: Callable[[Rack, str], int]) -> Iterator[Joint]:
        """Yield the places where trunks with active fibers meet. `at`: gives a port of a rack."""
        cable = self.patched[0].cable
        for number in range(trunks_for(self.used, self.words.fibers)):
            for hop, crossing in enumerate(self.crossings()):
                trunks = self.trunk(number, hop), self.trunk(number, hop + 1)
                yield Joint(
                    rack=crossing.rack,
                    fabric=self.kind.fabric,
                    run=f"{self.kind.name}:{number + 1}",
                    trunks=trunks,
                    ports=tuple(at(crossing.rack, name) for name in trunks[-crossing.panels :]),
                    meters=crossing.cord.meters if crossing.cord is not None else 0,
                    grade=self.kind.grade,
                    plug=trunk_plug(self.words.fibers, _polish(cable)),
                    polarity=self.words.polarity,
                    jacket=jacket_of(cable),
                )


def trunks_for(fibers: int, each: int, spare: float = 0) -> int:
    """Return the number of trunks for this many fibers plus `spare` percent."""
    wanted = fibers + -(-fibers * spare // 100)
    return int(-(-wanted // each))


def pieces_of(name: str, start: int, count: int, each: int) -> Iterable[Piece]:
    """Yield the fibers from `start`, split where one trunk ends."""
    while count:
        number, offset = divmod(start, each)
        taken = min(count, each - offset)
        yield Piece(f"{name}:{number + 1}", offset + 1, offset + taken)
        start, count = start + taken, count - taken

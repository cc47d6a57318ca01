"""Assigns cables to trunks, fibers and panel ports.

Cables of one fabric between two racks share trunks if their fiber and plugs are equal: each uses
the next fibers. Every plug of a cable has a port at a panel of its own rack.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.fibers import PlugKey, fibers_of, plugs_of
from fabricgen.model.cabling.media import plug_of
from fabricgen.model.cabling.patched import Bundle, Patched, Patching, Side, rack_of, sides_of
from fabricgen.model.cabling.trunks import Kind, Laid, kind_of, pieces_of
from fabricgen.model.catalog.optics import Optic
from fabricgen.model.fabric.floor import Floor, Rack


def patching(cables: Iterable[Cable], floor: Floor) -> Patching:
    """Assign fibers and ports to every cable through panels."""
    places = {rack.name: number for number, rack in enumerate(floor.racks)}
    groups: dict[Kind, list[Cable]] = defaultdict(list)
    for cable in cables:
        if cable.channel is not None:
            groups[kind_of(cable, places)].append(cable)
    ports = _Ports()
    bundles = tuple(_bundle(kind, members, floor, ports) for kind, members in groups.items())
    return Patching(bundles=bundles, ports=ports.count)


def _bundle(kind: Kind, cables: Sequence[Cable], floor: Floor, ports: "_Ports") -> Bundle:
    words, used = floor.structured[kind.fabric], 0
    starts = []
    for cable in cables:
        starts.append(used)
        used += fibers_of(cable) or 0
    by_name = {rack.name: rack for rack in floor.racks}
    met = _Met.of(zip(cables, starts, strict=True), words.fibers)
    patched = tuple(
        Patched(
            cable=cable,
            pieces=tuple(pieces_of(kind.name, start, fibers_of(cable) or 0, words.fibers)),
            near=ports.side(cable.near, sides_of(cable)[0][1], met),
            far=ports.side(cable.far, sides_of(cable)[1][1], met),
        )
        for cable, start in zip(cables, starts, strict=True)
    )
    laid = Laid(kind=kind, words=words, patched=patched, used=used)
    return Bundle(
        racks=(by_name[kind.racks[0]], by_name[kind.racks[-1]]),
        fabric=kind.fabric,
        trunks=tuple(laid.trunks()),
        patched=patched,
        joints=tuple(laid.joints(ports.at)),
    )


@dataclass(frozen=True, slots=True)
class _Met:
    """Fibers of a bundle by plug. `each`: fibers of one trunk."""

    fibers: Mapping[PlugKey, list[range]]
    each: int

    @classmethod
    def of(cls, starts: Iterable[tuple[Cable, int]], each: int) -> "_Met":
        """Distribute the fibers of every cable over its plugs, at both ends."""
        fibers: dict[PlugKey, list[range]] = defaultdict(list)
        for cable, start in starts:
            count = fibers_of(cable) or 0
            for end, optic in sides_of(cable):
                plugs = plugs_of(end, optic)
                for number, plug in enumerate(plugs):
                    here, there = (count * n // len(plugs) for n in (number, number + 1))
                    fibers[plug].append(range(start + here, start + there))
        return cls(fibers, each)

    def straight(self, plug: PlugKey) -> bool:
        """Return whether a plug uses all fibers of exactly one trunk."""
        mine = [part for part in self.fibers[plug] if part]
        trunks = {end // self.each for part in mine for end in (part[0], part[-1])}
        return sum(map(len, mine)) == self.each and len(trunks) == 1


@dataclass(slots=True)
class _Ports:
    """Gives plugs the next port of their rack; cables that share a plug share its port."""

    count: Counter[str] = field(default_factory=Counter)
    taken: dict[tuple[object, ...], int] = field(default_factory=dict)

    def side(self, end: End, optic: Optic, met: _Met) -> Side:
        plugs, plug = plugs_of(end, optic), plug_of(optic)
        whole = all(met.straight(each) for each in plugs)
        return Side(
            end=end,
            optic=optic,
            ports=tuple(self._at(end, each) for each in plugs),
            straight=whole and plug is not None and plug.family == "MPO",
        )

    def _at(self, end: End, plug: PlugKey) -> int:
        return self.at(rack_of(end), *plug)

    def at(self, rack: Rack, *key: object) -> int:
        """Return the port of a plug in a rack: the next free port, if it has none."""
        taken = (rack.name, *key)
        if taken not in self.taken:
            self.count[rack.name] += 1
            self.taken[taken] = self.count[rack.name]
        return self.taken[taken]

"""Assigns cables to trunks, fibers and panel ports.

Cables of one fabric between two racks share trunks if their fiber and plugs are equal: each uses
the next fibers. Every plug of a cable has a port at a panel of its own rack.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.fibers import PlugKey, fibers_of, grade, plugs_of
from fabricgen.model.cabling.media import plug_of
from fabricgen.model.catalog.optics import Optic, connectors
from fabricgen.model.fabric.floor import Floor, Rack

POLARITY = "B"
"""Method B of TIA-568: fiber 1 at one end of a trunk is the last fiber at the other, and cords have
equal ends. Parallel optics need this method.
"""
APC, UPC = "APC", "UPC"
"""Polish of a trunk behind LC cassettes: single-mode MPO is angled, and multimode was flat up to
100 Gb/s per lane (docs.nvidia.com/networking/display/cableovpub/optical+connectors).
"""


@record(kw_only=True)
class Trunk:
    """One trunk from panel to panel. `fibers`: all fibers. `used`: active fibers.

    `meters`: its length on sale, or its path if no trunk on sale is long enough.
    """

    name: str
    fabric: str
    racks: tuple[str, str]
    fibers: int
    used: int
    grade: str
    polish: str
    meters: float


@record()
class Piece:
    """Fibers of one trunk, from 1."""

    trunk: str
    first: int
    last: int


@record(kw_only=True)
class Side:
    """One end of a cable at the panels of its rack. `ports`: from 1, one for each plug.

    `straight`: each plug has a dedicated trunk, and joins it in an adapter.
    """

    end: End
    optic: Optic
    ports: tuple[int, ...]
    straight: bool

    @property
    def rack(self) -> Rack:
        """Return the rack of this end."""
        return _rack(self.end)


@record(kw_only=True)
class Patched:
    """One cable through panels: its fibers and both ends."""

    cable: Cable
    pieces: tuple[Piece, ...]
    near: Side
    far: Side


@record(kw_only=True)
class Bundle:
    """The trunks between two racks with equal fiber and plugs, and their cables."""

    racks: tuple[Rack, Rack]
    fabric: str
    trunks: tuple[Trunk, ...]
    patched: tuple[Patched, ...]

    @property
    def installed(self) -> int:
        """Return the number of installed fibers."""
        return sum(trunk.fibers for trunk in self.trunks)

    def at(self, rack: Rack) -> Iterator[tuple[Patched, Side]]:
        """Yield its cables with their end in one of the racks."""
        for each in self.patched:
            yield each, each.near if each.near.rack is rack else each.far


@record(kw_only=True)
class Patching:
    """All trunks of a site. `ports`: front ports of the panels, by rack."""

    bundles: tuple[Bundle, ...]
    ports: Mapping[str, int]

    @property
    def trunks(self) -> list[Trunk]:
        """Return every trunk."""
        return [trunk for bundle in self.bundles for trunk in bundle.trunks]

    @property
    def patched(self) -> list[Patched]:
        """Return every cable through panels."""
        return [each for bundle in self.bundles for each in bundle.patched]


def patching(cables: Iterable[Cable], floor: Floor) -> Patching:
    """Assign fibers and ports to every cable through panels."""
    places = {rack.name: number for number, rack in enumerate(floor.racks)}
    groups: dict[_Kind, list[Cable]] = defaultdict(list)
    for cable in cables:
        if cable.channel is not None:
            groups[_kind(cable, places)].append(cable)
    ports = _Ports()
    bundles = tuple(_bundle(kind, members, floor, ports) for kind, members in groups.items())
    return Patching(bundles=bundles, ports=ports.count)


@record(kw_only=True)
class _Kind:
    """Common properties of cables that share trunks. `plugs`: at the first rack, and the second."""

    fabric: str
    racks: tuple[str, ...]
    grade: str
    plugs: tuple[str, ...]

    @property
    def name(self) -> str:
        """Return the common name of its trunks, without their number."""
        plugs = dict.fromkeys(each.removeprefix("duplex ").replace("/", "") for each in self.plugs)
        return f"{self.fabric}:{'-'.join(self.racks)}:{self.grade}:{'+'.join(plugs)}"


def _kind(cable: Cable, places: Mapping[str, int]) -> _Kind:
    ends = sorted(_sides(cable), key=lambda side: places[_rack(side[0]).name])
    return _Kind(
        fabric=cable.fabric,
        racks=tuple(_rack(end).name for end, _ in ends),
        grade=grade(cable),
        plugs=tuple(connectors(optic)[1] for _, optic in ends),
    )


def _sides(cable: Cable) -> tuple[tuple[End, Optic], tuple[End, Optic]]:
    assert cable.way is not None
    return (cable.near, cable.way.near), (cable.far, cable.way.far)


def _rack(end: End) -> Rack:
    assert end.stand is not None
    return end.stand.rack


def _polish(cable: Cable) -> str:
    """Return the polish of a cable's trunks: the polish of its MPO plugs, if any."""
    plugs = [plug_of(optic) for _, optic in _sides(cable)]
    usual = APC if cable.medium == "single-mode" else UPC
    return next((plug.polish for plug in plugs if plug is not None and plug.family == "MPO"), usual)


def _bundle(kind: _Kind, cables: Sequence[Cable], floor: Floor, ports: "_Ports") -> Bundle:
    first, words = cables[0], floor.structured[kind.fabric]
    each, used = words.fibers, 0
    starts = []
    for cable in cables:
        starts.append(used)
        used += fibers_of(cable) or 0
    assert first.channel is not None
    by_name = {rack.name: rack for rack in floor.racks}
    one, other = kind.racks
    trunks = tuple(
        Trunk(
            name=f"{kind.name}:{number + 1}",
            fabric=kind.fabric,
            racks=(one, other),
            fibers=each,
            used=max(0, min(each, used - number * each)),
            grade=kind.grade,
            polish=_polish(first),
            meters=first.channel.trunk.meters,
        )
        for number in range(trunks_for(used, each, words.spare))
    )
    met = _Met.of(zip(cables, starts, strict=True), each)
    return Bundle(
        racks=(by_name[one], by_name[other]),
        fabric=kind.fabric,
        trunks=trunks,
        patched=tuple(
            Patched(
                cable=cable,
                pieces=tuple(_pieces(kind.name, start, fibers_of(cable) or 0, each)),
                near=ports.side(cable.near, _sides(cable)[0][1], met),
                far=ports.side(cable.far, _sides(cable)[1][1], met),
            )
            for cable, start in zip(cables, starts, strict=True)
        ),
    )


def trunks_for(fibers: int, each: int, spare: float = 0) -> int:
    """Return the number of trunks for this many fibers plus `spare` percent."""
    wanted = fibers + -(-fibers * spare // 100)
    return int(-(-wanted // each))


def _pieces(name: str, start: int, count: int, each: int) -> Iterable[Piece]:
    """Yield the fibers from `start`, split where one trunk ends."""
    while count:
        number, offset = divmod(start, each)
        taken = min(count, each - offset)
        yield Piece(f"{name}:{number + 1}", offset + 1, offset + taken)
        start, count = start + taken, count - taken


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
            for end, optic in _sides(cable):
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
        rack = _rack(end).name
        if (rack, *plug) not in self.taken:
            self.count[rack] += 1
            self.taken[(rack, *plug)] = self.count[rack]
        return self.taken[(rack, *plug)]

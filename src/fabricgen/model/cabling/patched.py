"""Defines cables at panels: trunks, fibers, ports, and the places where trunks meet."""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.catalog.optics import Optic
from fabricgen.model.fabric.floor import Rack


def rack_of(end: End) -> Rack:
    """Return the rack of an end, which is in one."""
    assert end.stand is not None
    return end.stand.rack


def sides_of(cable: Cable) -> tuple[tuple[End, Optic], tuple[End, Optic]]:
    """Return both ends of a cable with their optics."""
    assert cable.way is not None
    return (cable.near, cable.way.near), (cable.far, cable.way.far)


@record(kw_only=True)
class Trunk:
    """One trunk from panel to panel. `fibers`: all fibers. `used`: active fibers.

    `meters`: its length on sale, or its path if no trunk on sale is long enough. `polarity`: its
    type. `genders`: of its plug in each rack. `run`: the common name of trunks that meet.
    """

    name: str
    run: str
    fabric: str
    racks: tuple[str, str]
    fibers: int
    used: int
    grade: str
    polish: str
    meters: float
    polarity: str
    genders: tuple[str, str]
    jacket: str

    @property
    def gender(self) -> str:
        """Return the gender of both plugs."""
        return " to ".join(dict.fromkeys(self.genders))


@record()
class Piece:
    """Fibers of one trunk, or of trunks that meet, from 1. `trunk`: their common name."""

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
        return rack_of(self.end)


@record(kw_only=True)
class Patched:
    """One cable through panels: its fibers and both ends."""

    cable: Cable
    pieces: tuple[Piece, ...]
    near: Side
    far: Side


@record(kw_only=True)
class Joint:
    """Place where two trunks of one channel meet. `ports`: of the panels of its rack.

    One port is an adapter for both trunks. Two ports are joined by a cord of `meters`. `run`: the
    common name of the trunks. `plug`: of the cord.
    """

    rack: Rack
    fabric: str
    run: str
    trunks: tuple[str, str]
    ports: tuple[int, ...]
    meters: float
    grade: str
    plug: str
    polarity: str
    jacket: str

    @property
    def has_cord(self) -> bool:
        """Return whether a cord joins two panels."""
        return len(self.ports) > 1


@record(kw_only=True)
class Bundle:
    """The trunks between two racks with equal fiber and plugs, and their cables."""

    racks: tuple[Rack, Rack]
    fabric: str
    trunks: tuple[Trunk, ...]
    patched: tuple[Patched, ...]
    joints: tuple[Joint, ...] = ()

    @property
    def installed(self) -> int:
        """Return the number of installed fibers, from end to end."""
        first = self.trunks[0].racks if self.trunks else ()
        return sum(trunk.fibers for trunk in self.trunks if trunk.racks == first)

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
    def joints(self) -> list[Joint]:
        """Return every place where trunks meet."""
        return [joint for bundle in self.bundles for joint in bundle.joints]

    @property
    def patched(self) -> list[Patched]:
        """Return every cable through panels."""
        return [each for bundle in self.bundles for each in bundle.patched]

"""Defines the floor: racks in rows, rack units of devices and cable routes."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from decimal import Decimal

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.catalog.optics import Optic


@record(kw_only=True)
class Rack:
    """One rack. `row`, `position`: its place, from 1. `units`: its height. `watts`: its power.

    `type`: its rack type. `number`: its number in the type. `path`: place of the type in the
    intent. `panels`: units at its top that are reserved for panels and cable managers. `ports`: the
    aisle that the ports of its switches face, cold-aisle or hot-aisle, if given.
    """

    name: str
    type: str
    number: int
    row: int
    position: int
    units: int
    watts: int | None
    path: IntentPath
    panels: int = 0
    ports: str = ""


KEPT = "panels"
"""Kind of the entry for units that are reserved for panels and cable managers."""


@record(kw_only=True)
class Stand:
    """A switch, server or power unit in a rack. `unit`: the lowest, from 1; None at the side.

    `units`: its height. `airflow`: of a switch, port-side-intake or -exhaust, if given.
    """

    name: str
    kind: str
    rack: Rack
    unit: int | None
    units: int
    path: IntentPath
    watts: int | None = None
    airflow: str = ""


@record(kw_only=True)
class Media:
    """Media of a fabric's cables in order of preference; `best`: preferred optics.

    `jacket`: LSZH, riser or plenum, if chosen.
    """

    servers: tuple[str, ...]
    switches: tuple[str, ...]
    copper: int | None = None
    best: tuple[str, ...] = ()
    color: str = ""
    jacket: str = ""


@record(kw_only=True)
class Area:
    """Racks where trunks of a channel meet: a zone, or the main distribution area.

    `panels`: 1 if both trunks meet in one adapter, 2 if a cord joins two panels.
    """

    racks: tuple[Rack, ...]
    panels: int


ENDS = 2
"""Panels of a channel without an area: one in the rack of each end."""


@record(kw_only=True)
class Structured:
    """Fiber of a fabric between racks, through trunks with this many fibers between panels.

    `between`: the pairs of rack types with trunks; all, if empty. `spare`: percent of the fibers.
    `next_fibers`: fibers of one cable at the next speed, if given. `path`: its place in the intent.
    `polarity`: the method of TIA-568.3, A or B. `gender`: of all plugs of trunks, if given.
    `through`: areas by rack type. `most_panels`: maximum panels of a channel.
    """

    fibers: int
    between: frozenset[frozenset[str]]
    spare: float
    next_fibers: int | None
    path: IntentPath
    polarity: str = "B"
    gender: str = ""
    through: Mapping[str, Area] = field(default_factory=dict)
    most_panels: int = ENDS

    def areas(self, one: Rack, other: Rack) -> tuple[str, ...] | None:
        """Return the types of the areas between two racks; None if no trunks connect them."""
        if one is other:
            return None
        if self.joins(one, other):
            return ()
        ways: list[tuple[str, tuple[str, ...]]] = [(one.type, ())]
        for here, way in ways:
            pairs = (pair for pair in self.between if here in pair)
            for there in sorted({each for pair in pairs for each in (pair - {here} or pair)}):
                if there == other.type and way:
                    return way
                if there in self.through and there not in way:
                    ways.append((there, (*way, there)))
        return None

    def panels(self, areas: tuple[str, ...]) -> int:
        """Return the panels of a channel through these areas."""
        return ENDS + sum(self.through[area].panels for area in areas)

    def joins(self, one: Rack, other: Rack) -> bool:
        """Return whether trunks join two racks directly."""
        pair = frozenset((one.type, other.type))
        return one is not other and (not self.between or pair in self.between)

    def middle(self, one: Rack, other: Rack) -> str | None:
        """Return a rack type with trunks to both, if they have none to each other."""
        if one is other or self.joins(one, other):
            return None
        ends = [
            {each for pair in self.between if end in pair for each in pair - {end}}
            for end in (one.type, other.type)
        ]
        return min(ends[0] & ends[1], default=None)


@record(kw_only=True)
class Panels:
    """Panels and managers. `ports`: of a panel. `units`: its height. `cables`: of a manager."""

    ports: int
    units: int
    cables: int | None


@record(kw_only=True)
class Losses:
    """Optical loss: dB for each pair of joined plugs, and dB/km by the kind of fiber."""

    mpo: float
    lc: float
    fiber: Mapping[str, float]


@record(kw_only=True)
class Laying:
    """Cable routes in meters. `percent`: slack of the path. `lengths`: lengths on sale."""

    width: float
    pitch: float
    rise: float
    slack: float
    percent: float
    lengths: tuple[float, ...]


NO_MEDIA = Media(servers=(), switches=())
NO_PANELS = Panels(ports=1, units=1, cables=None)
NO_LOSSES = Losses(mpo=0, lc=0, fiber={})


@record(kw_only=True)
class Buying:
    """Purchase and assembly of parts. `switches`, `optics`, `cables`: spares, in percent.

    `minutes`: to lay one cable. `prices`: of one part, by its name, in one currency.
    """

    switches: Decimal = Decimal(0)
    optics: Decimal = Decimal(0)
    cables: Decimal = Decimal(0)
    minutes: Decimal = Decimal(0)
    prices: Mapping[str, Decimal] = field(default_factory=dict)
    currency: str = ""


@record(kw_only=True)
class Beside:
    """A network that is bought and cabled, but not configured. `meters`: of each link.

    `watts`: of one of its switches, if given.
    """

    name: str
    kind: str
    switches: int
    links: int
    meters: float
    medium: str
    watts: int | None


@record(kw_only=True)
class Floor:
    """Racks, their contents by name, and their cabling; media by fabric.

    `ends`: where a cable to an owner of ports ends; management ports of switches have their own.
    `optics`: all allowed optics. `buying`: purchase of parts. `structured`: by fabric, for fabrics
    whose fiber runs through panels. `beside`: networks that are only counted.
    """

    laying: Laying
    media: Mapping[str, Media]
    optics: Sequence[Optic] = ()
    racks: tuple[Rack, ...] = ()
    stands: Mapping[str, Stand] = field(default_factory=dict)
    ends: Mapping[str, Stand] = field(default_factory=dict)
    buying: Buying = field(default_factory=Buying)
    structured: Mapping[str, Structured] = field(default_factory=dict)
    panels: Panels = NO_PANELS
    losses: Losses = NO_LOSSES
    beside: tuple[Beside, ...] = ()

    def media_of(self, fabric: str) -> Media:
        """Return the media of a fabric's cables; empty if the racks have errors."""
        return self.media.get(fabric, NO_MEDIA)


NO_FLOOR = Floor(laying=Laying(width=0, pitch=0, rise=0, slack=0, percent=0, lengths=()), media={})

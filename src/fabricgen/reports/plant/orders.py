"""A designed site and its cables in; the work order of each rack, a page that is printed, out.

Work goes from below to above: first what is heavy is mounted, then cables that go far are laid
under those that stay near. Each end is on the page of its rack, and each cable is laid from one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.compiler import File
from fabricgen.fabric.topology import Port
from fabricgen.record import record
from fabricgen.render import Renderer
from fabricgen.reports.plant.cabling import interface_of, named, printed
from fabricgen.reports.plant.tables import metres

if TYPE_CHECKING:
    from fabricgen.fabric.floor import Rack, Stand
    from fabricgen.fabric.switch import Site
    from fabricgen.plant.cables import Cable, End

FOLDER = "work-orders"
FIBRES = frozenset({"multimode", "single-mode"})


@record(kw_only=True)
class Mount:
    """One thing to mount. units: the lowest, or from it to the highest; empty at the side."""

    units: str
    name: str
    what: str


@record(kw_only=True)
class Task:
    """One end of a cable. fibre: both faces are inspected, cleaned and inspected again.

    here, there: what stands on its label, and places of both ends. what: the cable; optic: what is
    put into the cage here.
    """

    cable: str
    here: str
    there: str
    unit: str
    interface: str
    far: str
    what: str
    length: str
    colour: str
    optic: str
    fibre: bool


@record(kw_only=True)
class Group:
    """Ends of cables that go to one rack."""

    where: str
    tasks: Sequence[Task]


@record(kw_only=True)
class Order:
    """All work at one rack. laid: cables that are laid from here; arriving: those that come."""

    site: str
    rack: str
    kind: str
    row: int
    position: int
    height: int
    mounts: Sequence[Mount]
    laid: Sequence[Group]
    arriving: Sequence[Group]
    cables: int
    ends: int
    fibres: int


def orders(site: Site, laid: Iterable[Cable]) -> Iterator[File]:
    """Yield a page for each rack."""
    at, renderer = _Ends.of(laid), Renderer()
    stands: dict[str, list[Stand]] = defaultdict(list)
    for stand in site.floor.stands.values():
        stands[stand.rack.name].append(stand)
    models = {
        switch.name: switch.model.name
        for fabric in site.fabrics
        for switch in fabric.topology.switches
    }
    for rack in site.floor.racks:
        mounts = [_mount(stand, models) for stand in sorted(stands[rack.name], key=_upwards)]
        page = _order(site.name, rack, mounts, at)
        text = renderer.section("plant/work_order", page)
        yield File(f"{FOLDER}/{rack.name}.html", text, executable=False)


@dataclass(slots=True)
class _Ends:
    """Cables by the rack of an end: laid from there, and arriving there."""

    laid: dict[str, list[Cable]] = field(default_factory=lambda: defaultdict(list))
    arriving: dict[str, list[Cable]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, cables: Iterable[Cable]) -> _Ends:
        """Sort them. One whose upper end is in no rack is laid from the other."""
        ends = cls()
        for cable in cables:
            near, far = cable.near.stand, cable.far.stand
            if near is not None:
                ends.laid[near.rack.name].append(cable)
            if far is not None:
                (ends.arriving if near is not None else ends.laid)[far.rack.name].append(cable)
        return ends


def _order(site: str, rack: Rack, mounts: Sequence[Mount], ends: _Ends) -> Order:
    laid = _groups((_from(cable, rack), cable) for cable in ends.laid[rack.name])
    arriving = _groups(((cable.far, cable.near), cable) for cable in ends.arriving[rack.name])
    tasks = [task for group in (*laid, *arriving) for task in group.tasks]
    return Order(
        site=site,
        rack=rack.name,
        kind=rack.type,
        row=rack.row,
        position=rack.position,
        height=rack.units,
        mounts=mounts,
        laid=laid,
        arriving=arriving,
        cables=len(ends.laid[rack.name]),
        ends=len(tasks),
        fibres=sum(task.fibre for task in tasks),
    )


def _from(cable: Cable, rack: Rack) -> tuple[End, End]:
    """Return the end that a cable is laid from, and the other."""
    stand = cable.near.stand
    here = stand is not None and stand.rack is rack
    return (cable.near, cable.far) if here else (cable.far, cable.near)


def _groups(ends: Iterable[tuple[tuple[End, End], Cable]]) -> list[Group]:
    """Return the tasks by the rack of the other end, the farthest first; by device and port."""
    by_rack: dict[str, list[tuple[End, End, Cable]]] = defaultdict(list)
    for (here, there), cable in ends:
        by_rack[_rack(there)].append((here, there, cable))
    longest = {
        where: max(cable.length.metres for *_, cable in own) for where, own in by_rack.items()
    }
    return [
        Group(where=where, tasks=[_task(*each) for each in sorted(by_rack[where], key=_place)])
        for where in sorted(by_rack, key=lambda where: (-longest[where], where))
    ]


def _place(task: tuple[End, End, Cable]) -> tuple[object, ...]:
    """Return where in a rack an end is, from below."""
    here, port = task[0], task[0].port
    unit = (here.stand.unit or 0) if here.stand is not None else 0
    inside = (port.cage, port.sub, "") if isinstance(port, Port) else (0, 0, printed(here))
    return unit, here.name, inside


def _task(here: End, there: End, cable: Cable) -> Task:
    fixed = cable.fixed
    length = cable.length.metres
    return Task(
        cable=cable.name,
        here=named(here),
        there=named(there),
        unit=_unit(here),
        interface=interface_of(here) or printed(here),
        far=_unit(there),
        what=fixed.name if fixed is not None else cable.medium or "not known",
        length=f"{metres(length)} m" if length else "",
        colour=cable.colour,
        optic=here.optic.name if here.optic is not None else "",
        fibre=fixed is None and cable.medium in FIBRES,
    )


def _rack(end: End) -> str:
    if end.stand is not None:
        return end.stand.rack.name
    return "outside" if end.owner is None else "no rack"


def _unit(end: End) -> str:
    return f"U{end.stand.unit}" if end.stand is not None and end.stand.unit else ""


def _upwards(stand: Stand) -> tuple[bool, int, str]:
    return stand.unit is None, stand.unit or 0, stand.name


def _mount(stand: Stand, models: Mapping[str, str]) -> Mount:
    unit, units = stand.unit, stand.units
    place = f"U{unit}" + (f" to U{unit + units - 1}" if units > 1 else "") if unit else ""
    return Mount(units=place, name=stand.name, what=models.get(stand.name, stand.kind))

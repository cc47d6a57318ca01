"""Writes the work order of each rack as a page to print.

Work goes from the bottom to the top: heavy devices are mounted first. Long cables are laid below
short ones. Each end is on the page of its rack, and each cable is laid from one of its ends.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from fabricgen.compile.compiler import File
from fabricgen.compile.render import Renderer
from fabricgen.core.record import record
from fabricgen.core.tables import meters
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.lengths import Length
from fabricgen.model.cabling.mounted import behind, joint_places, places
from fabricgen.model.cabling.parts import trunk_name
from fabricgen.model.cabling.patched import Joint, Side, Trunk
from fabricgen.model.fabric.floor import KEPT, Floor, Rack, Stand
from fabricgen.model.fabric.topology import Port
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.cabling import interface_of, named, printed
from fabricgen.plan.documents.labels import at_panel, cross_lines

FOLDER = "work-orders"
FIBERS = frozenset({"multimode", "single-mode"})


@record(kw_only=True)
class Mount:
    """One device to mount. `units`: the lowest, or the lowest to the highest; empty at the side."""

    units: str
    name: str
    what: str


@record(kw_only=True)
class Task:
    """One end of a cable. `fiber`: both faces are inspected, cleaned and inspected again.

    `here`, `there`: label texts, and places of both ends. `what`: the cable. `optic`: part for the
    local cage.
    """

    cable: str
    here: str
    there: str
    unit: str
    interface: str
    far: str
    what: str
    length: str
    color: str
    optic: str
    fiber: bool


@record(kw_only=True)
class Group:
    """Ends of cables that go to one rack."""

    where: str
    tasks: Sequence[Task]


@record(kw_only=True)
class Order:
    """All work at one rack. `laid`: ends that are laid from here. `arriving`: ends that arrive.

    `cables`: the pieces that are laid from here, including cords and trunks.
    """

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
    fibers: int


@record(kw_only=True)
class _Job:
    """One end of a piece, at a rack. `where`: the rack of its other end. `order`: from the bottom.

    `laid`: it is laid from this rack. `first`: it counts as a piece here.
    """

    rack: str
    where: str
    meters: float
    order: tuple[object, ...]
    laid: bool
    first: bool
    task: Task


def orders(plan: Plan) -> Iterator[File]:
    """Yield a page for each rack."""
    site, renderer = plan.site, Renderer()
    jobs: dict[str, list[_Job]] = defaultdict(list)
    for job in _jobs(plan):
        jobs[job.rack].append(job)
    models = {
        switch.name: switch.model.name
        for fabric in site.fabrics
        for switch in fabric.topology.switches
    }
    for rack in site.floor.racks:
        held = [stand for stand in plan.held[rack.name] if stand.kind != KEPT]
        mounts = [_mount(stand, models) for stand in sorted(held, key=_upwards)]
        page = _order(site.name, rack, mounts, jobs[rack.name])
        text = renderer.section("plant/work_order", page)
        yield File(order_path(rack), text, executable=False)


def order_path(rack: Rack) -> str:
    """Return the file of a rack's work order."""
    return f"{FOLDER}/{rack.name}.html"


def _jobs(plan: Plan) -> Iterator[_Job]:
    """Yield every end of every piece: cables from port to port, cords, and trunks."""
    patched = {each.cable.name: each for each in plan.patching.patched}
    for cable in plan.laid:
        by = patched.get(cable.name)
        if by is None:
            yield from _cable(cable)
        else:
            assert cable.channel is not None
            yield from _cord(by.near, cable.far, cable, cable.channel.near, plan.site.floor)
            yield from _cord(by.far, cable.near, cable, cable.channel.far, plan.site.floor)
    for joint in plan.patching.joints:
        if joint.has_cord:
            yield from _cross_cord(joint, plan.site.floor)
    panels = behind(plan.patching, plan.site.floor)
    for trunk in plan.patching.trunks:
        yield from _trunk(trunk, panels)


def _cable(cable: Cable) -> Iterator[_Job]:
    """Yield the ends of a cable; if its upper end is in no rack, it is laid from the other."""
    near, far = cable.near, cable.far
    for here, there, laid in ((near, far, True), (far, near, near.stand is None)):
        if here.stand is not None:
            yield _Job(
                rack=here.stand.rack.name,
                where=_rack(there),
                meters=cable.length.meters,
                order=_place(here),
                laid=laid,
                first=laid,
                task=_task(here, there, cable),
            )


def _cord(side: Side, other: End, cable: Cable, cord: Length, floor: Floor) -> Iterator[_Job]:
    """Yield both ends of a cord: at the port, and at the panel of the same rack."""
    here, rack, at = side.end, side.rack.name, places(side, floor)
    position = " ".join(f"{panel}:{port}" for panel, _, port in at)
    at_port = replace(
        _task(here, other, cable), there=position, far=f"U{at[0][1]}", length=_length(cord.meters)
    )
    line, _ = at_panel(here, other)
    panel = replace(
        at_port,
        here=line,
        there=named(here),
        unit=at_port.far,
        interface=position,
        far=at_port.unit,
        optic="",
    )
    for task, order in ((at_port, _place(here)), (panel, (at[0][1], at[0][0], (at[0][2], 0, "")))):
        first = task is at_port
        yield _Job(
            rack=rack,
            where=rack,
            meters=cord.meters,
            order=order,
            laid=True,
            first=first,
            task=task,
        )


def _cross_cord(joint: Joint, floor: Floor) -> Iterator[_Job]:
    """Yield both ends of a cord between two trunks at the panels of one rack."""
    rack, at = joint.rack.name, joint_places(joint, floor)
    ends = list(zip(joint.trunks, at, strict=True))
    for (here, (panel, unit, port)), (there, (_, far, _)) in (ends, ends[::-1]):
        task = Task(
            cable=joint.run,
            here=cross_lines(here, there)[0],
            there=there,
            unit=f"U{unit}",
            interface=f"{panel}:{port}",
            far=f"U{far}",
            what=f"{joint.grade} {joint.plug}",
            length=_length(joint.meters),
            color="",
            optic="",
            fiber=True,
        )
        yield _Job(
            rack=rack,
            where=rack,
            meters=joint.meters,
            order=(unit, panel, (port, 0, "")),
            laid=True,
            first=here is joint.trunks[0],
            task=task,
        )


def _trunk(trunk: Trunk, panels: Mapping[tuple[str, str], str]) -> Iterator[_Job]:
    """Yield both ends of a trunk; it is laid from the first of its racks."""
    for (here, there), laid in ((trunk.racks, True), (trunk.racks[::-1], False)):
        task = Task(
            cable=trunk.name,
            here=trunk.name,
            there=there,
            unit="",
            interface=panels.get((trunk.name, here), "spare"),
            far="",
            what=trunk_name(trunk.grade, trunk.fibers, trunk.polish),
            length=_length(trunk.meters),
            color="",
            optic="",
            fiber=True,
        )
        yield _Job(
            rack=here,
            where=there,
            meters=trunk.meters,
            order=(0, "", (0, 0, "")),
            laid=laid,
            first=laid,
            task=task,
        )


def _order(site: str, rack: Rack, mounts: Sequence[Mount], jobs: Sequence[_Job]) -> Order:
    return Order(
        site=site,
        rack=rack.name,
        kind=rack.type,
        row=rack.row,
        position=rack.position,
        height=rack.units,
        mounts=mounts,
        laid=_groups(job for job in jobs if job.laid),
        arriving=_groups(job for job in jobs if not job.laid),
        cables=sum(job.first for job in jobs),
        ends=len(jobs),
        fibers=sum(job.task.fiber for job in jobs),
    )


def _groups(jobs: Iterable[_Job]) -> list[Group]:
    """Return the tasks by the rack of the other end, the farthest first."""
    by_rack: dict[str, list[_Job]] = defaultdict(list)
    for job in jobs:
        by_rack[job.where].append(job)
    longest = {where: max(job.meters for job in own) for where, own in by_rack.items()}
    return [
        Group(where=where, tasks=[each.task for each in sorted(by_rack[where], key=_from_below)])
        for where in sorted(by_rack, key=lambda where: (-longest[where], where))
    ]


def _from_below(job: _Job) -> tuple[object, ...]:
    return job.order


def _place(here: End) -> tuple[object, ...]:
    """Return the sort key of an end's place in a rack, from the bottom."""
    port = here.port
    unit = (here.stand.unit or 0) if here.stand is not None else 0
    inside = (port.cage, port.sub, "") if isinstance(port, Port) else (0, 0, printed(here))
    return unit, here.name, inside


def _task(here: End, there: End, cable: Cable) -> Task:
    fixed = cable.fixed
    return Task(
        cable=cable.name,
        here=named(here),
        there=named(there),
        unit=_unit(here),
        interface=interface_of(here) or printed(here),
        far=_unit(there),
        what=fixed.name if fixed is not None else cable.medium or "not known",
        length=_length(cable.length.meters),
        color=cable.color,
        optic=here.optic.name if here.optic is not None else "",
        fiber=fixed is None and cable.medium in FIBERS,
    )


def _length(length: float) -> str:
    return f"{meters(length)} m" if length else ""


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
    if stand.name not in models:
        return Mount(units=place, name=stand.name, what=stand.kind)
    looks = f"ports to the {stand.rack.ports}" if stand.rack.ports else ""
    said = (each.replace("-", " ") for each in (stand.airflow, looks) if each)
    return Mount(units=place, name=stand.name, what=", ".join((models[stand.name], *said)))

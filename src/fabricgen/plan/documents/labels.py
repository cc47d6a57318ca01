"""Writes the labels of both ends of each cable and trunk.

A label has two lines: this end, and the other one. Names of devices and ports are ASCII, and a port
has one cable. So no label occurs twice, and site growth changes none. A cable through panels has
four labels, two at each cord. A trunk is named after its racks.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabricgen.core.tables import csv_text
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.finish import (
    FINISH,
    UNPINNED,
    Finish,
    cord_finish,
    end_finish,
    finished,
)
from fabricgen.model.cabling.mounted import behind, joint_places, places
from fabricgen.model.cabling.patched import Joint, Patched, Trunk
from fabricgen.model.fabric.floor import Floor
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.cabling import named, printed

COLUMNS = (
    *("label", "cable", "rack", "unit", "device", "port"),
    *("line1", "line2", "characters", "color", *FINISH),
)
"""`characters`: of the longer line, to choose the tape. `rack`, `unit`: place of this end.

`gender`: of the MPO plug at this end.
"""


def labels(plan: Plan) -> str:
    """Return every label as CSV: cables with their labels in sequence, then trunks."""
    floor, by = plan.site.floor, {each.cable.name: each for each in plan.patching.patched}
    rows = (row for cable in plan.laid for row in _rows(cable, by.get(cable.name), floor))
    return csv_text(
        COLUMNS,
        (
            *rows,
            *_of_trunks(plan.patching.trunks, behind(plan.patching, floor)),
            *_of_joints(plan.patching.joints, floor),
        ),
    )


def _rows(cable: Cable, by: Patched | None, floor: Floor) -> Iterator[tuple[object, ...]]:
    sides = (by.near, by.far) if by is not None else (None, None)
    ends = ((cable.near, cable.far), (cable.far, cable.near))
    for (end, other), side in zip(ends, sides, strict=True):
        lines = named(end), f"> {named(other)}"
        finish = cord_finish(cable, end) if side is not None else end_finish(cable, end)
        yield _row(cable, (*_place(end), end.name, printed(end)), lines, finish)
        if side is not None:
            at = places(side, floor)
            ports = " ".join(str(port) for _, _, port in at)
            there = (side.rack.name, at[0][1], at[0][0], ports)
            yield _row(cable, there, at_panel(end, other), finish)


def at_panel(end: End, other: End) -> tuple[str, str]:
    """Return the lines of a cord's label at the panel. They contain no place, so none changes."""
    return f"{named(end)} panel", f"> {named(other)}"


def _row(
    cable: Cable, place: Sequence[object], lines: tuple[str, str], finish: Finish
) -> tuple[object, ...]:
    size = max(map(len, lines))
    return (" ".join(lines), cable.name, *place, *lines, size, cable.color, *finished(finish))


def _of_trunks(
    trunks: Iterable[Trunk], panels: Mapping[tuple[str, str], str]
) -> Iterator[tuple[object, ...]]:
    for trunk in trunks:
        for rack, other, gender in zip(trunk.racks, trunk.racks[::-1], trunk.genders, strict=True):
            lines = trunk.name, f"> {other}"
            place = (rack, "", panels.get((trunk.name, rack), ""), "")
            own = (trunk.polarity, gender, trunk.jacket)
            yield (" ".join(lines), trunk.name, *place, *lines, max(map(len, lines)), "", *own)


def _of_joints(joints: Iterable[Joint], floor: Floor) -> Iterator[tuple[object, ...]]:
    """Yield both labels of each cord between trunks."""
    for joint in joints:
        if not joint.has_cord:
            continue
        at = zip(joint.trunks, joint.trunks[::-1], joint_places(joint, floor), strict=True)
        for here, there, (panel, unit, port) in at:
            lines, own = cross_lines(here, there), (joint.polarity, UNPINNED, joint.jacket)
            place = (joint.rack.name, unit, panel, port)
            yield (" ".join(lines), joint.run, *place, *lines, max(map(len, lines)), "", *own)


def cross_lines(here: str, there: str) -> tuple[str, str]:
    """Return the lines of the label of a cord between two trunks."""
    return f"{here} cord", f"> {there}"


def _place(end: End) -> tuple[object, object]:
    return (end.stand.rack.name, end.stand.unit or "") if end.stand is not None else ("", "")

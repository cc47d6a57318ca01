"""Writes the fiber counts of racks and the assignment of trunks and panel ports."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence

from fabricgen.compile.compiler import File
from fabricgen.core.tables import csv_text
from fabricgen.model.cabling.fibers import fibers_of
from fabricgen.model.cabling.loss import loss_of
from fabricgen.model.cabling.mounted import joint_places, places, units_of
from fabricgen.model.cabling.patched import Joint, Patched, Patching, Side
from fabricgen.model.fabric.floor import Floor
from fabricgen.plan.cabling import Plan

FIBERS = (
    *("rack", "fibers", "fiber_cables", "cable_ends", "fibers_by_panels"),
    *("panel_ports", "panel_units", "manager_units", "kept_units"),
)
"""`fibers`: of all cables that end in the rack. `kept_units`: units reserved for panels."""
TRUNKS = (
    *("trunk", "fabric", "a_rack", "b_rack", "fibers", "used", "spare"),
    *("grade", "polish", "polarity", "length_m", "a_gender", "b_gender", "jacket"),
)
PANELS = (
    *("cable", "fibers", "trunks"),
    *(f"{end}_{name}" for end in "ab" for name in ("rack", "panel", "unit", "port", "by")),
    *("a_cord_m", "b_cord_m", "mpo_pairs", "lc_pairs", "loss_db", "budget_db", "crossings"),
)
"""`trunks`: each with its first and last fiber. `by`: the part between cord and trunk. `crossings`:
the panel ports where trunks meet.
"""
_AT_PANEL = ("unit", "port", "by")


def fiber_files(plan: Plan) -> Iterator[File]:
    """Yield fibers.csv, and with panels trunks.csv and panels.csv."""
    floor, patching = plan.site.floor, plan.patching
    yield File("fibers.csv", csv_text(FIBERS, _racks(plan)), executable=False)
    if patching.bundles:
        yield File("trunks.csv", trunks(patching), executable=False)
        yield File("panels.csv", panels(patching, floor), executable=False)


def _racks(plan: Plan) -> Iterator[tuple[object, ...]]:
    floor = plan.site.floor
    total, fiber, ends, apart = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for cable in plan.laid:
        count = fibers_of(cable) or 0
        for end in (cable.near, cable.far):
            if end.stand is not None:
                here = end.stand.rack.name
                ends[here] += 1
                total[here] += count
                fiber[here] += count > 0
                apart[here] += count if cable.channel is not None else 0
    ports = plan.patching.ports
    for rack in floor.racks:
        name = rack.name
        units = units_of(plan.mounted[name])
        counts = (total[name], fiber[name], ends[name], apart[name], ports.get(name, 0))
        yield (name, *counts, *units, rack.panels)


def trunks(patching: Patching) -> str:
    """Return every trunk as CSV."""
    return csv_text(
        TRUNKS,
        (
            (
                *(each.name, each.fabric, *each.racks, each.fibers, each.used),
                *(each.fibers - each.used, each.grade, each.polish, each.polarity, each.meters),
                *(*each.genders, each.jacket),
            )
            for each in patching.trunks
        ),
    )


def panels(patching: Patching, floor: Floor) -> str:
    """Return the positions of every cable through panels as CSV."""
    joints = joints_by_run(patching)
    return csv_text(PANELS, (_row(each, floor, joints) for each in patching.patched))


def joints_by_run(patching: Patching) -> Mapping[str, Sequence[Joint]]:
    """Return the places where trunks meet, by the common name of the trunks."""
    found: dict[str, list[Joint]] = defaultdict(list)
    for joint in patching.joints:
        found[joint.run].append(joint)
    return found


def panel_facts(
    each: Patched, floor: Floor, joints: Mapping[str, Sequence[Joint]]
) -> Mapping[str, object]:
    """Return the row of a cable through panels, by column.

    The name of the cable is left out. Columns that cabling.csv has too are facts of the panel.
    """
    facts = dict(zip(PANELS, _row(each, floor, joints), strict=True))
    at_panel = {f"{end}_{fact}": f"{end}_panel_{fact}" for end in "ab" for fact in _AT_PANEL}
    return {at_panel.get(name, name): facts[name] for name in PANELS if name != "cable"}


def _row(each: Patched, floor: Floor, joints: Mapping[str, Sequence[Joint]]) -> tuple[object, ...]:
    cable = each.cable
    loss, channel = loss_of(cable, floor.losses, each), cable.channel
    assert channel is not None
    assert loss is not None
    return (
        cable.name,
        fibers_of(cable),
        " ".join(f"{piece.trunk}/{piece.first}-{piece.last}" for piece in each.pieces),
        *_at(each.near, floor),
        *_at(each.far, floor),
        channel.near.meters,
        channel.far.meters,
        loss.mpo,
        loss.lc,
        round(loss.total, 3),
        "not known" if loss.budget is None else loss.budget,
        " ".join(
            f"{panel}:{port}"
            for run in dict.fromkeys(piece.trunk for piece in each.pieces)
            for joint in joints.get(run, ())
            for panel, _, port in joint_places(joint, floor)
        ),
    )


def _at(side: Side, floor: Floor) -> tuple[object, ...]:
    at = places(side, floor)
    return (
        side.rack.name,
        *at[0][:2],
        " ".join(str(place) for _, _, place in at),
        "adapter" if side.straight else "cassette",
    )

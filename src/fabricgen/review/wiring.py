"""Words the changes of devices and cables as effects, with the racks that people must visit."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from fabricgen.core.units import counted, natural, shortened
from fabricgen.review.cables import CableChange, Jack
from fabricgen.review.inventory import NAME, PLACE, SERVER, STATE, DeviceChange
from fabricgen.review.model import Act, Effect
from fabricgen.review.topology import CableChanges, ServerMove

_EACH = 3
"""Number of equal changes of devices that are one effect each."""
_RACKS = 4
_DONE = {
    Act.ADDED: "to lay",
    Act.REMOVED: "to take out",
    Act.MOVED: "to move",
    Act.CHANGED: "to change",
}


def topology_effects(changes: CableChanges) -> Iterator[Effect]:
    """Yield the effects on devices, then on cables."""
    yield from _devices(changes.devices)
    yield from _moves(changes.server_moves)
    for act, cables in (
        (Act.ADDED, changes.added),
        (Act.REMOVED, changes.removed),
        (Act.MOVED, changes.moved),
        (Act.CHANGED, changes.changed),
    ):
        yield from _cables(act, cables)


def affected_names(changes: CableChanges) -> frozenset[str]:
    """Return the devices that come, go, move, or have another name or other hardware."""
    devices = (each.name for each in changes.devices if each.attribute != STATE)
    renamed = (name for names in changes.names for name in names)
    moved = (each.name for each in changes.server_moves)
    return frozenset((*devices, *renamed, *moved))


def cable_ends(changes: CableChanges) -> frozenset[str]:
    """Return the devices with a changed cable."""
    sides = (side for each in changes.cables for side in (each.before, each.after) if side)
    return frozenset(jack.name for side in sides for jack in (side.lower, side.upper))


def _devices(devices: Iterable[DeviceChange]) -> Iterator[Effect]:
    """Yield one effect for each device, or one for many equal changes."""
    alike: dict[tuple[Act, str, str, str, str, str], list[str]] = defaultdict(list)
    for each in devices:
        named = each.attribute in ("", PLACE)
        values = ("", "") if named else (each.before, each.after)
        alike[each.act, each.kind, each.fabric, each.attribute, *values].append(each.name)
    words = {(each.name, each.attribute): each for each in devices}
    for (act, kind, fabric, attribute, _, _), names in alike.items():
        if len(names) <= _EACH:
            yield from (_device(words[name, attribute]) for name in names)
            continue
        ordered = natural(names)
        where = f" in {fabric}" if fabric else ""
        change = _change(words[names[0], attribute]) if attribute not in ("", PLACE) else act
        yield Effect(
            act=act,
            kind=kind,
            name="",
            attribute=attribute,
            text=f"{counted(len(names), kind)}{where} {change} ({shortened(ordered, _EACH)})",
            on=tuple(ordered),
            objects=len(names),
        )


def _device(each: DeviceChange) -> Effect:
    return Effect(
        act=each.act,
        kind=each.kind,
        name=each.name,
        attribute=each.attribute,
        before=each.before,
        after=each.after,
        text=f"{each.kind} {each.name} {_change(each)}",
        on=(each.name,) if each.kind == SERVER else (),
    )


def _change(each: DeviceChange) -> str:
    if not each.attribute:
        return each.act
    if each.attribute == NAME:
        return f"renamed, previously {each.before}"
    if each.act is Act.REPLACED:
        return f"replaced: {each.attribute} {each.before} → {each.after}"
    return f"{each.act}: {each.attribute} {each.before} → {each.after}"


def _moves(moves: Sequence[ServerMove]) -> Iterator[Effect]:
    for each in moves:
        before, after = ", ".join(each.before), ", ".join(each.after)
        yield Effect(
            act=Act.MOVED,
            kind=SERVER,
            name=each.name,
            attribute=f"leafs in {each.fabric}",
            before=before,
            after=after,
            text=f"{each.name} moves from {before} to {after} in {each.fabric}",
            on=(each.name,),
        )


def _cables(act: Act, cables: Sequence[CableChange]) -> Iterator[Effect]:
    """Yield one effect for each fabric and changed attribute."""
    alike: dict[tuple[str, str], list[CableChange]] = defaultdict(list)
    for each in cables:
        alike[each.fabric, each.attribute].append(each)
    for (fabric, attribute), mine in alike.items():
        racks = natural({jack.rack for each in mine for jack in _jacks(each)} - {""})
        place = f"; racks {shortened(racks, _RACKS)}" if racks else ""
        what = f": {attribute} {mine[0].old} → {mine[0].new}" if attribute else ""
        done = f" {_DONE[act]}" if attribute != STATE else ""
        first = f", first {_ends(mine[0])}" if len(mine) > 1 else f": {_ends(mine[0])}"
        yield Effect(
            act=act,
            kind="cable",
            name=fabric,
            attribute=attribute,
            before=mine[0].old,
            after=mine[0].new,
            text=f"{counted(len(mine), 'cable')} of {fabric}{done}{what}{first}{place}",
            objects=len(mine),
        )


def _jacks(each: CableChange) -> Iterator[Jack]:
    for side in (each.before, each.after):
        if side is not None:
            yield from (side.lower, side.upper)


def _ends(each: CableChange) -> str:
    """Return both ends of a cable, or its old and new end if it moves."""
    if each.act is Act.MOVED and each.before is not None and each.after is not None:
        old, new = ((str(side.lower), str(side.upper)) for side in (each.before, each.after))
        return f"{' - '.join(old)} → {' - '.join(new)}"
    return f"{each.ends.lower} - {each.ends.upper}"

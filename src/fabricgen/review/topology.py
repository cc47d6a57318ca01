"""Compares the topology of two sites: devices, cables, and the racks that people must visit."""

from collections import defaultdict
from collections.abc import Iterable

from fabricgen.core.record import record
from fabricgen.core.units import natural
from fabricgen.model.fabric.switch import Site
from fabricgen.review.cables import CableChange, CableList, Jack, compare_cables
from fabricgen.review.inventory import (
    PLACE,
    STATE,
    SWITCH,
    DeviceChange,
    Inventory,
    device_changes,
    renames,
)
from fabricgen.review.model import Act


@record(kw_only=True)
class ServerMove:
    """Server that changes its leafs in a fabric, with the leafs that it leaves and gets."""

    name: str
    fabric: str
    before: tuple[str, ...]
    after: tuple[str, ...]


@record(kw_only=True)
class Visit:
    """Work in one rack. `rack`: empty for ends whose rack is not known."""

    rack: str
    unplug: tuple[Jack, ...]
    plug: tuple[Jack, ...]


@record(kw_only=True)
class CableChanges:
    """Differences of cables and devices.

    Attributes:
        added: New cables.
        removed: Cables without a successor.
        moved: Cables with one end in another port.
        changed: Cables with equal ends and another speed, state or place.
        devices: Differences of switches, servers and other equipment.
        names: New name by old name of renamed devices and management ports.
    """

    added: tuple[CableChange, ...] = ()
    removed: tuple[CableChange, ...] = ()
    moved: tuple[CableChange, ...] = ()
    changed: tuple[CableChange, ...] = ()
    devices: tuple[DeviceChange, ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    @property
    def cables(self) -> tuple[CableChange, ...]:
        """Return every changed cable."""
        return (*self.added, *self.removed, *self.moved, *self.changed)

    def device_names(self, act: Act, kind: str = SWITCH) -> tuple[str, ...]:
        """Return the names of devices with one kind of change."""
        found = (each.name for each in self.devices if (each.act, each.kind) == (act, kind))
        return tuple(dict.fromkeys(found))

    @property
    def server_moves(self) -> tuple[ServerMove, ...]:
        """Return the servers that leave a leaf and get another one, by fabric."""
        new = {each.name for each in self.devices if each.act is Act.ADDED}
        renamed = dict(self.names)
        left: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        gained: dict[tuple[str, str], dict[str, None]] = defaultdict(dict)
        for each in (*self.removed, *self.moved, *self.added):
            if each.before is not None and _at_server(each.before.lower):
                name = renamed.get(each.before.lower.name, each.before.lower.name)
                leaf = renamed.get(each.before.upper.name, each.before.upper.name)
                left[each.fabric, name][leaf] = None
            if each.after is not None and _at_server(each.after.lower):
                gained[each.fabric, each.after.lower.name][each.after.upper.name] = None
        moves = []
        for (fabric, name), leafs in gained.items():
            before, after = left[fabric, name], leafs
            only = [x for x in before if x not in after], [x for x in after if x not in before]
            if all(only) and name not in new:
                was, now = map(tuple, map(natural, only))
                moves.append(ServerMove(name=name, fabric=fabric, before=was, after=now))
        return tuple(moves)

    @property
    def visits(self) -> tuple[Visit, ...]:
        """Return the work in each rack, in natural order; ends without a known rack are last."""
        unplug: dict[str, dict[str, Jack]] = defaultdict(dict)
        plug: dict[str, dict[str, Jack]] = defaultdict(dict)
        for each in (*self.removed, *self.added, *self.moved, *self.changed):
            for out, jack in _touched(each):
                (unplug if out else plug)[jack.rack].setdefault(str(jack), jack)
        racks = natural({*unplug, *plug} - {""}) + ([""] if "" in {*unplug, *plug} else [])
        return tuple(
            Visit(
                rack=rack,
                unplug=tuple(unplug[rack].values()),
                plug=tuple(plug[rack].values()),
            )
            for rack in racks
        )


def _at_server(jack: Jack) -> bool:
    return not jack.is_switch and bool(jack.port)


def _touched(cable: CableChange) -> Iterable[tuple[bool, Jack]]:
    """Yield the ends that a person unplugs (True) or plugs in (False).

    The end that stays in its port is not touched. Another state needs no work at the cable, except
    that it is laid or taken out.
    """
    if cable.attribute == STATE:
        return
    was, now = cable.before, cable.after
    old = (was.lower, was.upper) if was is not None else ()
    new = (now.lower, now.upper) if now is not None else ()
    stays = {str(jack) for jack in old} & {str(jack) for jack in new}
    if cable.act is not Act.MOVED:
        stays = set()
    yield from ((True, jack) for jack in old if str(jack) not in stays and jack.port)
    yield from ((False, jack) for jack in new if str(jack) not in stays and jack.port)


def cable_changes(before: Site, after: Site) -> CableChanges:
    """Compare devices and cables of two designed sites."""
    one, other = Inventory(site=before), Inventory(site=after)
    names = renames(one, other)
    devices = tuple(device_changes(one, other, names))
    relocated = frozenset(each.name for each in devices if each.attribute == PLACE)
    states = frozenset(each.name for each in devices if each.attribute == STATE)
    lists = CableList(one, names), CableList(other, {})
    every = list(compare_cables(*lists, relocated, states))
    acts = {act: tuple(each for each in every if each.act is act) for act in Act}
    return CableChanges(
        added=acts[Act.ADDED],
        removed=acts[Act.REMOVED],
        moved=acts[Act.MOVED],
        changed=acts[Act.CHANGED],
        devices=devices,
        names=tuple(names.items()),
    )

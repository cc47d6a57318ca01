"""Compares the cables of two sites: added, removed, moved and changed ones."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.cabling.cables import FabricCables
from fabricgen.model.fabric.state import State
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Port
from fabricgen.review.inventory import PLACE, STATE, Inventory, place
from fabricgen.review.model import Act

SPEED = "speed"
"""Attribute of a cable, next to the attributes of devices."""
_Key = tuple[str, str, str, str]  # name and port of the lower end, then of the upper end


@record(kw_only=True)
class Jack:
    """One end of a cable.

    Attributes:
        name: Switch, server or external connection, with its name on this side.
        port: Label of the port, or empty outside of the site.
        rack: Name of the rack, or empty if it is not known.
        is_switch: Whether a switch has the port.
    """

    name: str
    port: str
    rack: str
    is_switch: bool

    def __str__(self) -> str:
        """Return the name with the port."""
        return f"{self.name}:{self.port}" if self.port else self.name


@record(kw_only=True)
class Ends:
    """Both ends of a cable on one side of the comparison. `lower` is nearer to the servers."""

    lower: Jack
    upper: Jack
    speed: BitsPerSecond


@record(kw_only=True)
class CableChange:
    """One difference of one cable.

    Attributes:
        act: ADDED, REMOVED, MOVED or CHANGED.
        fabric: Its fabric on the later side that has it.
        before: Ends on side A, or None if it is added.
        after: Ends on side B, or None if it is removed.
        attribute: SPEED, STATE or PLACE of a changed cable.
        old: Old value of the attribute.
        new: New value.
    """

    act: Act
    fabric: str
    before: Ends | None = None
    after: Ends | None = None
    attribute: str = ""
    old: str = ""
    new: str = ""

    @property
    def ends(self) -> Ends:
        """Return the ends on the later side that has it."""
        ends = self.after or self.before
        if ends is None:
            raise ValueError("a cable has ends on at least one side")
        return ends

    @property
    def name(self) -> str:
        """Return its name in the cabling plan: the port of its upper end."""
        return str(self.ends.upper)


@record(kw_only=True)
class _External:
    """Cable to the outside. `switch`, `port`: its end in the site. `name`: of the other end."""

    name: str
    fabric: str
    switch: str
    port: Port
    speed: BitsPerSecond


_Line = Link | _External


class _Labels(dict[Port | Nic, str]):
    """Labels of ports."""

    def __missing__(self, port: Port | Nic) -> str:
        """Make a label."""
        label = self[port] = port.label
        return label


@dataclass(slots=True)
class CableList:
    """Cables of one side, by the ends with the names of side B.

    `now`: the name on side B of each renamed device of this side.
    """

    side: Inventory
    now: Mapping[str, str]
    lines: dict[_Key, _Line] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the cables. Many switches share a port, whose label is made once."""
        now, lines, labels = self.now, self.lines, _Labels()
        for fabric in self.side.site.fabrics:
            for link in fabric.topology.links:
                lower, upper = link.lower.name, link.upper.name
                if now:
                    lower, upper = now.get(lower, lower), now.get(upper, upper)
                lines[lower, labels[link.lower_port], upper, labels[link.upper_port]] = link
            for line in _external(self.side.site, fabric):
                lines[line.name, "", now.get(line.switch, line.switch), line.port.label] = line

    def ends(self, key: _Key) -> Ends:
        """Return both ends of a cable with their racks."""
        line = self.lines[key]
        if isinstance(line, _External):
            lower = Jack(name=line.name, port="", rack="", is_switch=False)
            upper = self._jack(line.switch, line.port.label)
        else:
            lower = self._jack(line.lower.name, line.lower_port.label)
            upper = self._jack(line.upper.name, line.upper_port.label)
        return Ends(lower=lower, upper=upper, speed=line.speed)

    def _jack(self, name: str, port: str) -> Jack:
        stand = self.side.stand(name)
        rack = stand.rack.name if stand is not None else ""
        return Jack(name=name, port=port, rack=rack, is_switch=name in self.side.switches)

    def places(self, ends: Ends) -> str:
        """Return the places of both ends on the floor, as far as they are known."""
        both = (place(self.side.stand(end.name)) for end in (ends.lower, ends.upper))
        return " - ".join(filter(None, both))


def _external(site: Site, fabric: Fabric) -> Iterator[_External]:
    """Yield the cables of a fabric that leave the site."""
    laid = FabricCables(fabric=fabric, floor=site.floor, links=(), circuits=site.circuits)
    for cable in laid.cables():
        near, far = cable.near, cable.far
        if isinstance(near.port, Port):
            yield _External(
                name=far.name,
                fabric=fabric.name,
                switch=near.name,
                port=near.port,
                speed=cable.speed,
            )


def compare_cables(
    before: CableList, after: CableList, relocated: frozenset[str], states: frozenset[str]
) -> Iterator[CableChange]:
    """Yield every difference of cables in the order of side B, removed ones last.

    Args:
        before: Cables of side A, with the names of side B.
        after: Cables of side B.
        relocated: Names of devices in another place of the floor.
        states: Names of devices with another state, which their cables follow.
    """
    gone = [key for key in before.lines if key not in after.lines]
    new = [key for key in after.lines if key not in before.lines]
    origin = _origins(before, after, gone, new)
    for key, line in after.lines.items():
        was = before.lines.get(key)
        if was is not None:
            if attribute := _changed(was, line, relocated, states):
                yield _described(before, after, key, attribute)
        elif key in origin:
            old, ends = before.ends(origin[key]), after.ends(key)
            yield CableChange(act=Act.MOVED, fabric=_fabric(line), before=old, after=ends)
        else:
            yield CableChange(act=Act.ADDED, fabric=_fabric(line), after=after.ends(key))
    moved = set(origin.values())
    for key in gone:
        if key not in moved:
            fabric = _fabric(before.lines[key])
            yield CableChange(act=Act.REMOVED, fabric=fabric, before=before.ends(key))


def _fabric(line: _Line) -> str:
    return line.fabric if isinstance(line, _External) else line.upper.fabric


def _origins(
    before: CableList, after: CableList, gone: Iterable[_Key], new: Iterable[_Key]
) -> dict[_Key, _Key]:
    """Return the old ends of each moved cable by its new ends.

    A cable moves if its lower end stays in its port. It also moves if its upper end stays, and both
    lower devices are on both sides: a server that takes the port of a removed one has a new cable.
    """
    found: dict[_Key, _Key] = {}
    old, left = _paired(found, gone, new, lambda key: key[:2])
    renamed = set(before.now.values())
    lasting = [key for key in old if key[0] in after.side]
    present = [key for key in left if key[0] in before.side or key[0] in renamed]
    _paired(found, lasting, present, lambda key: key[2:])
    return found


def _paired(
    found: dict[_Key, _Key],
    gone: Iterable[_Key],
    new: Iterable[_Key],
    end: Callable[[_Key], tuple[str, ...]],
) -> tuple[list[_Key], list[_Key]]:
    """Pair cables with one equal end; return those that have no partner."""
    by_end: dict[tuple[str, ...], list[_Key]] = defaultdict(list)
    for key in gone:
        by_end[end(key)].append(key)
    left = []
    for key in new:
        if some := by_end.get(end(key)):
            found[key] = some.pop(0)
        else:
            left.append(key)
    return [key for some in by_end.values() for key in some], left


def _changed(was: _Line, now: _Line, relocated: frozenset[str], states: frozenset[str]) -> str:
    """Return the changed attribute of a cable with equal ends; empty if there is none."""
    if was.speed != now.speed:
        return SPEED
    if isinstance(now, _External) or isinstance(was, _External):
        return PLACE if isinstance(now, _External) and now.switch in relocated else ""
    follows = now.lower.name in states or now.upper.name in states
    if was.standing is not now.standing and not follows and _state(was) != _state(now):
        return STATE
    if relocated and (now.lower.name in relocated or now.upper.name in relocated):
        return PLACE
    return ""


def _state(link: Link) -> State:
    return link.standing.state if link.standing is not None else State.ACTIVE


def _described(before: CableList, after: CableList, key: _Key, attribute: str) -> CableChange:
    """Return a changed cable with both values."""
    was, now = before.lines[key], after.lines[key]
    ends = before.ends(key), after.ends(key)
    old, new = str(was.speed), str(now.speed)
    if attribute == STATE and isinstance(was, Link) and isinstance(now, Link):
        old, new = _state(was).value, _state(now).value
    if attribute == PLACE:
        old, new = before.places(ends[0]), after.places(ends[1])
    return CableChange(
        act=Act.CHANGED,
        fabric=_fabric(now),
        before=ends[0],
        after=ends[1],
        attribute=attribute,
        old=old,
        new=new,
    )

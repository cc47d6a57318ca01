"""Finds the status of each device: new, removed, moved, changed with a risk, or the same."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from fabricgen.compile.compiler import folder_of
from fabricgen.core.record import record
from fabricgen.core.tree.risk import Risk
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.review.cables import CableChange
from fabricgen.review.inventory import NAME, PLACE, SERVER, STATE, DeviceChange
from fabricgen.review.model import Act, Review
from fabricgen.review.topology import CableChanges, ServerMove, cable_changes

_NEW = "new"  # status of a block


class Status(StrEnum):
    """The effect of a change on a device or a cable."""

    SAME = "not changed"
    CHANGED = "changed"
    NEW = "new"
    REMOVED = "removed"
    MOVED = "moved"


@record(kw_only=True)
class Device:
    """One switch or server of a fabric with its part in the change.

    Attributes:
        owner: The switch or server.
        status: Effect on it.
        risk: Highest risk of its changed lines, or None without changed lines.
        block: Index of its block of changed text, or -1 without one.
        notes: Another name, state or rack.
    """

    owner: Switch | Server
    status: Status
    risk: Risk | None
    block: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Touched:
    """The part of each device in a change of a site.

    `before` is None if side A has no model; then only the blocks show new devices. `known`: the
    differences of the topologies, if they are compared already.
    """

    before: Site | None
    after: Site
    review: Review
    known: CableChanges | None = None
    changes: CableChanges = field(init=False)
    ports: frozenset[str] = field(init=False)
    names: Mapping[str, str] = field(init=False)
    _blocks: dict[str, int] = field(default_factory=dict)
    _cabled: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    _notes: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        """Index the changes by device."""
        self.changes = self.known or CableChanges()
        if self.before is not None and self.known is None:
            self.changes = cable_changes(self.before, self.after)
        self.names = dict(self.changes.names)
        self.ports = frozenset(_management_ports(self.before, self.after))
        for number, block in enumerate(self.review.blocks):
            self._blocks.update(dict.fromkeys(block.folders, number))
        for each in self.changes.cables:
            ends = (side for side in (each.before, each.after) if side is not None)
            names = (jack.name for side in ends for jack in (side.lower, side.upper))
            self._cabled[each.fabric].update(self.names.get(name, name) for name in names)
        for change in self.changes.devices:
            if note := _note(change):
                self._notes[change.name].append(note)

    def is_server(self, name: str) -> bool:
        """Return whether a device below the leafs is a server, and no port or power unit."""
        sites = (self.after, self.before or self.after)
        stand = next((it for site in sites if (it := site.floor.stands.get(name))), None)
        return name not in self.ports and (stand is None or stand.kind == SERVER)

    def fabrics(self) -> Iterator[tuple[Fabric | None, Fabric | None]]:
        """Yield each fabric on both sides."""
        earlier = {each.name: each for each in self.before.fabrics} if self.before else {}
        for fabric in self.after.fabrics:
            yield earlier.pop(fabric.name, None), fabric
        for fabric in earlier.values():
            yield fabric, None

    def devices(self, old: Fabric | None, new: Fabric | None) -> tuple[list[Device], list[Device]]:
        """Return the switches and the servers of a fabric on either side."""
        moved = {each.name for each in self.moves(new.name)} if new is not None else set()
        return (
            self._merged(
                old.topology.switches if old is not None else (),
                new.topology.switches if new is not None else (),
                set(),
            ),
            self._merged(
                old.topology.servers if old is not None else (),
                new.topology.servers if new is not None else (),
                moved,
            ),
        )

    def moves(self, fabric: str) -> list[ServerMove]:
        """Return the servers that change their leafs in a fabric."""
        return [each for each in self.changes.server_moves if each.fabric == fabric]

    def cables(self, fabric: str) -> list[CableChange]:
        """Return the changed cables of a fabric."""
        return [each for each in self.changes.cables if each.fabric == fabric]

    def _merged(
        self,
        old: tuple[Switch, ...] | tuple[Server, ...],
        new: tuple[Switch, ...] | tuple[Server, ...],
        moved: set[str],
    ) -> list[Device]:
        earlier = {self.names.get(each.name, each.name): each for each in old}
        found = []
        for owner in new:
            is_new = earlier.pop(owner.name, None) is None and self.before is not None
            found.append(self._device(owner, is_new=is_new, moved=owner.name in moved))
        return found + [self._gone(owner) for owner in earlier.values()]

    def _device(self, owner: Switch | Server, *, is_new: bool, moved: bool) -> Device:
        block = self._blocks.get(folder_of(owner), -1)
        risk = self.review.blocks[block].risk if block >= 0 else None
        status = Status.CHANGED if block >= 0 or owner.name in self._notes else Status.SAME
        if isinstance(owner, Switch) and owner.name in self._cabled[owner.fabric]:
            status = Status.CHANGED
        if moved:
            status = Status.MOVED
        is_unknown = self.before is None and block >= 0
        if is_new or (is_unknown and self.review.blocks[block].status == _NEW):
            status = Status.NEW
        return Device(
            owner=owner,
            status=status,
            risk=risk,
            block=block,
            notes=tuple(self._notes.get(owner.name, ())),
        )

    def _gone(self, owner: Switch | Server) -> Device:
        block = self._blocks.get(folder_of(owner), -1)
        return Device(owner=owner, status=Status.REMOVED, risk=None, block=block)


def _management_ports(*sites: Site | None) -> Iterator[str]:
    """Yield the names of management ports of switches, which are no devices."""
    for site in sites:
        for fabric in site.fabrics if site is not None else ():
            yield from (management_port(switch.name) for switch in fabric.topology.switches)


def _note(change: DeviceChange) -> str:
    """Return a change of a device in a few words; empty for facts of its status."""
    if change.act is Act.REPLACED:
        return f"replaced: {change.attribute}"
    if change.attribute == NAME:
        return f"was {change.before}"
    if change.attribute == STATE:
        return f"{change.before} → {change.after}"
    if change.attribute == PLACE:
        return f"now in {change.after}"
    return ""

"""Makes the boxes of a picture: single or similar touched devices, and all others folded."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.core.record import record
from fabricgen.core.tree.risk import Risk
from fabricgen.core.units import counted, natural
from fabricgen.model.fabric.topology import Role, Server, Switch
from fabricgen.review.picture.names import SHORT, folded
from fabricgen.review.picture.touched import Device, Status, Touched

TOUCHED, UNTOUCHED, SERVERS = 8, 2, 8
"""Maximum boxes of a tier: of touched switches, of other switches, of servers."""
MANY, FEW = 12, 4
"""With more than MANY touched switches, a tier has at most FEW boxes, or lines hide each other."""
BELOW = 0
"""Tier of the servers."""
Key = tuple[int, int]
"""Tier of a box and its number."""
Common = tuple[Hashable, ...]
"""Facts that all members of a box have."""


@record(kw_only=True)
class Box:
    """Devices with one part in the change. `risk`: their highest one, if lines change."""

    key: Key
    tier: int
    title: str
    notes: tuple[str, ...]
    names: tuple[str, ...]
    status: Status
    risk: Risk | None


Level = Callable[[Device], Common]
_SWITCH_LEVELS: tuple[Level, ...] = (
    lambda it: (it.owner.name,),
    lambda it: (it.status, it.risk, it.block, it.notes, *_group(it.owner)),
    lambda it: (it.status, it.risk, *_group(it.owner)[:1]),
    lambda it: (it.status, it.risk),
)
_OTHER_LEVELS: tuple[Level, ...] = (lambda it: _group(it.owner)[:1], lambda _: ())
"""Common facts of the members of a box, from fine to coarse."""


def _group(owner: Switch | Server) -> Common:
    return (owner.group, owner.pod, owner.unit) if isinstance(owner, Switch) else ()


@dataclass(slots=True)
class Boxes:
    """Boxes of a fabric by key, and the key of the box of each device by its name on side B."""

    touched: Touched
    made: dict[Key, Box] = field(default_factory=dict)
    of: dict[str, Key] = field(default_factory=dict)

    def is_same(self, key: Key) -> bool:
        """Return whether no device of a box is touched."""
        return self.made[key].status is Status.SAME

    def now(self, name: str) -> str:
        """Return the name on side B of a device of side A."""
        return self.touched.names.get(name, name)

    def add_switches(self, devices: Sequence[Device]) -> None:
        """Make the boxes of all tiers."""
        tiers: dict[Role, list[Device]] = defaultdict(list)
        for each in devices:
            if isinstance(each.owner, Switch):
                tiers[each.owner.role].append(each)
        touched = sum(each.status is not Status.SAME for each in devices)
        most = TOUCHED if touched <= MANY else FEW
        for role in Role:
            some = [each for each in tiers[role] if each.status is not Status.SAME]
            rest = [each for each in tiers[role] if each.status is Status.SAME]
            for members in _parts(some, _SWITCH_LEVELS, most):
                self._add(role.tier, _title(members, role.value), members)
            several = len({_group(each.owner)[:1] for each in tiers[role]}) > 1
            for members in _parts(rest, _OTHER_LEVELS, UNTOUCHED):
                more = " more" if some and len(members) > 1 else ""
                title = _title(members, role.value, more)
                self._add(role.tier, title, members, _one_group(members) if several else "")

    def add_servers(self, devices: Sequence[Device], leafs: Mapping[str, set[Key]]) -> None:
        """Make the boxes below the leafs, by kind and leafs. `leafs`: boxes of each server."""
        kinds = {each.owner.name: self._kind(each.owner.name, each) for each in devices}

        def kind(each: Device) -> Common:
            return each.status if each.status in _APART else Status.SAME, kinds[each.owner.name]

        def fine(each: Device) -> Common:
            local = leafs.get(self.now(each.owner.name), set())
            if each.status is Status.SAME and all(self.is_same(key) for key in local):
                return Status.SAME, "", frozenset(local)
            return (*kind(each), frozenset(local))

        levels = fine, kind, lambda each: kind(each)[:1]
        for members in _parts(devices, levels, SERVERS):
            names = list(dict.fromkeys(kinds[each.owner.name] for each in members))
            changed = sum(each.block >= 0 for each in members)
            same = members[0].status not in _APART
            note = f"{changed:,} of {len(members):,} change" if changed and same else ""
            several = f"{len(members):,} x {names[0]}"
            if len(names) > 1:
                several = f"{len(members):,} devices"
                note = note or f"{names[0]} and {counted(len(names) - 1, 'more kind')}"
            title = several if len(members) > 1 else members[0].owner.name
            self._add(BELOW, title, members, note)

    def add_outside(self, names: Iterable[str]) -> None:
        """Make one box of external connections whose cables change."""
        every = tuple(natural(set(names)))
        if every:
            title = every[0] if len(every) == 1 else counted(len(every), "external connection")
            self._put(BELOW, title, ("outside of the site",), every, Status.SAME, None)

    def _kind(self, name: str, each: Device) -> str:
        if name in self.touched.ports:
            return "management port"
        kind = each.owner.kind if isinstance(each.owner, Server) else ""
        stand = self.touched.after.floor.stands.get(name)
        return kind or (stand.kind if stand is not None else "server")

    def _add(self, tier: int, title: str, members: Sequence[Device], *notes: str) -> None:
        """Make one box of devices."""
        risks = [each.risk for each in members if each.risk is not None]
        risk = max(risks, default=None)
        statuses = {each.status for each in members}
        apart = [status for status in statuses if status in _APART]
        status = apart[0] if apart else Status.CHANGED if risk is not None else Status.SAME
        if tier > BELOW and Status.CHANGED in statuses:
            status = Status.CHANGED
        gone = status is Status.REMOVED
        names = tuple(each.owner.name if gone else self.now(each.owner.name) for each in members)
        said = (_word(status, risk, tier), *notes, *_common_notes(members), _several(names))
        self._put(tier, title, said, names, status, risk)

    def _put(
        self,
        tier: int,
        title: str,
        notes: Iterable[str],
        names: tuple[str, ...],
        status: Status,
        risk: Risk | None,
    ) -> None:
        key = tier, len(self.made)
        said = tuple(note for note in notes if note)
        self.of.update(dict.fromkeys(names, key))
        self.made[key] = Box(
            key=key, tier=tier, title=title, notes=said, names=names, status=status, risk=risk
        )


_APART = (Status.NEW, Status.REMOVED, Status.MOVED)
"""Servers with this status are never in one box with others."""


def _parts(
    devices: Sequence[Device], levels: Iterable[Level], most: int
) -> Iterable[Sequence[Device]]:
    """Group devices as finely as a tier permits."""
    parts: dict[Common, list[Device]] = {}
    for level in levels:
        parts = defaultdict(list)
        for each in devices:
            parts[level(each)].append(each)
        if len(parts) <= most:
            break
    return parts.values()


def _title(members: Sequence[Device], role: str, more: str = "") -> str:
    if len(members) == 1:
        return members[0].owner.name
    return f"{len(members):,}{more} {role}s"


def _one_group(members: Sequence[Device]) -> str:
    groups = {_group(each.owner)[0] for each in members}
    return f"group {groups.pop()}" if len(groups) == 1 and "" not in groups else ""


def _word(status: Status, risk: Risk | None, tier: int) -> str:
    """Return the part of a box in the change, in one word where possible."""
    if status is Status.CHANGED:
        return risk.word if risk is not None else "no changed lines"
    return "" if tier == BELOW and status is Status.SAME else status.value


def _common_notes(members: Sequence[Device]) -> tuple[str, ...]:
    """Return the notes that all members have."""
    sets = {each.notes for each in members}
    return sets.pop() if len(sets) == 1 else ()


def _several(names: Sequence[str]) -> str:
    """Return several names, as far as they fit into a box."""
    if len(names) < 2:
        return ""
    short = folded(names, SHORT)
    every = natural(names)
    return f"{every[0]} … {every[-1]}" if " more" in short else short

"""Groups a fabric for its picture: boxes of switches and bundles of cables between them.

Up to 16 switches are a box each. More switches are grouped by plane, group, pod and rail, each tier
as finely as a page permits. Every cable is in one bundle, so the counts add up.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, counted
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.fabric.topology import Role, Server, Switch

WHOLE, TIER = 16, 12
"""Maximum switches of a fabric with a box each, and maximum boxes of a tier with more switches."""
SUPERSPINES, SPINES, LEAFS, BELOW = 3, 2, 1, 0
_LETTERS = 28
Key = tuple[int, Hashable]
"""The tier of a box, and the common coordinates of its members."""


@record(kw_only=True)
class Box:
    """Switches or servers of one type. `tier`: 0 below the leafs. `kind`: meaning of the color."""

    key: Key
    title: str
    notes: tuple[str, ...]
    tier: int
    kind: str


@record(kw_only=True)
class Bundle:
    """Cables between two boxes, counted by speed. `inside`: each joins switches of one pod."""

    low: Box
    high: Box
    speeds: Mapping[BitsPerSecond, int]
    inside: bool

    @property
    def cables(self) -> int:
        """Return the number of cables."""
        return sum(self.speeds.values())


_WAYS: tuple[Callable[[Switch], tuple[object, ...]], ...] = (
    lambda each: (each.plane, each.group, each.pod, each.unit, each.rails),
    lambda each: (each.plane, each.group, each.pod, (), each.rails),
    lambda each: (each.plane, each.group, each.pod, (), ()),
    lambda each: (each.plane, each.group, (), (), each.rails),
    lambda each: (each.plane, each.group, (), (), ()),
    lambda each: (each.plane, (), (), (), ()),
    lambda _: ((), (), (), (), ()),
)
"""Common coordinates of a box's members, from fine to coarse; empty if they may differ."""


@dataclass(slots=True)
class Graph:
    """The boxes, tier by tier from the left, and the bundles between them."""

    boxes: Sequence[Box]
    bundles: Sequence[Bundle]
    whole: bool


def graph_of(switches: Sequence[Switch], laid: Iterable[Cable]) -> Graph:
    """Group a fabric for one page."""
    whole = len(switches) <= WHOLE
    grouped = _Grouped()
    for role in Role:
        tier = [each for each in switches if each.role is role]
        _by_name(grouped, tier) if whole else _by_what_is_alike(grouped, tier)
    laid = list(laid)
    grouped.below(laid)
    return Graph(boxes=list(grouped.boxes.values()), bundles=grouped.bundles(laid), whole=whole)


def _by_name(grouped: "_Grouped", tier: Sequence[Switch]) -> None:
    for each in tier:
        notes = (each.model.name, _rails({each.rails}))
        grouped.box((each.role.tier, each.name), each.name, notes, each.role.value, [each.name])


def _by_what_is_alike(grouped: "_Grouped", tier: Sequence[Switch]) -> None:
    for alike in _WAYS:
        parts: dict[tuple[object, ...], list[Switch]] = defaultdict(list)
        for each in tier:
            parts[alike(each)].append(each)
        if len(parts) <= TIER:
            break
    several = {name: len({getattr(each, name) for each in tier}) > 1 for name in _SAID}
    for key, members in parts.items():
        first = members[0]
        names = [each.name for each in members]
        title = counted(len(members), f"{first.role.value}")
        notes = (*_notes(members, several), *_ends(names))
        grouped.box((first.role.tier, key), title, notes, first.role.value, names)


_SAID = ("plane", "group", "pod", "unit", "rails")


def _notes(members: Sequence[Switch], several: Mapping[str, bool]) -> Iterable[str]:
    """Yield the coordinates of a box, as far as other boxes of its tier differ."""
    if several["group"]:
        yield _one_or_many("group", {each.group for each in members})
    where = [
        _one_or_many(_called(name, members), {getattr(each, name) for each in members})
        for name in ("plane", "pod", "unit")
        if several[name]
    ]
    yield ", ".join(where)
    if several["rails"]:
        yield _rails({each.rails for each in members})
    yield " · ".join(sorted({each.model.name for each in members}))


def _called(name: str, members: Sequence[Switch]) -> str:
    """Return the name of a coordinate: superspines have groups, leafs have units."""
    return "group" if name == "unit" and not members[0].is_leaf else name


def _one_or_many(name: str, values: set[object]) -> str:
    if len(values) > 1:
        return counted(len(values), name)
    (value,) = values
    return f"{name} {value}" if value else ""


def _rails(sets: set[tuple[int, ...]]) -> str:
    rails = sorted({rail for each in sets for rail in each})
    if not rails:
        return ""
    if len(rails) == 1:
        return f"rail {rails[0]}"
    whole = rails[-1] - rails[0] == len(rails) - 1
    return f"rails {rails[0]}-{rails[-1]}" if whole else f"rails {', '.join(map(str, rails))}"


def _ends(names: Sequence[str]) -> tuple[str, ...]:
    """Return the first and the last name, on two lines if one is too short for both."""
    first, last = names[0], names[-1]
    if len(names) == 1:
        return (first,)
    both = f"{first} … {last}"
    return (both,) if len(both) <= _LETTERS else (f"{first} …", last)


@dataclass(slots=True)
class _Grouped:
    """Members of boxes, by name of a switch, or by name and kind of a device below."""

    boxes: dict[Key, Box] = field(default_factory=dict)
    of: dict[tuple[str, bool], Key] = field(default_factory=dict)

    def box(
        self, key: Key, title: str, notes: Iterable[str], kind: str, names: Iterable[str]
    ) -> None:
        """Make a box. The key of a switch is its name; other keys include the kind."""
        said = tuple(note for note in notes if note)
        self.boxes[key] = Box(key=key, title=title, notes=said, tier=key[0], kind=kind)
        self.of.update(((name, key[0] > BELOW), key) for name in names)

    def key(self, end: End) -> Key:
        """Return the box of an end."""
        return self.of[end.name, isinstance(end.owner, Switch)]

    def below(self, laid: Iterable[Cable]) -> None:
        """Make boxes of servers and other devices at switches, by their kind and leafs."""
        leafs: dict[str, set[Key]] = defaultdict(set)
        kinds: dict[str, str] = {}
        for cable in laid:
            if not isinstance(cable.far.owner, Switch):
                leafs[cable.far.name].add(self.key(cable.near))
                kinds[cable.far.name] = kinds.get(cable.far.name) or _kind(cable.far)
        fine = {name: (kind, frozenset(leafs[name])) for name, kind in kinds.items()}
        coarse = {name: (kind, frozenset[Key]()) for name, kind in kinds.items()}
        parts: dict[tuple[str, frozenset[Key]], list[str]] = defaultdict(list)
        for name, part in (fine if len(set(fine.values())) <= TIER else coarse).items():
            parts[part].append(name)
        for part, names in parts.items():
            kind = kinds[names[0]]
            color = "outside" if kind == _OUTSIDE else "below"
            self.box((BELOW, part), f"{len(names):,} x {kind}", _ends(names), color, names)

    def bundles(self, laid: Iterable[Cable]) -> list[Bundle]:
        """Count cables between boxes."""
        speeds: dict[tuple[Key, Key], Counter[BitsPerSecond]] = defaultdict(Counter)
        across: set[tuple[Key, Key]] = set()
        for cable in laid:
            pair = self.key(cable.far), self.key(cable.near)
            speeds[pair][cable.speed] += 1
            low, high = cable.far.owner, cable.near.owner
            same = isinstance(low, Switch) and isinstance(high, Switch) and low.pod == high.pod
            if not same:
                across.add(pair)
        return [
            Bundle(
                low=self.boxes[low],
                high=self.boxes[high],
                speeds=count,
                inside=(low, high) not in across,
            )
            for (low, high), count in speeds.items()
        ]


_OUTSIDE = "outside"


def _kind(end: End) -> str:
    """Return the type of a device below the leafs, in one word."""
    if end.owner is None:
        return _OUTSIDE
    kind = end.owner.kind if isinstance(end.owner, Server) else ""
    return kind or (end.stand.kind if end.stand is not None else "server")

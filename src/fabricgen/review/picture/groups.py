"""Groups a fabric for the picture of a change: its boxes, and bundles of cables between them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabricgen.core.record import record
from fabricgen.core.units import counted, natural
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Server, Switch
from fabricgen.review.cables import CableChange
from fabricgen.review.model import Act
from fabricgen.review.picture.boxes import Box, Boxes, Key
from fabricgen.review.picture.touched import Device, Status, Touched


@record(kw_only=True)
class Bundle:
    """Cables between two boxes with one part in the change."""

    low: Key
    high: Key
    status: Status
    cables: int


@record(kw_only=True)
class Shift:
    """Servers that move from leafs of one box to leafs of another."""

    old: Key
    new: Key
    names: tuple[str, ...]


@record(kw_only=True)
class Picture:
    """One fabric of the picture. `sums`: touched and all switches by role."""

    name: str
    title: str
    boxes: tuple[Box, ...]
    bundles: tuple[Bundle, ...]
    shifts: tuple[Shift, ...]
    sums: Mapping[Role, tuple[int, int]]


def picture_of(touched: Touched, old: Fabric | None, new: Fabric | None) -> Picture | None:
    """Group one fabric; None if nothing changes in it."""
    fabric = new or old
    if fabric is None:
        return None
    switches, servers = touched.devices(old, new)
    cables = touched.cables(fabric.name)
    every = (*switches, *servers)
    if not cables and all(each.status is Status.SAME for each in every):
        return None
    boxes = Boxes(touched)
    boxes.add_switches(switches)
    boxes.add_servers(servers, _leafs(boxes, old, new))
    boxes.add_outside(_outside(cables))
    real = [each for each in servers if touched.is_server(each.owner.name)]
    return Picture(
        name=fabric.name,
        title=f"{fabric.name}: {_sentence(switches, real, cables)}",
        boxes=tuple(boxes.made.values()),
        bundles=tuple(_bundles(boxes, new, cables)),
        shifts=tuple(_shifts(boxes, fabric.name)),
        sums=_sums(switches),
    )


def _leafs(boxes: Boxes, *sides: Fabric | None) -> dict[str, set[Key]]:
    """Return the boxes of the leafs of each server: on side B, if it is there."""
    found: dict[str, set[Key]] = {}
    now, of = boxes.touched.names, boxes.of
    for fabric in sides:
        local: dict[str, set[Key]] = defaultdict(set)
        for link in fabric.topology.links if fabric is not None else ():
            if isinstance(link.lower, Server):
                leaf, server = link.upper.name, link.lower.name
                local[now.get(server, server)].add(of[now.get(leaf, leaf)])
        found |= local
    return found


def _outside(cables: Iterable[CableChange]) -> Iterator[str]:
    """Yield the names of external connections with changed cables."""
    for each in cables:
        for ends in (each.before, each.after):
            if ends is not None and not ends.lower.port:
                yield ends.lower.name


def _bundles(boxes: Boxes, new: Fabric | None, cables: Iterable[CableChange]) -> Iterator[Bundle]:
    """Yield the cables between each pair of boxes by their part in the change."""
    counts: dict[tuple[Key, Key], Counter[Status]] = defaultdict(Counter)
    of = boxes.of
    for link in new.topology.links if new is not None else ():
        counts[of[link.lower.name], of[link.upper.name]][Status.SAME] += 1
    for each in cables:
        if each.before is not None and each.act is not Act.CHANGED:
            lower, upper = (boxes.now(jack.name) for jack in (each.before.lower, each.before.upper))
            counts[of[lower], of[upper]][Status.REMOVED] += 1
        if each.after is not None:
            status = _STATUS[each.act]
            pair = counts[of[each.after.lower.name], of[each.after.upper.name]]
            pair[status] += 1
            pair[Status.SAME] -= bool(each.after.lower.port)
    for (low, high), numbers in counts.items():
        for status in Status:
            if numbers[status] > 0:
                yield Bundle(low=low, high=high, status=status, cables=numbers[status])


_STATUS = {Act.ADDED: Status.NEW, Act.MOVED: Status.MOVED, Act.CHANGED: Status.CHANGED}


def _shifts(boxes: Boxes, fabric: str) -> Iterator[Shift]:
    """Yield the moves of servers from box to box."""
    names: dict[tuple[Key, Key], dict[str, None]] = defaultdict(dict)
    for move in boxes.touched.moves(fabric):
        for old, new in zip(move.before, move.after, strict=False):
            if old in boxes.of and new in boxes.of:
                names[boxes.of[old], boxes.of[new]][move.name] = None
    for (one, other), some in names.items():
        yield Shift(old=one, new=other, names=tuple(natural(some)))


def _sums(switches: Iterable[Device]) -> dict[Role, tuple[int, int]]:
    """Return the numbers of touched and of all switches by role."""
    every: Counter[Role] = Counter()
    some: Counter[Role] = Counter()
    for each in switches:
        if isinstance(each.owner, Switch):
            every[each.owner.role] += 1
            some[each.owner.role] += each.status is not Status.SAME
    return {role: (some[role], every[role]) for role in every}


def _sentence(
    switches: Sequence[Device], servers: Sequence[Device], cables: Iterable[CableChange]
) -> str:
    """Return the numbers of a fabric: `8 of 16 switches touched, 1 new server, 8 new cables`."""
    some = sum(each.status is not Status.SAME for each in switches)
    parts = [f"{some:,} of {counted(len(switches), 'switch')} touched"]
    statuses = Counter(each.status for each in servers)
    parts += [
        counted(statuses[status], f"{status.value} server")
        for status in (Status.NEW, Status.REMOVED, Status.MOVED)
        if statuses[status]
    ]
    acts = Counter(each.act for each in cables)
    for act in (Act.ADDED, Act.REMOVED, Act.MOVED, Act.CHANGED):
        if number := acts[act]:
            word = Status.NEW.value if act is Act.ADDED else act.value
            parts.append(counted(number, f"{word} cable"))
    return ", ".join(parts)

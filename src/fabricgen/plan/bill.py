"""Writes the lines of the bill of materials, with hours of work and free ports."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from math import ceil, lcm

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable
from fabricgen.model.cabling.counted import counted
from fabricgen.model.cabling.finish import OTHER, UNPINNED, Finish
from fabricgen.model.cabling.media import plug_of
from fabricgen.model.cabling.parts import (
    ADAPTER,
    CABLE,
    CASSETTE,
    MANAGER,
    OPTIC,
    PANEL,
    SWITCH,
    TRUNK,
    Part,
    adapter_name,
    cassette_name,
    counted_parts,
    panel_name,
    trunk_name,
    trunk_plug,
)
from fabricgen.model.cabling.patched import Bundle, Joint
from fabricgen.model.catalog.optics import connectors
from fabricgen.model.fabric.floor import Buying, Floor, Rack
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.cabling import Plan

# A trunk of 12 fibers and plugs of 8 need a cassette with two trunks at its back and three plugs at
# its front: both sides have the same number of fibers. Parts that a rack shares belong to the
# fabric that is first in it.


def structured(plan: Plan) -> Iterator[tuple[Part, str, int]]:
    """Yield each part, its fabric, and its number."""
    floor = plan.site.floor
    for bundle in plan.patching.bundles:
        for trunk in bundle.trunks:
            name = trunk_name(trunk.grade, trunk.fibers, trunk.polish)
            finish = Finish(trunk.polarity, trunk.gender, trunk.jacket)
            part = Part(kind=TRUNK, name=name, meters=trunk.meters, finish=finish)
            yield part, bundle.fabric, 1
        for joint in bundle.joints:
            yield from _joined(joint)
        for rack in bundle.racks:
            for part, count in _met(bundle, rack):
                yield part, bundle.fabric, count
    for every in plan.mounted.values():
        for each in every:
            yield _mounted(each.kind, floor), each.fabric, 1


def _joined(joint: Joint) -> Iterator[tuple[Part, str, int]]:
    """Yield the adapters where trunks meet, and the cord between them, if any."""
    finish = Finish(joint.polarity)
    adapter = Part(kind=ADAPTER, name=adapter_name(joint.plug), finish=finish)
    yield adapter, joint.fabric, len(joint.ports)
    if joint.has_cord:
        finish = Finish(joint.polarity, UNPINNED, joint.jacket)
        name = f"{joint.grade} {joint.plug} to {joint.plug}"
        cord = Part(kind=CABLE, name=name, meters=joint.meters, finish=finish)
        yield cord, joint.fabric, 1


def _mounted(kind: str, floor: Floor) -> Part:
    panels = floor.panels
    name = panel_name(panels.ports, panels.units) if kind == PANEL else MANAGER
    return Part(kind=kind, name=name)


def _met(bundle: Bundle, rack: Rack) -> Iterator[tuple[Part, int]]:
    """Yield the parts that join cords and trunks of one bundle at one rack, without dark trunks."""
    sides = list(bundle.at(rack))
    plug, front = plug_of(sides[0][1].optic), connectors(sides[0][1].optic)[1]
    trunk = bundle.trunks[0]
    assert plug is not None
    straight = {port for _, side in sides if side.straight for port in side.ports}
    if straight:
        finish = Finish(trunk.polarity)
        yield Part(kind=ADAPTER, name=adapter_name(front), finish=finish), len(straight)
    ports = {port for _, side in sides if not side.straight for port in side.ports}
    if not ports:
        return
    trunks = {p.trunk for each, side in sides if not side.straight for p in each.pieces}
    whole = lcm(trunk.fibers, plug.fibers)
    counts = whole // trunk.fibers, whole // plug.fibers
    back = trunk_plug(trunk.fibers, trunk.polish)
    name = cassette_name(trunk.grade, back, front, counts)
    count = max(-(-len(trunks) // counts[0]), -(-len(ports) // counts[1]))
    ends = (end for end in bundle.trunks if end.run in trunks and rack.name in end.racks)
    genders = dict.fromkeys(OTHER[end.genders[end.racks.index(rack.name)]] for end in ends)
    finish = Finish(trunk.polarity, " ".join(genders))
    yield Part(kind=CASSETTE, name=name, finish=finish), count


@record(kw_only=True)
class Line:
    """One line of the bill. `counts`: by fabric. `spares`: in addition. `price`: of one, if given.

    All spares are on one shelf: they count for the site, and for no fabric.
    """

    part: Part
    counts: Mapping[str, int]
    spares: int
    price: Decimal | None

    @property
    def used(self) -> int:
        """Return the number of installed parts."""
        return sum(self.counts.values())

    @property
    def bought(self) -> int:
        """Return the number of parts to buy."""
        return self.used + self.spares

    def cost(self, count: int) -> Decimal | None:
        """Return the cost of this many parts; None without a price."""
        return None if self.price is None else self.price * count


def lines(plan: Plan) -> Iterator[Line]:
    """Yield the lines of the bill, in its order."""
    floor = plan.site.floor
    buying = floor.buying
    every = counted_parts(plan.site, plan.pieces, plan.laid)
    for part, name, number in (*structured(plan), *counted(floor)):
        every.setdefault(part, Counter())[name] += number
    for part, counts in sorted(every.items(), key=lambda each: each[0].order):
        yield Line(
            part=part,
            counts=counts,
            spares=_spares(counts.total(), _percent(part, buying)) if part.known else 0,
            price=buying.prices.get(part.called) if part.known else None,
        )


def _percent(part: Part, buying: Buying) -> Decimal:
    if part.kind == SWITCH:
        return buying.switches
    return buying.optics if part.kind == OPTIC else buying.cables


def _spares(count: int, percent: Decimal) -> int:
    """Return this percentage, rounded up, in decimals, which represent a tenth exactly."""
    return ceil(count * percent / 100)


def minutes(plan: Plan) -> dict[str, tuple[int, Decimal]]:
    """Return the number of laid pieces by fabric, and the minutes for them."""
    count, each = Counter(run.fabric for run in plan.pieces), plan.site.floor.buying.minutes
    count.update(trunk.fabric for trunk in plan.patching.trunks)
    count.update(joint.fabric for joint in plan.patching.joints if joint.has_cord)
    return {fabric: (number, number * each) for fabric, number in count.items()}


def free_border(site: Site, laid: Sequence[Cable]) -> Iterator[tuple[str, str, list[int]]]:
    """Yield each border leaf with its fabric and its free cages."""
    outside = {cable.near.name: cable.fabric for cable in laid if cable.far.owner is None}
    used = {
        (end.name, getattr(end.port, "cage", None))
        for cable in laid
        for end in (cable.near, cable.far)
        if end.name in outside
    }
    for fabric in site.fabrics:
        for switch in fabric.topology.switches:
            if outside.get(switch.name) == fabric.name:
                cages = [each.number for each in switch.model.usable]
                free = [cage for cage in cages if (switch.name, cage) not in used]
                yield fabric.name, switch.name, free

"""Follow a packet from switch to switch, and compare each hop in model, files and running state."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL, Facts
from fabricgen.nos.lowering import spell
from fabricgen.nos.questions import path_key
from fabricgen.prove.qos.expected import Expected as ExpectedQos
from fabricgen.prove.qos.expected import Wanted
from fabricgen.prove.reach.live import classes, overlay, ports, routes
from fabricgen.prove.reach.live.branches import Ground, steps
from fabricgen.prove.reach.live.others import filter_item, setting_item
from fabricgen.prove.reach.live.sides import Seen, Side
from fabricgen.prove.reach.live.steps import Branch, Hop, Item, LivePath, Step
from fabricgen.prove.reach.matrix import Case
from fabricgen.prove.walk.exchange import Exchange
from fabricgen.prove.walk.ways import Ways


@record(eq=False, kw_only=True)
class Route:
    """The branches of a packet, before any switch is asked."""

    case: Case
    steps: tuple[Step, ...]
    branches: tuple[Branch, ...]
    count: int
    dscp: int | None

    @property
    def switches(self) -> tuple[str, ...]:
        """Return the switches on the path, nearest to the sender first."""
        return tuple(dict.fromkeys(step.switch for step in self.steps))

    @property
    def is_bridged(self) -> bool:
        """Return whether both ends are in one VLAN."""
        vlan = self.case.one.vlan
        return vlan is not None and vlan is self.case.other.vlan

    def asks(self, name: str) -> Facts:
        """Return the expected facts that ask a switch for its routes on the path."""
        target, found = str(self.case.packet.target), set()
        for step in self.steps:
            if step.switch != name:
                continue
            vrfs = (self.case.one.vrf, self.case.other.vrf)
            if step.target:
                found.add((GLOBAL, step.target))
            if not self.is_bridged:
                found |= {(vrf or GLOBAL, target) for vrf in vrfs if not step.is_middle}
        return {path_key(*each): {} for each in sorted(found)}


def route(ground: Ground, case: Case, dscp: int | None = None) -> Route:
    """Return the branches of a packet in the model.

    Raises:
        NotFollowed: The path is not followed.
    """
    every, listed, count = steps(ground, case)
    return Route(case=case, steps=tuple(every), branches=tuple(listed), count=count, dscp=dscp)


class Follow:
    """Compares the hops of one route."""

    def __init__(self, way: Route, sides: Mapping[str, Side], exchange: Exchange) -> None:
        """Set the route, the three witnesses of each switch, and the routes of the files."""
        self._way, self._sides, self._exchange = way, sides, exchange
        self._ways = Ways(exchange)
        self._case = way.case
        self._known: dict[tuple[object, ...], tuple[Item, ...]] = {}
        fabric = way.case.one.fabric
        self._qos = ExpectedQos(fabric)
        first = sides[way.steps[0].switch].design.qos
        self._dscp, item = classes.class_of(first, way.dscp)
        version = self._case.packet.target.version
        self._marked = classes.Marked(dscp=self._dscp, version=version, item=item) if item else None
        self._wanted = {name: self._ports_of(side) for name, side in sides.items()}

    def path(self, unread: Mapping[str, str]) -> LivePath:
        """Return every compared hop. `unread`: switches that were not read, with the reason."""
        return LivePath(
            case=self._case,
            dscp=self._dscp,
            label=self._marked.item.label if self._marked is not None else "",
            hops=tuple(self._hop(step) for step in self._way.steps),
            branches=self._way.branches,
            count=self._way.count,
            unread=dict(unread),
        )

    def _ports_of(self, side: Side) -> dict[str, Wanted]:
        """Return the required queues of each port, by its name."""
        switch = side.design.switch
        return {spell(switch, port): wanted for port, wanted in self._qos.ends(switch)}

    def _hop(self, step: Step) -> Hop:
        """Compare one hop. Hops of one switch share ports and routes, which are compared once."""
        side = self._sides[step.switch]
        ends = (step.is_first, step.is_last)
        every = chain(
            self._once(("in", step.enters, *ends), side, step, self._entered),
            self._once(("table", step.target, step.last, *ends), side, step, self._looked_up),
            self._once(("out", step.leaves, *ends), side, step, self._left),
            self._around(side, step),
        )
        return Hop(step=step, items=tuple(dict.fromkeys(every)))

    def _once(
        self,
        about: tuple[object, ...],
        side: Side,
        step: Step,
        make: Callable[[Side, Step], Iterator[Item]],
    ) -> tuple[Item, ...]:
        key = (step.switch, *about)
        if key not in self._known:
            self._known[key] = tuple(make(side, step))
        return self._known[key]

    def _entered(self, side: Side, step: Step) -> Iterator[Item]:
        """Yield the values of the port where a packet arrives."""
        one = self._case.one
        vlan = one.vlan.id if step.is_first and one.vlan is not None else None
        yield from ports.port_items(side, step.enters, vlan, one.station.tag)
        if self._marked is not None:
            wanted = self._wanted[step.switch].get(step.enters)
            yield from classes.ingress_items(side, step.enters, self._marked, wanted)

    def _looked_up(self, side: Side, step: Step) -> Iterator[Item]:
        """Yield the tables that decide where a packet goes."""
        one, other = self._case.one, self._case.other
        if step.is_first and one.vlan is not None and not self._way.is_bridged:
            yield from overlay.gateway_items(side, one.vlan.id)
        if not step.is_middle:
            yield from self._instance(side, step)
        if step.is_last:
            if not self._way.is_bridged:
                yield self._delivered(side)
            if other.vlan is not None and not self._way.is_bridged:
                yield from overlay.gateway_items(side, other.vlan.id)
        else:
            yield routes.underlay(side, self._exchange, step.target)

    def _instance(self, side: Side, step: Step) -> Iterator[Item]:
        """Yield the VLAN or VRF of a packet on a leaf, with its tunnel."""
        one, other = self._case.one, self._case.other
        alone = step.is_first and step.is_last
        if self._way.is_bridged:
            assert one.vlan is not None
            if one.vlan.vni is not None and not alone:
                yield from overlay.vni_items(side, one.vlan.vni)
                if step.is_first:
                    yield overlay.flooded(side, self._exchange, one.vlan.id, step.last, step.target)
            return
        vrf = one.vrf if step.is_first else other.vrf
        if vrf is None or alone:
            return
        for own in side.design.tunneled:
            if own.name == vrf:
                yield from overlay.vni_items(side, own.vni)
        if step.is_first:
            yield self._tunnel(side, vrf, step)

    def _tunnel(self, side: Side, vrf: str, step: Step) -> Item:
        """Compare the tunnel that the target's route uses."""
        other, target = self._case.other, self._case.packet.target
        vlan = other.vlan
        here = vlan is not None and any(each.id == vlan.id for each in side.design.vlans)
        gateway = side.names.gateway(vlan.id) if here and vlan is not None else ""
        ends = [step.target]
        for name, far in self._sides.items():
            if far.design.vtep is not None and name in other.leafs:
                ends.append(far.design.vtep.host)
        files = self._written(side, vrf)
        return routes.tunneled(side, vrf, target, ends, gateway, files)

    def _written(self, side: Side, vrf: str) -> Seen:
        """Return the exit of the target's route in the files."""
        return routes.written(
            self._exchange,
            self._ways,
            side.expected.switch,
            vrf,
            self._case.packet.target,
            self._case.other.station,
        )

    def _delivered(self, side: Side) -> Item:
        """Compare the route from the last switch to the receiver."""
        other, vrf = self._case.other, self._case.other.vrf or GLOBAL
        ends = [end.port for end in other.station.ends if end.switch == side.expected.switch]
        place = side.logical(ends[0]) if ends else ""
        if other.vlan is not None:
            place = side.names.gateway(other.vlan.id)
        files = self._written(side, vrf)
        return routes.delivery(side, vrf, self._case.packet.target, place, files)

    def _left(self, side: Side, step: Step) -> Iterator[Item]:
        """Yield the values of the port where a packet leaves."""
        other = self._case.other
        vlan = other.vlan.id if step.is_last and other.vlan is not None else None
        yield from ports.port_items(side, step.leaves, vlan, other.station.tag)
        if not step.is_last:
            item = ports.neighbor(side, step.leaves)
            if item is not None:
                yield item
        if self._marked is not None:
            wanted = self._wanted[step.switch].get(step.leaves)
            yield from classes.egress_items(side, step.leaves, self._marked, wanted)

    def _around(self, side: Side, step: Step) -> Iterator[Item]:
        """Yield filters and settings of the hop's devices."""
        devices = [*self._devices(side, step)]
        yield filter_item(side, step.enters, devices, self._case.packet)
        settings = setting_item(side, devices, self._case.packet.target)
        if settings is not None:
            yield settings

    def _devices(self, side: Side, step: Step) -> Iterable[str]:
        """Yield the ports and interfaces that a packet uses at a hop."""
        one, other = self._case.one, self._case.other
        yield from (step.enters, step.leaves)
        yield from (side.logical(step.enters), side.logical(step.leaves))
        if step.is_middle:
            return
        numbers = {each.vlan.id for each in (one, other) if each.vlan is not None}
        vnis = {each.vlan.vni for each in (one, other) if each.vlan is not None}
        for vrf in side.design.tunneled:
            if vrf.name in (one.vrf, other.vrf):
                numbers.add(vrf.transit_vlan)
                vnis.add(vrf.vni)
                yield vrf.name
        yield from map(side.names.gateway, sorted(numbers))
        for vni in sorted(number for number in vnis if number is not None):
            device = side.model(("vni", str(vni)), "device")
            if device is not None:
                yield str(device)

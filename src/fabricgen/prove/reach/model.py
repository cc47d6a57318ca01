"""Decides from the designed model whether one station reaches another, and why.

It forwards no packet. It looks up the connection of two stations (fabric, VLAN, VRF, rail, external
peer). The path is the shortest one through the topology.
"""

from collections.abc import Hashable, Iterable, Iterator

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.graph import Path, SwitchGraph
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.vlans import Addressing, Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.prove.reach.across import Crossing, Crossings, Gates, gates, told
from fabricgen.prove.reach.decisions import (
    barred_by,
    holds,
    is_behind,
    judged_by,
    port_of,
    rank_of,
    sends_by,
    static_to,
    taken_by,
    vrfs_of,
    whole,
    wish_of,
)
from fabricgen.prove.reach.stand import Stand, nearer
from fabricgen.prove.walk.packet import Hop, Outcome, Packet, Prefixes, Verdict, interface


class Model:
    """Answers from the design."""

    def __init__(self, site: Site, stands: Iterable[Stand]) -> None:
        """Set the stations of a site."""
        self._stands = tuple(stands)
        applications = [each for each in self._stands if each.replicas]
        self._peers = [each for each in self._stands if each.peer and not each.replicas]
        self._by_member = {id(each.member): each for each in reversed(self._stands)}
        self._graphs = {
            fabric.name: SwitchGraph(fabric.topology, lambda link: link.standing is None)
            for fabric in site.fabrics
        }
        self._crossings = Crossings(site.fabrics)
        self._islands: dict[str, list[str]] = {name: [] for name in self._graphs}
        self._named = {leaf for each in (*self._peers, *applications) for leaf in each.leafs}
        self._named |= self._crossings.leafs
        self._prefixes = Prefixes()
        for prefix in (*_deciding(site), *_of_ports(self._stands)):
            self._prefixes.add(prefix.version, prefix.value, prefix.length)

    def likeness(self, one: Stand) -> tuple[Hashable, tuple[str, ...]]:
        """Return the class of a station, whose members no answer distinguishes, and its leafs."""
        near = (one, *(self._exit(one, version) for version in (4, 6)))
        own = map(interface, one.station.addresses)
        around = tuple(self._prefixes.around(each.version, int(each.ip)) for each in own)
        leafs = tuple(leaf for each in near for leaf in each.leafs)
        return (one.host is None, tuple(map(self._facts, near)), around), leafs

    def _facts(self, one: Stand) -> Hashable:
        """Return the facts about one station, without its addresses."""
        if one.peer is not None or one.route is not None or port_of(one) is not None:
            return id(one)
        islands = tuple(self._island(one.fabric, leaf) for leaf in one.leafs)
        named = tuple(leaf for leaf in one.leafs if leaf in self._named)
        return id(one.fabric), id(one.vlan), one.vrf, islands, named

    def _island(self, fabric: Fabric, leaf: str) -> str:
        """Return the first known leaf to which cables lead from a leaf."""
        known, graph = self._islands[fabric.name], self._graphs[fabric.name]
        found = next((each for each in known if graph.path(each, leaf)), None)
        if found is None:
            known.append(leaf)
        return found or leaf

    def answer(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result of a packet from one station to another."""
        if one.replicas:
            every = [self.answer(each, other, packet) for each in one.replicas]
            return next((each for each in every if each.outcome is not Outcome.REACHES), every[0])
        if other.replicas:
            return self._served(one, other, packet)
        if one.fabric is not other.fabric:
            return self._between_sites(one, other, packet)
        return self._in_fabric(one, other, packet)

    def _in_fabric(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result between two stations of a fabric."""
        if one.peer is not None:
            return self._inward(one, other, packet)
        leaving = self._leaving(one, other, packet)
        if isinstance(leaving, Verdict):
            return leaving
        if other.route is not None:
            return self._beyond(leaving, other, other.route, packet)
        if other.peer is not None:
            return self._outward(leaving, other, packet)
        return self._inside(leaving, other, packet)

    def _leaving(self, one: Stand, other: Stand, packet: Packet) -> Stand | Verdict:
        """Return the station whose port a server uses, or the reason why it does not send."""
        if one.host is None or (one.vlan is other.vlan is not None and other.route is None):
            return one
        port = port_of(one)
        if port is not None:
            plan = port.plan
            open_ = [each for each in (plan.block, plan.everywhere, port.address) if each]
            if any(holds(each, packet.target) for each in open_):
                return one
            return _stops(f"{one.station.node} uses this address only on its rail", one)
        return self._exit(one, packet.target.version)

    def _exit(self, one: Stand, version: int) -> Stand:
        """Return the station with the default route of a server that is a DHCP client."""
        way, member = one.host.way_out if one.host is not None else None, one.member
        if way is None or way is member or member is None:
            return one
        asks = member.told.of(version) is Addressing.DHCP
        return self._by_member.get(id(way), one) if asks else one

    def _inside(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result inside a fabric: in a VLAN, in a VRF, or without a VRF."""
        vlan, vrf = one.vlan, one.vrf
        if vlan is not None and vlan is other.vlan and (vlan.vni or one.leafs == other.leafs):
            number = f", VNI {vlan.vni}" if vlan.vni else ""
            rule = f"both are in VLAN {vlan.id} {vlan.name}{number}"
            barred = barred_by(one, packet) if _isolated(one.fabric, vlan) else None
            return barred or self._joined(
                one, other, rule, f"bridges in VLAN {vlan.id}", vlan.because
            )
        for each in (vlan, other.vlan):
            if each is not None and not each.gateways:
                return _stops(f"VLAN {each.id} {each.name} has no gateway", one, other)
        if vrf is None and other.vrf is None:
            rule = f"both are in the {one.fabric.name}"
            return self._joined(one, other, rule, "forwards", one.because)
        return self._in_vrf(one, other, packet)

    def _in_vrf(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result inside a VRF: for its own stations, and for imported routes."""
        overlay, taken = one.fabric.overlay, taken_by(one, other, packet)
        if one.vrf != other.vrf and taken is None:
            apart = f"VRFs {one.vrf or 'none'} and {other.vrf or 'none'} share no route"
            return _stops(apart + _fenced(one, other), one, other)
        own = overlay.vrfs[one.vrf] if overlay is not None and one.vrf is not None else None
        if own is not None and own.local and one.leafs != other.leafs:
            return _stops(f"VRF {one.vrf} is separate on each leaf", one, other)
        rule, because = f"both are in VRF {one.vrf}", one.because
        if taken is not None:
            rule, because = f"VRF {one.vrf} imports routes of {other.vrf}", taken.because
        elif other.vlan is not None:
            because = other.vlan.because
        act = f"routes in VRF {one.vrf}"
        return barred_by(one, packet) or self._joined(one, other, rule, act, because)

    def _beyond(self, one: Stand, other: Stand, route: VrfRoute, packet: Packet) -> Verdict:
        """Return the result for a network behind a static route, by the longest prefix."""
        taken, overlay = taken_by(one, other, packet), other.fabric.overlay
        if one.vrf != other.vrf and taken is None:
            return _stops(f"VRF {one.vrf or 'none'} has no route of VRF {other.vrf}", one, other)
        assert overlay is not None
        longer = nearer(overlay, route.vrf, route.prefix.length)
        apart = (each for each in longer if not is_behind(other, each, overlay))
        other_way = next((each for each in apart if holds(each, packet.target)), None)
        if other_way is not None:
            return _stops(f"VRF {route.vrf} has the more specific {other_way.prefix}", one, other)
        rule = f"VRF {route.vrf} has {route.prefix.prefix} by {route.by.host}"
        act, because = f"routes in VRF {one.vrf}", route.because
        return barred_by(one, packet) or self._joined(one, other, rule, act, because)

    def _outward(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result for an external router: by any peer that accepts the prefix."""
        taken = taken_by(one, other, packet)
        if one.vrf != other.vrf and taken is None:
            return _stops(f"VRF {one.vrf} has no peer {other.station.node}", one, other)
        able = [
            each
            for each in self._peers
            if each.peer is not None
            and each.peer.tells
            and (each.fabric, each.vrf) == (other.fabric, other.vrf)
            and any(holds(rule.prefix, packet.target) for rule in each.peer.accept)
        ]
        static = static_to(other, packet)
        if static is not None:
            return _stops(f"VRF {other.vrf} has {static.prefix.prefix} elsewhere", one, other)
        if not able:
            return _stops(f"no peer of VRF {other.vrf} may advertise {packet.target}", one, other)
        barred = barred_by(one, packet)
        if barred is not None:
            return barred
        near = min(
            able, key=lambda each: (rank_of(each), each.leafs != one.leafs, each is not other)
        )
        rule = f"{near.station.node} may advertise {packet.target} to VRF {one.vrf}"
        return self._joined(one, near, rule, f"routes in VRF {one.vrf}", near.because)

    def _served(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result for an application: the preferred replica that the site can reach."""
        here = next((each for each in other.replicas if each.fabric is one.fabric), None)
        there = next((each for each in other.replicas if each.fabric is not one.fabric), None)
        last = here is not None and here.peer is not None and here.peer.border.prefer == "replica"
        if there is not None and (here is None or (last and self._preferred(one, there, packet))):
            return self._between_sites(one, there, packet)
        assert here is not None
        if one.peer is not None and not one.peer.inside:
            return self._inward(one, here, packet)
        leaving = self._leaving(one, here, packet) if one.peer is None else one
        if isinstance(leaving, Verdict):
            return leaving
        if leaving.vrf != here.vrf and taken_by(leaving, here, packet) is None:
            return _stops(f"VRF {leaving.vrf} has no route of VRF {here.vrf}", one, here)
        rule = f"servers at {here.fabric.name} advertise {packet.target} to VRF {here.vrf}"
        act = f"routes in VRF {leaving.vrf}"
        return barred_by(leaving, packet) or self._joined(leaving, here, rule, act, here.because)

    def _preferred(self, one: Stand, there: Stand, packet: Packet) -> bool:
        """Return whether a link that is no backup leads to a replica at another site."""
        return any(
            each.peer.border.prefer != "backup" and told(each, whole(packet.target))
            for each in self._crossings.between(one.fabric, there.fabric)
            if each.far.vrf == there.vrf
        )

    def _inward(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result for an external router as sender, which needs an advertised route."""
        assert one.peer is not None
        told = [rule.prefix for rule in one.peer.announce if holds(rule.prefix, packet.target)]
        outward = other.peer is not None and other.route is None
        if one.vrf != other.vrf or not told or outward:
            return _stops(f"{one.station.node} receives no route to {packet.target}", one, other)
        rule = f"{one.station.node} receives {told[0].prefix} of VRF {one.vrf}"
        barred = barred_by(one, packet)
        return barred or self._joined(one, other, rule, f"routes in VRF {one.vrf}", one.because)

    def _between_sites(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result between two fabrics: by their gateways, or by a link of their VRFs."""
        over = gates(one.fabric, other.fabric)
        if over is None:
            return self._across(one, other, packet)
        gated = self._by_gateways(over, one, other, packet)
        linked = self._across(one, other, packet)
        return linked if linked.outcome is Outcome.REACHES else gated

    def _across(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result over a link that joins a VRF of both fabrics and advertises the target.

        A site does not advertise its external networks to another, only addresses of applications.
        """
        links = list(self._crossings.between(one.fabric, other.fabric))
        if not links:
            return _stops("the fabrics are separate networks", one, other)
        leaving = self._leaving(one, other, packet) if one.peer is None else one
        if isinstance(leaving, Verdict):
            return leaving
        one, target, vrfs = leaving, whole(packet.target), vrfs_of(leaving, packet)
        every = [each for each in links if each.peer.vrf in vrfs]
        if not every:
            return _stops(f"no link of {one.fabric.name} joins VRF {one.vrf or 'none'}", one, other)
        able = [each for each in every if told(each, target) and each.far.vrf == other.vrf]
        if not able or any(end.peer and not end.peer.inside for end in (one, other)):
            rule = (
                f"{every[0].name} advertises nothing of {packet.target} to VRF {every[0].peer.vrf}"
            )
            return _stops(rule, one, other)
        best = min(
            able, key=lambda each: (wish_of(each.peer), each.leaf not in one.leafs, each.name)
        )
        barred = barred_by(one, packet) or judged_by(other.fabric, best.far, packet)
        return barred or self._over(best, one, other)

    def _by_gateways(self, over: Gates, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return the result through gateways: for a stretched VLAN, or a common VRF."""
        vlan = one.vlan
        if vlan is not None and over.one_vlan(vlan, other.vlan):
            rule = f"{over.name} stretches VLAN {vlan.name} over both sites, VNI {vlan.vni}"
            return self._gated(over, one, other, rule, f"bridges in VLAN {vlan.id}")
        leaving = self._leaving(one, other, packet) if one.peer is None else one
        if isinstance(leaving, Verdict):
            return leaving
        for each in (leaving.vlan, other.vlan):
            if each is not None and not each.gateways:
                return _stops(f"VLAN {each.id} {each.name} has no gateway", one, other)
        vrf = leaving.vrf
        if vrf is None or vrf != other.vrf or vrf not in over.ours.vrfs:
            apart = f"{over.name} does not join VRFs {vrf or 'none'} and {other.vrf or 'none'}"
            return _stops(apart, one, other)
        barred = barred_by(leaving, packet) or self._untold(leaving, other, packet)
        rule = f"{over.name} joins VRF {vrf} of {one.fabric.name} and {other.fabric.name}"
        return barred or self._gated(over, leaving, other, rule, f"routes in VRF {vrf}")

    def _untold(self, one: Stand, other: Stand, packet: Packet) -> Verdict | None:
        """Return why an external router is not reached, or does not reach another site."""
        told = one.peer is None or any(
            holds(rule.prefix, packet.target) for rule in one.peer.announce
        )
        if not told or (one.peer is not None and other.peer is not None):
            return _stops(f"{one.station.node} receives no route to {packet.target}", one, other)
        if other.peer is None:
            return None
        able = [
            each
            for each in self._peers
            if each.peer is not None
            and each.vrf == one.vrf
            and each.fabric in (one.fabric, other.fabric)
            and any(holds(rule.prefix, packet.target) for rule in each.peer.accept)
        ]
        if not any(each.fabric is other.fabric for each in able):
            return _stops(f"no peer of VRF {one.vrf} may advertise {packet.target}", one, other)
        if any(each.fabric is one.fabric for each in able):
            return _stops(
                f"VRF {one.vrf} has a local external peer at {one.fabric.name}", one, other
            )
        return None

    def _gated(self, over: Gates, one: Stand, other: Stand, rule: str, act: str) -> Verdict:
        """Return the path through the gateways of two sites."""
        near = self._way(one.fabric, one.leafs, over.near)
        far = self._way(other.fabric, over.far, other.leafs)
        if near is None or far is None:
            return _stops("no switch joins a leaf and its gateway", one, other)
        because = over.ours.because
        carried = Hop(node=over.name, act="joins the sites", paths=because.paths)
        hops = [*_steps(near, act, because), carried, *_steps(far, act, other.because)]
        return _reaches(one, other, rule, hops, because, near.number * far.number)

    def _over(self, link: Crossing, one: Stand, other: Stand) -> Verdict:
        """Return the path over a link between two sites."""
        near = self._way(one.fabric, one.leafs, (link.leaf,))
        far = self._way(other.fabric, (link.beyond,), other.leafs)
        if near is None or far is None:
            return _stops("no switch joins a leaf and its border leaf", one, other)
        carried = Hop(node=link.name, act="joins the sites", paths=link.peer.because.paths)
        hops = [
            *_steps(near, f"routes in VRF {link.peer.vrf}", link.peer.because),
            carried,
            *_steps(far, f"routes in VRF {link.far.vrf}", other.because),
        ]
        rule = f"{link.name} joins VRF {link.peer.vrf} of {one.fabric.name} and {other.fabric.name}"
        return _reaches(one, other, rule, hops, link.peer.because, near.number * far.number)

    def _joined(
        self, one: Stand, other: Stand, rule: str, act: str, because: Provenance
    ) -> Verdict:
        """Return the path between the leafs of two joined stations."""
        way = self._way(one.fabric, one.leafs, other.leafs)
        if way is None:
            return _stops("no switch joins their leafs", one, other)
        return _reaches(one, other, rule, _steps(way, act, because), because, way.number)

    def _way(self, fabric: Fabric, ones: tuple[str, ...], others: tuple[str, ...]) -> Path | None:
        """Return the shortest path between some switches of a fabric and some others."""
        graph = self._graphs[fabric.name]
        every = [way for a in ones for b in others if (way := graph.path(a, b))]
        return min(every, key=lambda each: len(each.switches), default=None)


def _deciding(site: Site) -> Iterator[Ip]:
    """Yield the prefixes that may decide about a packet."""
    for overlay in (fabric.overlay for fabric in site.fabrics if fabric.overlay is not None):
        yield from (own for vlan in overlay.vlans.values() for own in vlan.gateways)
        yield from (own for route in overlay.routes for own in (route.prefix, route.near))
        takes = (taken for vrf in overlay.vrfs.values() for taken in vrf.takes)
        yield from (each.prefix for taken in takes for each in taken.prefixes)
        for rule in (rule for peer in overlay.peers for rule in (*peer.accept, *peer.announce)):
            least = max(rule.allowed.shortest, rule.prefix.length)
            yield from (rule.prefix, rule.prefix._replace(length=least))
        guards = (*overlay.zones.vlans.values(), *overlay.zones.peers.values())
        for judged in (rule for guard in guards for each in guard.lists for rule in each.rules):
            yield from (judged.source, judged.target)


def _of_ports(stands: Iterable[Stand]) -> Iterator[Ip]:
    """Yield the prefixes to which the routed ports of servers lead."""
    for port in filter(None, map(port_of, stands)):
        yield from filter(None, (port.plan.block, port.plan.everywhere, port.address))


def _steps(way: Path, act: str, because: Provenance) -> list[Hop]:
    """Return the hops of a path, whose ends both act."""
    edges = dict.fromkeys((way.switches[0], way.switches[-1]))
    first, *last = [Hop(node=name, act=act, paths=because.paths) for name in edges]
    return [first, *(Hop(node=name, act="forwards") for name in way.switches[1:-1]), *last]


def _reaches(
    one: Stand, other: Stand, rule: str, hops: list[Hop], because: Provenance, ways: int
) -> Verdict:
    sent = Hop(node=one.station.node, act=sends_by(one), paths=one.because.paths)
    taken = Hop(node=other.station.node, act="receives it", paths=other.because.paths)
    return Verdict(
        outcome=Outcome.REACHES,
        rule=rule,
        hops=(sent, *hops, taken),
        paths=because.paths,
        ways=ways,
    )


def _fenced(one: Stand, other: Stand) -> str:
    """Return the firewall with a leg in each VRF, which may permit the traffic."""
    overlay = one.fabric.overlay
    for name, pair in overlay.firewalls.items() if overlay is not None else ():
        links = (link for unit in pair.units for link in unit)
        legs = {peer.vrf for link in links for peer in overlay.ending(link)} if overlay else {}
        if one.vrf in legs and other.vrf in legs:
            return f" , except through the firewall {name}, whose own rules decide"
    return ""


def _stops(rule: str, *ends: Stand) -> Verdict:
    paths = tuple(path for end in ends for path in end.because.paths[:1])
    return Verdict(outcome=Outcome.STOPS, rule=rule, paths=tuple(dict.fromkeys(paths)))


def _isolated(fabric: Fabric, vlan: Vlan) -> bool:
    """Return whether the lists of a VLAN also filter packets inside it."""
    guard = fabric.overlay.zones.vlans.get(vlan.id) if fabric.overlay is not None else None
    return guard is not None and guard.isolated

"""Engine one: two stations of the designed model in, whether one reaches the other and why out.

Nothing is walked: what joins two stations is looked up in the model (fabric, VLAN, VRF, rail,
external peer), and the way is the shortest one through the topology.
"""

from __future__ import annotations

from collections import deque
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.overlay import Addressing
from fabricgen.fabric.zones import ICMP, IP, NO_ZONES
from fabricgen.fabric.zones import Packet as Judged
from fabricgen.reach.packet import Address, Hop, Outcome, Packet, Verdict
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.fabric.because import Because
    from fabricgen.fabric.leaks import Taken
    from fabricgen.fabric.switch import Fabric, Site
    from fabricgen.hosts.routed import RoutedPort
    from fabricgen.reach.stations import Stand


ECHO = {4: 8, 6: 128}
"""The message by which ICMP asks whether somebody is there (RFC 792, RFC 4443)."""


@record()
class Way:
    """The switches of one shortest way, and how many ways are as short."""

    switches: tuple[str, ...]
    number: int


class Model:
    """Answers from the design."""

    def __init__(self, site: Site, stands: Iterable[Stand]) -> None:
        """Take the stations of a site."""
        self._stands = tuple(stands)
        self._ways = {fabric.name: Ways(fabric) for fabric in site.fabrics}

    def answer(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Return what becomes of a packet from one station to another."""
        if one.fabric is not other.fabric:
            return _apart(one, other)
        if one.peer is not None:
            return self._inward(one, other, packet)
        leaving = self._leaving(one, other, packet)
        if isinstance(leaving, Verdict):
            return leaving
        if other.peer is not None:
            return self._outward(leaving, other, packet)
        return self._inside(leaving, other, packet)

    def _leaving(self, one: Stand, other: Stand, packet: Packet) -> Stand | Verdict:
        """Return the station by whose port a server sends, or why it does not."""
        if one.host is None or one.vlan is other.vlan is not None:
            return one
        port = _port(one)
        if port is not None:
            plan = port.plan
            open_ = [each for each in (plan.block, plan.everywhere, port.address) if each]
            if any(_holds(each, packet.target) for each in open_):
                return one
            return _stops(f"{one.station.node} sends with this address to its rail alone", one)
        way, member = one.host.way_out, one.member
        if (
            member is None
            or member.told.of(packet.target.version) is not Addressing.DHCP
            or way is None
        ):
            return one
        if way is member:
            return one
        return next((each for each in self._stands if each.member is way), one)

    def _inside(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Answer what stays in a fabric: in a VLAN, in a VRF, or in the fabric that has none."""
        vlan, vrf = one.vlan, one.vrf
        if vlan is not None and vlan is other.vlan and (vlan.vni or one.leafs == other.leafs):
            number = f", VNI {vlan.vni}" if vlan.vni else ""
            rule = f"both are in VLAN {vlan.id} {vlan.name}{number}"
            return self._joined(one, other, rule, f"bridges in VLAN {vlan.id}", vlan.because)
        for each in (vlan, other.vlan):
            if each is not None and not each.gateways:
                return _stops(f"VLAN {each.id} {each.name} has no gateway", one, other)
        if vrf is None and other.vrf is None:
            rule = f"both are in the {one.fabric.name}"
            return self._joined(one, other, rule, "forwards", one.because)
        return self._in_vrf(one, other, packet)

    def _in_vrf(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Answer what enters a VRF: for its own stations, and for what it takes of another."""
        overlay, taken = one.fabric.overlay, _taken(one, other, packet)
        if one.vrf != other.vrf and taken is None:
            apart = f"VRFs {one.vrf or 'none'} and {other.vrf or 'none'} share no route"
            return _stops(apart, one, other)
        own = overlay.vrfs[one.vrf] if overlay is not None and one.vrf is not None else None
        if own is not None and own.local and one.leafs != other.leafs:
            return _stops(f"VRF {one.vrf} is each leaf's own", one, other)
        rule, because = f"both are in VRF {one.vrf}", one.because
        if taken is not None:
            rule, because = f"VRF {one.vrf} takes routes of {other.vrf}", taken.because
        elif other.vlan is not None:
            because = other.vlan.because
        act = f"routes in VRF {one.vrf}"
        return _barred(one, packet) or self._joined(one, other, rule, act, because)

    def _outward(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Answer what goes to a router outside: by any peer of the VRF that takes the prefix."""
        taken = _taken(one, other, packet)
        if one.vrf != other.vrf and taken is None:
            return _stops(f"VRF {one.vrf} has no peer {other.station.node}", one, other)
        able = [
            each
            for each in self._stands
            if each.peer is not None
            and (each.fabric, each.vrf) == (other.fabric, other.vrf)
            and any(_holds(rule.prefix, packet.target) for rule in each.peer.accept)
        ]
        if not able:
            return _stops(f"no peer of VRF {other.vrf} may announce {packet.target}", one, other)
        barred = _barred(one, packet)
        if barred is not None:
            return barred
        near = min(able, key=lambda each: (each.leafs != one.leafs, each is not other))
        rule = f"{near.station.node} may announce {packet.target} to VRF {one.vrf}"
        return self._joined(one, near, rule, f"routes in VRF {one.vrf}", near.because)

    def _inward(self, one: Stand, other: Stand, packet: Packet) -> Verdict:
        """Answer what comes from a router outside: it goes to what it is told of."""
        assert one.peer is not None
        told = [rule.prefix for rule in one.peer.announce if _holds(rule.prefix, packet.target)]
        if one.vrf != other.vrf or not told or other.peer is not None:
            return _stops(f"{one.station.node} is told no route to {packet.target}", one, other)
        rule = f"{one.station.node} is told {told[0].prefix} of VRF {one.vrf}"
        barred = _barred(one, packet)
        return barred or self._joined(one, other, rule, f"routes in VRF {one.vrf}", one.because)

    def _joined(self, one: Stand, other: Stand, rule: str, act: str, because: Because) -> Verdict:
        """Return the way between the leafs of two stations that something joins."""
        ways = self._ways[one.fabric.name]
        found = [way for a in one.leafs for b in other.leafs if (way := ways.between(a, b))]
        if not found:
            return _stops("no switch joins their leafs", one, other)
        way = min(found, key=lambda each: len(each.switches))
        inner = [Hop(node=name, act="forwards") for name in way.switches[1:-1]]
        edges = dict.fromkeys((way.switches[0], way.switches[-1]))
        first, *last = [Hop(node=name, act=act, paths=because.paths) for name in edges]
        sent = Hop(node=one.station.node, act=_sends(one), paths=one.because.paths)
        taken = Hop(node=other.station.node, act="takes it", paths=other.because.paths)
        return Verdict(
            outcome=Outcome.REACHES,
            rule=rule,
            hops=(sent, first, *inner, *last, taken),
            paths=because.paths,
            ways=way.number,
        )


class Ways:
    """The shortest ways between the switches of one fabric."""

    def __init__(self, fabric: Fabric) -> None:
        """Take its cables."""
        self._fabric = fabric
        self._known: dict[str, Mapping[str, Way]] = {}

    @cached_property
    def _next(self) -> Mapping[str, tuple[str, ...]]:
        there: dict[str, dict[str, None]] = {}
        for link in self._fabric.topology.links:
            if not link.to_server:
                there.setdefault(link.lower.name, {})[link.upper.name] = None
                there.setdefault(link.upper.name, {})[link.lower.name] = None
        return {name: tuple(others) for name, others in there.items()}

    def between(self, one: str, other: str) -> Way | None:
        """Return the way, None where there is none."""
        if one not in self._known:
            self._known[one] = self._from(one)
        return self._known[one].get(other)

    def _from(self, one: str) -> Mapping[str, Way]:
        ways, waiting = {one: Way((one,), 1)}, deque([one])
        while waiting:
            here = waiting.popleft()
            way = ways[here]
            for there in self._next.get(here, ()):
                known = ways.get(there)
                if known is None:
                    ways[there] = Way((*way.switches, there), way.number)
                    waiting.append(there)
                elif len(known.switches) == len(way.switches) + 1:
                    ways[there] = Way(known.switches, known.number + way.number)
        return ways


def _apart(one: Stand, other: Stand) -> Verdict:
    """Answer between two fabrics; ways over a link of sites are not followed here."""
    links = _links(one) & _links(other)
    if not links:
        return _stops("the fabrics are separate networks", one, other)
    rule = f"{min(links)} joins their VRFs, and ways between sites are not followed"
    return Verdict(outcome=Outcome.UNKNOWN, rule=rule)


def _links(stand: Stand) -> set[str]:
    overlay = stand.fabric.overlay
    peers = overlay.peers if overlay is not None else ()
    return {peer.joins for peer in peers if peer.vrf == stand.vrf} - {""}


def _stops(rule: str, *ends: Stand) -> Verdict:
    paths = tuple(path for end in ends for path in end.because.paths[:1])
    return Verdict(outcome=Outcome.STOPS, rule=rule, paths=tuple(dict.fromkeys(paths)))


def _taken(one: Stand, other: Stand, packet: Packet) -> Taken | None:
    """Return what the VRF of a station takes of another's to an address.

    A prefix from outside counts for what is outside: it is there while a router tells it.
    """
    overlay, outward = one.fabric.overlay, other.peer is not None
    vrf = overlay.vrfs.get(one.vrf or "") if overlay is not None else None
    for taken in vrf.takes if vrf is not None and packet.target.version == 4 else ():
        able = (each for each in taken.prefixes if outward or not each.outside)
        holds = any(each.holds(int(packet.target)) for each in able)
        if taken.source == other.vrf and holds:
            return taken
    return None


def _barred(one: Stand, packet: Packet) -> Verdict | None:
    """Return which rule of a zone keeps a packet from entering its VRF; None where it enters."""
    zones = one.fabric.overlay.zones if one.fabric.overlay is not None else NO_ZONES
    guard = zones.vlans.get(one.vlan.id) if one.vlan is not None else None
    if one.peer is not None:
        guard = zones.peers.get(one.peer.label)
    if guard is None:
        return None
    version = packet.source.version
    judged = Judged(
        source=_whole(packet.source),
        target=_whole(packet.target),
        protocol=packet.proto or IP,
        target_port=packet.port,
        message=ECHO[version] if packet.proto == ICMP else 0,
    )
    passes, rule = guard.allows(judged)
    if passes:
        return None
    paths = (rule.because if rule is not None else one.because).paths
    said = rule.because.rule if rule is not None else "no flow names what is sent"
    return Verdict(outcome=Outcome.STOPS, rule=f"zone {guard.zone}: {said}", paths=paths)


def _sends(one: Stand) -> str:
    return f"sends by {one.station.device}" if one.station.device else "sends"


def _port(one: Stand) -> RoutedPort | None:
    every = (port for side in one.host.routed for port in side.ports) if one.host else ()
    return next((port for port in every if port.plan.nic is one.nic), None)


def _holds(prefix: Ip, target: Address) -> bool:
    return prefix.holds(_whole(target))


def _whole(address: Address) -> Ip:
    return Ip(int(address), address.max_prefixlen, address.version)

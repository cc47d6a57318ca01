"""Looks up facts of the designed model that decide about a packet: routes, rules and ranks."""

from collections.abc import Iterator

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.leaks import Taken
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.model.fabric.zones import ICMP, IP, NO_ZONES
from fabricgen.model.fabric.zones import Packet as Judged
from fabricgen.nos.hosts.routed import RoutedPort
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.packet import Address, Outcome, Packet, Verdict, interface

ECHO = {4: 8, 6: 128}
"""The ICMP message of an echo request (RFC 792, RFC 4443)."""
USUAL = 100
"""The local preference without a preference (RFC 4271, section 5.1.5 leaves it to the AS)."""


def taken_by(one: Stand, other: Stand, packet: Packet) -> Taken | None:
    """Return the imported routes of a station's VRF to an address."""
    every = takes_of(one, packet, outward=other.peer is not None)
    return next((taken for taken in every if taken.source == other.vrf), None)


def takes_of(one: Stand, packet: Packet, *, outward: bool) -> Iterator[Taken]:
    """Yield the imported routes of a station's VRF to an address.

    An external prefix counts for external targets: it exists while a router advertises it.
    """
    overlay = one.fabric.overlay
    vrf = overlay.vrfs.get(one.vrf or "") if overlay is not None else None
    target = packet.target
    for taken in vrf.takes if vrf is not None else ():
        able = (each for each in taken.prefixes if outward or not each.outside)
        if any(each.holds(int(target), target.version) for each in able):
            yield taken


def static_to(other: Stand, packet: Packet) -> VrfRoute | None:
    """Return a static route that is more specific than an external router's prefix."""
    overlay = other.fabric.overlay
    assert overlay is not None
    told = [
        rule.allowed.longest
        for peer in overlay.peers
        for rule in peer.accept
        if peer.tells and peer.vrf == other.vrf and holds(rule.prefix, packet.target)
    ]
    mine = (each for each in overlay.routes if each.vrf == other.vrf)
    longer = (each for each in mine if each.prefix.length > max(told, default=0))
    return next((each for each in longer if holds(each.prefix, packet.target)), None)


def is_behind(other: Stand, prefix: Ip, overlay: Overlay) -> bool:
    """Return whether static routes lead to a prefix by the next hops before a station."""
    hops = {str(own.ip) for hop in other.station.behind for own in map(interface, hop.addresses)}
    by = [each.by.host for each in overlay.routes if (each.vrf, each.prefix) == (other.vrf, prefix)]
    return bool(by) and hops.issuperset(by)


def vrfs_of(one: Stand, packet: Packet) -> set[str]:
    """Return the VRFs whose routes a station uses: its own, and imported ones."""
    takes = takes_of(one, packet, outward=True) if one.peer is None else ()
    return {one.vrf or "", *(taken.source for taken in takes)}


def barred_by(one: Stand, packet: Packet) -> Verdict | None:
    """Return the zone rule that drops a packet at its VRF; None if the packet enters."""
    return judged_by(one.fabric, one.peer or one.session or one.vlan, packet)


def judged_by(
    fabric: Fabric, entered: ExternalPeer | Vlan | None, packet: Packet
) -> Verdict | None:
    """Return the rule that drops a packet at a session's port, or at a VLAN."""
    zones = fabric.overlay.zones if fabric.overlay is not None else NO_ZONES
    guard = None
    if isinstance(entered, ExternalPeer):
        guard = zones.peers.get(entered.label)
    elif entered is not None:
        guard = zones.vlans.get(entered.id)
    if guard is None or entered is None:
        return None
    version = packet.source.version
    judged = Judged(
        source=whole(packet.source),
        target=whole(packet.target),
        protocol=packet.proto or IP,
        target_port=packet.port,
        message=ECHO[version] if packet.proto == ICMP else 0,
    )
    passes, rule = guard.allows(judged)
    if passes:
        return None
    paths = (rule.because if rule is not None else entered.because).paths
    said = rule.because.rule if rule is not None else "no flow permits this packet"
    place = f"zone {guard.zone}: " if guard.zone else ""
    return Verdict(outcome=Outcome.STOPS, rule=f"{place}{said}", paths=paths)


def sends_by(one: Stand) -> str:
    """Return the act of a sender."""
    return f"sends by {one.station.device}" if one.station.device else "sends"


def port_of(one: Stand) -> RoutedPort | None:
    """Return the routed port of a station in its server's files."""
    every = (port for side in one.host.routed for port in side.ports) if one.host else ()
    return next((port for port in every if port.plan.nic is one.nic), None)


def rank_of(stand: Stand) -> int:
    """Return a number that is lower for a preferred peer (RFC 4271: 100)."""
    return wish_of(stand.peer) if stand.peer is not None else -USUAL


def wish_of(peer: ExternalPeer) -> int:
    """Return a number that is lower for a preferred session."""
    return -(peer.border.preference or USUAL)


def holds(prefix: Ip, target: Address) -> bool:
    """Return whether a prefix contains an address."""
    return prefix.holds(whole(target))


def whole(address: Address) -> Ip:
    """Return an address as a host prefix."""
    return Ip(int(address), address.max_prefixlen, address.version)

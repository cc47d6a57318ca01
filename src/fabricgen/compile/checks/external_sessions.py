"""Checks the end of an external session that the site knows."""

from collections.abc import Iterator

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.zones import NO_ZONES


def wrongs(fabric: Fabric, piece: SwitchSlice, peer: ExternalPeer) -> Iterator[str]:
    """Yield each thing that is wrong, to be said after the name of the session."""
    port = peer.interface
    use = Use.NIC if peer.inside else Use.EXTERNAL
    shares = piece.tunnels if port.tunnel is not None else piece.tagged
    own = piece.interfaces if port.tag is None else shares
    if not any(item is port for item in own) or port.use is not use:
        yield "crosses no external port of the switch"
    for other in shares if port.tag is not None else ():
        if other is not port and _told_apart(other) == _told_apart(port):
            what = "key" if port.tunnel is not None else "tag"
            yield f"has the {what} {port.tag} of VRF {other.vrf} on the same cable"
    if peer.local not in port.addresses:
        yield f"speaks from {peer.local}, which its port does not own"
    if port.vrf != peer.vrf or all(vrf.name != peer.vrf for vrf in piece.vrfs):
        yield "is not in the VRF of its port, or that VRF is not on the switch"
    if peer.local.network != peer.remote.network or peer.local.version != peer.remote.version:
        yield f"goes to {peer.remote.host}, which is not in {peer.local.prefix}"
    elif peer.local.value == peer.remote.value:
        yield f"goes to its own address {peer.remote.host}"
    if peer.peer_asn == piece.asn:
        yield f"stays inside the ASN {piece.asn}, so it is not eBGP"
    yield from _policy(peer) if peer.inside else (*_subnets(fabric, peer), *_policy(peer))


def _told_apart(port: Interface) -> tuple[object, ...]:
    """Return what tells a share's frames, or a tunnel's packets, from those of another."""
    ends = (port.tunnel.local, port.tunnel.remote) if port.tunnel is not None else ()
    return (port.port, port.tag, *ends)


def _subnets(fabric: Fabric, peer: ExternalPeer) -> Iterator[str]:
    """Compare what is announced with the VRF's own subnets and routes that have a way by it."""
    vlans = fabric.overlay.vlans.values() if fabric.overlay is not None else ()
    routes = fabric.overlay.routes if fabric.overlay is not None else ()
    own = {
        gateway
        for vlan in vlans
        if vlan.vrf == peer.vrf and (gateway := vlan.gateway(peer.version)) is not None
    }
    own |= {
        route.prefix
        for route in routes
        if route.announce
        and not peer.joins
        and (route.vrf, route.prefix.version) == (peer.vrf, peer.version)
    }
    wanted = {prefix.prefix for prefix in own if not _past_firewall(fabric, peer, prefix)}
    told = {rule.prefix.prefix for rule in peer.announce}
    if told != wanted:
        other = min(told ^ wanted)
        yield f"is told other subnets than its VRF has: {other}"


def _past_firewall(fabric: Fabric, peer: ExternalPeer, prefix: Ip) -> bool:
    """Tell whether a prefix has to be reached through a zone that this router is not in."""
    zones = fabric.overlay.zones if fabric.overlay is not None else NO_ZONES
    guard, home = zones.peers.get(peer.label), zones.zone_of(peer.vrf, prefix)
    promises = [each.through for each in zones.behind if each.zone == home]
    return guard is not None and bool(promises) and guard.zone not in promises


def _policy(peer: ExternalPeer) -> Iterator[str]:
    """Look at the numbers of the lists."""
    for what, rules in (("accepts", peer.accept), ("announces", peer.announce)):
        if not rules:
            yield f"{what} nothing"
        if len({rule.sequence for rule in rules}) != len(rules):
            yield f"{what} two prefixes under one number"

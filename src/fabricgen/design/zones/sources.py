"""Keeps a VRF's own addresses from coming in from outside as sources (RFC 2827, RFC 3704).

A router outside that is no end of a link between own sites has no packet with such a source: what
it may announce never overlaps a subnet of the VRF.
"""

from collections.abc import Iterator
from dataclasses import replace

from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.because import Because
from fabricgen.fabric.diagnostics import NUMBER
from fabricgen.fabric.external import ExternalPeer
from fabricgen.fabric.overlay import Overlay
from fabricgen.fabric.zones import ALL, IP, AccessList, Guard, Rule


def with_guarded_sources(overlay: Overlay) -> Overlay:
    """Return the overlay with a list at each router outside of a VRF that has subnets."""
    guards = {peer.label: _guard(overlay, peer) for peer in overlay.peers}
    found = {label: guard for label, guard in guards.items() if guard is not None}
    if not found:
        return overlay
    zones = replace(overlay.zones, peers={**found, **overlay.zones.peers})
    return replace(overlay, zones=zones)


def own_sources(overlay: Overlay, peer: ExternalPeer, version: int) -> Iterator[Rule]:
    """Yield a drop for each subnet of a router's VRF, of one family."""
    for number, name, subnet, why in _inside(overlay, peer.vrf, version) if not peer.joins else ():
        rule = f"{name} of VRF {peer.vrf} is inside: from outside its source is forged"
        yield Rule(
            permit=False,
            protocol=IP,
            source=subnet,
            target=ALL[version],
            because=Because((*peer.because.paths, *why.paths), rule),
            number=number,
        )


def _inside(overlay: Overlay, vrf: str, version: int) -> Iterator[tuple[int, str, Ip, Because]]:
    """Yield the subnets of a VRF's VLANs by VLAN id, then that of its diagnostic addresses."""
    for vlan in sorted(overlay.vlans.values(), key=lambda vlan: vlan.id):
        gateway = vlan.gateway(version)
        if vlan.vrf == vrf and gateway is not None:
            yield vlan.id, vlan.name, gateway.subnet, vlan.because
    probes = overlay.vrfs[vrf].diagnostics if vrf in overlay.vrfs else None
    if probes is not None and version == probes.sources.version:
        yield NUMBER, "the subnet of leafs' probes", probes.sources.whole, probes.because


def _guard(overlay: Overlay, peer: ExternalPeer) -> Guard | None:
    """Return the guard of a router outside without a zone; None where nothing is dropped.

    Its port may have the other family as well, which passes as before.
    """
    drops = tuple(own_sources(overlay, peer, peer.version))
    if not drops:
        return None
    rest = replace(peer.because, rule="packets with other sources pass")
    everything = replace(drops[0], number=None, permit=True, source=ALL[peer.version], because=rest)
    name = f"ZONE-{peer.label}" if peer.version == 4 else f"ZONE6-{peer.label}"
    why = replace(peer.because, rule=f"no source inside VRF {peer.vrf} comes from outside")
    made = AccessList(name=name, version=peer.version, rules=(*drops, everything), because=why)
    return Guard(zone="", vlan=None, peer=peer.label, lists=(made,))

"""Lower VLANs, VRFs and external peers to FRR's EVPN family, L3VNIs and VRF BGP instances."""

from dataclasses import replace
from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.leaks import family_of, taken_by
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Announce, Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.nos.shared.description import behind
from fabricgen.nos.shared.frr.names import FrrNames
from fabricgen.nos.shared.frr.policy import ABOVE, BELOW, EVPN, sources_of, told_of
from fabricgen.nos.shared.frr.view import (
    Announced,
    Announcing,
    Evpn,
    Family,
    Peer,
    Segment,
    Segments,
    Static,
    Vni,
    VrfBgp,
    Vrfs,
    VrfVni,
)


@lru_cache(maxsize=256)
def vrfs(
    wanted: tuple[Vrf, ...],
    routes: tuple[VrfRoute, ...],
    flooding: tuple[ExternalPeer, ...],
    names: FrrNames,
) -> Vrfs:
    """Return the blocks that bind each VRF to its L3VNI; FRR prints VRFs by name."""
    inward = {peer.vrf: peer.inward for peer in flooding}
    blocks = [
        VrfVni(
            name=names.vrf(vrf.name),
            vni=vrf.vni,
            installs=inward.get(vrf.name),
            routes=tuple(_static(route, names) for route in routes if route.vrf == vrf.name),
            because=vrf.because,
        )
        for vrf in wanted
    ]
    return Vrfs(tuple(sorted(blocks, key=lambda vrf: vrf.name)))


def _static(route: VrfRoute, names: FrrNames) -> Static:
    return Static(
        family="ip" if route.prefix.version == 4 else "ipv6",
        prefix=route.prefix.prefix,
        by=route.by.host,
        port=f" {names.outward(route.port)}" if route.port is not None else "",
        because=route.because,
    )


def segments(switch_slice: SwitchSlice, names: FrrNames) -> Segments | None:
    """Return the Ethernet segments of a leaf; None where each server is on it alone."""
    if names.bundle is None:
        return None
    blocks = tuple(
        Segment(
            port=names.bundle(lag.number),
            identifier=lag.segment.identifier,
            preference=lag.segment.preference,
            because=lag.segment.because,
        )
        for lag in switch_slice.lags
        if lag.segment is not None
    )
    return Segments(blocks, names.moves) if blocks else None


@lru_cache(maxsize=256)
def announcing(vlans: tuple[Vlan, ...], names: FrrNames) -> Announcing | None:
    """Return the gateways that send router advertisements; None without any, or not by FRR."""
    if names.gateway is None:
        return None
    gateways = tuple(
        Announced(
            interface=names.gateway(vlan.id),
            prefix=vlan.subnet6.prefix,
            managed=vlan.announce is Announce.DHCP,
            because=vlan.because,
        )
        for vlan in vlans
        if vlan.announce is not None
    )
    return Announcing(gateways) if gateways else None


def evpn(switch_slice: SwitchSlice, groups: tuple[str, ...]) -> Evpn | None:
    """Return the EVPN family; None without a peer group for it.

    Spines need no `next-hop-unchanged`: FRR rewrites an EVPN next hop only when it is unset
    (FRRouting/frr@0097489b bgpd/bgp_updgrp_packet.c bpacket_reformat_for_peer, AFI_L2VPN).
    """
    above, below = EVPN + ABOVE in groups, EVPN + BELOW in groups
    if not above and not below:
        return None
    overlay = switch_slice.overlay if switch_slice.vtep is not None else None
    path = (
        switch_slice.overlay.path if switch_slice.overlay is not None else switch_slice.routing.path
    )
    return Evpn(
        above=above,
        below=below,
        advertise=overlay is not None,
        vnis=_vnis(switch_slice, overlay) if overlay is not None else (),
        because=Provenance((path,), "EVPN over the sessions of loopbacks"),
    )


def _vnis(switch_slice: SwitchSlice, overlay: EvpnRules) -> tuple[Vni, ...]:
    return tuple(
        Vni(
            vni=vlan.vni,
            rd=route_distinguisher(switch_slice.loopback, vlan),
            imports=overlay.imported(vlan),
            exports=overlay.exported(vlan),
            because=vlan.because,
        )
        for vlan in switch_slice.vlans
        if vlan.vni is not None
    )


def vrf_bgp(switch_slice: SwitchSlice, names: FrrNames) -> tuple[VrfBgp, ...]:
    """Return the BGP instance of every VRF: its subnets become EVPN type-5 routes."""
    overlay = switch_slice.overlay
    if overlay is None:
        return ()
    versions = families(switch_slice.vlans, switch_slice.tunneled)
    return tuple(
        VrfBgp(
            name=names.vrf(vrf.name),
            peers=peers,
            families=_families(
                peers,
                versions[vrf.name],
                vrf,
                names,
                {route.prefix.version for route in switch_slice.routes if route.vrf == vrf.name},
                next((each.inward for each in switch_slice.flooding if each.vrf == vrf.name), None),
            ),
            rd=route_distinguisher(switch_slice.loopback, vrf),
            imports=overlay.imported(vrf),
            exports=overlay.exported(vrf),
            because=vrf.because,
        )
        for vrf in switch_slice.tunneled
        for peers in (_peers(switch_slice.peers, vrf.name),)
    )


def _peers(external: tuple[ExternalPeer, ...], vrf: str) -> tuple[Peer, ...]:
    """Return the external peers of one VRF in the order FRR prints neighbors: by address."""
    mine = sorted((peer for peer in external if peer.vrf == vrf), key=lambda peer: peer.remote)
    return tuple(
        Peer(external=peer, description=behind(peer), because=peer.because) for peer in mine
    )


def _families(
    peers: tuple[Peer, ...],
    versions: tuple[str, ...],
    vrf: Vrf,
    names: FrrNames,
    statics: set[int],
    floods: str | None,
) -> tuple[Family, ...]:
    """Return the families of a VRF, each with its peers.

    `statics`: families of its static routes. `floods`: the route map of OSPF, which is IPv4.
    """
    spoken = {
        *versions,
        *(f"ipv{peer.external.version}" for peer in peers),
        *(["ipv4"] if floods else []),
    }
    return tuple(
        replace(
            _family(version, peers, vrf, names, statics=version in statics),
            floods=floods if version == 4 else None,
        )
        for version in (4, 6)
        if f"ipv{version}" in spoken
    )


def _family(
    version: int, peers: tuple[Peer, ...], vrf: Vrf, names: FrrNames, *, statics: bool
) -> Family:
    """Return one family of a VRF, with its imports from other VRFs."""
    takes = sources_of(vrf, names.vrf, version)
    return Family(
        name=f"ipv{version}",
        peers=tuple(peer for peer in peers if peer.external.version == version),
        statics=statics,
        takes=takes,
        taken=family_of(taken_by(vrf.name), version) if takes else None,
        told=told_of(vrf.name, version) if takes else None,
    )


@lru_cache(maxsize=256)
def families(vlans: tuple[Vlan, ...], vrfs: tuple[Vrf, ...]) -> dict[str, tuple[str, ...]]:
    """Return the address families that each VRF needs for its gateways and its imports.

    A VRF that only serves other VRFs has no local gateway. A VRF without any has IPv4.
    """
    wanted: dict[str, set[str]] = {vrf.name: set() for vrf in vrfs}
    for vlan in vlans:
        for gateway in vlan.gateways if vlan.vrf is not None else ():
            wanted.setdefault(str(vlan.vrf), set()).add(f"ipv{gateway.version}")
    own = {name: versions or {"ipv4"} for name, versions in wanted.items()}
    for vrf in vrfs:
        for taken in vrf.takes:
            for version in taken.versions:
                own[vrf.name].add(f"ipv{version}")
                own.setdefault(taken.source, {"ipv4"}).add(f"ipv{version}")
    return {name: tuple(sorted(versions)) for name, versions in own.items()}

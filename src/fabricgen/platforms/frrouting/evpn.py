"""VLANs and VRFs in; L3VNIs, the EVPN family with its L2VNIs, and one BGP instance per VRF out."""

from __future__ import annotations

from functools import lru_cache

from fabricgen.fabric.because import Because
from fabricgen.fabric.overlay import Overlay, Vrf, route_distinguisher
from fabricgen.fabric.switch import SwitchSlice
from fabricgen.platforms.frrouting.bgp import paths
from fabricgen.platforms.frrouting.names import FrrNames
from fabricgen.platforms.frrouting.view import Evpn, Vni, VrfBgp, Vrfs, VrfVni


@lru_cache(maxsize=256)
def vrfs(wanted: tuple[Vrf, ...], names: FrrNames) -> Vrfs:
    """Return the blocks that bind each VRF to its L3VNI."""
    return Vrfs(tuple(VrfVni(names.vrf(vrf.name), vrf.vni, vrf.because) for vrf in wanted))


def evpn(piece: SwitchSlice, groups: tuple[str, ...]) -> Evpn:
    """Return the EVPN family. FRR keeps the VTEP as next hop on spines by itself."""
    because = Because((f"{piece.switch.fabric}.overlay",), "EVPN over the sessions of loopbacks")
    leaf = piece.vtep is not None
    return Evpn(groups, leaf, _vnis(piece, piece.overlay) if leaf and piece.overlay else (), because)


def _vnis(piece: SwitchSlice, overlay: Overlay) -> tuple[Vni, ...]:
    return tuple(
        Vni(vlan.vni, route_distinguisher(piece.loopback, vlan.id),
            overlay.route_target(vlan.vni), vlan.because)
        for vlan in piece.vlans if vlan.vni is not None)


def vrf_bgp(piece: SwitchSlice, names: FrrNames) -> tuple[VrfBgp, ...]:
    """Return the BGP instance of every VRF: its subnets become EVPN type-5 routes."""
    overlay = piece.overlay
    if overlay is None:
        return ()
    wide = paths(piece.routing, names)
    return tuple(
        VrfBgp(piece.asn, piece.loopback.host, names.vrf(vrf.name), wide,
               route_distinguisher(piece.loopback, vrf.transit_vlan),
               overlay.route_target(vrf.vni), vrf.because)
        for vrf in piece.vrfs)

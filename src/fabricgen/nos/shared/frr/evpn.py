"""VLANs and VRFs in; L3VNIs, the EVPN family with its L2VNIs, and one BGP instance per VRF out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.overlay import EvpnRules, Vlan, Vrf, route_distinguisher
from fabricgen.nos.shared.frr import external
from fabricgen.nos.shared.frr.bgp import paths, profile_name
from fabricgen.nos.shared.frr.policy import ABOVE, EVPN, POLICIES
from fabricgen.nos.shared.frr.view import (
    Evpn,
    FamilyLine,
    GroupSetting,
    Vni,
    VrfBgp,
    VrfFamily,
    Vrfs,
    VrfVni,
)

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.shared.frr.names import FrrNames


@lru_cache(maxsize=256)
def vrfs(wanted: tuple[Vrf, ...], names: FrrNames) -> Vrfs:
    """Return the blocks that bind each VRF to its L3VNI; FRR prints VRFs by name."""
    found = [VrfVni(names.vrf(vrf.name), vrf.vni, vrf.because) for vrf in wanted]
    return Vrfs(tuple(sorted(found, key=lambda vrf: vrf.name)))


def evpn(piece: SwitchSlice, groups: tuple[str, ...]) -> Evpn:
    """Return the EVPN family; the sessions of the tier above have the valley filter.

    Spines need no `next-hop-unchanged`: FRR rewrites an EVPN next hop only when it is unset
    (FRRouting/frr@0097489b bgpd/bgp_updgrp_packet.c bpacket_reformat_for_peer, AFI_L2VPN).
    """
    path = piece.overlay.path if piece.overlay is not None else piece.routing.path
    because = Because((path,), "EVPN over the sessions of loopbacks")
    told = tuple(
        GroupSetting(group, setting, because) for group in groups for setting in _settings(group)
    )
    if piece.vtep is None or piece.overlay is None:
        return Evpn(groups=told, advertise=False, vnis=(), because=because)
    return Evpn(groups=told, advertise=True, vnis=_vnis(piece, piece.overlay), because=because)


def _settings(group: str) -> tuple[str, ...]:
    if group != EVPN + ABOVE:
        return ("activate",)
    names = POLICIES[ABOVE]
    return (
        "activate",
        f"route-map {EVPN}{names.inward} in",
        f"route-map {EVPN}{names.outward} out",
    )


def _vnis(piece: SwitchSlice, overlay: EvpnRules) -> tuple[Vni, ...]:
    return tuple(
        Vni(
            vni=vlan.vni,
            rd=route_distinguisher(piece.loopback, vlan.id),
            target=overlay.route_target(vlan.vni),
            because=vlan.because,
        )
        for vlan in piece.vlans
        if vlan.vni is not None
    )


def vrf_bgp(piece: SwitchSlice, names: FrrNames) -> tuple[VrfBgp, ...]:
    """Return the BGP instance of every VRF: its subnets become EVPN type-5 routes."""
    overlay = piece.overlay
    if overlay is None:
        return ()
    wide = paths(piece.routing, names)
    versions = families(piece.vlans)
    return tuple(
        VrfBgp(
            asn=piece.asn,
            router_id=piece.loopback.host,
            vrf=names.vrf(vrf.name),
            neighbors=tuple(external.neighbors(peers, profile_name(piece.routing.bfd))),
            families=_families(vrf, peers, versions.get(vrf.name, ("ipv4",)), wide),
            rd=route_distinguisher(piece.loopback, vrf.transit_vlan),
            target=overlay.route_target(vrf.vni),
            because=vrf.because,
        )
        for vrf in piece.vrfs
        for peers in (external.of_vrf(piece.external, vrf.name),)
    )


def _families(
    vrf: Vrf, peers: external.Peers, versions: tuple[str, ...], wide: int | None
) -> tuple[VrfFamily, ...]:
    """Return the families of a VRF; external peers are in that of IPv4."""
    made = []
    for name in sorted({*versions, "ipv4"} if peers else versions):
        lines = [FamilyLine("redistribute connected", vrf.because)]
        if name == "ipv4":
            lines += external.activations(peers)
        if wide is not None:
            lines.append(FamilyLine(f"maximum-paths {wide}", vrf.because))
        made.append(VrfFamily(name, tuple(lines), vrf.because))
    return tuple(made)


@lru_cache(maxsize=256)
def families(vlans: tuple[Vlan, ...]) -> dict[str, tuple[str, ...]]:
    """Return the address families that the gateways of each VRF need, by VRF name."""
    found: dict[str, set[str]] = {}
    for vlan in vlans:
        if vlan.vrf is not None and vlan.gateway is not None:
            found.setdefault(vlan.vrf, set()).add(f"ipv{vlan.gateway.version}")
    return {name: tuple(sorted(versions)) for name, versions in found.items()}

"""VLANs and VRFs of a switch in; names, gateways, VXLAN and their BGP blocks out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.overlay import EvpnRules, Vlan, Vrf, route_distinguisher
from fabricgen.nos.eos.external import neighbors_of
from fabricgen.nos.eos.names import VTEP
from fabricgen.nos.eos.view import overlay as view

if TYPE_CHECKING:
    from fabricgen.fabric.routing import Routing
    from fabricgen.fabric.services import Services
    from fabricgen.fabric.switch import SwitchSlice

_IPV4 = "ip routing"
# Forwards IPv4 on interfaces that have IPv6 addresses only; stands in place of `ip routing`
# (pyavd 6.4.0, ip_routing_ipv6_interfaces).
_IPV4_OVER_IPV6 = "ip routing ipv6 interfaces"


def overlay_of(piece: SwitchSlice) -> view.Overlay:
    """Return VLANs and VRFs; a backend has local VLANs at most and no VXLAN."""
    overlay, vlans, vrfs = piece.overlay, piece.vlans, piece.vrfs
    over_ipv6 = bool(piece.sessions) and piece.routing.links != "numbered"
    tunnelled = overlay is not None and piece.vtep is not None
    mtu = piece.routing.tenant_mtu
    return view.Overlay(
        vlans=vlans_of(vlans),
        vrfs=vrfs_of(piece.services, vrfs, over_ipv6=over_ipv6),
        ipv6=ipv6_of(vlans, piece.routing, over_ipv6=over_ipv6),
        rail_gateways=() if tunnelled else _rail_gateways(vlans, mtu),
        gateways=gateways_of(vlans, mtu) if tunnelled else None,
        mac=_mac(overlay) if overlay is not None and tunnelled and vrfs else None,
        vxlan=vxlan_of(overlay, vlans, vrfs) if overlay is not None and tunnelled else None,
        mac_vrfs=_mac_vrfs(piece) if tunnelled else (),
        ip_vrfs=_ip_vrfs(piece) if tunnelled else (),
    )


@lru_cache(maxsize=128)
def vlans_of(vlans: tuple[Vlan, ...]) -> view.Vlans | None:
    """Return the VLANs and their names."""
    if not vlans:
        return None
    return view.Vlans(tuple(view.VlanName(vlan.because, vlan.id, vlan.name) for vlan in vlans))


@lru_cache(maxsize=128)
def vrfs_of(services: Services, vrfs: tuple[Vrf, ...], *, over_ipv6: bool) -> view.Vrfs:
    """Return the VRF names as EOS sorts them, and which of them route."""
    names, management = sorted(vrf.name for vrf in vrfs), services.vrf
    why = Because(
        ((*services.path, "vrf"), *dict.fromkeys(vrf.because.main for vrf in vrfs)),
        "tenants route in their VRFs, management is reachable in its own only",
    )
    return view.Vrfs(
        because=why,
        names=tuple(sorted([management, *names])),
        management=management,
        routing=_IPV4_OVER_IPV6 if over_ipv6 else _IPV4,
        routed=tuple(names),
    )


@lru_cache(maxsize=128)
def ipv6_of(vlans: tuple[Vlan, ...], routing: Routing, *, over_ipv6: bool) -> view.IPv6 | None:
    """Return where IPv6 is routed: in the underlay, and in VRFs with an IPv6 gateway."""
    tenants = sorted({vlan.vrf for vlan in vlans if vlan.vrf and _version(vlan) == 6})
    lines = [""] if over_ipv6 else []
    lines += [f" vrf {name}" for name in tenants]
    why = Because(
        ((*routing.path, "links"), ("tenants",)), "IPv6 is routed where there are IPv6 addresses"
    )
    return view.IPv6(why, tuple(lines)) if lines else None


def _version(vlan: Vlan) -> int | None:
    return vlan.gateway.version if vlan.gateway else None


@lru_cache(maxsize=128)
def gateways_of(vlans: tuple[Vlan, ...], mtu: int) -> view.Gateways | None:
    """Return the anycast gateways of the VLANs that have one."""
    made = tuple(
        _gateway(vlan, mtu, vlan.vrf, "address virtual")
        for vlan in vlans
        if vlan.vrf is not None and vlan.gateway is not None
    )
    return view.Gateways(made) if made else None


def _rail_gateways(vlans: tuple[Vlan, ...], mtu: int) -> tuple[view.Gateway, ...]:
    """Return the gateways of leaf-local VLANs, in the default VRF: the rails of a backend."""
    return tuple(_gateway(vlan, mtu, "", "address") for vlan in vlans if vlan.gateway is not None)


def _gateway(vlan: Vlan, mtu: int, vrf: str, word: str) -> view.Gateway:
    assert vlan.gateway is not None
    line = f"ip {word} {vlan.gateway}"
    if vlan.gateway.version == 6:
        line = f"ipv6 enable\n   ipv6 {word} {vlan.gateway}"
    return view.Gateway(
        because=vlan.because, vlan=vlan.id, description=vlan.name, mtu=mtu, vrf=vrf, address=line
    )


@lru_cache(maxsize=16)
def _mac(rules: EvpnRules) -> view.AnycastMac:
    path = (*rules.path, "anycast_mac")
    why = Because((path,), "one MAC for all gateways: servers may move")
    return view.AnycastMac(why, rules.anycast_mac)


@lru_cache(maxsize=128)
def vxlan_of(rules: EvpnRules, vlans: tuple[Vlan, ...], vrfs: tuple[Vrf, ...]) -> view.Vxlan | None:
    """Return the tunnel interface; a leaf without tenants needs none."""
    lines = [f"vlan {vlan.id} vni {vlan.vni}" for vlan in vlans if vlan.vni is not None]
    lines += [f"vrf {vrf.name} vni {vrf.vni}" for vrf in sorted(vrfs, key=lambda v: v.name)]
    why = Because((("tenants",), rules.path), "one VNI per VLAN and per VRF")
    return view.Vxlan(why, VTEP, tuple(lines)) if lines else None


def _mac_vrfs(piece: SwitchSlice) -> tuple[view.MacVrf, ...]:
    overlay = piece.overlay
    assert overlay is not None
    return tuple(
        view.MacVrf(
            because=vlan.because,
            vlan=vlan.id,
            distinguisher=route_distinguisher(piece.loopback, vlan.id),
            target=overlay.route_target(vlan.vni),
        )
        for vlan in piece.vlans
        if vlan.vni is not None
    )


def _ip_vrfs(piece: SwitchSlice) -> tuple[view.IpVrf, ...]:
    """The router ID is said: EOS would take an anycast address, the same on every leaf."""
    overlay, host = piece.overlay, piece.loopback.host
    assert overlay is not None
    return tuple(
        view.IpVrf(
            because=vrf.because,
            name=vrf.name,
            distinguisher=route_distinguisher(piece.loopback, vrf.transit_vlan),
            target=overlay.route_target(vrf.vni),
            router_id=host,
            external=neighbors_of(piece.external, vrf.name),
        )
        for vrf in sorted(piece.vrfs, key=lambda v: v.name)
    )

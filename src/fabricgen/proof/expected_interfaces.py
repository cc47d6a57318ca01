"""The slice of a switch in; each interface that it must have, its VLANs and addresses, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.facts import Interface, Link
from fabricgen.fabric.switch import Use

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.fabric import switch as fabric
    from fabricgen.fabric.addressing import Ip
    from fabricgen.fabric.overlay import Carries
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.spelling import Spelling

# What is behind these ports belongs to the fabric, or was promised to it; a server may be off.
_ANSWERED = {Use.FABRIC, Use.EXTERNAL}


def interfaces(piece: SwitchSlice, spelling: Spelling) -> Iterator[Interface]:
    """Yield every interface of a switch."""
    yield from _own(piece, spelling)
    for item in piece.interfaces:
        yield _port(item, spelling)
    for lag in piece.lags:
        untagged, tagged = _carried(lag.carries)
        yield Interface(
            name=spelling.bond(lag.number),
            link=Link.ENABLED,
            mtu=lag.mtu,
            addresses=(),
            member_of=spelling.bridge if lag.carries is not None else None,
            untagged=untagged,
            tagged=tagged,
            role=f"bundle to {lag.server.name}",
        )
    yield from _tunnels(piece, spelling)
    yield from _gateways(piece, spelling)


def _own(piece: SwitchSlice, spelling: Spelling) -> Iterator[Interface]:
    """Yield what a switch has without ports: loopback, management, VRFs and the bridge."""
    up, vrf = Link.UP, piece.services.vrf
    addresses = (*spelling.loopback_own, *_text(piece.loopback, piece.vtep))
    yield _named(spelling.loopback, up, "loopback", addresses)
    yield _named(spelling.management, up, "management port", _text(piece.management), vrf)
    yield _named(vrf, up, "management VRF", spelling.vrf_own)
    for item in piece.vrfs:
        yield _named(item.name, up, "VRF")
    if piece.vlans or piece.vrfs:
        # The bridge itself is only in the VLANs that have an interface: ifupdown2 adds those.
        vlans = {vlan.id for vlan in piece.vlans if vlan.gateway is not None}
        if piece.vtep is not None:
            vlans |= {item.transit_vlan for item in piece.vrfs}
        yield Interface(
            name=spelling.bridge,
            link=Link.ENABLED,
            mtu=piece.routing.tenant_mtu,
            addresses=(),
            untagged=spelling.bridge_native,
            tagged=tuple(sorted(vlans)),
            mac=spelling.bridge_mac(piece.vtep or piece.loopback),
            role="bridge",
        )


def _named(
    name: str, link: Link, role: str, addresses: tuple[str, ...] = (), vrf: str | None = None
) -> Interface:
    """Return an interface whose MTU the model leaves to the system."""
    return Interface(
        name=name, link=link, mtu=None, addresses=tuple(sorted(addresses)), member_of=vrf, role=role
    )


def _text(*addresses: Ip | None) -> tuple[str, ...]:
    return tuple(sorted(str(ip) for ip in addresses if ip is not None))


def _port(item: fabric.Interface, spelling: Spelling) -> Interface:
    name = spelling.port(item.port)
    if item.use is Use.UNUSED:
        return Interface(name=name, link=Link.SHUT, mtu=item.mtu, addresses=(), role="unused port")
    link = Link.UP if item.use in _ANSWERED else Link.ENABLED
    who = item.peer.name if item.peer is not None else item.outside
    carries = item.carries if item.lag is None else None
    untagged, tagged = _carried(carries)
    member_of = spelling.bond(item.lag) if item.lag is not None else item.vrf
    if carries is not None:
        member_of = spelling.bridge
    addresses, role = _text(item.address), f"port to {who}"
    return Interface(
        name=name,
        link=link,
        mtu=item.mtu,
        addresses=addresses,
        member_of=member_of,
        untagged=untagged,
        tagged=tagged,
        role=role,
    )


def _carried(carries: Carries | None) -> tuple[int | None, tuple[int, ...]]:
    if carries is None:
        return None, ()
    native = carries.untagged
    return native.id if native is not None else None, tuple(sorted(v.id for v in carries.tagged))


def _tunnels(piece: SwitchSlice, spelling: Spelling) -> Iterator[Interface]:
    """Yield the VXLAN devices; each is in the one VLAN of its VNI."""
    if piece.vtep is None:
        return
    found = [(vlan.vni, vlan.id) for vlan in piece.vlans if vlan.vni is not None]
    found += [(vrf.vni, vrf.transit_vlan) for vrf in piece.vrfs]
    for vni, vlan in found:
        yield Interface(
            name=spelling.tunnel(vni),
            link=Link.UP,
            mtu=piece.routing.tenant_mtu,
            addresses=(),
            member_of=spelling.bridge,
            untagged=vlan,
            role=f"VXLAN device of VNI {vni}",
        )


def _gateways(piece: SwitchSlice, spelling: Spelling) -> Iterator[Interface]:
    """Yield the routed interfaces of VLANs. A rail's comes up with the first NIC behind it."""
    mac = piece.overlay.anycast_mac if piece.overlay is not None else None
    mtu = piece.routing.tenant_mtu
    for vlan in piece.vlans:
        if vlan.gateway is not None:
            tunnelled = vlan.vni is not None and piece.vtep is not None
            yield Interface(
                name=spelling.svi(vlan.id),
                link=Link.UP if tunnelled else Link.ENABLED,
                mtu=mtu,
                addresses=(str(vlan.gateway),),
                member_of=vlan.vrf,
                mac=mac,
                role=f"gateway of VLAN {vlan.id}",
            )
    for vrf in piece.vrfs:
        role = f"transit interface of VRF {vrf.name}"
        yield Interface(
            name=spelling.svi(vrf.transit_vlan),
            link=Link.UP,
            mtu=mtu,
            addresses=(),
            member_of=vrf.name,
            role=role,
        )

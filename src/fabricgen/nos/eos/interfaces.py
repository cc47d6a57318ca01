"""The interfaces of a switch in; its ports, sorted by what they are for, and its own ones out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.switch import Interface, Lag, SwitchSlice, Use
from fabricgen.nos.eos.names import speed_word
from fabricgen.nos.eos.qos import profile_name
from fabricgen.nos.eos.tenancy import vlan_of
from fabricgen.nos.eos.view import interfaces as view
from fabricgen.nos.eos.view.system import Vrf as VrfName
from fabricgen.nos.shared.description import UNUSED, describe
from fabricgen.units import spans

if TYPE_CHECKING:
    from fabricgen.fabric.overlay import Carries, EvpnRules, Vlan, Vrf
    from fabricgen.fabric.services import Services
    from fabricgen.nos.nos import Spell

_ADDRESS = {4: "ip", 6: "ipv6"}


def ports_of(piece: SwitchSlice, spell: Spell) -> view.Ports:
    """Return every port of the switch: port-channels before their members, alone ones after."""
    members: list[view.BridgedPort] = []
    edge: list[view.BridgedPort] = []
    routed: list[view.RoutedPort] = []
    external: list[view.RoutedPort] = []
    idle: list[view.IdlePort] = []
    for interface in piece.interfaces:
        if interface.use is Use.UNUSED:
            idle.append(_idle(piece, interface, spell))
        elif interface.vrf is not None:
            external.append(_routed(piece, interface, spell))
        elif interface.lag is not None:
            members.append(_bridged(piece, interface, spell))
        elif interface.use is Use.EDGE or interface.carries is not None:
            edge.append(_bridged(piece, interface, spell))
        else:
            routed.append(_routed(piece, interface, spell))
    bundles = [_bundle(piece, lag) for lag in piece.lags]
    return view.Ports((*bundles, *members, *edge), (*routed, *external), tuple(idle))


def _idle(piece: SwitchSlice, interface: Interface, spell: Spell) -> view.IdlePort:
    port = interface.port
    return view.IdlePort(
        because=interface.because,
        name=spell(piece.switch, port),
        description=UNUSED,
        speed=speed_word(port.speed, port.lanes) if port.subs > 1 else None,
    )


def _bridged(piece: SwitchSlice, interface: Interface, spell: Spell) -> view.BridgedPort:
    port, lag = interface.port, interface.lag
    profile = _profile(piece, interface) if interface.use is Use.NIC else None
    return view.BridgedPort(
        because=interface.because,
        name=spell(piece.switch, port),
        description=describe(piece.switch, interface, spell),
        speed=speed_word(port.speed, port.lanes),
        bundle=lag,
        edge=edge_of(interface.carries, profile) if lag is None else None,
    )


def _routed(piece: SwitchSlice, interface: Interface, spell: Spell) -> view.RoutedPort:
    port, address = interface.port, interface.address
    return view.RoutedPort(
        because=interface.because,
        name=spell(piece.switch, port),
        description=describe(piece.switch, interface, spell),
        mtu=interface.mtu,
        speed=speed_word(port.speed, port.lanes),
        vrf=interface.vrf,
        family=_ADDRESS[address.version] if address else "",
        address=str(address) if address else None,
        profile=_profile(piece, interface) if interface.vrf is None else None,
    )


def _bundle(piece: SwitchSlice, lag: Lag) -> view.BridgedPort:
    name = f"Port-Channel{lag.number}"
    return view.BridgedPort(
        because=lag.because,
        name=name,
        description=f"{piece.switch.name}:{name} to {lag.server.name}",
        speed=None,
        bundle=None,
        edge=edge_of(lag.carries, None),
    )


def _profile(piece: SwitchSlice, interface: Interface) -> str | None:
    if piece.qos is None:
        return None
    return profile_name(piece.qos, piece.switch.fabric, interface.port.speed)


@lru_cache(maxsize=4096)
def edge_of(carries: Carries | None, profile: str | None) -> view.Edge:
    """Return the VLANs of a bridged port. One that carries nothing lets nothing in."""
    native = carries.untagged.id if carries is not None and carries.untagged else None
    tagged = [vlan.id for vlan in carries.tagged] if carries is not None else []
    if native is not None and not tagged:
        return view.Edge(access=native, native=None, trunk="", profile=profile)
    every = [*tagged, native] if native is not None else tagged
    return view.Edge(
        access=None, native=native, trunk=spans(every) if every else "none", profile=profile
    )


def interfaces_of(piece: SwitchSlice) -> view.Interfaces:
    """Return loopbacks, the management port, gateways and tunnels."""
    fabric, mtu = piece.switch.fabric, piece.routing.tenant_mtu
    overlay = piece.overlay if piece.vtep is not None else None
    return view.Interfaces(
        router_id=view.Loopback(_reason(fabric, "loopbacks"), str(piece.loopback)),
        vtep=view.Loopback(_reason(fabric, "vteps"), str(piece.vtep)) if piece.vtep else None,
        management=view.ManagementPort(
            because=_quarter(piece.services),
            hostname=piece.switch.name,
            vrf=piece.services.vrf,
            address=str(piece.management),
        ),
        rails=() if overlay else gateways_of(piece.vlans, mtu),
        tunnels=tunnels_of(overlay, piece.vlans, piece.vrfs, mtu) if overlay else None,
    )


_RULES = {"loopbacks": "one router ID per switch", "vteps": "one tunnel endpoint per leaf"}


@lru_cache(maxsize=16)
def _reason(fabric: str, pool: str) -> Because:
    return Because(((fabric, "addressing", pool),), _RULES[pool])


@lru_cache(maxsize=16)
def _quarter(services: Services) -> Because:
    return Because(((*services.path, "subnet"),), "each fabric has its quarter of the subnet")


def gateways_of(vlans: tuple[Vlan, ...], mtu: int) -> tuple[view.Gateway, ...]:
    """Return the gateways of the VLANs that have one."""
    return tuple(
        view.Gateway(
            because=vlan.because,
            vlan=vlan.id,
            description=vlan.text,
            mtu=mtu,
            vrf=vlan.vrf,
            ipv6=vlan.gateway.version == 6,
            address=str(vlan.gateway),
        )
        for vlan in vlans
        if vlan.gateway is not None
    )


@lru_cache(maxsize=128)
def tunnels_of(
    rules: EvpnRules, vlans: tuple[Vlan, ...], vrfs: tuple[Vrf, ...], mtu: int
) -> view.Tunnels | None:
    """Return anycast gateways and the tunnel interface; a leaf without tenants needs none."""
    if not vrfs and all(vlan.vni is None for vlan in vlans):
        return None
    return view.Tunnels(
        because=Because((("tenants",), rules.path), "one VNI per VLAN and per VRF"),
        gateways=tuple(gateway for gateway in gateways_of(vlans, mtu) if gateway.vrf is not None),
        vlans=tuple(vlan_of(vlan) for vlan in vlans if vlan.vni is not None),
        vrfs=tuple(
            VrfName(vrf.because, vrf.name, vrf.vni) for vrf in sorted(vrfs, key=lambda v: v.name)
        ),
    )

"""Lowers a slice to the view of /etc/network/interfaces (ifupdown2)."""

from functools import lru_cache

from fabricgen.core.because import Because
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Carries
from fabricgen.nos.linux.names import (
    BRIDGE,
    MANAGEMENT_PORT,
    below,
    bond_name,
    device_of,
    port_name,
)
from fabricgen.nos.linux.overlay import (
    MANAGEMENT_TABLE,
    gateways,
    snooping,
    transits,
    tunnels,
    vrf_devices,
)
from fabricgen.nos.linux.view import (
    Bond,
    BridgePort,
    FrontPort,
    Interfaces,
    Loopback,
    Management,
    Ports,
    Tunnels,
    UnusedPorts,
    Vlans,
)
from fabricgen.nos.nos import Spell
from fabricgen.nos.shared.description import describe, describe_bundle, describe_share

_OWN = Because((), "what every Linux switch has, whatever its place")


def interfaces(piece: SwitchSlice, spell: Spell) -> Interfaces:
    """Return every interface of a switch."""
    front = ports(piece, spell)
    mtu = piece.routing.tenant_mtu
    overlay = tunnels(piece.vlans, piece.tunnelled, mtu) if piece.vtep else None
    return Interfaces(
        loopback=loopback(piece, overlay),
        management=management(piece),
        ports=front,
        vrfs=vrf_devices(piece.vrfs, piece.switch) if piece.vrfs else None,
        vlans=bridge(piece, front, overlay) if piece.vlans or piece.tunnelled else None,
        because=_OWN,
    )


def ports(piece: SwitchSlice, spell: Spell) -> Ports:
    """Return the ports; each stands in exactly one list."""
    routed: list[FrontPort] = []
    tenants: list[FrontPort] = []
    bridged: list[BridgePort] = []
    members: list[FrontPort] = []
    unused: list[str] = []
    noted: list[UnusedPorts] = []
    for item in piece.interfaces:
        name = port_name(item.port)
        if item.use is Use.UNUSED and item.note is None:
            unused.append(name)
            continue
        alias = describe(piece, item, spell)
        if item.use is Use.UNUSED:
            noted.append(
                UnusedPorts(names=(name,), mtu=item.mtu, because=item.because, alias=alias)
            )
        elif item.carries is not None and item.vrf is None and item.lag is None:
            bridged.append(bridge_port(item, item.carries, alias))
        else:
            port = FrontPort(name=name, alias=alias, interface=item, because=item.because)
            where = tenants if item.vrf is not None else members if item.lag is not None else routed
            where.append(port)
    return Ports(
        routed=tuple(routed),
        tenants=tuple(tenants),
        bridged=tuple(bridged),
        members=tuple(members),
        bonds=bonds(piece),
        shares=tuple(share(piece, item) for item in piece.tagged),
        tunnels=tuple(share(piece, item) for item in piece.tunnels),
        unused=(*((unused_ports(tuple(unused), piece.routing.mtu),) if unused else ()), *noted),
    )


def loopback(piece: SwitchSlice, overlay: Tunnels | None) -> Loopback:
    """Return the loopback with the router ID and the tunnel endpoint."""
    tunnel = piece.vtep.host if piece.vtep is not None else None
    devices = (
        tuple((item.name, item.vni) for item in overlay.tunnels) if overlay is not None else ()
    )
    addresses = [str(piece.loopback)] + ([str(piece.vtep)] if piece.vtep is not None else [])
    because = Because(
        ((*piece.place, "addressing", "loopbacks"),), "router ID, and where tunnels start"
    )
    return Loopback(
        addresses=tuple(addresses),
        tunnel=tunnel,
        devices=devices,
        because=piece.why(because, "loopback", "vtep"),
    )


def management(piece: SwitchSlice) -> Management:
    """Return the management VRF; its gateway is the only default route of the switch."""
    services = piece.services
    return Management(
        vrf=services.vrf,
        table=MANAGEMENT_TABLE,
        port=MANAGEMENT_PORT,
        address=str(piece.management),
        gateway=services.gateway,
        rules=looked_up(services),
        because=piece.why(
            Because(((*services.path, "subnet"),), "management has a routing table of its own"),
            "management",
        ),
    )


def looked_up(services: Services) -> tuple[tuple[int, str], ...]:
    """Return IP version and prefix of each host that is looked up in the table of the VRF.

    Neither the resolver nor a trap of snmpd can be bound to it.
    """
    hosts = dict.fromkeys((*services.dns, *services.trapped))
    return tuple((6, f"{host}/128") if ":" in host else (4, f"{host}/32") for host in hosts)


def share(piece: SwitchSlice, item: Interface) -> FrontPort:
    """Return a tagged share of a port or bond, or a tunnel through what is behind one."""
    name = device_of(item)
    return FrontPort(
        name=name,
        alias=describe_share(piece, item, name),
        interface=item,
        device=below(item) if item.tunnel is not None else name.partition(".")[0],
        because=item.because,
    )


def bridge_port(item: Interface, carries: Carries, alias: str) -> BridgePort:
    """Return a port of the bridge."""
    access, native, tagged = membership(carries)
    return BridgePort(
        name=port_name(item.port),
        alias=alias,
        mtu=item.mtu,
        access=access,
        native=native,
        tagged=tagged,
        because=carries.because,
    )


Membership = tuple[int | None, int | None, tuple[int, ...]]


@lru_cache(maxsize=1024)
def membership(carries: Carries | None) -> Membership:
    """Return the only VLAN, or the native one and the tagged ones."""
    if carries is None:
        return None, None, ()
    untagged = carries.untagged.id if carries.untagged is not None else None
    tagged = tuple(vlan.id for vlan in carries.tagged)
    return (None, untagged, tagged) if tagged else (untagged, None, ())


def bonds(piece: SwitchSlice) -> tuple[Bond, ...]:
    """Return the bundles of a leaf."""
    return tuple(
        Bond(
            name=bond_name(lag.number),
            alias=describe_bundle(piece, lag, bond_name(lag.number)),
            mtu=lag.mtu,
            members=tuple(port_name(member.port) for member in lag.members),
            access=access,
            native=native,
            tagged=tagged,
            because=lag.because,
            system=lag.segment.system if lag.segment is not None else None,
            settings=lag.settings,
        )
        for lag in piece.lags
        for access, native, tagged in (membership(lag.carries),)
    )


@lru_cache(maxsize=256)
def unused_ports(names: tuple[str, ...], mtu: int) -> UnusedPorts:
    """Return the ports that stay down."""
    why = Because((), "nothing is cabled here, so the port is down")
    return UnusedPorts(names=names, mtu=mtu, because=why)


def bridge(piece: SwitchSlice, front: Ports, overlay: Tunnels | None) -> Vlans:
    """Return the bridge with all in it, server ports, bundles, VXLAN devices; and what is on it."""
    mtu = piece.routing.tenant_mtu
    mac = piece.overlay.anycast_mac if piece.overlay is not None else None
    routed = gateways(piece.vlans, mac, mtu)
    bonded = [bond_name(lag.number) for lag in piece.lags if lag.carries is not None]
    inside = overlay.tunnels if overlay is not None else ()
    vlans = [vlan.id for vlan in piece.vlans]
    if piece.vtep is not None:
        vlans += [vrf.transit_vlan for vrf in piece.tunnelled]
    return Vlans(
        bridge=BRIDGE,
        mac=piece.router_mac,
        mtu=mtu,
        ports=(*(port.name for port in front.bridged), *bonded, *(item.name for item in inside)),
        vlans=tuple(vlans),
        snooping=snooping(piece.vlans, tuple(vlans)),
        tunnels=overlay,
        anycast=routed if mac is not None else None,
        rails=routed if mac is None else None,
        transits=transits(piece.tunnelled, mtu),
        because=Because((piece.place,), "one VLAN-aware bridge carries every VLAN"),
    )

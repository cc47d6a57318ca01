"""Lower a slice to the view of /etc/network/interfaces (ifupdown2)."""

from functools import lru_cache

from fabricgen.core.provenance import Provenance
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

_OWN = Provenance((), "every Linux switch has this, in any role")


def interfaces(switch_slice: SwitchSlice, spell: Spell) -> Interfaces:
    front = ports(switch_slice, spell)
    mtu = switch_slice.routing.tenant_mtu
    overlay = tunnels(switch_slice.vlans, switch_slice.tunneled, mtu) if switch_slice.vtep else None
    return Interfaces(
        loopback=loopback(switch_slice, overlay),
        management=management(switch_slice),
        ports=front,
        vrfs=vrf_devices(switch_slice.vrfs, switch_slice.switch) if switch_slice.vrfs else None,
        vlans=bridge(switch_slice, front, overlay)
        if switch_slice.vlans or switch_slice.tunneled
        else None,
        because=_OWN,
    )


def ports(switch_slice: SwitchSlice, spell: Spell) -> Ports:
    """Return the ports; each is in exactly one list."""
    routed: list[FrontPort] = []
    tenants: list[FrontPort] = []
    bridged: list[BridgePort] = []
    members: list[FrontPort] = []
    unused: list[str] = []
    noted: list[UnusedPorts] = []
    for item in switch_slice.interfaces:
        name = port_name(item.port)
        if item.use is Use.UNUSED and item.note is None:
            unused.append(name)
            continue
        alias = describe(switch_slice, item, spell)
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
        bonds=bonds(switch_slice),
        shares=tuple(share(switch_slice, item) for item in switch_slice.tagged),
        tunnels=tuple(share(switch_slice, item) for item in switch_slice.tunnels),
        unused=(
            *((unused_ports(tuple(unused), switch_slice.routing.mtu),) if unused else ()),
            *noted,
        ),
    )


def loopback(switch_slice: SwitchSlice, overlay: Tunnels | None) -> Loopback:
    """Return the loopback with the router ID and the tunnel endpoint."""
    tunnel = switch_slice.vtep.host if switch_slice.vtep is not None else None
    devices = (
        tuple((item.name, item.vni) for item in overlay.tunnels) if overlay is not None else ()
    )
    addresses = [str(switch_slice.loopback)] + (
        [str(switch_slice.vtep)] if switch_slice.vtep is not None else []
    )
    because = Provenance(
        ((*switch_slice.place, "addressing", "loopbacks"),), "router ID and source of tunnels"
    )
    return Loopback(
        addresses=tuple(addresses),
        tunnel=tunnel,
        devices=devices,
        because=switch_slice.why(because, "loopback", "vtep"),
    )


def management(switch_slice: SwitchSlice) -> Management:
    """Return the management VRF; its gateway is the only default route of the switch."""
    services = switch_slice.services
    return Management(
        vrf=services.vrf,
        table=MANAGEMENT_TABLE,
        port=MANAGEMENT_PORT,
        address=str(switch_slice.management),
        gateway=services.gateway,
        rules=looked_up(services),
        because=switch_slice.why(
            Provenance(((*services.path, "subnet"),), "management has a separate routing table"),
            "management",
        ),
    )


def looked_up(services: Services) -> tuple[tuple[int, str], ...]:
    """Return IP version and prefix of each host that needs a rule for the table of the VRF.

    The resolver and traps of snmpd cannot be bound to that VRF.
    """
    hosts = dict.fromkeys((*services.dns, *services.trapped))
    return tuple((6, f"{host}/128") if ":" in host else (4, f"{host}/32") for host in hosts)


def share(switch_slice: SwitchSlice, item: Interface) -> FrontPort:
    """Return a tagged share of a port or bond, or a tunnel through it."""
    name = device_of(item)
    return FrontPort(
        name=name,
        alias=describe_share(switch_slice, item, name),
        interface=item,
        device=below(item) if item.tunnel is not None else name.partition(".")[0],
        because=item.because,
    )


def bridge_port(item: Interface, carries: Carries, alias: str) -> BridgePort:
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


def bonds(switch_slice: SwitchSlice) -> tuple[Bond, ...]:
    return tuple(
        Bond(
            name=bond_name(lag.number),
            alias=describe_bundle(switch_slice, lag, bond_name(lag.number)),
            mtu=lag.mtu,
            members=tuple(port_name(member.port) for member in lag.members),
            access=access,
            native=native,
            tagged=tagged,
            because=lag.because,
            system=lag.segment.system if lag.segment is not None else None,
            settings=lag.settings,
        )
        for lag in switch_slice.lags
        for access, native, tagged in (membership(lag.carries),)
    )


@lru_cache(maxsize=256)
def unused_ports(names: tuple[str, ...], mtu: int) -> UnusedPorts:
    why = Provenance((), "no cable is connected, so the port is down")
    return UnusedPorts(names=names, mtu=mtu, because=why)


def bridge(switch_slice: SwitchSlice, front: Ports, overlay: Tunnels | None) -> Vlans:
    """Return the bridge with its server ports, LAGs and VXLAN devices, and its VLAN interfaces."""
    mtu = switch_slice.routing.tenant_mtu
    mac = switch_slice.overlay.anycast_mac if switch_slice.overlay is not None else None
    routed = gateways(switch_slice.vlans, mac, mtu)
    bonded = [bond_name(lag.number) for lag in switch_slice.lags if lag.carries is not None]
    inside = overlay.tunnels if overlay is not None else ()
    vlans = [vlan.id for vlan in switch_slice.vlans]
    if switch_slice.vtep is not None:
        vlans += [vrf.transit_vlan for vrf in switch_slice.tunneled]
    return Vlans(
        bridge=BRIDGE,
        mac=switch_slice.router_mac,
        mtu=mtu,
        ports=(*(port.name for port in front.bridged), *bonded, *(item.name for item in inside)),
        vlans=tuple(vlans),
        snooping=snooping(switch_slice.vlans, tuple(vlans)),
        tunnels=overlay,
        anycast=routed if mac is not None else None,
        rails=routed if mac is None else None,
        transits=transits(switch_slice.tunneled, mtu),
        because=Provenance((switch_slice.place,), "one VLAN-aware bridge carries every VLAN"),
    )

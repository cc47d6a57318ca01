"""A compiled site in, the plan of its lab out: every switch, server and cable of it, or of a part.

Only the platform `linux` boots here: a site on others is compiled `--as linux` first.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fabricgen.compiler import folder_of, host_slices, slices
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.switch import Use
from fabricgen.fabric.topology import Nic, Port, Server, Switch
from fabricgen.lab.plan import (
    Endpoint,
    LabCable,
    LabHost,
    LabInterface,
    LabPlan,
    LabRoute,
    LabSwitch,
    Skipped,
)
from fabricgen.lab.skipped import skipped_by
from fabricgen.platforms.linux.names import port_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabricgen.fabric.overlay import Vlan
    from fabricgen.fabric.switch import Fabric, Interface, Site, SwitchSlice
    from fabricgen.hosts.slices import HostSlice, Rail

BUNDLE = "bond0"
_FIRST_HOST = 10
"""Hosts of a VLAN count from here above the first address of its subnet; gateways are below."""


@dataclass(slots=True)
class _Tenancy:
    """The tenant hosts of a frontend, gathered leaf by leaf."""

    interfaces: dict[str, list[LabInterface]] = field(default_factory=dict)
    routes: dict[str, list[LabRoute]] = field(default_factory=dict)
    endpoints: list[Endpoint] = field(default_factory=list)
    taken: dict[int, int] = field(default_factory=dict)  # VLAN id → addresses given


def lay_out(
    site: Site, *, name: str, lifted: bool, files: Iterable[str], limit: Sequence[str] = ()
) -> LabPlan:
    """Plan the lab of a site that compiled for `linux`.

    limit: patterns of switch names; servers without a cable left are left out. files: paths of the
    rendered tree, for what the lab will not do with them.
    """
    wanted = {
        switch.name
        for fabric in site.fabrics
        for switch in fabric.topology.switches
        if not limit or any(fnmatchcase(switch.name, pattern) for pattern in limit)
    }
    switches, tenancy = [], _Tenancy()
    for fabric, piece in slices(site):
        if piece.switch.name in wanted:
            switches.append(_switch(piece))
            _tenants(piece, fabric, tenancy)
    hosts = {name: _host(name, tenancy) for name in tenancy.interfaces}
    endpoints = list(tenancy.endpoints)
    for server in host_slices(site):
        rails = [rail for rail in server.rails if rail.leaf in wanted]
        if rails:
            hosts[server.server.name] = _gpu_host(server, rails, hosts.get(server.server.name))
            endpoints.extend(_rail_endpoint(server, rail) for rail in rails)
    return LabPlan(
        name=name,
        site=site.name,
        lifted=lifted,
        gateway=f"{site.services.gateway}/{_management_length(site)}",
        switches=tuple(switches),
        hosts=tuple(hosts.values()),
        cables=tuple(_cables(site, wanted, hosts)),
        endpoints=tuple(endpoints),
        skipped=(*skipped_by(files), *_outside(site, wanted)),
    )


def _management_length(site: Site) -> int:
    first = next(piece for _, piece in slices(site))
    return first.management.length


def _switch(piece: SwitchSlice) -> LabSwitch:
    return LabSwitch(
        piece.switch.name,
        piece.switch.fabric,
        folder_of(piece.switch),
        piece.management.host,
        tuple(port_name(interface.port) for interface in piece.interfaces),
    )


def _outside(site: Site, wanted: set[str]) -> list[Skipped]:
    return [
        Skipped(
            f"{name}: external peer {peer.label}",
            "routers outside the site are not part of a lab; the session stays down",
        )
        for fabric in site.fabrics
        if fabric.overlay is not None
        for name, peers in fabric.overlay.external.items()
        if name in wanted
        for peer in peers
    ]


def _cables(site: Site, wanted: set[str], hosts: dict[str, LabHost]) -> Iterable[LabCable]:
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            lower = link.lower
            there = wanted if isinstance(lower, Switch) else hosts
            if link.upper.name in wanted and lower.name in there:
                yield LabCable(
                    lower.name,
                    _spelled(link.lower_port),
                    link.upper.name,
                    port_name(link.upper_port),
                )


def _spelled(port: object) -> str:
    if isinstance(port, Port):
        return port_name(port)
    assert isinstance(port, Nic)
    return port.name


def _gpu_host(server: HostSlice, rails: list[Rail], before: LabHost | None) -> LabHost:
    """Give a server's NICs what its rendered network files say, from the same slice."""
    interfaces, routes = (
        list(before.interfaces if before else ()),
        list(before.routes if before else ()),
    )
    for rail in rails:
        plan, device, via = rail.plan, rail.plan.nic.name, rail.gateway.host
        interfaces.append(
            LabInterface(device, server.share.mtu, str(rail.address), table=plan.table)
        )
        routes.append(LabRoute(plan.block.prefix, via, device, metric=plan.metric))
        routes.append(LabRoute(rail.address.prefix, "", device, plan.table))
        routes.append(LabRoute(plan.block.prefix, via, device, plan.table))
        if plan.everywhere is not None:
            routes.append(LabRoute(plan.everywhere.prefix, via, device, plan.table))
    return LabHost(server.server.name, tuple(interfaces), tuple(routes))


def _rail_endpoint(server: HostSlice, rail: Rail) -> Endpoint:
    nic = rail.plan.nic
    return Endpoint(
        f"{server.server.name}/{nic.name}",
        server.server.name,
        server.share.fabric,
        nic.name,
        rail.address.host,
        rail.gateway.host,
        f"rail{nic.rail}" + (f".{nic.port}" if nic.port > 1 else ""),
        rail.leaf,
        rail.leaf,
        server.share.mtu,
    )


def _host(name: str, tenancy: _Tenancy) -> LabHost:
    return LabHost(name, tuple(tenancy.interfaces[name]), tuple(tenancy.routes.get(name, ())))


def _tenants(piece: SwitchSlice, fabric: Fabric, tenancy: _Tenancy) -> None:
    """Add the servers at a leaf's bridged ports, with an address in each VLAN they carry."""
    if fabric.addresses.nics is not None:
        return
    bundles = {interface for lag in piece.lags for interface in lag.members}
    for lag in piece.lags:
        ports = [_nic_name(interface) for interface in lag.members]
        _attach(lag.server, lag.members[0], ports, piece, tenancy)
    for interface in piece.interfaces:
        if interface.use is Use.EDGE and interface not in bundles:
            assert isinstance(interface.peer, Server)
            _attach(interface.peer, interface, [_nic_name(interface)], piece, tenancy)


def _nic_name(interface: Interface) -> str:
    assert interface.peer_port is not None
    return _spelled(interface.peer_port)


def _attach(
    server: Server, port: Interface, nics: list[str], piece: SwitchSlice, tenancy: _Tenancy
) -> None:
    bundled = port.lag is not None
    device = BUNDLE if bundled else nics[0]
    made = tenancy.interfaces.setdefault(server.name, [])
    if bundled:
        made.extend(LabInterface(nic, port.mtu) for nic in nics)
    untagged = port.carries.untagged if port.carries else None
    own = _address(untagged, tenancy)
    members = tuple(nics) if bundled else ()
    table = 1000 + len(made) if own else 0
    made.append(LabInterface(device, port.mtu, str(own or ""), members, table=table))
    if own and untagged is not None:
        _reach(server, device, untagged, own, table, port, piece, tenancy)
    for vlan in port.carries.tagged if port.carries else ():
        own = _address(vlan, tenancy)
        table = 1000 + len(made) if own else 0
        named = f"{device}.{vlan.id}"
        made.append(
            LabInterface(named, port.mtu, str(own or ""), parent=device, vlan=vlan.id, table=table)
        )
        if own:
            _reach(server, named, vlan, own, table, port, piece, tenancy)


def _address(vlan: Vlan | None, tenancy: _Tenancy) -> Ip | None:
    """Give the next free address of a VLAN's subnet, None where it has none left or none at all."""
    if vlan is None or vlan.gateway is None:
        return None
    first, last = vlan.gateway.network
    value = first + _FIRST_HOST + tenancy.taken.get(vlan.id, 0)
    if value >= last or value == vlan.gateway.value:
        return None
    tenancy.taken[vlan.id] = tenancy.taken.get(vlan.id, 0) + 1
    return Ip(value, vlan.gateway.length, vlan.gateway.version)


def _reach(
    server: Server,
    device: str,
    vlan: Vlan,
    own: Ip,
    table: int,
    port: Interface,
    piece: SwitchSlice,
    tenancy: _Tenancy,
) -> None:
    """Route by the source's address, so that a host in two VLANs answers from the right one."""
    assert vlan.gateway is not None
    gateway = vlan.gateway.host
    tenancy.routes.setdefault(server.name, []).extend(
        (LabRoute(own.prefix, "", device, table), LabRoute("default", gateway, device, table))
    )
    tenancy.endpoints.append(
        Endpoint(
            f"{server.name}/{vlan.name}",
            server.name,
            piece.switch.fabric,
            device,
            own.host,
            gateway,
            vlan.vrf or vlan.name,
            vlan.name,
            piece.switch.name,
            port.mtu,
        )
    )

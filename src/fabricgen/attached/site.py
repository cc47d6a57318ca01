"""A site in; every server as a running network has it out: interfaces, addresses, ways out.

A server has what its rendered files say, read back from them: ports, bonds, VLANs, addresses,
routes and rules. Where they leave an address to DHCP this gives one: the n-th server of a VLAN has
the n-th address from .10 of its subnet on. What stands in an out-of-band network has the address
that the model keeps for it. For networks that are to be tried: the lab, and folders for
containerlab.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.attached.given import Given, VlanPlace, give
from fabricgen.attached.host import AttachedHost, Endpoint, HostInterface
from fabricgen.compiler import host_slices
from fabricgen.fabric.managed import management_port
from fabricgen.fabric.switch import Fabric, Site
from fabricgen.fabric.topology import Link, Nic, Server
from fabricgen.hosts.bridged import TABLES
from fabricgen.hosts.lower import network_files
from fabricgen.hosts.readback.files import read
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from fabricgen.hosts.readback.network import Network
    from fabricgen.hosts.routed import RoutedPort, RoutedShare, RoutedSide
    from fabricgen.hosts.slices import HostSlice


def attached(site: Site, leafs: Container[str] | None = None) -> dict[str, AttachedHost]:
    """Return every host by its name, or those with a cable to one of these leafs."""
    hosts: dict[str, AttachedHost] = {}
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            if link.to_server and (leafs is None or link.upper.name in leafs):
                name = owner_of(fabric, link)
                host = hosts.setdefault(name, AttachedHost(name=name))
                host.cabled[link.lower_port.label] = link.upper.name
                if fabric.name not in host.fabrics:
                    host.fabrics.append(fabric.name)
    given, vrfs = Given(), _vrfs(site)
    renderer = Renderer()
    for piece in host_slices(site):
        if piece.server.name not in hosts:
            continue
        host = hosts[piece.server.name]
        host.take(_network(piece, renderer))
        given.to_server(host, piece)
        for side in piece.routed:
            _add_routed(host, side, vrfs.get((side.share.fabric, host.name), ""))
    for fabric in site.fabrics:
        _add_managed(hosts, site, fabric, given)
    for host in hosts.values():
        host.endpoints = [replace(each, beside=_beside(host, each)) for each in host.endpoints]
    return hosts


def _beside(host: AttachedHost, end: Endpoint) -> tuple[str, ...]:
    """Return the other segments of a host that an address reaches: by the main table, all."""
    if any(rule.source.partition("/")[0] == end.address for rule in host.rules):
        return ()
    return tuple(dict.fromkeys(each.segment for each in host.endpoints if each is not end))


def owner_of(fabric: Fabric, link: Link) -> str:
    """Return whose the lower end of a cable is: a BMC is a host of its own, beside its server.

    A server with a port among the switches' is a station, and all its ports are its own.
    """
    name, managed = link.lower.name, fabric.managed
    if managed is None or not isinstance(link.lower, Server) or not link.lower.kind:
        return name
    ends = {(name, nic.network) for nic in _nics(fabric, name)} & managed.ends
    own = isinstance(link.lower_port, Nic) and (name, link.lower_port.network) in ends
    return f"{name}-{link.lower_port.label}" if own and ends <= managed.ports.keys() else name


def _nics(fabric: Fabric, server: str) -> Iterator[Nic]:
    for link in fabric.topology.links_at[server]:
        if isinstance(link.lower_port, Nic):
            yield link.lower_port


def _network(server: HostSlice, renderer: Renderer) -> Network:
    """Return what netplan, or whatever reads it, makes of the server's rendered files."""
    return read({file.path: renderer.file(file) for file in network_files(server)})


def _vrfs(site: Site) -> dict[tuple[str, str], str]:
    """Return the VRF of each server of shared rails, by fabric and server."""
    return {
        (fabric.name, server): member.vrf
        for fabric in site.fabrics
        if fabric.overlay is not None
        for server, member in fabric.overlay.members.items()
    }


def _add_routed(host: AttachedHost, side: RoutedSide, vrf: str) -> None:
    """Name the ports that have a cable as those who can be reached."""
    share = side.share
    for port in side.ports:
        nic, group = port.plan.nic, share.fabric
        if share.plan.railed:
            group = f"rail{nic.rail}" + (f".{nic.port}" if nic.port > 1 else "")
        if nic.name in host.cabled:
            host.routed = True
            _add_endpoint(host, share, group, port, vrf)


def _add_endpoint(
    host: AttachedHost, share: RoutedShare, group: str, rail: RoutedPort, vrf: str
) -> None:
    device, via = rail.plan.nic.name, rail.gateway.host
    host.endpoints.append(
        Endpoint(
            name=f"{host.name}/{device}",
            host=host.name,
            fabric=share.fabric,
            device=device,
            address=rail.address.host,
            gateway=via,
            group=group,
            segment=rail.leaf,
            leaf=rail.leaf,
            mtu=share.mtu,
            vrf=vrf,
        )
    )


def _add_managed(
    hosts: Mapping[str, AttachedHost], site: Site, fabric: Fabric, given: Given
) -> None:
    """Give management ports their addresses; stations have the next free one.

    A switch's management port is a host of its own here, with the switch's address.
    """
    managed, overlay, shape = fabric.managed, fabric.overlay, fabric.topology
    if managed is None or overlay is None:
        return
    own = {
        management_port(switch.name): each.addresses.management_address(switch)
        for each in site.fabrics
        for switch in each.topology.switches
    }
    taken = {address.value for address in own.values()}
    for link in shape.links:
        host, nic = hosts.get(owner_of(fabric, link)), link.lower_port
        if host is None or not isinstance(nic, Nic) or nic.name not in host.cabled:
            continue
        end = (link.lower.name, nic.network)
        if end not in managed.ends:
            continue
        spot = shape.places[end]
        vlan = overlay.ports[link.upper.name][spot.index].untagged
        assert vlan is not None
        address = managed.address(vlan, spot) if end in managed.ports else own.get(host.name)
        address = address or given.next(vlan, taken)
        if address is not None:
            place = VlanPlace(
                fabric=fabric.name,
                vlan=vlan,
                device=nic.name,
                table=TABLES + vlan.id,
                mtu=fabric.routing.tenant_mtu,
                way_out=not host.routes,
            )
            host.interfaces.append(HostInterface(name=nic.name, mtu=place.mtu))
            give(host, place, address)

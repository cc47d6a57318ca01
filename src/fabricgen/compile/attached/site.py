"""A site in; every server as a running network has it out: interfaces, addresses, ways out.

A server has what its rendered files say, read back from them: ports, bonds, VLANs, addresses,
routes and rules. Where they leave an address to DHCP this gives one: the n-th server of a VLAN has
the n-th address from .10 of its subnet on. What stands in an out-of-band network has the address
that the model keeps for it. For networks that are to be tried: the lab, and folders for
containerlab.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from fabricgen.compile.attached.given import Given, VlanPlace, give
from fabricgen.compile.attached.host import AttachedHost, Endpoint, HostInterface
from fabricgen.compile.compiler import host_slices
from fabricgen.compile.render import Renderer
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Server, Switch
from fabricgen.nos.hosts.bridged import TABLES
from fabricgen.nos.hosts.lower import network_files
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.hosts.routed import RoutedSide


def attached(site: Site, leafs: Container[str] | None = None) -> dict[str, AttachedHost]:
    """Return every host that is there by its name, or those with a cable to one of these leafs."""
    hosts: dict[str, AttachedHost] = {}
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            if (
                link.to_server
                and link.standing is None
                and (leafs is None or link.upper.name in leafs)
            ):
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
        host.take(read({file.path: renderer.file(file) for file in network_files(piece)}))
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
    ends = {end for end in managed.ends if end[0] == name}
    own = isinstance(link.lower_port, Nic) and (name, link.lower_port.network) in ends
    return f"{name}-{link.lower_port.label}" if own and ends <= managed.ports.keys() else name


def joined(fabric: Fabric, switches: Container[str], hosts: Container[str]) -> Iterator[Link]:
    """Yield the cables between these switches and hosts, but those that are dead."""
    for link in fabric.topology.links:
        there = switches if isinstance(link.lower, Switch) else hosts
        if link.upper.name in switches and owner_of(fabric, link) in there and not link.dead:
            yield link


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
        if nic.name not in host.cabled:
            continue
        host.routed = True
        host.endpoints.append(
            Endpoint(
                name=f"{host.name}/{nic.name}",
                host=host.name,
                fabric=share.fabric,
                device=nic.name,
                address=port.address.host,
                gateway=port.gateway.host,
                group=group,
                segment=port.leaf,
                leaf=port.leaf,
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
    managed, overlay, places = fabric.managed, fabric.overlay, fabric.topology.places
    if managed is None or overlay is None:
        return
    own = _of_switches(site)
    taken = {address.value for address in own.values()}
    for link in fabric.topology.links:
        host, nic = hosts.get(owner_of(fabric, link)), link.lower_port
        end = (link.lower.name, nic.network if isinstance(nic, Nic) else "")
        if host is None or nic.label not in host.cabled or end not in managed.ends:
            continue
        vlan = overlay.ports[link.upper.name][places[end].index].untagged
        assert vlan is not None
        (gateway,) = vlan.gateways
        known = managed.address(vlan, places[end]) if end in managed.ports else own.get(host.name)
        if address := known or given.next(vlan, gateway, taken):
            place = VlanPlace(
                fabric=fabric.name,
                vlan=vlan,
                device=nic.label,
                table=TABLES + vlan.id,
                mtu=fabric.routing.tenant_mtu,
                way_out=not host.routes,
            )
            host.interfaces.append(HostInterface(name=nic.label, mtu=place.mtu))
            give(host, place, address, gateway)


def _of_switches(site: Site) -> Mapping[str, Ip]:
    """Return the address of each switch, by what its management port is called."""
    return {
        management_port(switch.name): fabric.addresses.management_address(switch)
        for fabric in site.fabrics
        for switch in fabric.topology.switches
    }

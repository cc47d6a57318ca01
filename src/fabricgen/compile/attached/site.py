"""Build every server as a running network has it: interfaces, addresses and routes.

A server has the ports, bonds, VLANs, addresses, routes and rules that are read back from its
rendered files. Where the files leave an address to DHCP, this module assigns one: the n-th server
of a VLAN has the n-th address from .10 of its subnet. A host in an out-of-band network has the
address that the model reserves for it. The lab and the containerlab export use the result.
"""

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from fabricgen.compile.attached.host import AttachedHost, Endpoint, HostInterface
from fabricgen.compile.compiler import host_slices
from fabricgen.compile.render import Renderer
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Server, Switch
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.nos.hosts.bridged import TABLES
from fabricgen.nos.hosts.lower import network_files
from fabricgen.nos.hosts.peering import link_files
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.hosts.readback.network import Route, Rule
from fabricgen.nos.hosts.routed import RoutedSide
from fabricgen.nos.hosts.slices import HostSlice

_FIRST_HOST = 10
"""Hosts of a VLAN count from here above the first address of its subnet; gateways are below."""


@record(kw_only=True)
class VlanPlace:
    """Where an address is given: a VLAN on an interface of a host."""

    fabric: str
    vlan: Vlan
    device: str
    way_out: bool


class Given:
    """Addresses that no file contains, assigned from a VLAN to all its servers."""

    def __init__(self) -> None:
        self._taken: Counter[tuple[str, int]] = Counter()

    def to_server(self, host: AttachedHost, host_slice: HostSlice) -> None:
        """Give one server its addresses in tenants' VLANs, of the ports that are there."""
        first = host_slice.way_out or next(
            (each for each in host_slice.members if each.vlan.gateways), None
        )
        for side in host_slice.bridged:
            for each in side.members:
                own = host.of(each.device)
                if own is None or not each.vlan.gateways or first is None:
                    continue
                place = VlanPlace(
                    fabric=side.fabric,
                    vlan=each.vlan,
                    device=each.device,
                    way_out=each.vlan is first.vlan,
                )
                said = {own.version: own for own in each.addresses}
                for gateway in each.vlan.gateways:
                    address = said.get(gateway.version) or self.next(each.vlan, gateway)
                    if address is not None:
                        give(host, place, address, gateway)

    def next(self, vlan: Vlan, gateway: Ip, taken: Container[int] = ()) -> Ip | None:
        """Return the next free address of one of a VLAN's subnets; None when it is full."""
        first, last = gateway.network
        value = first + _FIRST_HOST + self._taken[vlan.name, gateway.version]
        self._taken[vlan.name, gateway.version] += 1
        if value >= last:
            return None
        if value in taken:
            return self.next(vlan, gateway, taken)
        if value == gateway.value:
            return None
        return Ip(value, gateway.length, gateway.version)


def give(host: AttachedHost, place: VlanPlace, address: Ip, gateway: Ip) -> None:
    """Give a host an address, unless its files contain one, and add it as an endpoint."""
    device, vlan = place.device, place.vlan
    here = next(n for n, each in enumerate(host.interfaces) if each.name == device)
    known = host.interfaces[here].addresses
    if not any((":" in each) == (address.version == 6) for each in known):
        table = 0 if place.way_out else TABLES + vlan.id
        host.interfaces[here] = replace(host.interfaces[here], addresses=(*known, str(address)))
        if table:
            host.rules.append(Rule(source=address.host, table=table, priority=table))
            host.routes.append(Route(prefix=address.prefix, via="", device=device, table=table))
        way = Route(prefix="default", via=gateway.host, device=device, table=table)
        host.routes.append(way)
    host.endpoints.append(
        Endpoint(
            name=f"{host.name}/{vlan.name}{'' if gateway is vlan.gateways[0] else ' IPv6'}",
            host=host.name,
            fabric=place.fabric,
            device=device,
            address=address.host,
            gateway=gateway.host,
            group=vlan.vrf or vlan.name,
            segment=vlan.name,
            leaf=host.leaf(device),
            mtu=host.interfaces[here].mtu,
        )
    )


def attached(site: Site, leafs: Container[str] | None = None) -> dict[str, AttachedHost]:
    """Return every existing host by its name, or the hosts with a cable to these leafs."""
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
    given, fabrics = Given(), {fabric.name: fabric for fabric in site.fabrics}
    renderer = Renderer()
    for switch_slice in host_slices(site):
        if switch_slice.server.name not in hosts:
            continue
        host = hosts[switch_slice.server.name]
        host.take(read({file.path: renderer.file(file) for file in network_files(switch_slice)}))
        host.speaker = _speaker(switch_slice, renderer)
        given.to_server(host, switch_slice)
        for side in switch_slice.routed:
            _add_routed(host, side, fabrics[side.share.fabric])
    for fabric in site.fabrics:
        _add_managed(hosts, site, fabric, given)
    for host in hosts.values():
        host.endpoints = [replace(each, beside=_beside(host, each)) for each in host.endpoints]
    return hosts


def _speaker(host_slice: HostSlice, renderer: Renderer) -> dict[str, str]:
    """Return the files of a server with FRR, by path; none for other servers."""
    speaks = any(side.bgp and side.bgp.speaker == "frr" for side in host_slice.bridged)
    return {each.path: renderer.file(each) for each in link_files(host_slice)} if speaks else {}


def _beside(host: AttachedHost, end: Endpoint) -> tuple[str, ...]:
    """Return the other segments of a host that an address reaches: by the main table, all."""
    if any(rule.source.partition("/")[0] == end.address for rule in host.rules):
        return ()
    return tuple(dict.fromkeys(each.segment for each in host.endpoints if each is not end))


def owner_of(fabric: Fabric, link: Link) -> str:
    """Return the owner of the lower end of a cable; a BMC is a separate host.

    A server with a port in the switches' management VLAN is a station, and owns all its ports.
    """
    name, managed = link.lower.name, fabric.managed
    if managed is None or not isinstance(link.lower, Server) or not link.lower.kind:
        return name
    ends = {end for end in managed.ends if end[0] == name}
    own = isinstance(link.lower_port, Nic) and (name, link.lower_port.network) in ends
    return f"{name}-{link.lower_port.label}" if own and ends <= managed.ports.keys() else name


def joined(fabric: Fabric, switches: Container[str], hosts: Container[str]) -> Iterator[Link]:
    """Yield the cables between these switches and hosts, except dead ones."""
    for link in fabric.topology.links:
        there = switches if isinstance(link.lower, Switch) else hosts
        if link.upper.name in switches and owner_of(fabric, link) in there and not link.dead:
            yield link


def _add_routed(host: AttachedHost, side: RoutedSide, fabric: Fabric) -> None:
    """Add the cabled ports as endpoints."""
    share, overlay = side.share, fabric.overlay
    member = overlay.members.get(host.name) if overlay is not None else None
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
                vrf=member.vrf if member is not None else "",
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
                way_out=not host.routes,
            )
            host.interfaces.append(HostInterface(name=nic.label, mtu=fabric.routing.tenant_mtu))
            give(host, place, address, gateway)


def _of_switches(site: Site) -> Mapping[str, Ip]:
    """Return the address of each switch, by the name of its management port."""
    return {
        management_port(switch.name): fabric.addresses.management_address(switch)
        for fabric in site.fabrics
        for switch in fabric.topology.switches
    }

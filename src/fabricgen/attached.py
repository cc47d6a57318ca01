"""A site in; every server as a running network has it out: interfaces, addresses, ways out.

Routed ports get what their rendered files say, read back from them. Nothing in the intent addresses
a tenant's server, so this does: the n-th server of a VLAN has the n-th address from .10 of its
subnet on. For networks that are to be tried: the lab, and folders for containerlab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabricgen.compiler import host_slices
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.overlay import Vlan
from fabricgen.fabric.switch import Site
from fabricgen.fabric.topology import Server
from fabricgen.hosts.bridged import MODES
from fabricgen.hosts.lower import network_files
from fabricgen.hosts.readback.files import read
from fabricgen.hosts.readback.network import Network, Route, Rule
from fabricgen.record import record
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from fabricgen.hosts.bridged import BridgedSide, Member
    from fabricgen.hosts.routed import RoutedPort, RoutedShare
    from fabricgen.hosts.slices import HostSlice

_OPTIONS = {
    "802.3ad": "miimon 100 lacp_rate fast xmit_hash_policy layer3+4",
    "active-backup": "miimon 100",
}
"""What a bond is told beside its mode, as in a server's files."""
_FIRST_HOST = 10
"""Hosts of a VLAN count from here above the first address of its subnet; gateways are below."""


@record(kw_only=True)
class HostInterface:
    """One interface of a host. members: it is a bond of them. vlan: tagged, on `parent`."""

    name: str
    mtu: int
    address: str = ""  # 172.16.0.1/31
    members: tuple[str, ...] = ()
    mode: str = ""  # of a bond, in the kernel's word
    parent: str = ""
    vlan: int = 0


@record(kw_only=True)
class Endpoint:
    """Who can be reached: one address of a host, and the group it belongs to.

    gateway: the first router it knows. group: the VRF of a tenant, or the rail of a NIC. segment:
    the VLAN, or the leaf.
    """

    name: str
    host: str
    fabric: str
    device: str
    address: str
    gateway: str
    group: str
    segment: str
    leaf: str
    mtu: int


@dataclass(slots=True, kw_only=True)
class AttachedHost:
    """One server; one that stands in two fabrics is one host. routed: it has routed ports."""

    name: str
    fabrics: list[str] = field(default_factory=list)
    interfaces: list[HostInterface] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    endpoints: list[Endpoint] = field(default_factory=list)
    routed: bool = False


def attached(site: Site, leafs: Container[str] | None = None) -> dict[str, AttachedHost]:
    """Return every server by its name, or those with a cable to one of these leafs."""
    hosts: dict[str, AttachedHost] = {}
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            if isinstance(link.lower, Server) and (leafs is None or link.upper.name in leafs):
                host = hosts.setdefault(link.lower.name, AttachedHost(name=link.lower.name))
                if fabric.name not in host.fabrics:
                    host.fabrics.append(fabric.name)
    tenants = _Tenants()
    renderer = Renderer()
    for piece in host_slices(site):
        if piece.server.name not in hosts:
            continue
        host = hosts[piece.server.name]
        for side in piece.bridged:
            tenants.add(host, side, piece.way_out, leafs)
        network = _network(piece, renderer) if piece.routed else None
        for own in piece.routed:
            ports = {p.plan.nic.name: p for p in own.ports if leafs is None or p.leaf in leafs}
            if ports and network is not None:
                _add_routed(host, own.share, ports, network)
    return hosts


def _network(server: HostSlice, renderer: Renderer) -> Network:
    """Return what netplan, or whatever reads it, makes of the server's rendered files."""
    return read({file.path: renderer.file(file) for file in network_files(server)})


def _add_routed(
    host: AttachedHost, share: RoutedShare, ports: Mapping[str, RoutedPort], network: Network
) -> None:
    """Give ports what the files say; of a part of the site, those whose leaf is there."""
    host.routed = True
    mine = [route for route in network.routes if route.device in ports]
    host.routes += mine
    tables = {route.table for route in mine}
    host.rules += [rule for rule in network.rules if rule.table in tables]
    for device, port in ports.items():
        host.interfaces.append(
            HostInterface(name=device, mtu=share.mtu, address=network.addresses[device])
        )
        nic, group = port.plan.nic, share.fabric
        if share.plan.railed:
            group = f"rail{nic.rail}" + (f".{nic.port}" if nic.port > 1 else "")
        _add_endpoint(host, share.fabric, share.mtu, group, port)


def _add_endpoint(host: AttachedHost, fabric: str, mtu: int, group: str, port: RoutedPort) -> None:
    device, via = port.plan.nic.name, port.gateway.host
    host.endpoints.append(
        Endpoint(
            name=f"{host.name}/{device}",
            host=host.name,
            fabric=fabric,
            device=device,
            address=port.address.host,
            gateway=via,
            group=group,
            segment=port.leaf,
            leaf=port.leaf,
            mtu=mtu,
        )
    )


class _Tenants:
    """Adds what servers have on evpn fabrics; addresses of a VLAN go round all leafs."""

    def __init__(self) -> None:
        self._taken: Counter[int] = Counter()

    def add(
        self,
        host: AttachedHost,
        side: BridgedSide,
        way_out: Member | None,
        leafs: Container[str] | None,
    ) -> None:
        """Add one side of a server; of a part of the site, the ports whose leaf is there."""
        cabled = {
            port: leaf
            for port, leaf in zip(side.ports, side.leafs, strict=True)
            if leafs is None or leaf in leafs
        }
        plain = {port: HostInterface(name=port, mtu=side.mtu) for port in cabled}
        if side.bond is not None and cabled:
            host.interfaces += plain.values()
            name, mode = side.bond.name, MODES[side.bond.mode]
            bond = HostInterface(name=name, mtu=side.mtu, members=tuple(cabled), mode=mode)
            plain, cabled = {name: bond}, {name: next(iter(cabled.values()))}
        for device, leaf in cabled.items():
            host.interfaces.append(plain[device])
            for member in side.members:
                if member.below == device:
                    self._member(host, side, member, way_out, leaf)

    def _member(
        self,
        host: AttachedHost,
        side: BridgedSide,
        member: Member,
        way_out: Member | None,
        leaf: str,
    ) -> None:
        """Add a VLAN to a host: tagged on an interface of its own, untagged on the last one."""
        vlan = member.vlan
        if member.tagged:
            tagged = HostInterface(
                name=member.device, mtu=side.mtu, parent=member.below, vlan=vlan.id
            )
            host.interfaces.append(tagged)
        own = member.address or self._next(vlan)
        if own is None or vlan.gateway is None:
            return
        host.interfaces[-1] = replace(host.interfaces[-1], address=str(own))
        first = way_out or next(each for each in side.members if each.vlan.gateway is not None)
        table = 0 if vlan is first.vlan else member.table
        if table:
            host.rules.append(Rule(source=own.host, table=table, priority=table))
        host.routes += _ways_out(own, vlan.gateway.host, member.device, table)
        host.endpoints.append(
            Endpoint(
                name=f"{host.name}/{vlan.name}",
                host=host.name,
                fabric=side.fabric,
                device=member.device,
                address=own.host,
                gateway=vlan.gateway.host,
                group=vlan.vrf or vlan.name,
                segment=vlan.name,
                leaf=leaf,
                mtu=side.mtu,
            )
        )

    def _next(self, vlan: Vlan) -> Ip | None:
        """Return the next free address of a VLAN; None without a subnet, or when it is full."""
        if vlan.gateway is None:
            return None
        first, last = vlan.gateway.network
        value = first + _FIRST_HOST + self._taken[vlan.id]
        self._taken[vlan.id] += 1
        if value == vlan.gateway.value or value >= last:
            return None
        return Ip(value, vlan.gateway.length, vlan.gateway.version)


def _ways_out(own: Ip, gateway: str, device: str, table: int) -> Iterator[Route]:
    if table:
        yield Route(prefix=own.prefix, via="", device=device, table=table)
    yield Route(prefix="default", via=gateway, device=device, table=table)


def commands(host: AttachedHost) -> Iterator[str]:
    """Yield the `ip` commands that make a host what it is."""
    bundled = {member for each in host.interfaces for member in each.members}
    for each in host.interfaces:
        if each.name not in bundled:
            yield from _interface(each)
    for route in host.routes:
        yield _route(route)
    for rule in host.rules:
        yield _rule(rule)


def _interface(each: HostInterface) -> Iterator[str]:
    if each.members:
        yield f"ip link add {each.name} type bond mode {each.mode} {_OPTIONS[each.mode]}"
        for member in each.members:
            yield f"ip link set {member} down"
            yield f"ip link set {member} master {each.name}"
    if each.vlan:
        yield f"ip link add link {each.parent} name {each.name} type vlan id {each.vlan}"
    yield f"ip link set {each.name} mtu {each.mtu} up"
    if each.address:
        yield f"ip address add {each.address} dev {each.name}"


def _route(route: Route) -> str:
    words = [_ip(f"{route.via}{route.prefix}"), "route add"]
    words += ["unreachable"] if route.unreachable else []
    words += [route.prefix]
    if not route.unreachable:
        words += [f"via {route.via}"] if route.via else []
        words += [f"dev {route.device}"]
        words += [] if route.via else ["scope link"]
    words += [f"metric {route.metric}"] if route.metric else []
    words += [f"table {route.table}"] if route.table else []
    return " ".join(words)


def _rule(rule: Rule) -> str:
    words = [_ip(f"{rule.source}{rule.to}"), "rule add from", rule.source or "all"]
    words += [f"to {rule.to}"] if rule.to else []
    return " ".join([*words, f"table {rule.table} priority {rule.priority}"])


def _ip(about: str) -> str:
    return "ip -6" if ":" in about else "ip"

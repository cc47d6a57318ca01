"""A site in; every server as a running network has it out: interfaces, addresses, ways out.

NICs of a backend get what their rendered files say, read back from them. Nothing in the intent
addresses a tenant's server, so this does: the n-th server of a VLAN has the n-th address from .10
of its subnet on. For networks that are to be tried: the lab, and folders for containerlab.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabricgen.compiler import host_slices, slices
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.overlay import Carries, Vlan
from fabricgen.fabric.switch import Interface, Site, SwitchSlice, Use
from fabricgen.fabric.topology import Server
from fabricgen.hosts.lower import network_files
from fabricgen.hosts.readback.files import read
from fabricgen.hosts.readback.network import Network, Route, Rule
from fabricgen.record import record
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from fabricgen.hosts.slices import HostSlice, Rail

BUNDLE = "bond0"
_FIRST_HOST = 10
"""Hosts of a VLAN count from here above the first address of its subnet; gateways are below."""
_TABLES = 4000
"""Routing tables of a tenant's second VLAN and on, after those of rails: 1011 and 3011 and up."""


@record(kw_only=True)
class HostInterface:
    """One interface of a host. members: it is an LACP bundle of them. vlan: tagged, on `parent`."""

    name: str
    mtu: int
    address: str = ""  # 172.16.0.1/31
    members: tuple[str, ...] = ()
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
    """One server; one that stands in two fabrics is one host. railed: it has NICs of a backend."""

    name: str
    fabrics: list[str] = field(default_factory=list)
    interfaces: list[HostInterface] = field(default_factory=list)
    routes: list[Route] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    endpoints: list[Endpoint] = field(default_factory=list)
    railed: bool = False


def attached(site: Site, leafs: Container[str] | None = None) -> dict[str, AttachedHost]:
    """Return every server by its name, or those with a cable to one of these leafs."""
    hosts: dict[str, AttachedHost] = {}
    for fabric in site.fabrics:
        for link in fabric.topology.links:
            if isinstance(link.lower, Server) and (leafs is None or link.upper.name in leafs):
                host = hosts.setdefault(link.lower.name, AttachedHost(name=link.lower.name))
                if fabric.name not in host.fabrics:
                    host.fabrics.append(fabric.name)
    tenants = _Tenants(hosts)
    for fabric, piece in slices(site):
        mine = leafs is None or piece.switch.name in leafs
        if mine and fabric.addresses.nics is None:
            tenants.add(piece)
    renderer = Renderer()
    for server in host_slices(site):
        rails = {r.plan.nic.name: r for r in server.rails if leafs is None or r.leaf in leafs}
        if rails:
            _add_rails(hosts[server.server.name], server, rails, _network(server, renderer))
    return hosts


def _network(server: HostSlice, renderer: Renderer) -> Network:
    """Return what netplan, or whatever reads it, makes of the server's rendered files."""
    return read({file.path: renderer.file(file) for file in network_files(server)})


def _add_rails(
    host: AttachedHost, server: HostSlice, rails: Mapping[str, Rail], network: Network
) -> None:
    """Give NICs what the files say; of a part of the site, those whose leaf is there."""
    host.railed = True
    host.routes += [route for route in network.routes if route.device in rails]
    tables = {route.table for route in host.routes}
    host.rules += [rule for rule in network.rules if rule.table in tables]
    for device, rail in rails.items():
        host.interfaces.append(
            HostInterface(name=device, mtu=server.share.mtu, address=network.addresses[device])
        )
        _add_endpoint(host, server, rail)


def _add_endpoint(host: AttachedHost, server: HostSlice, rail: Rail) -> None:
    device, via = rail.plan.nic.name, rail.gateway.host
    nic = rail.plan.nic
    host.endpoints.append(
        Endpoint(
            name=f"{host.name}/{device}",
            host=host.name,
            fabric=server.share.fabric,
            device=device,
            address=rail.address.host,
            gateway=via,
            group=f"rail{nic.rail}" + (f".{nic.port}" if nic.port > 1 else ""),
            segment=rail.leaf,
            leaf=rail.leaf,
            mtu=server.share.mtu,
        )
    )


class _Tenants:
    """Adds the servers at bridged ports, leaf by leaf; addresses of a VLAN go round all leafs."""

    def __init__(self, hosts: dict[str, AttachedHost]) -> None:
        self._hosts = hosts
        self._taken: Counter[int] = Counter()
        self._ways: Counter[str] = Counter()

    def add(self, piece: SwitchSlice) -> None:
        bundled = {member for lag in piece.lags for member in lag.members}
        for lag in piece.lags:
            host, mtu = self._hosts[lag.server.name], lag.mtu
            nics = tuple(_label(port) for port in lag.members)
            host.interfaces += [HostInterface(name=nic, mtu=mtu) for nic in nics]
            self._carried(
                host, lag.carries, HostInterface(name=BUNDLE, mtu=mtu, members=nics), piece
            )
        for port in piece.interfaces:
            if port.use is Use.EDGE and port not in bundled:
                assert isinstance(port.peer, Server)
                plain = HostInterface(name=_label(port), mtu=port.mtu)
                self._carried(self._hosts[port.peer.name], port.carries, plain, piece)

    def _carried(
        self,
        host: AttachedHost,
        carries: Carries | None,
        plain: HostInterface,
        piece: SwitchSlice,
    ) -> None:
        """Add an interface with what its port carries: untagged on it, tagged on it as well."""
        host.interfaces.append(plain)
        if carries is not None and carries.untagged is not None:
            self._address(host, carries.untagged, piece)
        for vlan in carries.tagged if carries is not None else ():
            name = f"{plain.name}.{vlan.id}"
            host.interfaces.append(
                HostInterface(name=name, mtu=plain.mtu, parent=plain.name, vlan=vlan.id)
            )
            self._address(host, vlan, piece)

    def _address(self, host: AttachedHost, vlan: Vlan, piece: SwitchSlice) -> None:
        """Give the last interface its address in a VLAN; the first has the server's default."""
        own = self._next(vlan)
        if own is None or vlan.gateway is None:
            return
        bare = host.interfaces[-1]
        way = self._ways[host.name]
        self._ways[host.name] += 1
        table = _TABLES + way if way else 0
        host.interfaces[-1] = replace(bare, address=str(own))
        if table:
            host.rules.append(Rule(source=own.host, table=table, priority=table))
        host.routes += _ways_out(own, vlan.gateway.host, bare.name, table)
        host.endpoints.append(
            Endpoint(
                name=f"{host.name}/{vlan.name}",
                host=host.name,
                fabric=piece.switch.fabric,
                device=bare.name,
                address=own.host,
                gateway=vlan.gateway.host,
                group=vlan.vrf or vlan.name,
                segment=vlan.name,
                leaf=piece.switch.name,
                mtu=bare.mtu,
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


def _label(port: Interface) -> str:
    assert port.peer_port is not None
    return port.peer_port.label


def commands(host: AttachedHost, *, bundle: str) -> Iterator[str]:
    """Yield the `ip` commands that make a host what it is. bundle: options of its LACP bundles."""
    bundled = {member for each in host.interfaces for member in each.members}
    for each in host.interfaces:
        if each.name not in bundled:
            yield from _interface(each, bundle)
    for route in host.routes:
        yield _route(route)
    for rule in host.rules:
        yield _rule(rule)


def _interface(each: HostInterface, bundle: str) -> Iterator[str]:
    if each.members:
        yield f"ip link add {each.name} type bond mode 802.3ad {bundle}"
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
    words += [f"table {route.table}"] if route.table else []
    return " ".join(words)


def _rule(rule: Rule) -> str:
    words = [_ip(f"{rule.source}{rule.to}"), "rule add from", rule.source or "all"]
    words += [f"to {rule.to}"] if rule.to else []
    return " ".join([*words, f"table {rule.table} priority {rule.priority}"])


def _ip(about: str) -> str:
    return "ip -6" if ":" in about else "ip"

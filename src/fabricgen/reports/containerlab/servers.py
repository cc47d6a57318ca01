"""A site in; the commands that give each server of its lab its addresses and routes out.

NICs of a backend get what the rendered host files say. Nothing in the intent addresses a tenant's
server, so the lab does: the n-th server of a VLAN has the n-th address from .10 of its subnet on.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabricgen.compiler import HOSTS, host_slices, slices
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.switch import Use
from fabricgen.fabric.topology import Server

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.fabric.overlay import Vlan
    from fabricgen.fabric.switch import Interface, Site, SwitchSlice
    from fabricgen.hosts.slices import HostSlice, Rail

SYSCTL = "etc/sysctl.d/90-fabricgen.conf"
BUNDLE = "bond0"
_FIRST_HOST = 10
_TABLES = 2000  # beside those of rails, which are 1011 and up


@dataclass(frozen=True, slots=True)
class ServerNode:
    """One server. binds: rendered files it reads. commands: run in it once the wires are there."""

    fabrics: tuple[str, ...]
    binds: tuple[str, ...]
    commands: tuple[str, ...]


def server_nodes(site: Site) -> Mapping[str, ServerNode]:
    """Return every server by its name; one that stands in two fabrics is one node."""
    fabrics: dict[str, list[str]] = defaultdict(list)
    for fabric in site.fabrics:
        for server in fabric.topology.servers:
            fabrics[server.name].append(fabric.name)
    commands: dict[str, list[str]] = {name: [] for name in fabrics}
    for name, line in _tenants(site):
        commands[name].append(line)
    railed = set()
    for host in host_slices(site):
        railed.add(host.server.name)
        commands[host.server.name].extend(_backend(host))
    return {
        name: ServerNode(
            tuple(places),
            (f"{HOSTS}/{name}/{SYSCTL}:/{SYSCTL}:ro",) if name in railed else (),
            tuple(commands[name]),
        )
        for name, places in fabrics.items()
    }


def _backend(host: HostSlice) -> Iterator[str]:
    yield f"sysctl -q -p /{SYSCTL}"
    for rail in host.rails:
        yield from _rail(rail, host.share.mtu)


def _rail(rail: Rail, mtu: int) -> Iterator[str]:
    """Say what hosts/network.py says to netplan: by source into the rail's own table."""
    plan, device = rail.plan, rail.plan.nic.name
    by = f"via {rail.gateway.host} dev {device}"
    yield f"ip link set {device} mtu {mtu} up"
    yield f"ip address add {rail.address} dev {device}"
    yield f"ip route add {plan.block} {by} metric {plan.metric}"
    yield f"ip route add {rail.address.prefix} dev {device} scope link table {plan.table}"
    yield f"ip route add {plan.block} {by} table {plan.table}"
    if plan.everywhere is not None:
        yield f"ip route add {plan.everywhere} {by} table {plan.table}"
    yield f"ip rule add from {rail.address.host} table {plan.table} priority {plan.table}"


def _tenants(site: Site) -> Iterator[tuple[str, str]]:
    taken: Counter[int] = Counter()
    ways: Counter[str] = Counter()
    for _, piece in slices(site):
        bundled = {member for lag in piece.lags for member in lag.members}
        for lag in piece.lags:
            for line in _bundle(lag.members):
                yield lag.server.name, line
        for port, device in _edges(piece, bundled):
            assert isinstance(port.peer, Server)
            name = port.peer.name
            if device != BUNDLE:
                yield name, f"ip link set {device} mtu {port.mtu} up"
            for vlan, on, lines in _vlans(port, device):
                own = _next(vlan, taken)
                yield from ((name, line) for line in lines)
                if own is not None and vlan.gateway is not None:
                    yield from ((name, line) for line in _reach(own, vlan.gateway, on, ways[name]))
                    ways[name] += 1


def _edges(piece: SwitchSlice, bundled: set[Interface]) -> Iterator[tuple[Interface, str]]:
    """Yield each bridged port to a server with the device at its far end; a bundle once."""
    for lag in piece.lags:
        yield lag.members[0], BUNDLE
    for port in piece.interfaces:
        if port.use is Use.EDGE and port not in bundled:
            assert port.peer_port is not None
            yield port, port.peer_port.label


def _bundle(members: tuple[Interface, ...]) -> Iterator[str]:
    yield f"ip link add {BUNDLE} type bond mode 802.3ad miimon 100"
    for port in members:
        assert port.peer_port is not None
        yield f"ip link set {port.peer_port.label} down"
        yield f"ip link set {port.peer_port.label} master {BUNDLE}"
    yield f"ip link set {BUNDLE} mtu {members[0].mtu} up"


def _vlans(port: Interface, device: str) -> Iterator[tuple[Vlan, str, tuple[str, ...]]]:
    """Yield what a port carries: the VLAN, its device on the server, and what makes that."""
    if port.carries is None:
        return
    if port.carries.untagged is not None:
        yield port.carries.untagged, device, ()
    for vlan in port.carries.tagged:
        on = f"{device}.{vlan.id}"
        yield (
            vlan,
            on,
            (
                f"ip link add link {device} name {on} type vlan id {vlan.id}",
                f"ip link set {on} up",
            ),
        )


def _next(vlan: Vlan, taken: Counter[int]) -> Ip | None:
    """Return the next free address of a VLAN; None without a subnet, or when it is full."""
    if vlan.gateway is None:
        return None
    first, last = vlan.gateway.network
    value = first + _FIRST_HOST + taken[vlan.id]
    taken[vlan.id] += 1
    if value == vlan.gateway.value or value >= last:
        return None
    return Ip(value, vlan.gateway.length, vlan.gateway.version)


def _reach(own: Ip, gateway: Ip, device: str, way: int) -> Iterator[str]:
    """Give an address its way out: the first is the server's default, others go by source."""
    ip = "ip -6" if own.version == 6 else "ip"
    default = f"default via {gateway.host} dev {device}"
    yield f"ip address add {own} dev {device}"
    if way == 0:
        yield f"{ip} route add {default}"
        return
    table = _TABLES + way
    yield f"{ip} route add {own.prefix} dev {device} table {table}"
    yield f"{ip} route add {default} table {table}"
    yield f"{ip} rule add from {own.host} table {table} priority {table}"

"""A site in; the commands that give each server of its lab its addresses and routes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.attached import attached
from fabricgen.compiler import HOSTS
from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.attached import AttachedHost, HostInterface, HostRoute
    from fabricgen.fabric.switch import Site

SYSCTL = "etc/sysctl.d/90-fabricgen.conf"


@record()
class ServerNode:
    """One server. binds: rendered files it reads. commands: run in it once the wires are there."""

    fabrics: tuple[str, ...]
    binds: tuple[str, ...]
    commands: tuple[str, ...]


def server_nodes(site: Site) -> Mapping[str, ServerNode]:
    """Return every server by its name; one that stands in two fabrics is one node."""
    return {
        name: ServerNode(
            tuple(host.fabrics),
            (f"{HOSTS}/{name}/{SYSCTL}:/{SYSCTL}:ro",) if host.railed else (),
            tuple(_commands(host)),
        )
        for name, host in attached(site).items()
    }


def _commands(host: AttachedHost) -> Iterator[str]:
    if host.railed:
        yield f"sysctl -q -p /{SYSCTL}"
    bundled = {member for each in host.interfaces for member in each.members}
    for each in host.interfaces:
        if each.name not in bundled:
            yield from _interface(each)
    for route in host.routes:
        yield _route(route)


def _interface(each: HostInterface) -> Iterator[str]:
    if each.members:
        yield f"ip link add {each.name} type bond mode 802.3ad miimon 100"
        for member in each.members:
            yield f"ip link set {member} down"
            yield f"ip link set {member} master {each.name}"
    if each.vlan:
        yield f"ip link add link {each.parent} name {each.name} type vlan id {each.vlan}"
    yield f"ip link set {each.name} mtu {each.mtu} up"
    if not each.address:
        return
    yield f"ip address add {each.address} dev {each.name}"
    if each.table:
        own = each.address.partition("/")[0]
        yield f"{_ip(own)} rule add from {own} table {each.table} priority {each.table}"


def _route(route: HostRoute) -> str:
    words = [_ip(f"{route.via}{route.prefix}"), "route add", route.prefix]
    words += [f"via {route.via} dev {route.device}" if route.via else f"dev {route.device}"]
    words += ["scope link"] if not route.via else []
    words += [f"table {route.table}"] if route.table else []
    words += [f"metric {route.metric}"] if route.metric else []
    return " ".join(words)


def _ip(about: str) -> str:
    return "ip -6" if ":" in about else "ip"

"""A site in; the commands that give each server of its lab its addresses and routes out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from fabricgen.attached import AttachedHost, HostInterface, attached
from fabricgen.compiler import HOSTS
from fabricgen.fabric.switch import Site
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.hosts.readback.network import Route, Rule

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
    for rule in host.rules:
        yield _rule(rule)


def _interface(each: HostInterface) -> Iterator[str]:
    if each.members:
        yield f"ip link add {each.name} type bond mode 802.3ad miimon 100"
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

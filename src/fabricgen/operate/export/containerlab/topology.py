"""Write a site with its servers as a containerlab topology; each cable occurs once.

The keys are those of schemas/clab.schema.json of srl-labs/containerlab@b11ef1ad.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from fabricgen.compile.attached.host import AttachedHost, commands
from fabricgen.compile.attached.site import attached, joined, owner_of
from fabricgen.compile.compiler import HOSTS, folder_of
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Port, Server, Switch
from fabricgen.nos.containerlab import LAB_IMAGE, Wired
from fabricgen.nos.registry import kind_of, nos, platforms

SYSCTL = "etc/sysctl.d/90-fabricgen.conf"


@record()
class ServerNode:
    """One server. binds: rendered files that it reads. commands: run after the cables exist."""

    fabrics: tuple[str, ...]
    binds: tuple[str, ...]
    commands: tuple[str, ...]


def server_nodes(site: Site, switches: Container[str] | None = None) -> Mapping[str, ServerNode]:
    """Return every server, or those at these switches; a server of two fabrics is one node."""
    return {
        name: ServerNode(
            tuple(host.fabrics),
            (f"{HOSTS}/{name}/{SYSCTL}:/{SYSCTL}:ro",) if host.routed else (),
            tuple(_commands(host)),
        )
        for name, host in attached(site, switches).items()
    }


def _commands(host: AttachedHost) -> Iterator[str]:
    if host.routed:
        yield f"sysctl -q -p /{SYSCTL}"
    yield from commands(host)


SERVER_GROUP = "server"


@record()
class Lab:
    """A site wired for containerlab: the topology, and each switch with its devices."""

    topology: dict[str, Any]
    switches: Mapping[str, Wired]
    servers: Mapping[str, ServerNode]


def only(site: Site, fabrics: Iterable[str]) -> Site:
    """Return the site with these fabrics only; with all fabrics when none is named."""
    wanted = set(fabrics)
    if not wanted:
        return site
    return replace(site, fabrics=tuple(one for one in site.fabrics if one.name in wanted))


def refusals(site: Site) -> list[Diagnostic]:
    """Return the reasons why a site cannot be a lab of containerlab."""
    switches = [one for fabric in site.fabrics for one in fabric.topology.switches]
    others = ", ".join(f"--as {name}" for name in platforms() if nos(name).containerlab)
    unknown = {
        one.platform: one for one in reversed(switches) if nos(one.platform).containerlab is None
    }
    findings = [
        Diagnostic(
            Code.UNSUPPORTED,
            f"containerlab does not support {platform}, the platform of {switch.name}",
            hint=f"use {others} to export the same design on another platform",
        )
        for platform, switch in sorted(unknown.items())
    ]
    servers = {one.name for fabric in site.fabrics for one in fabric.topology.servers}
    names = Counter([*(one.name for one in switches), *servers])
    findings.extend(_twice(f"a node {name}") for name, count in names.items() if count > 1)
    ends = Counter(
        f"{link.lower.name}:{link.lower_port.label}"
        for fabric in site.fabrics
        for link in fabric.topology.links
        if link.to_server
    )
    findings.extend(_twice(f"a cable at {name}") for name, count in ends.items() if count > 1)
    return findings


def _twice(what: str) -> Diagnostic:
    return Diagnostic(
        Code.NAME_NOT_UNIQUE,
        f"two fabrics have {what}, but a lab can have only one",
        hint="rename one, or export one fabric with --fabric",
    )


def lay_out(site: Site) -> Lab:
    """Write the present devices as a lab; `refusals` must be empty."""
    there = {one.name for fabric in site.fabrics for one in fabric.present}
    servers = server_nodes(site, there)
    laid = {fabric.name: list(joined(fabric, there, servers)) for fabric in site.fabrics}
    switches = {
        one.switch.name: one for fabric in site.fabrics for one in _wired(fabric, laid[fabric.name])
    }
    nodes = {name: _switch_node(site, wired) for name, wired in switches.items()}
    nodes.update((name, _server_node(server)) for name, server in servers.items())
    links = [
        {"endpoints": _endpoints(fabric, link, switches)}
        for fabric in site.fabrics
        for link in laid[fabric.name]
    ]
    kinds = {
        kind_of(one.switch.platform).name: kind_of(one.switch.platform) for one in switches.values()
    }
    topology: dict[str, Any] = {
        "kinds": {name: {"image": kind.image} for name, kind in sorted(kinds.items())},
        "nodes": nodes,
    }
    if links:
        topology["links"] = links
    return Lab(
        {"name": site.name, "mgmt": _management(site), "topology": topology}, switches, servers
    )


def _wired(fabric: Fabric, laid: Iterable[Link]) -> Iterator[Wired]:
    used: dict[str, set[Port | Nic]] = defaultdict(set)
    for link in laid:
        used[link.upper.name].add(link.upper_port)
        used[link.lower.name].add(link.lower_port)
    for switch in fabric.present:
        cabled = used[switch.name]
        wire = kind_of(switch.platform).wire
        ports = [port for port in switch.ports if port in cabled]
        wires = {port: wire(switch, port, number) for number, port in enumerate(ports, 1)}
        yield Wired(switch, folder_of(switch), wires)


def _endpoints(fabric: Fabric, link: Link, switches: Mapping[str, Wired]) -> list[str]:
    lower = _device(link.lower, link.lower_port, switches)
    upper = _device(link.upper, link.upper_port, switches)
    return [f"{owner_of(fabric, link)}:{lower}", f"{link.upper.name}:{upper}"]


def _device(owner: Switch | Server, port: Port | Nic, switches: Mapping[str, Wired]) -> str:
    return switches[owner.name].wires[port] if isinstance(port, Port) else port.name


def _management(site: Site) -> dict[str, str]:
    """Use the site's management subnet, so that the rendered addresses are valid."""
    switch, addresses = next(
        (one, fabric.addresses) for fabric in site.fabrics for one in fabric.topology.switches
    )
    return {
        "network": f"{site.name}-mgmt",
        "ipv4-subnet": addresses.management_address(switch).prefix,
        "ipv4-gw": site.services.gateway,
    }


def _switch_node(site: Site, wired: Wired) -> dict[str, Any]:
    switch = wired.switch
    kind = kind_of(switch.platform)
    addresses = next(one.addresses for one in site.fabrics if one.name == switch.fabric)
    return {
        "kind": kind.name,
        "group": switch.role.value,
        "mgmt-ipv4": addresses.management_address(switch).host,
        "labels": {"fabric": switch.fabric, "role": switch.role.value, "model": switch.model.name},
        **kind.node(wired),
    }


def _server_node(server: ServerNode) -> dict[str, Any]:
    """Run a server without a management network, so that eth0 is available for a cable."""
    return {
        "kind": "linux",
        "image": LAB_IMAGE,
        "group": SERVER_GROUP,
        "network-mode": "none",
        "labels": {"fabric": ",".join(server.fabrics), "role": SERVER_GROUP},
        **({"binds": list(server.binds)} if server.binds else {}),
        **({"exec": list(server.commands)} if server.commands else {}),
    }

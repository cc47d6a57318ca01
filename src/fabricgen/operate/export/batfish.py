"""Write a site as a Batfish snapshot.

Forms: pybatfish docs/source/formats.md@0a1d0b8c (layer-1 topology, hosts, announcements) and
batfish HostConfiguration.java@0c33abf8 (`gateway` of an interface). Hosts of Batfish have one
default route and no tables, so each address of a server becomes its own host. Addresses of an
announcement are of class `Ip` (batfish BgpAdvertisement.java), which is IPv4 only.
"""

import json
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.compile.attached.host import AttachedHost, Endpoint
from fabricgen.compile.attached.site import attached, joined, owner_of
from fabricgen.compile.compiler import File, folder_of, slices
from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.record import record
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.managed import management_port
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.nos import Export
from fabricgen.nos.registry import nos, platforms
from fabricgen.operate.export.absent import left_out

LAYER1 = "batfish/layer1_topology.json"
ANNOUNCEMENTS = "external_bgp_announcements.json"
LOCAL_PREFERENCE = 100
"""Default local preference: batfish BgpRoute.java, DEFAULT_LOCAL_PREFERENCE."""
_IPV6 = ":"


@record(kw_only=True)
class Snapshot:
    """A complete snapshot. edges: its cables. left: sentences about omitted parts."""

    files: tuple[File, ...]
    switches: int
    hosts: int
    edges: int
    announcements: int
    left: tuple[str, ...]


def refusals(site: Site) -> list[Diagnostic]:
    """Return a finding for each platform without a Batfish format."""
    known = [name for name in platforms() if nos(name).batfish is not None]
    others = ", ".join(f"--as {name}" for name in known)
    strange = {
        switch.platform: switch
        for fabric in site.fabrics
        for switch in reversed(fabric.topology.switches)
        if switch.platform not in known
    }
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"Batfish does not support {platform}, the platform of {switch.name}",
            hint=f"use {others} to export the same design on another platform",
        )
        for platform, switch in sorted(strange.items())
    ]


def snapshot(site: Site, rendered: Iterable[tuple[Switch | Server, Sequence[File]]]) -> Snapshot:
    """Write the present devices as a snapshot; `refusals` must be empty."""
    there = {each.name for fabric in site.fabrics for each in fabric.present}
    hosts = attached(site, there)
    ports = _management(site)
    ends = [end for name, host in hosts.items() if name not in ports for end in host.endpoints]
    modeled = [end for end in ends if _IPV6 not in end.address]
    edges = list(_edges(site, there, hosts, ports))
    accepted = list(_accepted(site))
    exports = {
        owner.name: _configured(owner, files)
        for owner, files in rendered
        if isinstance(owner, Switch) and owner.name in there
    }
    told = [
        _announcement(*each)
        for each in accepted
        if each[1].version == 4 and not exports[each[0].name].left
    ]
    files = [file for each in exports.values() for file in _files(each)]
    files += [_json(f"hosts/{host_name(end)}.json", _host(end, hosts)) for end in modeled]
    files.append(_json(LAYER1, {"edges": edges}))
    files.append(_json(ANNOUNCEMENTS, {"Announcements": told}))
    return Snapshot(
        files=tuple(sorted(files, key=lambda file: file.path)),
        switches=len(there),
        hosts=len(modeled),
        edges=len(edges) // 2,
        announcements=len(told),
        left=(
            *left_out(site, servers=True),
            *_left(ends, hosts),
            *_unread(exports, accepted, own=len(ports.keys() & hosts)),
        ),
    )


def host_name(end: Endpoint) -> str:
    """Return the name of the host for one address; Batfish uses lower case."""
    return f"{end.host}-{end.device.replace('.', '-')}".lower()


def _management(site: Site) -> dict[str, Switch]:
    """Return the switches by the names of their management ports.

    The file of a switch has its management interface, so the port is not a host.
    """
    every = (switch for fabric in site.fabrics for switch in fabric.topology.switches)
    return {management_port(switch.name): switch for switch in every}


def _configured(owner: Switch, files: Sequence[File]) -> Export:
    late = nos(owner.platform).batfish
    assert late is not None, owner.platform
    below = {file.path.removeprefix(f"{folder_of(owner)}/"): file.text for file in files}
    return late.load()(owner.name, below)


def _files(export: Export) -> Iterator[File]:
    for path, text in export.files.items():
        yield File(path, text, executable=False)


def _host(end: Endpoint, hosts: Mapping[str, AttachedHost]) -> dict[str, Any]:
    (own,) = (each for each in hosts[end.host].interfaces if each.name == end.device)
    prefix = next(each for each in own.addresses if each.startswith(f"{end.address}/"))
    face = {"name": end.device, "prefix": prefix, "gateway": end.gateway}
    return {"hostname": host_name(end), "hostInterfaces": {end.device: face}}


def _edges(
    site: Site,
    there: Container[str],
    hosts: Mapping[str, AttachedHost],
    ports: Mapping[str, Switch],
) -> Iterator[dict[str, Any]]:
    """Yield every cable from both ends; a cable of a LAG member leads to the LAG.

    A cable to a management port leads to the management interface of the switch.
    """
    places = {name: _places(host) for name, host in hosts.items()}
    for name in places.keys() & ports.keys():
        switch, names = ports[name], nos(ports[name].platform).names
        own = {"hostname": switch.name.lower(), "interfaceName": names.management} if names else {}
        places[name] = dict.fromkeys(places[name], own) if own and switch.name in there else {}
    for fabric in site.fabrics:
        for link in joined(fabric, there, hosts):
            upper = {
                "hostname": link.upper.name.lower(),
                "interfaceName": spell(link.upper, link.upper_port),
            }
            if isinstance(link.lower, Server):
                lower = places[owner_of(fabric, link)].get(link.lower_port.label)
            else:
                name = spell(link.lower, link.lower_port)
                lower = {"hostname": link.lower.name.lower(), "interfaceName": name}
            if lower is not None:
                yield {"node1": lower, "node2": upper}
                yield {"node1": upper, "node2": lower}


def _places(host: AttachedHost) -> dict[str, dict[str, str]]:
    """Return the host and interface of the snapshot at each NIC of a server.

    LAGs and VLANs of NICs are separate interfaces without a cable.
    """
    bundles = {member: each.name for each in host.interfaces for member in each.members}
    own = {end.device: end for end in host.endpoints if _IPV6 not in end.address}
    faces = {each.name for each in host.interfaces}
    return {
        nic: {"hostname": host_name(end), "interfaceName": end.device}
        for nic in faces
        if (end := own.get(bundles.get(nic, nic))) is not None
    }


def _accepted(site: Site) -> Iterator[tuple[Switch, ExternalPeer, str]]:
    """Yield each accepted prefix of each session with an external router."""
    there = (it for fabric, it in slices(site) if it.switch.name not in fabric.absent)
    for switch_slice in there:
        for peer in switch_slice.external:
            for rule in peer.accept if peer.speaks else ():
                yield switch_slice.switch, peer, rule.prefix.prefix


def _announcement(switch: Switch, peer: ExternalPeer, prefix: str) -> dict[str, Any]:
    return {
        "type": "ebgp_sent",
        "network": prefix,
        "nextHopIp": peer.remote.host,
        "srcIp": peer.remote.host,
        "dstNode": switch.name.lower(),
        "dstVrf": peer.vrf,
        "dstIp": peer.local.host,
        "srcProtocol": "AGGREGATE",
        "originType": "igp",
        "localPreference": LOCAL_PREFERENCE,
        "med": 0,
        "originatorIp": "0.0.0.0",  # noqa: S104 - a value, not a listening address
        "asPath": [[peer.peer_asn]],
        "communities": [],
        "clusterList": [],
    }


def _left(ends: list[Endpoint], hosts: Mapping[str, AttachedHost]) -> Iterator[str]:
    newer = sum(_IPV6 in end.address for end in ends)
    if newer:
        yield f"{newer} server addresses are IPv6, which Batfish hosts do not support"
    tagged = {
        (host.name, each.name) for host in hosts.values() for each in host.interfaces if each.vlan
    }
    apart = sum((end.host, end.device) in tagged for end in ends)
    if apart:
        yield (
            f"{apart} hosts are in tagged VLANs, which Batfish hosts do not support: their "
            "cables are omitted"
        )


def _unread(
    exports: Mapping[str, Export], accepted: Iterable[tuple[Switch, ExternalPeer, str]], own: int
) -> Iterator[str]:
    """Yield sentences about unsupported input. own: number of management ports."""
    newer = sum(peer.version == 6 for _, peer, _ in accepted)
    if newer:
        yield f"{newer} announcements are IPv6, which Batfish's announcement file does not support"
    if own:
        yield f"{own} management ports are interfaces of their switches, not hosts"
    for sentence, count in Counter(each.left for each in exports.values() if each.left).items():
        yield f"{count} switches: {sentence}, with the announcements of external routers"


def _json(path: str, document: dict[str, Any]) -> File:
    return File(path, json.dumps(document, indent=1) + "\n", executable=False)

"""Write the neutral model as JSON, switch by switch (fields: docs/reference/model.md)."""

import json
from collections.abc import Iterator
from typing import Any, TextIO

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.gateways import Gateway
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.overlay import EvpnRules, Overlay, Vrf
from fabricgen.model.fabric.pair import Pair
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import Fabric, Lag, Session, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link, Place, Server, Topology
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.nos.registry import nos_of

FORMAT = 1


def write_model(site: Site, stream: TextIO) -> None:
    """Write the model of a site to a text stream."""
    stream.write(f'{{"format_version": {FORMAT}, "site": {json.dumps(site.name)},\n"fabrics": [')
    written: dict[str, int] = {}
    for fabric, switch_slice in slices(site):
        if fabric.name not in written:
            stream.write(("" if not written else "\n]},") + _head(fabric))
        text = json.dumps(switch_facts(fabric, switch_slice))
        stream.write((",\n" if written.get(fabric.name) else "\n") + text)
        written[fabric.name] = 1
    stream.write("\n]}]}\n")


def _head(fabric: Fabric) -> str:
    """Return the head of a fabric; its switches follow, one per line."""
    shape = fabric.topology
    facts: dict[str, Any] = {
        "name": fabric.name,
        "design": fabric.design,
        "gpus": fabric.gpus,
        "underlay": {
            "links": fabric.routing.links,
            "mtu": fabric.routing.mtu,
            "ecmp": fabric.routing.ecmp,
            "bfd_ms": fabric.routing.bfd.interval if fabric.routing.bfd else None,
            "allowed_prefixes": [
                {"prefix": item.prefix.prefix, "lengths": [item.shortest, item.longest]}
                for item in fabric.routing.allowed
            ],
        },
        "queues": _queues(fabric.qos),
        **({"queues_of_spines": _queues(fabric.qos_above)} if fabric.qos_above else {}),
        "load_balancing": _balancing(fabric),
        "overlay": _overlay(fabric.overlay),
        **_managed(fabric),
        "servers": [
            {
                "name": server.name,
                "number": place.index,
                "unit": place.unit,
                "group": place.group,
                **({"kind": server.kind, "network": network} if server.kind else {}),
            }
            for server, network, place in _placed(shape)
        ],
        "links": [_link(link) for link in shape.links],
    }
    body = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in facts.items())
    return f'\n{{{body},\n"switches": ['


def _placed(shape: Topology) -> Iterator[tuple[Server, str, Place]]:
    servers = {server.name: server for server in shape.servers}
    for (name, network), place in shape.places.items():
        yield servers[name], network, place


def _managed(fabric: Fabric) -> dict[str, Any]:
    """Return the management ports that an access fabric gives addresses to."""
    if fabric.managed is None:
        return {}
    ports = fabric.managed.each(fabric.topology.places)
    return {
        "management_ports": [
            {
                "owner": port.server,
                "port": port.network,
                "vlan": port.vlan.id,
                "address": str(port.address),
                "mac": port.mac or None,
            }
            for port in ports
        ]
    }


def _balancing(fabric: Fabric) -> dict[str, Any] | None:
    """Return how ECMP paths are chosen; only the seed differs between tiers."""
    if fabric.balancing is None:
        return None
    told = next(iter(fabric.balancing.values()))
    tiers = {switch.role for switch in fabric.topology.switches}
    return {
        "mode": told.mode.value,
        "hash": [field.value for field in told.fields],
        "hash_where_possible": [field.value for field in told.wished],
        "seeds": {
            role.value: item.seed for role, item in fabric.balancing.items() if role in tiers
        },
        "queue_pairs": _queue_pairs(fabric),
    }


def _queue_pairs(fabric: Fabric) -> int | dict[str, int] | None:
    """Return the queue pairs of each connection: one number, or one by kind."""
    plans = [(servers, plan) for (servers, _), plan in fabric.hosts.items() if plan.railed]
    each = {str(servers[-1]): plan.queue_pairs for servers, plan in plans}
    return next(iter(each.values())) if len(set(each.values())) == 1 else each or None


def _link(link: Link) -> dict[str, Any]:
    return {
        "a": [link.lower.name, link.lower_port.label],
        "b": [link.upper.name, link.upper_port.label],
        "speed": str(link.speed),
        "meters": int(link.length),
    }


def switch_facts(fabric: Fabric, switch_slice: SwitchSlice) -> dict[str, Any]:
    """Return the neutral facts of one switch (fields: docs/reference/model.md)."""
    switch = switch_slice.switch
    known = fabric.identities.get(switch.name)
    return {
        "name": switch.name,
        "role": switch.role.value,
        "plane": switch.plane,
        "pod": switch.pod,
        "unit": switch.unit,
        "index": switch.index,
        "rails": list(switch.rails),
        "group": switch.group,
        "model": switch.model.name,
        "platform": switch.platform,
        "release": switch.release or nos_of(switch).release or None,
        "asn": switch_slice.asn,
        "loopback": str(switch_slice.loopback),
        "router_id": switch_slice.router_id.host,
        "vtep": str(switch_slice.vtep) if switch_slice.vtep else None,
        "management": str(switch_slice.management),
        **({"serial": known.serial} if known is not None and known.serial else {}),
        "ports": [_port(interface) for interface in switch_slice.interfaces],
        "sessions": [_session(session) for session in switch_slice.sessions],
        "vlans": [vlan.id for vlan in switch_slice.vlans],
        "vrfs": [
            {"name": vrf.name, "rd": route_distinguisher(switch_slice.loopback, vrf)}
            for vrf in switch_slice.vrfs
        ],
        "external": [_external(peer) for peer in switch_slice.external],
        **(
            {"servers": [_external(peer) for peer in switch_slice.speakers]}
            if switch_slice.speakers
            else {}
        ),
        **({"segments": segments} if (segments := [*_segments(switch_slice.lags)]) else {}),
        **(
            {"mlag": _mlag(switch_slice, switch_slice.pair)}
            if switch_slice.pair is not None
            else {}
        ),
        **({"gateway": _gateway(switch_slice.gateway)} if switch_slice.gateway is not None else {}),
    }


def _segments(lags: tuple[Lag, ...]) -> Iterator[dict[str, Any]]:
    """Yield the bundles of servers that are on another leaf as well."""
    for lag in lags:
        if lag.segment is not None:
            yield {
                "lag": lag.number,
                "server": lag.far,
                "esi": lag.segment.identifier,
                "lacp_system": lag.segment.system,
                "preference": lag.segment.preference,
                "other": lag.segment.peer.name,
            }


def _gateway(gateway: Gateway) -> dict[str, Any]:
    return {
        "name": gateway.name,
        "links": [
            {
                "port": link.interface.port.label,
                "local": str(link.interface.address),
                "remote": link.remote.host,
                "peer": link.peer.name,
                "peer_asn": link.peer_asn,
                "peer_loopback": link.loopback.host,
            }
            for link in gateway.links
        ],
        "vlans": {str(number): target for number, target in gateway.vlans.items()},
        "vrfs": list(gateway.vrfs),
    }


def _mlag(switch_slice: SwitchSlice, pair: Pair) -> dict[str, Any]:
    """Return the MLAG pair of a leaf."""
    return {
        "domain": pair.domain,
        "other": pair.peer.name,
        "local": str(pair.local),
        "remote": pair.remote.host,
        "ports": [item.port.label for item in pair.members],
        "lags": [lag.number for lag in switch_slice.lags if lag.mlag],
        "vrfs": [
            {
                "name": vrf.name,
                "vlan": vrf.vlan,
                "sessions": [{"local": str(own), "remote": far.host} for own, far in vrf.ends],
            }
            for vrf in pair.vrfs
        ],
    }


def _port(interface: Interface) -> dict[str, Any]:
    row: dict[str, Any] = {
        "port": interface.port.label,
        "speed": str(interface.port.speed),
        "use": interface.use.value,
        "mtu": interface.mtu,
    }
    if interface.peer is not None and interface.peer_port is not None:
        row["peer"] = [interface.peer.name, interface.peer_port.label]
    if interface.address is not None:
        row["address"] = str(interface.address)
    if interface.link_local:
        row["link_local"] = True
    if interface.carries is not None:
        row["vlans"] = _carries(interface.carries)
    if interface.lag is not None:
        row["lag"] = interface.lag
    if interface.vrf is not None:
        row["vrf"] = interface.vrf
    if interface.outside:
        row["outside"] = interface.outside
    return row


def _carries(carries: Carries) -> dict[str, Any]:
    return {
        "untagged": carries.untagged.id if carries.untagged else None,
        "tagged": [vlan.id for vlan in carries.tagged],
    }


def _session(session: Session) -> dict[str, Any]:
    return {
        "kind": "overlay" if session.overlay else "underlay",
        "up": session.up,
        "peer": session.peer.name,
        "peer_asn": session.peer_asn,
        "port": session.interface.port.label if session.interface else None,
        "local": str(session.local) if session.local else None,
        "remote": str(session.remote) if session.remote else None,
    }


def _external(peer: ExternalPeer) -> dict[str, Any]:
    return {
        "vrf": peer.vrf,
        "name": peer.name,
        "port": peer.interface.port.label,
        "local": str(peer.local),
        "remote": peer.remote.host,
        **({} if peer.speaks else {"protocol": peer.protocol}),
        **({"area": peer.area} if peer.floods else {}),
        "peer_asn": peer.peer_asn or None,
        "accept": [rule.prefix.prefix for rule in peer.accept],
        "announce": [rule.prefix.prefix for rule in peer.announce],
        "bfd": peer.bfd,
    }


def _queues(qos: Qos | None) -> dict[str, Any] | None:
    if qos is None:
        return None
    watch = qos.watchdog
    return {
        "profile": qos.profile,
        "source": qos.source,
        "classes": [
            {
                "kind": item.kind.value,
                **({"name": item.name} if item.name else {}),
                "traffic_class": item.number,
                "dscps": list(item.dscps),
                "strict": item.strict,
                "share_percent": item.share,
                "pfc_priority": item.paused,
                **({"trimmed_bytes": item.cut} if item.cut is not None else {}),
                "ecn": {
                    str(speed): {
                        "min_bytes": int(mark.minimum),
                        "max_bytes": int(mark.maximum),
                        "probability_percent": mark.probability,
                    }
                    for speed, mark in (item.marking or {}).items()
                }
                or None,
            }
            for item in qos.classes
        ],
        "watchdog": {
            "poll_ms": watch.poll,
            "detection_ms": watch.detection,
            "restoration_ms": watch.restoration,
            "action": watch.action,
            "grows_with_ports": watch.grows,
        }
        if watch
        else None,
    }


def _target(vlan: Vlan, rules: EvpnRules | None) -> str | None:
    """Return the route target by which leafs share a VLAN, or that of its bundle."""
    if rules is None or vlan.vni is None:
        return None
    return _spelled(rules.exported(vlan.bundle or vlan))


def _spelled(targets: tuple[str, ...]) -> str:
    return " ".join(targets)


def _vni(vrf: Vrf, rules: EvpnRules | None) -> dict[str, Any]:
    """Return how leafs share a VRF; a local VRF has no VNI."""
    if rules is None or vrf.local:
        return {"local": True}
    return {
        "l3vni": vrf.vni,
        "transit_vlan": vrf.transit_vlan,
        "route_target": _spelled(rules.exported(vrf)),
    }


def _overlay(overlay: Overlay | None) -> dict[str, Any] | None:
    if overlay is None:
        return None
    rules = overlay.rules
    return {
        "anycast_mac": rules.anycast_mac if rules else None,
        "vrfs": [
            {
                "name": vrf.name,
                "tenant": vrf.tenant,
                "id": vrf.id,
                **_vni(vrf, rules),
            }
            for vrf in overlay.vrfs.values()
        ],
        "vlans": [
            {
                "id": vlan.id,
                "name": vlan.name,
                "tenant": vlan.tenant,
                "l2vni": vlan.vni,
                "vrf": vlan.vrf,
                "gateway": str(vlan.gateways[0]) if vlan.gateways else None,
                **({"gateway6": str(vlan.gateways[1])} if vlan.gateways[1:] else {}),
                "route_target": _target(vlan, rules),
            }
            for vlan in overlay.vlans.values()
        ],
    }

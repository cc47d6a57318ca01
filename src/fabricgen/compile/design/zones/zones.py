"""Design the access lists of zones, with the rules for DHCP and probes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.compile.design.homes import tenants_on
from fabricgen.compile.design.zones.inside import answering, asking, isolating, no_ipv6
from fabricgen.compile.design.zones.lists import (
    Allowed,
    Writer,
    open_gateway,
    open_hosts,
    open_router,
)
from fabricgen.compile.design.zones.members import Members, carried_by, subnets
from fabricgen.compile.design.zones.sources import judge_zoned_sources, own_sources
from fabricgen.core.diagnostics import Code
from fabricgen.core.provenance import Provenance
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip, address_of
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.host_ports import HostPorts
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.vrfs import Diagnostics
from fabricgen.model.fabric.zones import (
    ANY_PORT,
    ICMP,
    UDP,
    Asked,
    FirewallRequirement,
    Guard,
    Member,
    Ports,
    Rule,
    Zones,
)

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.zones import AccessZone


# A gateway's list applies to DHCP only where a relay forwards it out of its VLAN. Without a relay,
# clients and servers share a VLAN, and their packets are bridged.

_PORTS = {4: (68, 67), 6: (546, 547)}
"""Ports of clients and of servers: RFC 2131, 4.1; RFC 8415, 7.2."""
_START = {4: Ip(0, 32), 6: Ip(0xFE80 << 112, 10, 6)}
"""Sources of clients without a lease: RFC 2131, 4.1; link-local addresses, RFC 8415, 17.1."""
_EVERYONE = {4: Ip(0xFFFFFFFF, 32), 6: Ip((0xFF02 << 112) + 0x10002, 128, 6)}
"""The broadcast address, and All_DHCP_Relay_Agents_and_Servers (RFC 8415, 7.1)."""


def client_rules(vlan: Vlan) -> Iterator[Rule]:
    """Yield the rules for packets of a VLAN's DHCP clients to its relays.

    A broadcast has no source before a lease, and the client's address when it rebinds. A renewal
    goes to the server itself (RFC 2131, 4.3.6; RFC 8415, 21.12).
    """
    for relay in vlan.relays:
        leased = _subnets(vlan, relay.version)
        plain = _rule(relay, "a DHCP client asks its relay", _PORTS[relay.version])
        for source in (_START[relay.version], *(leased if relay.version == 4 else ())):
            yield replace(plain, source=source, target=_EVERYONE[relay.version])
        for server in _servers(relay):
            for source in leased:
                why = replace(plain.because, rule="a DHCP client renews its lease")
                yield replace(plain, source=source, target=server, because=why)


def server_rules(overlay: Overlay, vrf: str, sources: Sequence[Member]) -> Iterator[Rule]:
    """Yield the rules for answers of DHCP servers to relays and to renewing clients."""
    for relay in overlay.vrfs[vrf].relays:
        client, port = _PORTS[relay.version]
        to_relay = _rule(relay, "a DHCP server answers a relay", (port, port))
        to_client = _rule(relay, "a DHCP server answers a renewal", (port, client))
        pool = relay.sources.whole
        vlans = [vlan for vlan in overlay.vlans.values() if relay in vlan.relays]
        subnets = [net for vlan in vlans for net in _subnets(vlan, relay.version)]
        for server in _servers(relay):
            if not any(source.prefix.holds(server) for source in sources):
                continue
            yield replace(to_relay, source=server, target=pool)
            for subnet in subnets:
                yield replace(to_client, source=server, target=subnet)


def _rule(relay: Relay, sentence: str, ports: tuple[int, int]) -> Rule:
    """Return a rule of a relay that still lacks its ends. ports: of the source and the target."""
    source, target = ports
    everything = Ip(0, 0, relay.version)
    return Rule(
        permit=True,
        protocol=UDP,
        source=everything,
        target=everything,
        source_ports=(source, source),
        target_ports=(target, target),
        because=replace(relay.because, rule=sentence),
    )


def _servers(relay: Relay) -> list[Ip]:
    return list(map(address_of, relay.servers))


def _subnets(vlan: Vlan, version: int) -> list[Ip]:
    gateway = vlan.gateway(version)
    return [gateway.subnet] if gateway is not None else []


_REPLY = 0  # RFC 792


def probe_rules(vlan: Vlan, probed: Iterable[Diagnostics]) -> Iterator[Rule]:
    """Yield a rule for each set of diagnostic addresses: echo replies of a VLAN, nothing else."""
    own = vlan.gateway(4)
    if own is None:
        return
    for each in probed:
        yield Rule(
            permit=True,
            protocol=ICMP,
            source=own.subnet,
            target=each.sources.whole,
            message=_REPLY,
            answers=True,
            because=replace(each.because, rule="servers answer the pings of leafs"),
        )


def zoned(intent: Intent, fabric: str, overlay: Overlay, findings: Findings) -> Overlay:
    """Return the overlay of a fabric with its zones."""
    zones: dict[str, AccessZone] = intent.unless_refused("zones") or {}
    if not zones:
        return overlay
    members = Members(
        zones=zones,
        carried=carried_by(tenants_on(intent, fabric)),
        overlay=overlay,
        findings=findings,
    )
    return with_zones(members, tuple(flows_of(intent, {})))


def with_zones(members: Members, allowed: Sequence[Allowed]) -> Overlay:
    """Return the overlay of some members with their lists."""
    overlay, zones, findings = members.overlay, members.zones, members.findings
    writer = Writer(allowed=allowed)
    judge_zoned_sources(overlay, members.peers, findings)
    vrfs = {vlan.vrf for vlan in members.routed if vlan.id in members.vlans}
    vrfs |= {peer.vrf for peer in overlay.peers if peer.label in members.peers}
    told = {ports.label: ports for ports in overlay.speaking if ports.label in members.hosts}
    vrfs |= {ports.vrf for ports in told.values()}
    seen = {vrf: members.seen_by(vrf) for vrf in sorted(filter(None, vrfs))}
    gates = [vlan for vlan in members.routed if vlan.id in members.vlans]
    routers = [peer for peer in overlay.peers if peer.label in members.peers]
    behind = (
        FirewallRequirement(zone=name, through=zone.through, path=at("zones", name, "through"))
        for name, zone in zones.items()
        if zone.through is not None
    )
    result = Zones(
        vlans={vlan.id: _gate(vlan, members, seen, writer) for vlan in gates},
        peers={
            **overlay.zones.peers,
            **{peer.label: _router(peer, members, seen, writer) for peer in routers},
            **{label: _hosts(told[label], members, seen, writer) for label in told},
        },
        members=seen,
        behind=tuple(behind),
        asked=tuple(
            dict.fromkeys(
                Asked(each.path, *each.ends) for each in writer.allowed if each.path[0] == "flows"
            )
        ),
    )
    return replace(overlay, zones=result, external=_announced(overlay, result, findings))


def _announced(
    overlay: Overlay, zones: Zones, findings: Findings
) -> dict[str, tuple[ExternalPeer, ...]]:
    """Return the external peers without announcements that would draw packets past a firewall."""
    through = {promise.zone: promise.through for promise in zones.behind}
    return {
        leaf: tuple(_with_ways(peer, zones, through, findings) for peer in peers)
        for leaf, peers in overlay.external.items()
    }


def _with_ways(
    peer: ExternalPeer, zones: Zones, through: Mapping[str, str], findings: Findings
) -> ExternalPeer:
    """Return a peer that receives only prefixes that its list permits.

    through: the zone of the firewall, by zone.
    """
    guard = zones.peers.get(peer.label)
    if guard is None or not peer.announce:
        return peer
    homes = [zones.zone_of(peer.vrf, rule.prefix) for rule in peer.announce]
    ways = [through.get(home, guard.zone) for home in homes]
    pairs = zip(peer.announce, ways, strict=True)
    kept = tuple(rule for rule, zone in pairs if zone == guard.zone)
    if kept:
        return replace(peer, announce=kept) if len(kept) < len(ways) else peer
    findings.error(
        Code.ROUTE_PAST_FIREWALL,
        f"{peer.label} of zone {guard.zone} has no prefix to advertise: all subnets of VRF "
        f"{peer.vrf} are reached through another zone, {peer.announce[0].prefix.prefix} through "
        f"{ways[0]}",
        peer.because.main,
        "remove this router, or give the VRF a subnet in a zone without `through`",
    )
    return peer


def _gate(
    vlan: Vlan, members: Members, seen: dict[str, tuple[Member, ...]], writer: Writer
) -> Guard:
    """Return the guard of a VLAN's gateway: behind it are its subnet and its zone's prefixes."""
    zone, targets = members.vlans[vlan.id], seen[str(vlan.vrf)]
    own = subnets(vlan)
    others = {subnet for each in members.routed for subnet in subnets(each)}
    others |= {prefix for label in members.hosts for prefix, _ in members.behind(label)}
    mine = [each for each in targets if each.zone == zone and not each.outside]
    sources = [each for each in mine if each.prefix in own or each.prefix not in others]
    rule = f"what VLAN {vlan.name} of zone {zone} may send"
    because = Provenance((members.place(zone), *vlan.because.paths), rule)
    first = [*client_rules(vlan), *server_rules(members.overlay, str(vlan.vrf), sources)]
    first += probe_rules(vlan, members.probing(str(vlan.vrf)))
    first += [*asking(vlan, members.served, targets)]
    first += answering(members.served, sources, members.routed)
    isolated = vlan.id in members.isolated
    if isolated:
        first += isolating(vlan)
        targets = tuple(each for each in targets if each.prefix not in own)
    opening = partial(open_gateway, first, because)
    lists = [*writer.lists(str(vlan.id), opening, sources, targets, because)]
    if isolated:
        lists.append(no_ipv6(vlan))
    return Guard(zone=zone, vlan=vlan.id, peer="", lists=tuple(lists), isolated=isolated)


def _hosts(
    ports: HostPorts, members: Members, seen: dict[str, tuple[Member, ...]], writer: Writer
) -> Guard:
    """Return the guard of ports to servers with BGP: their links and prefixes are behind them."""
    zone, targets, label = members.hosts[ports.label], seen[ports.vrf], ports.label
    own = {prefix for prefix, _ in members.behind(label)}
    sources = [each for each in targets if each.prefix in own]
    assert ports.bgp is not None  # it has a label
    rule = f"what servers {label} of zone {zone} may send"
    because = Provenance((at("zones", zone), *ports.bgp.because.paths), rule)
    first = list(server_rules(members.overlay, ports.vrf, sources))
    lists = writer.lists(label, partial(open_hosts, first), sources, targets, because)
    return Guard(zone=zone, vlan=None, peer=label, lists=tuple(lists))


def _router(
    peer: ExternalPeer, members: Members, seen: dict[str, tuple[Member, ...]], writer: Writer
) -> Guard:
    """Return the guard of a port to an external router: its accepted prefixes are behind it.

    Prefixes of the zone of another router are behind that router: here they would be forged
    sources.
    """
    zone, targets = members.peers[peer.label], seen[peer.vrf]
    taken = [rule.prefix.subnet for rule in peer.accept]
    others = set(members.peers.values()) - {zone}
    sources = [
        each
        for each in targets
        if each.outside
        and each.zone not in others
        and any(prefix.holds(each.prefix) for prefix in taken)
    ]
    rule = f"what outside router {peer.label} of zone {zone} may send"
    because = Provenance((members.place(zone), *peer.because.paths), rule)
    overlay = members.overlay
    forged = (rule for version in (4, 6) for rule in own_sources(overlay, peer, version))
    first = [*forged, *server_rules(overlay, peer.vrf, sources)]
    first += answering(members.served, sources, members.routed)
    lists = writer.lists(peer.label, partial(open_router, peer, first), sources, targets, because)
    return Guard(zone=zone, vlan=None, peer=peer.label, lists=tuple(lists))


def flows_of(intent: Intent, places: Mapping[str, IntentPath]) -> Iterator[Allowed]:
    """Yield each service of each flow, between each two of its zones.

    places: of zones that are not in `zones:`.
    """
    named = intent.unless_refused("services") or {}
    for number, flow in enumerate(intent.unless_refused("flows") or ()):
        path = at("flows", number)
        for client in flow.clients:
            for server in flow.servers:
                for service in flow.services:
                    for text in named.get(service, (service,)):
                        protocol, ports = _service(text)
                        yield Allowed(
                            client=client,
                            server=server,
                            protocol=protocol,
                            ports=ports,
                            path=path,
                            ends=_ends(client, server, places),
                        )


def _ends(
    client: str, server: str, places: Mapping[str, IntentPath]
) -> tuple[IntentPath, IntentPath]:
    return places.get(client, ("zones", client)), places.get(server, ("zones", server))


def _service(text: str) -> tuple[str, Ports]:
    """Read tcp/443, udp/1024-2048, tcp or icmp."""
    protocol, _, ports = text.partition("/")
    if not ports:
        return protocol, ANY_PORT
    first, _, last = ports.partition("-")
    return protocol, (int(first), int(last or first))

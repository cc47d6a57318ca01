"""Design the zones of a management network: its VLANs, and its external routers together.

Operators come from outside or from the VLAN of switches, so they may open connections by default.
Devices may open none, except to the services of the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.racks import SWITCHES
from fabricgen.compile.design.services import services_in, services_of
from fabricgen.compile.design.zones.inside import Served, served_by
from fabricgen.compile.design.zones.lists import Allowed
from fabricgen.compile.design.zones.members import Members
from fabricgen.compile.design.zones.zones import flows_of, with_zones
from fabricgen.model.fabric.zones import ANY_PORT, ICMP, TCP, UDP

if TYPE_CHECKING:
    from fabricgen.compile.design.managing import Managing
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.zones import AccessZone
    from fabricgen.model.fabric.overlay import Overlay
    from fabricgen.model.fabric.zones import Ports

OUTSIDE = "outside"
"""Name of the zone of a management network's external routers."""
_OPERATED: tuple[tuple[str, Ports], ...] = (
    (TCP, ANY_PORT),
    (ICMP, ANY_PORT),
    (UDP, (161, 161)),  # SNMP, RFC 3417
    (UDP, (623, 623)),  # IPMI over LAN: IANA, asf-rmcp
)
_OPEN: tuple[tuple[str, Ports], ...] = ((TCP, ANY_PORT), (UDP, ANY_PORT), (ICMP, ANY_PORT))


def names_of(mine: Managing) -> tuple[dict[str, IntentPath], dict[str, IntentPath]]:
    """Return the VLANs and the external routers of a management network, as zones name them."""
    name, words = mine.here[1], mine.words
    said = words.unless_refused("vlans")
    keys = (SWITCHES, *said.addressed) if said is not None else ()
    vlans = {f"{name}/{key}": mine.vlan(key) for key in keys}
    external = words.unless_refused("external") or {}
    return vlans, {f"{name}/{key}": mine.at("external", key) for key in external}


def zones_of(mine: Managing) -> dict[str, IntentPath]:
    """Return the zones that a management network has without `zones:`, with their places."""
    if not mine.words.separate:
        return {}
    vlans, external = names_of(mine)
    return {**vlans, **({f"{mine.here[1]}/{OUTSIDE}": mine.at("external")} if external else {})}


def managed_zones(mine: Managing, overlay: Overlay, intent: Intent, findings: Findings) -> Overlay:
    """Return the overlay of a fabric with the zones of its management network."""
    vrf = mine.words.vrf
    part = replace(
        overlay,
        vrfs={vrf: overlay.vrfs[vrf]},
        vlans={vlan.id: vlan for vlan in overlay.vlans.values() if vlan.vrf == vrf},
        external={
            leaf: tuple(peer for peer in peers if peer.vrf == vrf)
            for leaf, peers in overlay.external.items()
        },
    )
    named = _named(mine, intent)
    findings = findings if named else Findings()  # other errors of its prefixes are reported
    members = Members(
        zones=named,
        carried=_carried(mine),
        overlay=part,
        findings=findings,
        served=_served(intent) if mine.words.separate else (),
        isolated=_isolated(mine),
    )
    if not (mine.words.separate or members.vlans or members.peers):
        return overlay
    places = zones_of(mine)
    if mine.words.separate:
        members.complete(OUTSIDE, places)
    allowed = [*flows_of(intent, places)]
    if mine.words.separate and mine.words.operators:
        allowed += _operating(mine, members)
    made = with_zones(members, tuple(allowed))
    peers = {leaf: made.external.get(leaf, ()) for leaf in overlay.external}
    others = {
        leaf: tuple(peer for peer in own if peer.vrf != vrf)
        for leaf, own in overlay.external.items()
    }
    return replace(
        overlay,
        zones=overlay.zones.joined(made.zones),
        external={leaf: (*others[leaf], *peers[leaf]) for leaf in overlay.external},
    )


def _served(intent: Intent) -> tuple[Served, ...]:
    """Return the services of the site and of all its fabrics."""
    whole, told = services_of(intent.site, Findings()), Findings()
    every = (whole, *(services_in(words, whole, told) for words in intent.each_fabric()))
    return tuple(
        {
            (each.address, each.protocol, each.port): each
            for one in reversed(every)
            for each in served_by(one)
        }.values()
    )


def _named(mine: Managing, intent: Intent) -> dict[str, AccessZone]:
    """Return the zones of the intent that name a VLAN, router or kind of this network."""
    vlans, external = names_of(mine)
    kinds = _carried(mine)
    every: dict[str, AccessZone] = intent.unless_refused("zones") or {}
    return {
        name: zone
        for name, zone in every.items()
        if vlans.keys() & set(zone.unless_refused("vlans") or ())
        or external.keys() & set(zone.unless_refused("outside") or ())
        or kinds.keys() & set(zone.unless_refused("servers") or ())
    }


def _carried(mine: Managing) -> Mapping[str, set[str]]:
    """Return the VLANs of `others` on the ports of each kind of servers."""
    found: dict[str, set[str]] = {}
    for each in mine.fabric.managed:
        if each.ports.vlan in mine.words.vlans.others:
            found.setdefault(each.kind, set()).add(f"{mine.here[1]}/{each.ports.vlan}")
    return found


def _isolated(mine: Managing) -> frozenset[int]:
    if not mine.words.separate:
        return frozenset()
    return frozenset(own.id for own in mine.words.vlans.addressed.values() if own.isolated)


def _operating(mine: Managing, members: Members) -> Iterator[Allowed]:
    """Yield what operators may open: from outside, and from the VLAN of switches."""
    switches = members.vlans.get(mine.words.vlans.switches.id)
    outside = dict.fromkeys(members.peers.values())
    every = dict.fromkeys((*members.vlans.values(), *outside))
    operators = dict.fromkeys((*([switches] if switches is not None else ()), *outside))
    for client in operators:
        for server in every:
            if client == server or (client in outside and server in outside):
                continue
            for protocol, ports in _OPEN if {client, server} <= operators.keys() else _OPERATED:
                yield Allowed(
                    client=client,
                    server=server,
                    protocol=protocol,
                    ports=ports,
                    path=mine.at("operators"),
                    ends=(members.place(client), members.place(server)),
                )

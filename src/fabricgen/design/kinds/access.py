"""The words of an access fabric, racks and what the other fabrics became in; its design out.

Access switches are routed up by eBGP to both of a pair and carry their VLANs in VXLAN between them,
so nothing loops, no uplink idles, no switch pair has to be told of the other (MLAG), and a subnet
is one subnet wherever its ports are: management addresses stay when racks move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.design.addressing import allocate, judge_pools, reserve
from fabricgen.design.balancing import plain_balance
from fabricgen.design.external import with_ways_out
from fabricgen.design.findings import Findings
from fabricgen.design.identity import identities
from fabricgen.design.managed_ports import managed_ports
from fabricgen.design.managed_vlans import managed_overlay
from fabricgen.design.qos import plain_classes
from fabricgen.design.racks import Contents, Rack, Standing, judge_places, racks_of
from fabricgen.design.routing import route
from fabricgen.design.wiring.access import UPLINKS, Racks, WiredAccess, wire_access
from fabricgen.design.wiring.naming import judge_names, judge_patterns
from fabricgen.diagnostics import Code, Stop, did_you_mean
from fabricgen.fabric.services import Services
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Topology
from fabricgen.intent.paths import at

if TYPE_CHECKING:
    from fabricgen.intent.model.access import Access
    from fabricgen.intent.model.fabric import KindPorts
    from fabricgen.intent.model.intent import Intent


def design_access(
    others: Sequence[Fabric],
    intent: Intent,
    words: Access,
    services: Services,
    findings: Findings,
) -> Fabric | None:
    """Design an access fabric; None where an error leaves no whole one.

    others: the fabrics whose switches have their management ports here, those without errors.
    """
    for judge in (judge_patterns, judge_pools):
        findings.attempt(partial(judge, words, findings))
    findings.attempt(lambda: _judge_servers(intent, words, findings))
    racks = findings.attempt(lambda: _filled(others, intent, words, findings))
    if racks is None:
        return None
    site = intent.site.called
    wired = findings.attempt(lambda: wire_access(words, racks, site, findings))
    if wired is None:
        return None
    switches = Topology(fabric=words.name, switches=wired.topology.switches)
    judge_names(switches, words, findings)
    return findings.attempt(lambda: _fabric(intent, words, services, racks, wired, findings))


def _filled(others: Sequence[Fabric], intent: Intent, words: Access, findings: Findings) -> Racks:
    """Return the racks of each type that is cabled here, with their management ports.

    Its own switches have such ports, too; which there are follows from the ports of all others.
    """
    site, racks = intent.site.called, _racks(intent, words, findings)
    if len(others) < sum(not isinstance(each, type(words)) for each in intent.each_fabric()):
        raise Stop  # an error of another fabric is said: nobody knows its switches
    names = [switch.name for fabric in others for switch in fabric.topology.switches]
    trial = Findings()
    without = _contents(intent, racks, Contents(_there(intent, words, names), trial, known=False))
    first = trial.attempt(lambda: wire_access(words, without, site, trial))
    own = [switch.name for switch in first.topology.switches] if first is not None else []
    there = _there(intent, words, [*names, *own])
    contents = Contents(there, findings, known=first is not None)
    full = _contents(intent, racks, contents)
    if left := contents.left:
        more = f" and {len(left) - 1} more" if left[1:] else ""
        findings.warn(
            Code.INTENT_WITHOUT_LINES,
            f"no rack that is cabled to {words.name} holds {left[0]}{more}: nothing reaches the "
            "management port",
            words.at("zones"),
            "name it in `holds` of a rack",
        )
    return full


def _there(intent: Intent, words: Access, switches: Sequence[str]) -> Standing:
    sets: dict[str, list[KindPorts]] = {}
    for each in words.served:
        sets.setdefault(each.kind, []).append(each)
    kinds = frozenset(intent.servers)
    return Standing(switches=switches, sets=sets, kinds=kinds, site=intent.site.called)


def _judge_servers(intent: Intent, words: Access, findings: Findings) -> None:
    """Report kinds of servers without a port here, and ports of another speed."""
    here = {each.kind for each in words.served}
    for kind in sorted(intent.servers.keys() - here):
        findings.warn(
            Code.INTENT_WITHOUT_LINES,
            f"servers of kind {kind} have no port on {words.name}: nobody reaches them when "
            "their system is down",
            at("servers", kind, "ports"),
            f"add `bmc: {{fabric: {words.name}, speed: {words.speed}}}`",
        )
    for each in words.served:
        if each.ports.speed != words.speed:
            findings.error(
                Code.SPEED_NOT_ON_MODEL,
                f"management ports of {words.name} run at {words.speed}, not {each.ports.speed}",
                each.at("speed"),
            )


def _racks(intent: Intent, words: Access, findings: Findings) -> dict[str, list[Rack]]:
    """Return the racks of each type; zones of racks that are not there are said."""
    for kind in sorted(words.zones.keys() - intent.racks.keys()):
        findings.spoil(
            Code.UNKNOWN_REFERENCE,
            f"no racks of type {kind!r}",
            words.at("zones", kind),
            did_you_mean(kind, intent.racks),
        )
    site = intent.site.called
    racks = {name: racks_of(name, kind, site, findings) for name, kind in intent.racks.items()}
    judge_places(racks, findings)
    return {name: each for name, each in racks.items() if name in words.zones}


def _contents(intent: Intent, racks: dict[str, list[Rack]], contents: Contents) -> Racks:
    return {
        name: [(rack, contents.of(rack, intent.racks[name])) for rack in each]
        for name, each in racks.items()
    }


def _fabric(
    intent: Intent,
    words: Access,
    services: Services,
    racks: Racks,
    wired: WiredAccess,
    findings: Findings,
) -> Fabric | None:
    topology, site = wired.topology, intent.site.called
    room = reserve(topology, 0, UPLINKS, UPLINKS)
    addresses = allocate(words, room, intent.site.management, None, findings)
    routing = route(
        topology, addresses, words.underlay, words.here, UPLINKS, findings, overlay=True
    )
    overlay = managed_overlay(words, intent.site.management.subnet, services, wired, findings)
    overlay = with_ways_out(overlay, words, wired, routing, findings)
    managed = managed_ports(words, wired, overlay, findings)
    known = identities(words, topology, lambda it: wire_access(it, racks, site, findings).topology)
    if not findings.whole:
        return None
    return Fabric(
        name=words.name,
        design=words.design,
        topology=topology,
        addresses=addresses,
        routing=routing,
        qos=plain_classes(words.here),
        overlay=overlay,
        services=services,
        gpus=0,
        oversubscription=words.oversubscription,
        balancing=plain_balance(topology, words.here),
        identities=known,
        managed=managed,
    )

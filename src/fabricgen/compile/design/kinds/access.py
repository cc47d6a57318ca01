"""Design an access fabric from its racks and the other fabrics.

Access switches route by eBGP to both switches of a pair above and carry their VLANs in VXLAN
between them. So there is no loop, no idle uplink and no MLAG. A subnet is one subnet wherever its
ports are, so management addresses stay when racks move.
"""

from collections.abc import Sequence
from functools import partial

from fabricgen.compile.design.addressing import allocate, judge_pools, reserve
from fabricgen.compile.design.balancing import plain_balance
from fabricgen.compile.design.edge.peers import with_ways_out
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.identity import identities
from fabricgen.compile.design.managed_ports import managed_overlay, managed_ports
from fabricgen.compile.design.managing import Managing, filled, judge_servers, managing
from fabricgen.compile.design.qos import plain_classes
from fabricgen.compile.design.racks import Racks
from fabricgen.compile.design.routing import route
from fabricgen.compile.design.wiring.access import UPLINKS, WiredAccess, wire_access
from fabricgen.compile.design.wiring.naming import judge_names, judge_patterns
from fabricgen.compile.design.wiring.pinned_links import with_pins
from fabricgen.compile.design.zones.management import managed_zones
from fabricgen.intent.model.access import Access
from fabricgen.intent.model.intent import Intent
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Topology


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
    mine, site = managing(words), words.stands(intent.site)
    assert mine is not None
    for judge in (judge_patterns, judge_pools):
        findings.attempt(partial(judge, words, findings))
    findings.attempt(lambda: judge_servers(mine, intent, findings))

    def own(racks: Racks, trial: Findings) -> list[str] | None:
        first = trial.attempt(lambda: wire_access(mine, racks, site, trial))
        return [switch.name for switch in first.topology.switches] if first is not None else None

    racks = findings.attempt(lambda: filled(mine, others, intent, own, findings))
    if racks is None:
        return None
    wired = findings.attempt(lambda: wire_access(mine, racks, site, findings))
    if wired is None:
        return None
    wired = _pinned(words, wired, findings)
    switches = Topology(fabric=words.name, switches=wired.topology.switches)
    judge_names(switches, words, findings)
    return findings.attempt(lambda: _fabric(intent, words, mine, services, racks, wired, findings))


def _pinned(words: Access, wired: WiredAccess, findings: Findings) -> WiredAccess:
    """Return the fabric with the pinned ports and cables."""
    faces = wired.faces.values()
    topology = with_pins(words, wired.topology, faces, findings)
    return wired._replace(topology=topology)


def _fabric(
    intent: Intent,
    words: Access,
    mine: Managing,
    services: Services,
    racks: Racks,
    wired: WiredAccess,
    findings: Findings,
) -> Fabric | None:
    topology, site = wired.topology, words.stands(intent.site)
    room = reserve(topology, 0, UPLINKS, UPLINKS)
    addresses = allocate(words, room, intent.site.management, None, findings)
    routing = route(words, topology, addresses, UPLINKS, findings, overlay=True)
    subnet, plugged = intent.site.management.subnet, wired.plugged
    overlay = managed_overlay(mine, subnet, services, plugged.vlans, findings)
    overlay = with_ways_out(overlay, mine, wired, routing, findings)
    ports = max(len(face.down) for face in wired.faces.values())
    overlay = managed_zones(mine, overlay, intent, findings)
    managed = managed_ports(mine, plugged, overlay, ports, findings)

    def named(words: Access) -> Topology:
        other = managing(words)
        assert other is not None
        return wire_access(other, racks, site, findings).topology

    known = identities(words, topology, named)
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

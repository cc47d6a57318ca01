"""A leaf-spine's words and its tenants in, the designed fabric out, or what keeps it from that.

Each step is attempted, so that those which do not need its result go on past its errors. A tenant
with an error is left out; the fabric and the other tenants are whole without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.design.addressing import allocate, judge_pools, reserve
from fabricgen.design.balancing import plain_balance
from fabricgen.design.external import with_external
from fabricgen.design.findings import Findings
from fabricgen.design.homes import tenants_on
from fabricgen.design.identity import identities
from fabricgen.design.overlay import overlay_of
from fabricgen.design.qos import plain_classes
from fabricgen.design.routing import route
from fabricgen.design.shared_oob import beside_tenants
from fabricgen.design.unused import say_unused
from fabricgen.design.wiring.frontend import UPLINKS_PER_LEAF, Wired, wire_frontend
from fabricgen.design.wiring.naming import judge_names, judge_patterns
from fabricgen.design.wiring.tiers import ratios_of
from fabricgen.diagnostics import Severity
from fabricgen.fabric.addressing import Addresses
from fabricgen.fabric.identity import Identity
from fabricgen.fabric.overlay import Overlay
from fabricgen.fabric.routing import Routing
from fabricgen.fabric.services import Services
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Topology

if TYPE_CHECKING:
    from fabricgen.intent.model.frontend import Frontend
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.tenants import Tenant


def design_evpn(
    others: Sequence[Fabric],
    intent: Intent,
    words: Frontend,
    services: Services,
    findings: Findings,
) -> Fabric | None:
    """Design a fabric with its tenants; None where an error leaves no whole one.

    others: the fabrics whose switches may have their management ports here.
    """
    attempt = findings.attempt
    for judge in (say_unused, judge_patterns, judge_pools):
        attempt(partial(judge, words, findings))
    wired = attempt(lambda: wire_frontend(words, intent.site.called, findings))
    addresses = routing = known = None
    beside = None
    if wired is not None:
        judge_names(wired.topology, words, findings)
        beside = attempt(partial(beside_tenants, others, intent, words, wired, findings))
        wired = beside.wired if beside is not None else wired
        addresses = attempt(lambda: _addresses(intent, words, wired.topology, findings))
        known = attempt(lambda: _identities(intent, words, wired.topology))
    if wired is not None and addresses is not None:
        routing = attempt(lambda: _routing(words, wired.topology, addresses, findings))
    tenants = tenants_on(intent, words.name)
    overlay = attempt(lambda: _tenancy(words, tenants, wired, routing, findings))
    if wired is None or not findings.whole:
        return None
    assert addresses is not None
    assert known is not None
    assert routing is not None
    assert overlay is not None
    fabric = Fabric(
        name=words.name,
        design=words.design,
        topology=wired.topology,
        addresses=addresses,
        routing=routing,
        qos=plain_classes(words.here),
        overlay=overlay,
        services=services,
        gpus=0,
        oversubscription=words.oversubscription,
        ratios=ratios_of(words),
        balancing=plain_balance(wired.topology, words.here),
        identities=known,
    )
    return fabric if beside is None else beside.joined(fabric, intent, findings)


def _identities(intent: Intent, words: Frontend, topology: Topology) -> dict[str, Identity]:
    site = intent.site.called
    return identities(words, topology, lambda it: wire_frontend(it, site, Findings()).topology)


def _addresses(
    intent: Intent, words: Frontend, topology: Topology, findings: Findings
) -> Addresses:
    room = reserve(topology, 0, UPLINKS_PER_LEAF, UPLINKS_PER_LEAF)
    return allocate(words, room, intent.site.management, None, findings)


def _routing(
    words: Frontend, topology: Topology, addresses: Addresses, findings: Findings
) -> Routing:
    return route(
        topology, addresses, words.underlay, words.here, UPLINKS_PER_LEAF, findings, overlay=True
    )


def _tenancy(
    words: Frontend,
    tenants: dict[str, Tenant],
    wired: Wired | None,
    routing: Routing | None,
    findings: Findings,
) -> Overlay:
    """Design the tenants; where some have errors, say them and return the others alone."""
    judged = Findings()
    overlay = _overlay(words, tenants, wired, routing, judged)
    findings.items.extend(judged.items)
    wrong = {item.path[1] for item in judged.items if item.severity is Severity.ERROR}
    others = {name: each for name, each in tenants.items() if name not in wrong and each.whole}
    if judged.whole and len(others) == len(tenants):
        return overlay
    rest = Findings()
    overlay = _overlay(words, others, wired, routing, rest)
    findings.whole = findings.whole and rest.whole
    return overlay


def _overlay(
    words: Frontend,
    tenants: dict[str, Tenant],
    wired: Wired | None,
    routing: Routing | None,
    findings: Findings,
) -> Overlay:
    """Design an overlay, without ways out where the switches are not known."""
    if wired is None or routing is None:
        return overlay_of(words, tenants, Topology(fabric=words.name), findings)
    overlay = overlay_of(words, tenants, wired.topology, findings)
    return with_external(overlay, tenants, wired, routing, findings)

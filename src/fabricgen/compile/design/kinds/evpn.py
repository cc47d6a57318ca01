"""Design an EVPN leaf-spine fabric with its tenants.

Each step is attempted, so steps that do not need a failed result continue after its errors. A
tenant with an error is omitted. The fabric and the other tenants are complete without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from fabricgen.compile.design.addressing import allocate, pool, reserve
from fabricgen.compile.design.balancing import plain_balance
from fabricgen.compile.design.classes import Classes, classes_of, judge_tenant_classes
from fabricgen.compile.design.diagnostics import judge_diagnostics
from fabricgen.compile.design.edge.firewalls import behind_firewalls
from fabricgen.compile.design.edge.peers import with_external
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.homes import tenants_on
from fabricgen.compile.design.host_ports import with_host_ports
from fabricgen.compile.design.hosts import bridged_plans
from fabricgen.compile.design.identity import identities
from fabricgen.compile.design.kinds.steps import adopt_profile, judge_words, sort_uppers
from fabricgen.compile.design.leaks import with_leaks
from fabricgen.compile.design.lossless import Sort, plan_lossless
from fabricgen.compile.design.overlay import overlay_of
from fabricgen.compile.design.port_profiles import Profiles
from fabricgen.compile.design.qos import classify
from fabricgen.compile.design.routes import with_routes
from fabricgen.compile.design.routing import route
from fabricgen.compile.design.server_placement import judge_boot
from fabricgen.compile.design.shared_oob import beside_tenants
from fabricgen.compile.design.wiring.frontend import Wired, wire_frontend
from fabricgen.compile.design.wiring.frontend_size import LINK_PLACES
from fabricgen.compile.design.wiring.naming import judge_names
from fabricgen.compile.design.wiring.pinned_links import with_pins
from fabricgen.compile.design.wiring.tiers import ratios_of
from fabricgen.compile.design.zones.zones import zoned
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import Meters
from fabricgen.intent.paths import at
from fabricgen.intent.settings import resolve
from fabricgen.model.fabric.addressing import Addresses
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.routing import Routing
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Topology
from fabricgen.model.settings.ports import Errdisable

if TYPE_CHECKING:
    from fabricgen.compile.design.wiring.frontend_size import FrontendSize
    from fabricgen.intent.model.frontend import Frontend
    from fabricgen.intent.model.intent import Intent
    from fabricgen.intent.model.tenants import Tenant
    from fabricgen.model.fabric.buffers import Lossless
    from fabricgen.model.settings.setting import Resolved


def design_evpn(
    others: Sequence[Fabric],
    intent: Intent,
    words: Frontend,
    services: Services,
    findings: Findings,
) -> Fabric | None:
    """Design a fabric with tenants and management ports of others; None where it is not whole."""
    attempt = findings.attempt
    words = adopt_profile(words, findings)
    judge_words(words, findings, judge_tenant_classes, _judge_managed)
    wired = attempt(lambda: _wired(intent, words, findings))
    nics = attempt(partial(bridged_plans, words, findings)) or {}
    addresses = routing = known = lossless = beside = None
    if wired is not None:
        lossless = attempt(partial(_lossless, words, wired, findings))
        judge_names(wired.topology, words, findings)
        beside = attempt(partial(beside_tenants, others, intent, words, wired, findings))
        wired = beside.wired if beside is not None else wired
        addresses = attempt(lambda: _addresses(intent, words, wired, findings))
        known = attempt(lambda: _identities(intent, words, wired.topology))
    if wired is not None and addresses is not None:
        parts = wired.topology, addresses, LINK_PLACES
        routing = attempt(partial(route, words, *parts, findings, overlay=True))
    overlay = attempt(partial(_zoned_tenancy, intent, words, wired, routing, findings))
    if not findings.whole or wired is None or addresses is None or known is None:
        return None
    assert routing is not None
    assert overlay is not None
    qos, qos_above = classify(words, lossless, classes_of(words, wired.topology))
    fabric = Fabric(
        name=words.name,
        design=words.design,
        topology=wired.topology,
        addresses=addresses,
        routing=routing,
        qos=qos,
        overlay=overlay,
        services=services,
        gpus=0,
        oversubscription=words.oversubscription,
        ratios=ratios_of(words),
        lossless=lossless,
        qos_above=qos_above,
        balancing=plain_balance(wired.topology, words.here),
        identities=known,
        recovery=_recovery(words),
        hosts=nics,
    )
    return fabric if beside is None else beside.joined(fabric, intent, findings)


def _judge_managed(words: Frontend, findings: Findings) -> None:
    """Refuse management ports and a class: their DSCP would be trusted like that of servers."""
    lossless = words.roce is not None and words.roce.enabled
    if words.manages and (lossless or words.unless_refused("classes")):
        findings.error(
            Code.UNSUPPORTED,
            f"the {words.name} has management ports on its leafs and a class for servers, which "
            "would apply to every port of a leaf",
            words.at("roce" if lossless else "classes"),
            "use a fabric of kind access for management ports",
        )


def _wired(intent: Intent, words: Frontend, findings: Findings) -> Wired:
    """Return the fabric with the pinned ports and cables."""
    wired = wire_frontend(words, words.stands(intent.site), findings)
    tiers = (*wired.size.tiers.values(), *wired.size.own.values())
    faces = [*wired.faces.values(), *(tier.face for tier in tiers)]
    return wired._replace(topology=with_pins(words, wired.topology, faces, findings))


def _identities(intent: Intent, words: Frontend, topology: Topology) -> dict[str, Identity]:
    site = words.stands(intent.site)
    return identities(words, topology, lambda it: wire_frontend(it, site, Findings()).topology)


def _addresses(intent: Intent, words: Frontend, wired: Wired, findings: Findings) -> Addresses:
    size, pool = wired.size, words.addressing.unless_refused("links")
    leaf = size.link_places(size.spines, pool)
    spine = size.link_places(size.superspines, pool) if size.superspines is not None else 0
    room = reserve(wired.topology, 0, leaf, spine)
    return allocate(words, room, intent.site.management, None, findings)


def _lossless(words: Frontend, wired: Wired, findings: Findings) -> Lossless | None:
    lossless = plan_lossless(words, partial(_sorts, wired.size), wired.topology, findings)
    if lossless is not None and wired.topology.servers:
        findings.warn(
            Code.UNSUPPORTED,
            f"the NICs of servers on the {words.name} get no RoCE settings: set DSCP, priority, "
            "PFC and ECN by other means",
            words.at("roce"),
        )
    return lossless


def _sorts(size: FrontendSize, words: Frontend) -> tuple[Sort, ...]:
    """Return the sorts of switches: the leafs of each group, spines and superspines."""
    longest = Meters(max(words.cables))  # of words that were shortened since they were sized
    leafs = []
    for name, group in size.groups.items():
        lengths = tuple(min(laid.rack.length, longest) for laid in group.racks)
        leafs.append(
            Sort(
                role=Role.LEAF,
                group=name,
                model=group.role.model,
                path=group.path,
                face=group.face,
                nic=min((laid.rack.speed for laid in group.racks), default=None),
                near=max(lengths, default=None),
                lengths=lengths,
            )
        )
    return (*leafs, *sort_uppers(words, size))


def _recovery(words: Frontend) -> Resolved[Errdisable] | None:
    """Return which ports of leafs come back by themselves."""
    said = words.unless_refused("errdisable")
    if said is None:
        return None
    path = at(*words.here, "errdisable")
    why = Provenance((path,), "a port that is shut by this recovers automatically")
    return resolve(Errdisable, [(said, path)], lambda _: why, because=why)


def _zoned_tenancy(
    intent: Intent,
    words: Frontend,
    wired: Wired | None,
    routing: Routing | None,
    findings: Findings,
) -> Overlay:
    """Design the tenants and the zones between them."""
    overlay = _tenancy(intent, words, wired, routing, findings)
    return zoned(intent, words.name, overlay, findings)


def _tenancy(
    intent: Intent,
    words: Frontend,
    wired: Wired | None,
    routing: Routing | None,
    findings: Findings,
) -> Overlay:
    """Design the tenants; where some have errors, say them and return the others alone."""
    judged = Findings()
    tenants, firewalls = behind_firewalls(words, tenants_on(intent, words.name), judged)
    overlay = _overlay(intent, words, tenants, wired, routing, judged)
    findings.items.extend(judged.items)
    wrong = {
        name
        for name, each in tenants.items()
        for place in (each.place(name),)
        for item in judged.items
        if item.severity is Severity.ERROR and item.path[: len(place)] == place
    }
    others = {name: each for name, each in tenants.items() if name not in wrong and each.whole}
    if judged.whole and len(others) == len(tenants):
        return replace(overlay, firewalls=firewalls) if firewalls else overlay
    rest = Findings()
    overlay = _overlay(intent, words, others, wired, routing, rest)
    findings.whole = findings.whole and rest.whole
    return overlay


def _overlay(
    intent: Intent,
    words: Frontend,
    tenants: dict[str, Tenant],
    wired: Wired | None,
    routing: Routing | None,
    findings: Findings,
) -> Overlay:
    """Design an overlay, without external connections if the switches are unknown."""
    said = intent.unless_refused("port_profiles") or {}
    profiles = Profiles(said=said, findings=findings)
    classes = Classes(frontend=words, findings=findings)
    if wired is None or routing is None:
        return overlay_of(words, tenants, Topology(fabric=words.name), profiles, classes, findings)
    overlay = overlay_of(words, tenants, wired.topology, profiles, classes, findings)
    judge_boot(wired.topology, overlay, findings)
    overlay = with_host_ports(overlay, words, tenants, wired.topology, routing, classes, findings)
    overlay = with_external(overlay, words, tenants, wired, routing, findings)
    overlay = with_routes(overlay, tenants, wired.topology, findings)
    judge_diagnostics(overlay, (pool(key, net) for key, net in words.addressing if net), findings)
    return with_leaks(overlay, tenants, findings)

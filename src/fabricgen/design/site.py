"""The design stage: a validated Intent in, the designed Site and everything to say about it out."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from fabricgen.catalog.nics import nic_model
from fabricgen.design.addressing import allocate, plan_nics, reserve
from fabricgen.design.balancing import balance_backend, balance_frontend
from fabricgen.design.external import with_external
from fabricgen.design.findings import Findings, Stop
from fabricgen.design.overlay import overlay_of
from fabricgen.design.profile_gaps import say_gaps
from fabricgen.design.qos import classify_backend, classify_frontend
from fabricgen.design.roce_profiles import adopted
from fabricgen.design.routing import route
from fabricgen.design.services import services_of
from fabricgen.design.unused import say_unused
from fabricgen.design.watchdog import judge_watchdog
from fabricgen.design.wiring.backend import wire_backend
from fabricgen.design.wiring.cable_length import judge_lengths
from fabricgen.design.wiring.frontend import UPLINKS_PER_LEAF, wire_frontend
from fabricgen.design.wiring.naming import check_names
from fabricgen.design.wiring.recabling import say_recabling
from fabricgen.design.wiring.way_out import sized
from fabricgen.diagnostics import Code, Diagnostic, did_you_mean
from fabricgen.fabric.hosts import HostPlan
from fabricgen.fabric.switch import Fabric, FabricKind, Site
from fabricgen.intent.model.backend import Backend

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.design.wiring.backend_size import BackendSize
    from fabricgen.fabric.buffers import Lossless
    from fabricgen.fabric.qos import Qos
    from fabricgen.fabric.services import Services
    from fabricgen.fabric.topology import Topology
    from fabricgen.intent.model.frontend import Frontend
    from fabricgen.intent.model.intent import Intent


def design_site(intent: Intent) -> tuple[Site, list[Diagnostic]]:
    """Design every fabric of the intent; a fabric that cannot be designed is left out and said."""
    findings = Findings()
    services = services_of(intent.site, findings)
    steps: list[Callable[[Findings], Fabric | None]] = [
        lambda found: _frontend(intent, services, found),
        lambda found: _backend(intent, services, found),
    ]
    fabrics = []
    for step in steps:
        mine = Findings()
        try:
            fabric = step(mine)
        except Stop:
            fabric = None
        if fabric is not None:
            fabrics.append(fabric)
        findings.items.extend(mine.items)
    if intent.backend is None and intent.frontend is None:
        findings.error(
            Code.MISSING_KEY, "the site has no fabric", ("site",), "add `backend:` or `frontend:`"
        )
    if intent.tenants and intent.frontend is None:
        findings.error(Code.UNKNOWN_REFERENCE, "tenants need a frontend to live on", ("tenants",))
    site = Site(name=intent.site.name, services=services, fabrics=tuple(fabrics))
    return site, findings.items


def _backend(intent: Intent, services: Services, findings: Findings) -> Fabric | None:
    words = intent.backend
    if words is None:
        return None
    from fabricgen.design.lossless import plan_lossless  # noqa: PLC0415 - only a backend pays

    words = words.model_copy(update={"roce": adopted(words.roce)})
    size = sized(words, findings)
    topology = wire_backend(words, size, intent.site.name, findings)
    _say_slips(words, topology, findings, size)
    check_names(topology, findings)
    counted = size.servers
    units = ceil(counted.reserved / size.per_unit)
    nics = plan_nics(
        words,
        size.per_unit,
        units,
        (counted.reserved, counted.reserved_rails, counted.reserved_planes),
        findings,
    )
    leafs = units * counted.reserved_groups * counted.reserved_planes
    room = reserve(topology, leafs, size.uplinks, size.spine_uplinks)
    pools = {"loopbacks": words.addressing.loopbacks, "links": words.addressing.links}
    addresses = allocate(
        topology, room, pools, intent.site.management, nics, findings, links=words.underlay.links
    )
    width = max(size.uplinks, size.spine_uplinks)
    routing = route(topology, addresses, words.underlay, width, findings, overlay=False)
    lossless = plan_lossless(words, size, topology, findings)
    qos, qos_above = _classes(words, topology, lossless, findings)
    hosts = _hosts(words, findings)
    return Fabric(
        name="backend",
        kind=FabricKind.BACKEND,
        design=words.design,
        topology=topology,
        addresses=addresses,
        routing=routing,
        qos=qos,
        overlay=None,
        services=services,
        gpus=words.servers.count * words.servers.gpus,
        oversubscription=words.oversubscription,
        hosts=hosts,
        lossless=lossless,
        qos_above=qos_above,
        balancing=balance_backend(words, size, topology, hosts, findings),
    )


def _classes(
    words: Backend, topology: Topology, lossless: Lossless | None, findings: Findings
) -> tuple[Qos, Qos | None]:
    """Design the classes of a backend, and those of spines where they mark otherwise."""
    slowest = min((link.speed for link in topology.links), default=words.servers.nic_speed)
    judge_watchdog(words.roce, slowest, findings)
    say_gaps(words.roce, topology, findings)
    return classify_backend(words.roce, lossless, findings)


def _frontend(intent: Intent, services: Services, findings: Findings) -> Fabric | None:
    words = intent.frontend
    if words is None:
        return None
    wired = wire_frontend(words, intent.site.name, findings)
    topology = wired.topology
    _say_slips(words, topology, findings)
    check_names(topology, findings)
    room = reserve(topology, 0, UPLINKS_PER_LEAF, UPLINKS_PER_LEAF)
    pools = {
        "loopbacks": words.addressing.loopbacks,
        "vteps": words.addressing.vteps,
        "links": words.addressing.links,
    }
    addresses = allocate(
        topology, room, pools, intent.site.management, None, findings, links=words.underlay.links
    )
    routing = route(topology, addresses, words.underlay, UPLINKS_PER_LEAF, findings, overlay=True)
    overlay = overlay_of(words, intent.tenants, topology, findings)
    overlay = with_external(overlay, intent.tenants, wired, routing, findings)
    return Fabric(
        name="frontend",
        kind=FabricKind.FRONTEND,
        design=words.design,
        topology=topology,
        addresses=addresses,
        routing=routing,
        qos=classify_frontend(),
        overlay=overlay,
        services=services,
        gpus=0,
        oversubscription=words.oversubscription,
        balancing=balance_frontend(topology),
    )


def _hosts(words: Backend, findings: Findings) -> HostPlan:
    """Plan the servers; a NIC that is not in the catalog is told later, and has one queue pair."""
    servers, spread = words.servers, words.load_balancing
    model, slots = nic_model(servers.nic), servers.nic_slots or ()
    nics = servers.nics or servers.gpus
    if slots and len(set(slots)) != nics:
        findings.error(
            Code.BAD_VALUE,
            f"{len(set(slots))} different PCI addresses for {nics} NICs of a server",
            ("backend", "servers", "nic_slots"),
            "list one for each NIC, in the order of the rails",
        )
    return HostPlan(
        nic=servers.nic,
        network=servers.network,
        queue_pairs=spread.queue_pairs or (model.queue_pairs if model else 1),
        reorders=model is not None and model.spray,
        sprayed=spread.mode == "spray",
        spreads=model is not None and model.spreads,
        slots=tuple(slots),
    )


def _say_slips(
    words: Backend | Frontend,
    topology: Topology,
    findings: Findings,
    size: BackendSize | None = None,
) -> None:
    """Report what is hardly meant: keys about what is not there, far servers, no room to grow."""
    say_unused(topology.fabric, words, findings)
    judge_lengths(words, findings)
    if isinstance(words, Backend) and size is not None:
        say_recabling(words, size, findings)
    names = {switch.name for switch in topology.switches}
    for name in words.switches:
        if name not in names:
            findings.error(
                Code.UNKNOWN_REFERENCE,
                f"no switch {name!r} in the {topology.fabric}",
                (topology.fabric, "switches", name),
                did_you_mean(name, names),
            )

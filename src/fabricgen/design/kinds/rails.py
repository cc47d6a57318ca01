"""The words of GPU rails in, the designed fabric out, or all that keeps it from being one.

Each step is attempted, so that those which do not need its result go on past its errors.
"""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from fabricgen.design.addressing import NicBlocks, allocate, judge_pools, plan_nics, reserve
from fabricgen.design.balancing import balance_backend
from fabricgen.design.identity import identities
from fabricgen.design.qos import classify, judge_classes
from fabricgen.design.roce_profiles import adopted
from fabricgen.design.routing import route
from fabricgen.design.unused import say_unused
from fabricgen.design.wiring.backend import wire_backend
from fabricgen.design.wiring.cable_length import judge_lengths
from fabricgen.design.wiring.fitting import sized
from fabricgen.design.wiring.naming import check_exceptions, check_names, judge_patterns
from fabricgen.design.wiring.recabling import say_recabling
from fabricgen.design.wiring.tiers import ratios_of
from fabricgen.diagnostics import Code
from fabricgen.fabric.addressing import Addresses
from fabricgen.fabric.buffers import Lossless
from fabricgen.fabric.hosts import HostPlan
from fabricgen.fabric.routing import Routing
from fabricgen.fabric.services import Services
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Role, Topology
from fabricgen.intent.model.backend import UNSAID
from fabricgen.units import Metres

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.design.lossless import Sort
    from fabricgen.design.wiring.backend_size import BackendSize
    from fabricgen.intent.model.backend import Backend
    from fabricgen.intent.model.intent import Intent


def design_rails(
    intent: Intent, words: Backend, services: Services, findings: Findings
) -> Fabric | None:
    """Design a fabric of GPU rails; None where an error leaves no whole one."""
    attempt = findings.attempt
    words = _with_servers(words, findings)
    with findings.going_on():
        words = words.model_copy(update={"roce": adopted(words.roce)})
    for judge in (say_unused, judge_lengths, judge_patterns, judge_pools):
        attempt(partial(judge, words, findings))
    attempt(lambda: judge_classes(words, findings))
    hosts = attempt(lambda: _hosts(words, findings))
    size = attempt(lambda: sized(words, findings))
    if size is None:
        return None
    topology = attempt(lambda: _topology(intent, words, size, findings))
    if topology is None:
        return None
    lossless = attempt(lambda: _lossless(words, size, topology, findings))
    addresses = attempt(lambda: _addresses(intent, words, size, topology, findings))
    site = intent.site.called
    known = attempt(lambda: identities(words, topology, lambda it: wire_backend(it, size, site)))
    if hosts is None or addresses is None or known is None:
        return None
    routing = attempt(lambda: _routing(words, size, topology, addresses, findings))
    balancing = attempt(lambda: balance_backend(words, size, topology, hosts, findings))
    if routing is None or not findings.whole:
        return None
    qos, qos_above = classify(words, lossless)
    return Fabric(
        name=words.name,
        design=words.design,
        topology=topology,
        addresses=addresses,
        routing=routing,
        qos=qos,
        overlay=None,
        services=services,
        gpus=words.servers.count * words.servers.gpus,
        oversubscription=words.oversubscription,
        ratios=ratios_of(words),
        hosts=hosts,
        lossless=lossless,
        qos_above=qos_above,
        balancing=balancing,
        identities=known,
    )


def _with_servers(words: Backend, findings: Findings) -> Backend:
    """Return the words with their servers: those of their own key, or a kind of the site's."""
    kinds = words.served
    own = words.unless_refused("servers") is not UNSAID
    if not kinds and not own:
        findings.spoil(
            Code.MISSING_KEY,
            f"the {words.name} has no servers",
            words.here,
            "add `servers: {count: …, nic_speed: …}` to it, or a kind with ports on it to the "
            "site's `servers`",
        )
    if kinds and own:
        findings.spoil(
            Code.DUPLICATE_ID,
            f"the {words.name} has servers of its own, and {kinds[0].kind} has ports on it",
            words.at("servers"),
            "make them a kind in the site's `servers` too",
        )
    for other in kinds[1:]:
        findings.spoil(
            Code.UNSUPPORTED,
            f"{kinds[0].kind} has ports on the {words.name} already, and it takes one kind",
            other.at("fabric"),
            "give each kind a rail fabric of its own in `fabrics`",
        )
    return words.with_servers(kinds[0]) if kinds and not own else words


def _topology(intent: Intent, words: Backend, size: BackendSize, findings: Findings) -> Topology:
    """Wire a backend, and say what is odd about its cables and names."""
    with findings.going_on():
        say_recabling(words, size, findings)
    topology = wire_backend(words, size, intent.site.called)
    with findings.going_on():
        check_exceptions(topology, words, findings)
    check_names(topology, words.here, findings)
    return topology


def _lossless(
    words: Backend, size: BackendSize, topology: Topology, findings: Findings
) -> Lossless | None:
    from fabricgen.design.lossless import plan_lossless  # noqa: PLC0415 - only a backend pays

    return plan_lossless(words, partial(_sorts, size), topology, findings)


def _sorts(size: BackendSize, words: Backend) -> tuple[Sort, ...]:
    """Return the sorts of switches of a backend, with the words on their cables."""
    from fabricgen.design.lossless import Sort  # noqa: PLC0415 - only a backend pays

    near, nic = Metres(words.servers.cable_length), words.servers.nic_speed
    spine, top = size.spines, size.superspines
    tiers = (
        (Role.LEAF, words.leaf, size.leaf, nic, near),
        (Role.SPINE, words.spine, spine.face if spine else None, None, None),
        (Role.SUPERSPINE, words.superspine, top.face if top else None, None, None),
    )
    return tuple(
        Sort(role=role, model=part.model, path=words.at(role), face=face, nic=speed, near=length)
        for role, part, face, speed, length in tiers
        if part is not None and face is not None
    )


def _routing(
    words: Backend,
    size: BackendSize,
    topology: Topology,
    addresses: Addresses,
    findings: Findings,
) -> Routing:
    width = max(size.uplinks, size.spine_uplinks)
    return route(topology, addresses, words.underlay, words.here, width, findings, overlay=False)


def _addresses(
    intent: Intent,
    words: Backend,
    size: BackendSize,
    topology: Topology,
    findings: Findings,
) -> Addresses:
    """Cut the pools for what is there and what growth reserves."""
    counted = size.servers
    units = ceil(counted.reserved / size.per_unit)
    ports = words.servers.nic_ports // words.planes
    blocks = NicBlocks(
        rails=counted.reserved_rails,
        planes=counted.reserved_planes,
        ports=size.per_unit * ports,
        units=units,
        most=counted.reserved * ports,
    )
    nics = plan_nics(words, blocks, findings)
    leafs = units * counted.reserved_groups * counted.reserved_planes
    room = reserve(topology, leafs, size.uplinks, size.spine_uplinks)
    return allocate(words, room, intent.site.management, nics, findings)


def _hosts(words: Backend, findings: Findings) -> HostPlan:
    """Plan the servers; a NIC that is not in the catalog is told later, and has one queue pair."""
    servers, spread = words.servers, words.load_balancing
    model, slots = words.catalog.nic(servers.nic), servers.nic_slots or ()
    nics = servers.nics or servers.gpus
    if slots and len(set(slots)) != nics:
        findings.error(
            Code.BAD_VALUE,
            f"{len(set(slots))} different PCI addresses for {nics} NICs of a server",
            words.at("servers", "nic_slots"),
            "list one for each NIC, in the order of the rails",
        )
    return HostPlan(
        nic=servers.nic,
        catalog=words.catalog,
        network=servers.network,
        queue_pairs=spread.queue_pairs or (model.queue_pairs if model else 1),
        reorders=model is not None and model.spray,
        sprayed=spread.mode == "spray",
        spreads=model is not None and model.spreads,
        slots=tuple(slots),
        servers=words.at("servers"),
        keys={
            key: words.at("servers", key) for key in ("nic", "nic_ports", "nic_speed", "nic_slots")
        },
    )

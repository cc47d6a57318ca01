"""Designs a fabric of GPU rails.

Each step is attempted, so steps that do not need a failed result continue after its errors.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import ceil

from fabricgen.compile.design.addressing import NicBlocks, allocate, judge_pools, plan_nics, reserve
from fabricgen.compile.design.balancing import balance_backend
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.homes import tenants_on
from fabricgen.compile.design.hosts import rail_plans, rails_of
from fabricgen.compile.design.identity import identities
from fabricgen.compile.design.lossless import Sort
from fabricgen.compile.design.qos import classify, judge_classes
from fabricgen.compile.design.rail_tenants import rail_overlay
from fabricgen.compile.design.roce_profiles import adopted
from fabricgen.compile.design.routing import route
from fabricgen.compile.design.unused import say_no_tunnels, say_unused
from fabricgen.compile.design.wiring.backend import wire_backend
from fabricgen.compile.design.wiring.backend_counts import BackendSize
from fabricgen.compile.design.wiring.naming import judge_names, judge_patterns
from fabricgen.compile.design.wiring.pinned_links import with_pins
from fabricgen.compile.design.wiring.rail_kinds import RailKind, sized_kinds
from fabricgen.compile.design.wiring.recabling import say_recabling
from fabricgen.compile.design.wiring.tiers import ratios_of
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.units import Metres
from fabricgen.intent.model.backend import UNSAID, Backend
from fabricgen.intent.model.intent import Intent
from fabricgen.model.fabric.addressing import Addresses
from fabricgen.model.fabric.buffers import Lossless
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.routing import Routing
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Topology


def design_rails(
    intent: Intent, words: Backend, services: Services, findings: Findings
) -> Fabric | None:
    """Design a fabric of GPU rails; None where an error leaves no whole one."""
    attempt = findings.attempt
    with findings.going_on():
        words = words.model_copy(update={"roce": adopted(words.roce)})
    kinds = _kinds(words, findings)
    words = kinds[0]
    _judge(kinds, findings)
    hosts = attempt(lambda: rail_plans(kinds, findings))
    laid_out = attempt(lambda: sized_kinds(kinds, findings))
    if laid_out is None:
        return None
    size, laid = laid_out
    topology = attempt(lambda: _topology(intent, words, size, laid, findings))
    if topology is None:
        return None
    lossless = attempt(lambda: _lossless(words, size, laid, topology, findings))
    overlay = attempt(lambda: _overlay(intent, kinds, topology, findings))
    tunnels = overlay is not None and overlay.rules is not None
    addresses = attempt(lambda: _addresses(intent, words, size, topology, findings, tunnels))
    known = attempt(lambda: _known(intent, words, size, laid, topology))
    if hosts is None or addresses is None or known is None:
        return None
    routing = attempt(lambda: _routing(words, size, topology, addresses, findings, tunnels))
    planned = [(kind, hosts[rails_of(kind.words)]) for kind in laid]
    balancing = attempt(lambda: balance_backend(words, size, planned, topology, findings, tunnels))
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
        overlay=overlay,
        services=services,
        gpus=sum(kind.servers.count * kind.servers.gpus for kind in kinds),
        oversubscription=words.oversubscription,
        ratios=ratios_of(words),
        hosts=hosts,
        lossless=lossless,
        qos_above=qos_above,
        balancing=balancing,
        identities=known,
    )


def _known(
    intent: Intent, words: Backend, size: BackendSize, laid: Sequence[RailKind], topology: Topology
) -> dict[str, Identity]:
    site = words.stands(intent.site)
    return identities(words, topology, lambda it: wire_backend(it, size, laid, site))


def _judge(kinds: Sequence[Backend], findings: Findings) -> None:
    """Say what is wrong with the words, before anything is counted."""
    findings.attempt(partial(say_unused, kinds[0], findings))
    for judge in (judge_patterns, judge_pools, judge_classes):
        findings.attempt(partial(judge, kinds[0], findings))


def _kinds(words: Backend, findings: Findings) -> list[Backend]:
    """Return the words with their servers: of their own key, or of each kind by its units."""
    kinds = words.served
    own = words.unless_refused("servers") is not UNSAID
    if not kinds and not own:
        if not words.all_served:
            raise Stop
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
    if own or not kinds:
        return [words]
    every = [words.with_servers(kind) for kind in kinds]
    for each in every:
        _judge_nics(each, findings)
    for one, other in pairwise(kinds):
        if one.kind == other.kind:
            findings.spoil(
                Code.DUPLICATE_ID,
                f"{other.kind} has two sets of ports on the {words.name}: `{one.network}` and "
                f"`{other.network}`",
                other.at("fabric"),
                "all NICs of a server on one rail fabric are one set",
            )
    return sorted(every, key=_first_unit)


def _judge_nics(words: Backend, findings: Findings) -> None:
    """Stop at a kind of which nothing says how many NICs it has."""
    servers = vars(words.servers)
    if servers.get("nics", "refused") is None and servers.get("gpus") == 0:
        raise findings.stop(
            Code.MISSING_KEY,
            f"{words.kind_name} has no GPUs, so nothing says how many NICs go to the {words.name}",
            words.at("servers"),
            "add `nics: 8`, or `gpus: 8` to the kind",
        )


def _first_unit(words: Backend) -> int:
    """Return the first unit of a kind; where it was refused, its place among the others is none."""
    kind = words.kind_of_servers
    return (kind and kind.ports.unless_refused("unit")) or 0


def _topology(
    intent: Intent,
    words: Backend,
    size: BackendSize,
    laid: Sequence[RailKind],
    findings: Findings,
) -> Topology:
    """Wire a backend, and say what is odd about its cables and names."""
    with findings.going_on():
        say_recabling(words, size, findings)
    wired = wire_backend(words, size, laid, words.stands(intent.site))
    tiers = (tier for tier in (size.spines, size.superspines) if tier is not None)
    faces = [*(kind.face for kind in laid), *(tier.face for tier in tiers)]
    topology = with_pins(words, wired, faces, findings)
    judge_names(topology, words, findings)
    return topology


def _lossless(
    words: Backend,
    size: BackendSize,
    laid: Sequence[RailKind],
    topology: Topology,
    findings: Findings,
) -> Lossless | None:
    from fabricgen.compile.design.lossless import plan_lossless  # noqa: PLC0415 - only a backend pays

    return plan_lossless(words, partial(_sorts, size, laid), topology, findings)


def _sorts(size: BackendSize, laid: Sequence[RailKind], words: Backend) -> tuple[Sort, ...]:
    """Return the sorts of switches of a backend, with the words on their cables."""
    from fabricgen.compile.design.lossless import Sort  # noqa: PLC0415 - only a backend pays

    spine, top = size.spines, size.superspines
    longest = max(words.cables)  # of words that were shortened since they were sized
    tiers = (
        (Role.SPINE, words.spine, spine.face if spine else None),
        (Role.SUPERSPINE, words.superspine, top.face if top else None),
    )
    leafs = (
        Sort(
            role=Role.LEAF,
            group=kind.group,
            model=words.leaf.model,
            path=words.at("leaf"),
            face=kind.face,
            nic=kind.words.servers.nic_speed,
            near=Metres(min(kind.words.servers.cable_length, longest)),
        )
        for kind in laid
    )
    uppers = (
        Sort(role=role, model=part.model, path=words.at(role), face=face)
        for role, part, face in tiers
        if part is not None and face is not None
    )
    return (*leafs, *uppers)


def _routing(
    words: Backend,
    size: BackendSize,
    topology: Topology,
    addresses: Addresses,
    findings: Findings,
    tunnels: bool,  # noqa: FBT001 - what the tenants need, passed on as it is
) -> Routing:
    width = max(size.uplinks, size.spine_uplinks)
    return route(topology, addresses, words.underlay, words.here, width, findings, overlay=tunnels)


def _overlay(
    intent: Intent, kinds: Sequence[Backend], topology: Topology, findings: Findings
) -> Overlay | None:
    """Design the tenants; None where there are none, and every server shares one table."""
    tenants = tenants_on(intent, kinds[0].name)
    if not tenants:
        say_no_tunnels(kinds[0], findings)
        return None
    return rail_overlay(kinds, tenants, topology, findings)


def _addresses(
    intent: Intent,
    words: Backend,
    size: BackendSize,
    topology: Topology,
    findings: Findings,
    tunnels: bool,  # noqa: FBT001 - what the tenants need, passed on as it is
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
    return allocate(words, room, intent.site.management, nics, findings, tunnels=tunnels)

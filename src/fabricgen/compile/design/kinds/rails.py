"""Design a fabric of GPU rails.

Each step is attempted, so steps that do not need a failed result continue after its errors.
"""

from collections.abc import Sequence
from functools import partial
from itertools import pairwise
from math import ceil

from fabricgen.compile.design.addressing import NicBlocks, allocate, plan_nics, reserve
from fabricgen.compile.design.balancing import balance_backend
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.homes import tenants_on
from fabricgen.compile.design.hosts import rail_plans, rails_of
from fabricgen.compile.design.identity import identities
from fabricgen.compile.design.kinds.steps import adopt_profile, judge_words, sort_uppers
from fabricgen.compile.design.lossless import Sort, plan_lossless
from fabricgen.compile.design.qos import classify
from fabricgen.compile.design.rail_tenants import rail_overlay
from fabricgen.compile.design.routing import route
from fabricgen.compile.design.unused import say_no_tunnels
from fabricgen.compile.design.wiring.backend import wire_backend
from fabricgen.compile.design.wiring.backend_counts import BackendSize
from fabricgen.compile.design.wiring.naming import judge_names
from fabricgen.compile.design.wiring.pinned_links import with_pins
from fabricgen.compile.design.wiring.rail_kinds import RailKind, sized_kinds
from fabricgen.compile.design.wiring.recabling import say_recabling
from fabricgen.compile.design.wiring.tiers import ratios_of
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.units import Meters
from fabricgen.intent.model.backend import UNSAID, Backend
from fabricgen.intent.model.intent import Intent
from fabricgen.model.fabric.addressing import Addresses
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Topology


def design_rails(
    intent: Intent, words: Backend, services: Services, findings: Findings
) -> Fabric | None:
    """Design a fabric of GPU rails; None where an error leaves no whole one."""
    attempt = findings.attempt
    kinds = _kinds(adopt_profile(words, findings), findings)
    words = kinds[0]
    judge_words(words, findings)
    hosts = attempt(lambda: rail_plans(kinds, findings))
    laid_out = attempt(lambda: sized_kinds(kinds, findings))
    if laid_out is None:
        return None
    size, laid = laid_out
    topology = attempt(lambda: _topology(intent, words, size, laid, findings))
    if topology is None:
        return None
    sorts = partial(_sorts, size, laid)
    lossless = attempt(lambda: plan_lossless(words, sorts, topology, findings))
    overlay = attempt(lambda: _overlay(intent, kinds, topology, findings))
    tunnels = overlay is not None and overlay.rules is not None
    addresses = attempt(lambda: _addresses(intent, words, size, topology, findings, tunnels))
    wire = partial(wire_backend, size=size, kinds=laid, site=words.stands(intent.site))
    known = attempt(lambda: identities(words, topology, wire))
    if hosts is None or addresses is None or known is None:
        return None
    width = max(size.uplinks, size.spine_uplinks)
    routing = attempt(lambda: route(words, topology, addresses, width, findings, overlay=tunnels))
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
            f"the {words.name} has its own servers, but {kinds[0].kind} also has ports on it",
            words.at("servers"),
            "make them a kind in the site's `servers`, too",
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
                "make all NICs of a server on one rail fabric one set",
            )
    return sorted(every, key=_first_unit)


def _judge_nics(words: Backend, findings: Findings) -> None:
    """Stop at a kind without a number of NICs."""
    servers = vars(words.servers)
    if servers.get("nics", "refused") is None and servers.get("gpus") == 0:
        raise findings.stop(
            Code.MISSING_KEY,
            f"{words.kind_name} has no GPUs, so its number of NICs on the {words.name} is unknown",
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
    """Wire a backend, and report the faults of its cables and names."""
    with findings.going_on():
        say_recabling(words, size, findings)
    wired = wire_backend(words, size, laid, words.stands(intent.site))
    faces = [*(kind.face for kind in laid), *(tier.face for tier in size.tiers.values())]
    topology = with_pins(words, wired, faces, findings)
    judge_names(topology, words, findings)
    return topology


def _sorts(size: BackendSize, laid: Sequence[RailKind], words: Backend) -> tuple[Sort, ...]:
    """Return the sorts of switches of a backend, with the words on their cables."""
    longest = max(words.cables)  # of words that were shortened since they were sized
    leafs = (
        Sort(
            role=Role.LEAF,
            group=kind.group,
            model=words.leaf.model,
            path=words.at("leaf"),
            face=kind.face,
            nic=kind.words.servers.nic_speed,
            near=Meters(min(kind.words.servers.cable_length, longest)),
        )
        for kind in laid
    )
    return (*leafs, *sort_uppers(words, size))


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
    """Cut the pools for current and reserved devices."""
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

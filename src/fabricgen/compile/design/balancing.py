"""Design how each tier balances load over ECMP paths."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.paths import at
from fabricgen.model.fabric.balancing import (
    FIVE_TUPLE,
    UNEVEN,
    Field,
    Flows,
    LoadBalancing,
    Mode,
    reached,
)
from fabricgen.model.fabric.hosts import HostPlan
from fabricgen.model.fabric.topology import Role, Switch, Topology

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.compile.design.wiring.backend_counts import BackendSize
    from fabricgen.compile.design.wiring.rail_kinds import RailKind
    from fabricgen.intent.model.backend import Backend

    Balancing = Mapping[Role, LoadBalancing]

# SONiC has these values for a ToRRouter, a LeafRouter and a SpineRouter (sonic-buildimage
# dockers/docker-orchagent/switch.json.j2@0860bc78). All platforms use them, so that tiers of
# different vendors differ, too.
SEEDS = {Role.LEAF: 0, Role.SPINE: 10, Role.SUPERSPINE: 25}


def balance_backend(
    intent: Backend,
    size: BackendSize,
    kinds: Sequence[tuple[RailKind, HostPlan]],
    topology: Topology,
    findings: Findings,
    tunnels: bool,  # noqa: FBT001 - what the tenants need, passed on as it is
) -> Balancing | None:
    """Design the load balancing of a backend; None where no switch has two paths to a NIC.

    kinds: kinds of servers, with their NICs; the hash is checked for the kind with the worst
    spread. tunnels: of tenants, in which no switch on the path sees a queue pair.
    """
    words, here = intent.load_balancing, at(*intent.at("load_balancing"))
    if size.spines is None:
        if words.model_fields_set:
            findings.error(
                Code.BAD_VALUE,
                f"a {intent.design} backend has one path between two NICs, so load balancing has "
                "no effect",
                here,
                "remove `load_balancing`",
            )
        return None
    each = [(plan, _flows(kind, size, size.spines.speed, plan.queue_pairs)) for kind, plan in kinds]
    hashed = [flows for plan, flows in each if not plan.spreads]
    every = hashed or [flows for _, flows in each]
    flows = max(every, key=lambda some: some.shares(queue_pairs=False))
    mode, fields = Mode(words.mode), _fields(words.hash)
    if tunnels:
        _judge_hidden(fields, (*here, "hash"), findings)
    few = intent.roce.enabled and hashed and words.hash is None and not tunnels
    wished = _wished(mode, flows) if few else ()
    chained, rule = _chained(topology), _rule(mode, fields, wished, flows)
    return {
        role: LoadBalancing(
            mode=mode,
            fields=fields,
            wished=wished,
            seed=SEEDS[role] if seed is None else seed,
            seeded=seed is not None,
            chained=chained,
            flows=flows,
            because=Provenance(
                (here,),
                f"{rule}; {role}s have the hash seed {SEEDS[role] if seed is None else seed}",
            ),
        )
        for role, seed in ((role, getattr(words.seeds, role)) for role in Role)
    }


def _judge_hidden(fields: Sequence[Field], path: IntentPath, findings: Findings) -> None:
    """Refuse a hash of fields that a VXLAN header hides."""
    if Field.QUEUE_PAIR in fields:
        findings.error(
            Code.BAD_VALUE,
            "traffic of tenants is tunneled over the spines, and a tunnel hides the queue pair",
            path,
            "remove it, or make the tenants' VRFs `local`",
        )


def plain_balance(topology: Topology, here: IntentPath) -> Balancing:
    """Design the balancing of many flows (tenants, storage), which needs only seeds of tiers."""
    chained = _chained(topology)
    why = Provenance(
        (at(*here, "spine"),), "each tier has its own hash seed, so no two tiers hash the same way"
    )
    return {
        role: LoadBalancing(
            mode=Mode.ECMP,
            fields=FIVE_TUPLE,
            wished=(),
            seed=seed,
            seeded=False,
            chained=chained,
            flows=None,
            because=why,
        )
        for role, seed in SEEDS.items()
    }


def _fields(names: Sequence[str] | None) -> tuple[Field, ...]:
    """Return the fields in the order of their kind, however a person lists them."""
    return FIVE_TUPLE if names is None else tuple(field for field in Field if field in names)


def _wished(mode: Mode, flows: Flows) -> tuple[Field, ...]:
    """Add the queue pair to the hash where the flows between NICs are too few.

    NICs differ in whether queue pairs have UDP source ports of their own: mlx5 gave all of them
    r_roce_min_src_udp_port (linux drivers/infiniband/hw/mlx5 mlx5_get_roce_udp_sport) before it
    used the flow label. So only a hash of the queue pair itself separates them.
    """
    uneven = mode is Mode.ECMP and flows.shares(queue_pairs=False) >= UNEVEN
    return (Field.QUEUE_PAIR,) if uneven and flows.queue_pairs > 1 else ()


def _rule(mode: Mode, fields: tuple[Field, ...], wished: tuple[Field, ...], flows: Flows) -> str:
    if mode is not Mode.ECMP:
        return f"ECMP paths are chosen by {mode}"
    if wished:
        return (
            f"{flows.sentence(queue_pairs=False)}; with the queue pair in the hash these are "
            f"{flows.counted(queue_pairs=True)} and {flows.shares(queue_pairs=True):.1f}"
        )
    return flows.sentence(queue_pairs=Field.QUEUE_PAIR in fields)


def _flows(kind: RailKind, size: BackendSize, link_speed: BitsPerSecond, queue_pairs: int) -> Flows:
    """Return the flows of a kind's full leaf with every uplink that growth reserves.

    The number of uplinks in use would change the hash while the fabric grows.
    """
    counted = size.servers
    rails = min(counted.rails, counted.rails_per_leaf)
    nics = kind.per_unit * rails * kind.ports_per_leaf
    return Flows(
        nics=nics,
        uplinks=size.uplinks,
        queue_pairs=queue_pairs,
        nic_speed=kind.words.servers.nic_speed,
        uplink_speed=link_speed,
    )


def _chained(topology: Topology) -> bool:
    """Return whether a switch could reach fewer links behind one with the same seed."""
    pairs: Counter[tuple[str, str]] = Counter()
    for link in topology.links:
        if isinstance(link.lower, Switch) and not link.of_pair:
            pairs[link.lower.name, link.upper.name] += 1
    up: Counter[str] = Counter()
    onward: dict[str, set[int]] = defaultdict(set)
    for (lower, upper), links in pairs.items():
        up[lower] += links
        onward[upper].add(links)
    for name, ways in up.items():
        onward[name].add(ways)
    return any(
        reached(up[lower], links, ways) < ways
        for (lower, upper), links in pairs.items()
        for ways in onward[upper]
    )

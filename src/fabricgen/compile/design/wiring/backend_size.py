"""Sizes a backend: every count and every bank of ports.

Leafs per fabric = rails x planes x ceil(servers / servers per leaf). Spines = the smallest number
that carries the uplinks and divides them evenly. What `growth` reserves is sized in, but not
bought.
"""

from dataclasses import replace
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.backend_counts import (
    BackendSize,
    Servers,
    counted_servers,
    shared_units,
)
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    Faceplate,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.pods import sized_pods
from fabricgen.compile.design.wiring.sizing import Above, above, tier_role
from fabricgen.core.diagnostics import Code
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend
from fabricgen.model.catalog.switches import SwitchModel


def per_rail(intent: Backend) -> bool:
    """Tell whether the leafs of a rail have spines that no other rail has."""
    return intent.spine is not None and intent.spine.per_rail


def judge_rails_apart(intent: Backend, findings: Findings) -> None:
    """Say where rails that are kept apart would meet all the same."""
    if not per_rail(intent):
        return
    if intent.design != "rail-optimised":
        findings.spoil(
            Code.BAD_VALUE,
            f"in a {intent.design} backend rails meet in the superspines",
            intent.at("spine", "per_rail"),
            "use the rail-optimised design, or leave it out",
        )
    if intent.scalable_unit and intent.scalable_unit.shared:
        findings.spoil(
            Code.BAD_VALUE,
            "rails that share a leaf in some units cannot have spines of their own",
            intent.at("scalable_unit", "shared"),
        )


_TIERS = {
    "rail-only": ("leaf",),
    "rail-optimised": ("leaf", "spine"),
    "three-tier": ("leaf", "spine", "superspine"),
}


@record(kw_only=True)
class _Leaf:
    """How the leaf's cages divide."""

    per_unit: int
    each: int
    down_cages: int
    down_ports: int


def size_backend(intent: Backend, findings: Findings) -> BackendSize:
    """Derive every count, or stop with what was needed and what there is."""
    size = _size(intent, findings)
    return replace(size, shared=shared_units(intent, size, findings))


def _size(intent: Backend, findings: Findings) -> BackendSize:
    """Size tiers and units, where every unit is full."""
    _judge_hardware(intent, findings)
    servers = counted_servers(intent, findings)
    if intent.design == "rail-only":
        return _rail_only(intent, servers, findings)
    tier_role(intent, "spine", findings)
    judge_rails_apart(intent, findings)
    model = find_model(intent, intent.leaf.model, intent.at("leaf", "model"), findings)
    spine = above(intent, "spine", model, findings)
    leaf = _leaf(intent, servers, model, spine, findings)
    uplinks, face = _leaf_face(intent, leaf, model, spine, findings)
    size = BackendSize(
        servers=servers,
        per_unit=leaf.per_unit,
        units=ceil(servers.count / leaf.per_unit),
        units_per_pod=ceil(servers.reserved / leaf.per_unit),
        leaf=face,
        uplinks=uplinks,
    )
    if intent.design == "rail-optimised":
        size = replace(size, per_rail=per_rail(intent))
        each = servers.leafs_per_nic if size.per_rail else servers.reserved_groups
        lowers = size.units_per_pod * each
        return replace(size, spines=spine.top(lowers, uplinks))
    return _in_pods(intent, size, spine, findings)


def _in_pods(intent: Backend, size: BackendSize, spine: Above, findings: Findings) -> BackendSize:
    """Size the tiers of pods, where units of `size` are counted as if there was one."""
    groups = size.servers.reserved_groups
    pods = sized_pods(intent, spine, (size.units_per_pod, groups, size.uplinks), findings)
    return replace(
        size,
        units_per_pod=pods.units,
        pods=ceil(size.units / pods.units),
        spines=pods.spines,
        spine_uplinks=pods.uplinks,
        superspines=pods.superspines,
    )


def _judge_hardware(intent: Backend, findings: Findings) -> None:
    """Look at the hardware of every role first: a later step stops at what does not fit."""
    needed = _TIERS.get(intent.unless_refused("design"), ())
    for name in needed or _TIERS["three-tier"]:
        with findings.going_on():
            role = intent.unless_refused(name)
            if role is None and needed:
                tier_role(intent, name, findings)
            model = role and find_model(intent, role.model, intent.at(name, "model"), findings)
            if model and name == "leaf":
                _down(intent, model, findings)


def _leaf_face(
    intent: Backend, leaf: _Leaf, model: SwitchModel, spine: Above, findings: Findings
) -> tuple[int, Faceplate]:
    """Return how many uplinks a leaf has, and which of its cages they and the NICs take."""
    nic = intent.servers.nic_speed
    needed, uplinks = spine.needed(leaf.down_ports, nic), spine.uplinks(leaf.down_ports, nic)
    if spine.slots and uplinks >= 4 * needed and not spine.role.links:
        findings.warn(
            Code.UPLINKS_NOT_DIVISIBLE,
            f"{leaf.down_ports} ports of {nic} need {needed} uplinks of "
            f"{spine.speed}; a leaf has {uplinks}, one to each of {spine.slots} spines",
            intent.at("growth", "spines") if intent.growth.spines else intent.at("spine", "count"),
            f"at most {needed} spines, or a slower links.speed",
        )
    up_per_cage = spine.below(model)
    up_cages = ceil(uplinks / up_per_cage)
    cages, kept = len(model.usable), intent.leaf.reserve
    if leaf.down_cages + up_cages + kept > cages:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a leaf needs {leaf.down_cages} cages down and {up_cages} up"
            f"{f', and {kept} are reserved' if kept else ''}; {model.name} has {cages}",
            intent.at("scalable_unit", "servers") if intent.scalable_unit else intent.at("leaf"),
            "put fewer servers in a unit, or allow more oversubscription",
        )
    face = faceplate(
        model,
        Bank(nic, leaf.each, leaf.down_cages),
        Bank(spine.speed, up_per_cage, up_cages),
    )
    return uplinks, face


def _rail_only(intent: Backend, servers: Servers, findings: Findings) -> BackendSize:
    model = find_model(intent, intent.leaf.model, intent.at("leaf", "model"), findings)
    speed = intent.servers.nic_speed
    each, cages = _down(intent, model, findings), _cages(intent, model, findings)
    ports = each * cages
    capacity = ports // (servers.rails_per_leaf * servers.ports_per_leaf)
    per_unit = intent.scalable_unit.servers if intent.scalable_unit else capacity
    if max(servers.reserved, per_unit) > capacity:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{max(servers.reserved, per_unit)} servers need that many ports per rail; a "
            f"{model.name} leaf has {ports} ports of {speed}, room for {capacity} servers",
            intent.at("servers", "count"),
            "use the rail-optimised design, or a larger leaf",
        )
    if servers.reserved > per_unit:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a rail-only backend is one scalable unit: {servers.reserved} servers do not fit into "
            f"one of {per_unit}",
            intent.at("scalable_unit", "servers"),
            "leave out scalable_unit, or use the rail-optimised design",
        )
    face = faceplate(model, Bank(speed, each, cages), None)
    return BackendSize(servers=servers, per_unit=per_unit, units=1, leaf=face)


def _cages(intent: Backend, model: SwitchModel, findings: Findings) -> int:
    """Return the cages of a leaf that are not kept for appliances."""
    cages, kept = len(model.usable), intent.leaf.reserve
    if kept < cages:
        return cages - kept
    raise findings.stop(
        Code.PORTS_EXHAUSTED,
        f"{kept} cages of a leaf are reserved; {model.name} has {cages}",
        intent.at("leaf", "reserve"),
        f"this fits: less than `reserve: {cages}`",
    )


def _down(intent: Backend, model: SwitchModel, findings: Findings) -> int:
    """Return the NIC ports of one leaf cage."""
    path = (
        intent.at("leaf", "breakout") if intent.leaf.breakout else intent.at("servers", "nic_speed")
    )
    return per_cage(model, intent.servers.nic_speed, path, findings, intent.leaf.breakout)


def _leaf(
    intent: Backend, servers: Servers, model: SwitchModel, spine: Above, findings: Findings
) -> _Leaf:
    nic = intent.servers.nic_speed
    down = _down(intent, model, findings)
    up = spine.below(model)
    cages, each = _cages(intent, model, findings), servers.rails_per_leaf * servers.ports_per_leaf
    if intent.scalable_unit:
        per_unit = intent.scalable_unit.servers
    else:
        ratio = spine.ratio * up * spine.speed
        most = int(cages * ratio / (down * nic + ratio))
        per_unit = most * down // each
    ports = per_unit * each
    if not per_unit:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"an oversubscription of {spine.ratio:g} leaves no port of {model.name} "
            f"for a server's {each}",
            spine.allows,
            "allow more oversubscription, or fewer rails per leaf",
        )
    if ports > cages * down:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a unit of {per_unit} servers needs {ports} leaf ports; "
            f"{model.name} has {cages * down} of {nic}",
            intent.at("scalable_unit", "servers") if intent.scalable_unit else intent.at("leaf"),
        )
    return _Leaf(per_unit=per_unit, each=down, down_cages=ceil(ports / down), down_ports=ports)

"""Design a routed fabric.

Its server ports are routed like those of rails, so leaf k of a unit is rail k of its servers.
"""

from collections.abc import Iterator
from functools import partial

from fabricgen.compile.design.addressing import NicBlocks, allocate, plan_nics, reserve
from fabricgen.compile.design.balancing import plain_balance
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.hosts import routed_plans
from fabricgen.compile.design.identity import identities
from fabricgen.compile.design.kinds.steps import adopt_profile, judge_words
from fabricgen.compile.design.lossless import Sort, plan_lossless
from fabricgen.compile.design.qos import classify
from fabricgen.compile.design.routing import route
from fabricgen.compile.design.server_placement import group_of
from fabricgen.compile.design.wiring.naming import judge_names
from fabricgen.compile.design.wiring.pinned_links import with_pins
from fabricgen.compile.design.wiring.routed import wire_routed
from fabricgen.compile.design.wiring.routed_size import RoutedSize, SideSize, size_routed
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import Meters
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.routed import MOST_LEAFS, SIDES, Demand, Routed, Side
from fabricgen.model.fabric.addressing import Addresses
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Topology

_GIGABYTE = 8e9  # bits


def judge_demand(words: Routed, size: RoutedSize, findings: Findings) -> None:
    """Compare the demand with the links of both sides: as they are, and as growth has them."""
    demand = words.demand
    if demand is None:
        return
    sides = {side.name: side for side in size.sides}
    if len(sides) < 2:
        sentence = "`demand` needs a compute side and a storage side, but one of the two is missing"
        findings.error(Code.MISSING_KEY, sentence, words.at("demand"), "add it to `sides`")
        return
    bought = {name: side.words.seated.count for name, side in sides.items()}
    grown = {name: side.servers for name, side in sides.items()}
    for servers, spines, when in ((bought, size.spines, ""), (grown, size.slots, ", with growth")):
        asking = servers["compute"]
        need = demand.rate * asking / demand.servers
        short = [
            (carried, f"{told} = {carried:,.6g} GB/s")
            for side in size.sides
            for carried, told in _carried(side, servers[side.name], spines, size.slots)
            if carried < need
        ]
        if short:
            carried, told = min(short)
            findings.error(
                Code.DEMAND_ABOVE_CAPACITY,
                f"{_asked(demand, asking)} = {need:,.6g} GB/s{when}, but {told}",
                words.at("demand", "rate"),
                f"set at most `rate: {carried * demand.servers / asking:.6g}`, or add ports there",
            )
            return


def _asked(demand: Demand, servers: int) -> str:
    per = f" / {demand.servers}" if demand.servers > 1 else ""
    return f"{servers} compute servers{per} x {demand.rate:g} GB/s"


def _carried(side: SideSize, servers: int, spines: int, slots: int) -> Iterator[tuple[float, str]]:
    """Yield the capacity of a side in one direction, in GB/s of line rate: at servers and leafs."""
    words, links = side.words.seated, side.uplinks // slots * spines
    leafs = side.leafs(servers)
    yield (
        servers * words.ports * words.speed / _GIGABYTE,
        f"{servers} {side.name} servers x {words.ports} x {words.speed}",
    )
    yield (
        leafs * links * side.speed / _GIGABYTE,
        f"{leafs} {side.name} leafs x {links} uplinks x {side.speed}",
    )


def with_servers(words: Routed, findings: Findings) -> Routed:
    """Give each side its servers: from its own key, or a kind of the site's.

    Where a kind has an error, its side is unknown, so sides without servers are not reported.
    """
    sides: dict[str, Side | None] = {**words.each_side}
    seated = [
        findings.attempt(partial(_seat, each, sides, words, findings)) for each in words.served
    ]
    known = words.all_served and None not in seated
    empty = [
        name
        for name, side in words.each_side.items()
        if "servers" in vars(side) and side.servers is None and sides[name] is side
    ]
    for name in empty if known else ():
        findings.spoil(
            Code.MISSING_KEY,
            f"the {name} side of the {words.name} has no servers",
            words.at("sides", name),
            f"add `servers: {{count: …, speed: …}}`, or a kind with `group: {name}` to the "
            "site's `servers`",
        )
    there = {name: side for name, side in sides.items() if name not in empty}
    return words.with_sides(there | dict.fromkeys(empty if known else ()), () if known else empty)


def _seat(
    each: KindPorts, sides: dict[str, Side | None], words: Routed, findings: Findings
) -> bool:
    """Give a side a kind of servers."""
    name = group_of(words, each, SIDES, "side", findings)
    side = sides.get(name) or Side()
    _judge_free(each, name, side, words, findings)
    sides[name] = side.with_servers(each)
    return True


def _judge_free(each: KindPorts, name: str, side: Side, words: Routed, findings: Findings) -> None:
    """Stop where a side has servers already."""
    if side.kind is not None:
        raise findings.stop(
            Code.UNSUPPORTED,
            f"{side.kind.kind} already has ports on the {name} side of the {words.name}, and a "
            "side takes one kind",
            each.at("fabric"),
            "give the kind the other side, or its own routed fabric in `fabrics`",
        )
    if side.unless_refused("servers") is not None:
        raise findings.stop(
            Code.DUPLICATE_ID,
            f"the {name} side of the {words.name} has its own servers, but {each.kind} also has "
            "ports on it",
            words.at("sides", name, "servers"),
            "make them a kind in the site's `servers`, too",
        )


def design_routed(
    intent: Intent, words: Routed, services: Services, findings: Findings
) -> Fabric | None:
    """Design a routed fabric; None where an error leaves no whole one."""
    attempt = findings.attempt
    words = adopt_profile(with_servers(words, findings), findings)
    judge_words(words, findings)
    size = attempt(lambda: size_routed(words, findings))
    if size is None:
        return None
    with findings.going_on():
        judge_demand(words, size, findings)
    site = words.stands(intent.site)
    faces = [*size.leafs.values(), size.spine]
    topology = with_pins(words, wire_routed(words, size, site), faces, findings)
    judge_names(topology, words, findings)
    lossless = attempt(lambda: plan_lossless(words, partial(_sorts, size), topology, findings))
    addresses = attempt(lambda: _addresses(intent, words, size, topology, findings))
    known = attempt(lambda: identities(words, topology, lambda it: wire_routed(it, size, site)))
    hosts = attempt(lambda: routed_plans(words, findings))
    if addresses is None or known is None or hosts is None:
        return None
    width = max(side.uplinks for side in size.sides)
    routing = attempt(lambda: route(words, topology, addresses, width, findings, overlay=False))
    if routing is None or not findings.whole:
        return None
    qos, qos_above = classify(words, lossless)
    ratios = {side.name: side.words.ratio for side in size.sides}
    return Fabric(
        name=words.name,
        design=words.design,
        topology=topology,
        addresses=addresses,
        routing=routing,
        qos=qos,
        overlay=None,
        services=services,
        gpus=0,
        oversubscription=max(ratios.values()),
        sides=ratios,
        hosts=hosts,
        lossless=lossless,
        qos_above=qos_above,
        balancing=plain_balance(topology, words.here),
        identities=known,
    )


def _addresses(
    intent: Intent, words: Routed, size: RoutedSize, topology: Topology, findings: Findings
) -> Addresses:
    """Cut the pools for current and reserved devices."""
    blocks = NicBlocks(
        rails=len(SIDES) * MOST_LEAFS,
        planes=1,
        ports=size.most_ports,
        units=max(side.leafs(side.servers) // side.spread for side in size.sides),
        most=max(side.servers * side.each for side in size.sides),
    )
    nics = plan_nics(words, blocks, findings)
    room = reserve(topology, size.reserved, size.uplinks, 0)
    return allocate(words, room, intent.site.management, nics, findings)


def _sorts(size: RoutedSize, words: Routed) -> tuple[Sort, ...]:
    """Return the sorts of switches: the leafs of each side, and the spines."""
    spines = Sort(role=Role.SPINE, model=words.spine.model, path=words.at("spine"), face=size.spine)
    leafs = [
        Sort(
            role=Role.LEAF,
            group=side.name,
            model=side.role.model,
            path=side.path,
            face=size.leafs[side.name],
            nic=side.words.seated.speed,
            near=Meters(words.each_side[side.name].seated.cable_length),
        )
        for side in size.sides
    ]
    return (*leafs, spines)

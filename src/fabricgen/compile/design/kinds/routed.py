"""The words of a routed fabric in, the designed fabric out, or all that keeps it from being one.

Its server ports are routed as those of rails are, so leaf k of a unit is rail k of its servers.
"""

from functools import partial

from fabricgen.compile.design.addressing import NicBlocks, allocate, judge_pools, plan_nics, reserve
from fabricgen.compile.design.balancing import plain_balance
from fabricgen.compile.design.demand import judge_demand
from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.hosts import routed_plans
from fabricgen.compile.design.identity import identities
from fabricgen.compile.design.lossless import Sort
from fabricgen.compile.design.qos import classify, judge_classes
from fabricgen.compile.design.roce_profiles import adopted
from fabricgen.compile.design.routing import route
from fabricgen.compile.design.sides import with_servers
from fabricgen.compile.design.unused import say_unused
from fabricgen.compile.design.wiring.naming import judge_names, judge_patterns
from fabricgen.compile.design.wiring.pinned_links import with_pins
from fabricgen.compile.design.wiring.routed import wire_routed
from fabricgen.compile.design.wiring.routed_size import RoutedSize, size_routed
from fabricgen.core.units import Metres
from fabricgen.intent.model.intent import Intent
from fabricgen.intent.model.routed import MOST_LEAFS, SIDES, Routed
from fabricgen.model.fabric.addressing import Addresses
from fabricgen.model.fabric.buffers import Lossless
from fabricgen.model.fabric.routing import Routing
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Topology


def design_routed(
    intent: Intent, words: Routed, services: Services, findings: Findings
) -> Fabric | None:
    """Design a routed fabric; None where an error leaves no whole one."""
    attempt = findings.attempt
    words = _judged(with_servers(words, findings), findings)
    size = attempt(lambda: size_routed(words, findings))
    if size is None:
        return None
    with findings.going_on():
        judge_demand(words, size, findings)
    site = words.stands(intent.site)
    faces = [*size.leafs.values(), size.spine]
    topology = with_pins(words, wire_routed(words, size, site), faces, findings)
    judge_names(topology, words, findings)
    lossless = attempt(lambda: _lossless(words, size, topology, findings))
    addresses = attempt(lambda: _addresses(intent, words, size, topology, findings))
    known = attempt(lambda: identities(words, topology, lambda it: wire_routed(it, size, site)))
    hosts = attempt(lambda: routed_plans(words, findings))
    if addresses is None or known is None or hosts is None:
        return None
    routing = attempt(lambda: _routing(words, size, topology, addresses, findings))
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


def _judged(words: Routed, findings: Findings) -> Routed:
    """Return the words with the numbers of their RoCE profile, and say what is wrong with them."""
    with findings.going_on():
        roce = words.roce
        words = words.model_copy(update={"roce": roce and adopted(roce)})
    for judge in (say_unused, judge_patterns, judge_pools, judge_classes):
        findings.attempt(partial(judge, words, findings))
    return words


def _routing(
    words: Routed, size: RoutedSize, topology: Topology, addresses: Addresses, findings: Findings
) -> Routing:
    width = max(side.uplinks for side in size.sides)
    return route(topology, addresses, words.underlay, words.here, width, findings, overlay=False)


def _addresses(
    intent: Intent, words: Routed, size: RoutedSize, topology: Topology, findings: Findings
) -> Addresses:
    """Cut the pools for what is there and what growth reserves."""
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


def _lossless(
    words: Routed, size: RoutedSize, topology: Topology, findings: Findings
) -> Lossless | None:
    from fabricgen.compile.design.lossless import plan_lossless  # noqa: PLC0415 - only RoCE pays

    return plan_lossless(words, partial(_sorts, size), topology, findings)


def _sorts(size: RoutedSize, words: Routed) -> tuple[Sort, ...]:
    """Return the sorts of switches: the leafs of each side, and the spines."""
    from fabricgen.compile.design.lossless import Sort  # noqa: PLC0415 - only RoCE pays

    spines = Sort(role=Role.SPINE, model=words.spine.model, path=words.at("spine"), face=size.spine)
    leafs = [
        Sort(
            role=Role.LEAF,
            group=side.name,
            model=side.role.model,
            path=side.path,
            face=size.leafs[side.name],
            nic=side.words.seated.speed,
            near=Metres(words.each_side[side.name].seated.cable_length),
        )
        for side in size.sides
    ]
    return (*leafs, spines)

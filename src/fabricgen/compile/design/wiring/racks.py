"""Assign the servers of a leaf group to places on its leafs.

Places on a leaf count from 1. Each set has the ports from its first place up to the next set's, so
more servers per leaf move nothing of another set.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.server_placement import group_of
from fabricgen.compile.design.wiring.faceplate import Bank, per_cage
from fabricgen.compile.design.wiring.leaf_ports import Laid, Rack, seated
from fabricgen.compile.design.wiring.naming import Namer
from fabricgen.compile.design.wiring.tiers import length_of
from fabricgen.core.diagnostics import Code
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.frontend import Frontend, LeafGroup, RackServers
from fabricgen.intent.paths import at
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.topology import Link, Place, Port, Server, Switch

ETH = "eth"
"""Network of servers in a leaf group's own key."""


def racks_of(words: Frontend, group: LeafGroup, name: str, findings: Findings) -> list[Rack]:
    """Return the devices at the leafs of a group, by place."""
    own = group.servers
    racks = [] if own is None else [_own(words, own, name)]
    groups = list(words.leaf_groups)
    racks += [
        _of_kind(each)
        for each in words.served
        if group_of(words, each, groups, "leaf group", findings) == name
    ]
    racks.sort(key=lambda rack: (rack.first, rack.place))
    if len(racks) > 1:
        _judge_places(racks, findings)
    return racks


def _own(words: Frontend, own: RackServers, group: str) -> Rack:
    place = at(*words.at("leaf_groups", group, "servers"))
    return Rack(
        words=own,
        kind=None,
        place=place,
        network=ETH,
        bond="lacp" if own.lag else "none",
        speed=own.speed,
        length=length_of(own),
        ports=own.links,
        spread=1,
        per_leaf=own.per_leaf,
        first=1,
        because=Provenance((place,), "server n of a rack takes the leaf's n-th ports"),
    )


def _of_kind(each: KindPorts) -> Rack:
    ports, place = each.ports, at(*each.at())
    pair = " of a pair" if ports.leafs > 1 else ""
    return Rack(
        words=None,
        kind=each,
        place=place,
        network=each.network,
        bond=ports.bond,
        speed=ports.speed,
        length=length_of(ports),
        ports=ports.ports // ports.leafs,
        spread=ports.leafs,
        per_leaf=ports.per_leaf,
        first=ports.first,
        because=Provenance(
            (place,), f"servers of {each.kind} fill leaf after leaf{pair}, by number"
        ),
    )


def _judge_places(racks: Sequence[Rack], findings: Findings) -> None:
    """Require that sets on shared leafs set their number of servers and their first place."""
    for rack in racks:
        if rack.per_leaf is None:
            raise findings.stop(
                Code.MISSING_KEY,
                "several sets of ports share these leafs, but this one has no number of servers "
                "per leaf",
                rack.place,
                "set `per_leaf`",
            )
    for rack, after in pairwise(racks):
        last = rack.first + (rack.per_leaf or 0) - 1
        if after.first <= last:
            raise findings.stop(
                Code.PORT_USED_TWICE,
                f"places {rack.first} to {last} of these leafs are used by {_told(rack)}, but "
                f"{_told(after)} begins at {after.first}",
                after.key("first") if after.kind else after.place,
                f"`first: {last + 1}` is free",
            )


def _told(rack: Rack) -> str:
    return rack.kind.kind if rack.kind else "the group's own servers"


def lay_out(
    racks: Sequence[Rack],
    model: SwitchModel,
    room: int,
    breakout: str | None,
    findings: Findings,
) -> list[Laid]:
    """Give each set its cages; room: how many there are for servers."""
    laid = []
    for number, rack in enumerate(racks):
        each = per_cage(model, rack.speed, rack.key("speed"), findings, breakout)
        start = rack.first if number else 1
        before = rack.first - start
        # At least one: a leaf without room for any is checked with the need of one.
        per_leaf = rack.per_leaf or max(1, room * each // rack.ports - before)
        last = max((to.place for to in rack.moved.values()), default=0)
        end = max(rack.first + per_leaf, last + 1)
        if rack is not racks[-1]:
            end = racks[number + 1].first
        cages = ceil((end - start) * rack.ports / each)
        laid.append(
            Laid(rack=rack, per_leaf=per_leaf, bank=Bank(rack.speed, each, cages), start=start)
        )
    return laid


def cabled(
    laid: Laid, leaf: Switch, group: Sequence[int], ports: Sequence[Port], site: str
) -> Iterator[tuple[Server, Place, list[Link]]]:
    """Yield the servers of a set on one leaf with their place and cables.

    group: leafs of its group up to this one. ports: ports of the set's bank.
    """
    rack = laid.rack
    pair, side = divmod(len(group) - 1, rack.spread)
    nics = rack.nics(side)
    for index, server in servers_at(laid, leaf, group[pair * rack.spread], pair, site):
        first = (index - laid.start) * rack.ports
        links = [
            Link(
                lower=server,
                lower_port=nic,
                upper=leaf,
                upper_port=ports[slot],
                speed=rack.speed,
                length=rack.length,
                slot=slot,
                because=rack.because,
            )
            for slot, nic in enumerate(nics, first)
        ]
        yield server, Place(unit=leaf.index, group=leaf.group, index=index), links


def servers_at(
    laid: Laid, leaf: Switch, head: int, pair: int, site: str
) -> list[tuple[int, Server]]:
    """Return the servers of a set on one leaf, by place; both leafs of a pair have the same.

    head: number of the first leaf of the pair. pair: how many pairs of its group are before it.
    """
    rack, per_leaf = laid.rack, laid.per_leaf
    if rack.kind is not None:
        return seated(rack.kind, laid, head, pair, site)
    assert rack.words is not None
    name, counted = Namer(rack.words.names, site), (leaf.index - 1) * per_leaf
    return [
        (
            index,
            Server(
                name=name(leaf=leaf.name, group=leaf.group, index=index, number=counted + index),
                kind="",
                number=counted + index,
                because=rack.because,
                tool=rack.words.network,
            ),
        )
        for index in range(1, per_leaf + 1)
    ]

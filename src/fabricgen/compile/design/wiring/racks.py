"""The servers of a leaf group in; which set of ports has which places on its leafs out.

Places on a leaf count from 1. Each set has the ports from its first place up to the next set's, so
more servers per leaf move nothing of another set.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.seating import group_of
from fabricgen.compile.design.wiring.cable_length import length_of
from fabricgen.compile.design.wiring.faceplate import Bank, per_cage
from fabricgen.compile.design.wiring.moved import beyond, seated
from fabricgen.compile.design.wiring.naming import Namer
from fabricgen.core.because import Because
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Metres
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.frontend import Frontend, LeafGroup, RackServers
from fabricgen.intent.model.servers import Moved
from fabricgen.intent.paths import at
from fabricgen.intent.settings import values_of
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.topology import Link, Nic, Place, Port, Server, Switch
from fabricgen.model.settings.ports import LacpFallback

ETH = "eth"
"""The network of servers that a leaf group's own key says."""


@record(kw_only=True)
class Rack:
    """One set of ports on the leafs of a group.

    ports: of one server on one leaf. per_leaf: servers on a leaf, or on a pair; None for as many as
    fit. spread: leafs that a server is on. kind: None where the group's own key says the servers.
    """

    words: RackServers | None
    kind: KindPorts | None
    place: IntentPath
    network: str
    bond: str
    speed: BitsPerSecond
    length: Metres
    ports: int
    spread: int
    per_leaf: int | None
    first: int
    because: Because

    def key(self, name: str) -> IntentPath:
        """Return the place of a key of these ports."""
        return (*self.place, name)

    @property
    def moved(self) -> Mapping[int, Moved]:
        """Return by number its servers that stand elsewhere."""
        if self.kind is None:
            return {}
        return {int(number): to for number, to in self.kind.ports.moved.items()}

    def nics(self, side: int) -> list[Nic]:
        """Return the ports of every server on the leaf of a side, 0 or 1."""
        waits = self.kind.ports.lacp_fallback if self.kind is not None else None
        return [
            Nic(
                rail=0,
                port=k + 1,
                name=f"{self.network}{k}",
                network=self.network,
                bond=self.bond,
                ptp=(self.kind.ports.ptp or "") if self.kind is not None else "",
                fallback=values_of(LacpFallback, waits) if waits is not None else None,
            )
            for k in range(side * self.ports, (side + 1) * self.ports)
        ]


def racks_of(words: Frontend, group: LeafGroup, name: str, findings: Findings) -> list[Rack]:
    """Return what stands at the leafs of a group, by place."""
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
        because=Because((place,), "server n of a rack takes the leaf's n-th ports"),
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
        because=Because((place,), f"servers of {each.kind} fill leaf after leaf{pair}, by number"),
    )


def _judge_places(racks: Sequence[Rack], findings: Findings) -> None:
    """Several sets share leafs: each says how many servers it has there, and from which place."""
    for rack in racks:
        if rack.per_leaf is None:
            raise findings.stop(
                Code.MISSING_KEY,
                "several sets of ports share these leafs, and this one does not say how many "
                "servers it has on each",
                rack.place,
                "add `per_leaf`",
            )
    for rack, after in pairwise(racks):
        last = rack.first + (rack.per_leaf or 0) - 1
        if after.first <= last:
            raise findings.stop(
                Code.PORT_USED_TWICE,
                f"places {rack.first} to {last} of these leafs are {_told(rack)}'s, and "
                f"{_told(after)} begins at {after.first}",
                after.key("first") if after.kind else after.place,
                f"`first: {last + 1}` is free",
            )


def _told(rack: Rack) -> str:
    return rack.kind.kind if rack.kind else "the group's own servers"


@record(kw_only=True)
class Laid:
    """A set of ports with its cages: servers per leaf, and the place of the bank's first port."""

    rack: Rack
    per_leaf: int
    bank: Bank
    start: int

    @property
    def ports(self) -> int:
        """Return the ports that its servers have on a full leaf."""
        return self.per_leaf * self.rack.ports

    @property
    def used(self) -> int:
        """Return the ports that its servers have on the leaf with the most of them."""
        kind = self.rack.kind
        there = min(self.per_leaf, kind.servers.count) if kind else self.per_leaf
        return (there + beyond(self)) * self.rack.ports

    @property
    def leafs(self) -> int:
        """Return how many leafs its kind needs; 0 where the group's own key says the servers."""
        kind = self.rack.kind
        if kind is None:
            return 0
        spread = self.rack.spread
        filled = ceil(kind.servers.count / self.per_leaf) * spread
        return max(filled, *(to.leaf + spread - 1 for to in self.rack.moved.values()), 0)

    def fitting(self, cages: int) -> int:
        """Return how many servers per leaf so many cages are for."""
        return cages * self.bank.each // self.rack.ports - (self.rack.first - self.start)

    def latest(self, cages: int) -> int:
        """Return the last place at which its servers may begin in so many cages."""
        return cages * self.bank.each // self.rack.ports - self.per_leaf + self.start

    def judge_leafs(self, have: int, findings: Findings) -> None:
        """Say where a kind needs more leafs than its group has."""
        kind, spread = self.rack.kind, self.rack.spread
        room = have // spread * self.per_leaf
        if kind is None or not have or kind.servers.count <= room:
            return
        on = "a pair of leafs" if spread > 1 else "a leaf"
        findings.spoil(
            Code.PORTS_EXHAUSTED,
            f"{kind.servers.count} servers, {self.per_leaf} on {on}, need {self.leafs} leafs; the "
            f"group has {have}, room for {room}",
            kind.at("count"),
            f"give the group {self.leafs} leafs, or the kind more `per_leaf`",
        )


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
        # One at least: a leaf without room for any is judged by what one would need.
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

    group: the leafs of its group up to this one. ports: those of the set's bank.
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
    """Return the servers of a set on one leaf, by place; on both leafs of a pair they are alike.

    head: number of the first leaf of the pair. pair: how many of its group are before it.
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

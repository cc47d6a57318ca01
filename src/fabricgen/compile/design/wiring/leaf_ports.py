"""Give each set of ports on the leafs of a group its servers and their places.

The number of a server gives its place, unless the intent moved it. The place that a moved server
left stays free, and no numbered server has its new place, so no other server moves.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.server_placement import servers_of
from fabricgen.compile.design.wiring.faceplate import Bank
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond, Meters
from fabricgen.intent.model.fabric import KindPorts
from fabricgen.intent.model.frontend import RackServers
from fabricgen.intent.model.servers import Moved
from fabricgen.intent.settings import values_of
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.model.settings.ports import NO_SETTINGS, PortSet


@record(kw_only=True)
class Rack:
    """One set of ports on the leafs of a group.

    ports: ports of one server on one leaf. per_leaf: servers on a leaf or pair; None for the
    maximum. spread: leafs per server. kind: None for the servers of the group's own key.
    """

    words: RackServers | None
    kind: KindPorts | None
    place: IntentPath
    network: str
    bond: str
    speed: BitsPerSecond
    length: Meters
    ports: int
    spread: int
    per_leaf: int | None
    first: int
    because: Provenance

    def key(self, name: str) -> IntentPath:
        """Return the intent path of a key of these ports."""
        return (*self.place, name)

    @property
    def moved(self) -> Mapping[int, Moved]:
        """Return its moved servers by number."""
        if self.kind is None:
            return {}
        return {int(number): to for number, to in self.kind.ports.moved.items()}

    def nics(self, side: int) -> list[Nic]:
        """Return the ports of every server on the leaf of a side, 0 or 1."""
        settings = values_of(PortSet, self.kind.ports) if self.kind is not None else NO_SETTINGS
        return [
            Nic(
                rail=0,
                port=k + 1,
                name=f"{self.network}{k}",
                network=self.network,
                bond=self.bond,
                ptp=(self.kind.ports.ptp or "") if self.kind is not None else "",
                settings=settings,
            )
            for k in range(side * self.ports, (side + 1) * self.ports)
        ]


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
    def behind(self) -> int:
        """Return how many servers the fullest leaf has after the unmoved places."""
        last = self.rack.first + self.per_leaf - 1
        behind = Counter(to.leaf for to in self.rack.moved.values() if to.place > last)
        return max(behind.values(), default=0)

    @property
    def used(self) -> int:
        """Return the number of ports in use on the leaf with the most servers."""
        kind = self.rack.kind
        there = min(self.per_leaf, kind.servers.count) if kind else self.per_leaf
        return (there + self.behind) * self.rack.ports

    @property
    def leafs(self) -> int:
        """Return the needed leafs of its kind; 0 for the servers of the group's own key."""
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
        """Report where a kind needs more leafs than its group has."""
        kind, spread = self.rack.kind, self.rack.spread
        room = have // spread * self.per_leaf
        if kind is None or not have or kind.servers.count <= room:
            return
        on = "a pair of leafs" if spread > 1 else "a leaf"
        findings.spoil(
            Code.PORTS_EXHAUSTED,
            f"{kind.servers.count} servers, {self.per_leaf} on {on}, need {self.leafs} leafs, but "
            f"the group has {have} with room for {room}",
            kind.at("count"),
            f"set {self.leafs} leafs for the group, or a larger `per_leaf` for the kind",
        )


def seated(
    kind: KindPorts, laid: Laid, head: int, pair: int, site: str
) -> list[tuple[int, Server]]:
    """Return the servers of a kind on a leaf or pair, with their places.

    head: number of its first leaf. pair: how many of its group are before it.
    """
    servers, moved = servers_of(kind, site), laid.rack.moved
    first = pair * laid.per_leaf
    own = [
        (place, server)
        for place, server in enumerate(servers[first : first + laid.per_leaf], laid.rack.first)
        if server.number not in moved
    ]
    come = [(to.place, servers[n - 1]) for n, to in moved.items() if to.leaf == head]
    return sorted([*own, *come], key=lambda seat: seat[0])


def judge_moved(laid: Laid, leafs: Sequence[int], end: int | None, findings: Findings) -> bool:
    """Stop if a server cannot be at its new place; True if all can.

    leafs: leaf numbers of the group. end: the first place of another set.
    """
    kind = laid.rack.kind
    for number, to in laid.rack.moved.items() if kind else ():
        assert kind is not None
        for code, key, wrong in _wrong(kind, laid, number, to, leafs, end):
            path = (*kind.at("moved"), str(number), *key)
            raise findings.stop(code, f"server {number} of {kind.kind}: {wrong}", path)
    return True


def _wrong(
    kind: KindPorts, laid: Laid, number: int, to: Moved, leafs: Sequence[int], end: int | None
) -> Iterator[tuple[Code, tuple[str, ...], str]]:
    """Yield the faults of a moved server; an earlier one causes the next."""
    rack, spread = laid.rack, laid.rack.spread
    heads = list(leafs)[::spread]
    if number > kind.servers.count:
        yield Code.UNKNOWN_REFERENCE, (), f"the kind has {kind.servers.count} servers"
        return
    if to.leaf not in heads:
        what = "leaf pair that starts at leaf" if spread > 1 else "leaf"
        yield Code.UNKNOWN_REFERENCE, ("leaf",), f"its group has no {what} {to.leaf}"
        return
    if to.place < rack.first or (end is not None and to.place >= end):
        yield Code.PORT_USED_TWICE, ("place",), f"place {to.place} belongs to another set of ports"
    at = heads.index(to.leaf) * laid.per_leaf + to.place - rack.first + 1
    stays = to.place < rack.first + laid.per_leaf and at <= kind.servers.count
    if stays and at not in rack.moved:
        yield Code.PORT_USED_TWICE, ("place",), f"server {at} is at place {to.place} there"
    others = (n for n, other in rack.moved.items() if n < number and other == to)
    for other in others:
        yield Code.PORT_USED_TWICE, ("place",), f"server {other} is moved there, too"

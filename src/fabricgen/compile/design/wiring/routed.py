"""Wire a routed fabric.

The sides alternate in numbers of leafs, and use the ports of a spine from either end. So one side
can grow and nothing of the other moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from fabricgen.compile.design.server_placement import servers_of
from fabricgen.compile.design.wiring.routed_size import RoutedSize, SideSize
from fabricgen.compile.design.wiring.tiers import (
    Cabling,
    Row,
    Seat,
    count_servers,
    length_of,
    row_of_spines,
)
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.routed import Routed, Side
from fabricgen.intent.paths import at
from fabricgen.intent.settings import values_of
from fabricgen.model.fabric.topology import Link, Nic, Place, Role, Server, Switch, Topology
from fabricgen.model.settings.ports import NO_SETTINGS, PortSet

DATA = "data"
"""Network of servers in the fabric's own key."""
_SIZED = "a switch of the derived size"
_UP = "every leaf reaches every spine with the same number of links; the sides use opposite ends"


def wire_routed(words: Routed, size: RoutedSize, site: str) -> Topology:
    """Build the fabric's topology."""
    return _Wiring(words=words, size=size, site=site).topology()


def network_on(side: Side) -> str:
    """Return the name of the set of ports, with which names of server ports begin."""
    return DATA if side.kind is None else side.kind.network


@dataclass(slots=True, kw_only=True)
class _Wiring:
    words: Routed
    size: RoutedSize
    site: str

    def topology(self) -> Topology:
        ports, count = self.size.spine.ports, self.size.spines
        spines = row_of_spines(self.words, ports, count, self.site, _SIZED)
        switches, servers, links = [*spines], [], []
        every: list[list[Server]] = []
        for side in self.size.sides:
            leafs, mine = self.leafs(side), self.servers(side)
            every.append(mine)
            switches += leafs
            servers += mine
            links += [*self.server_links(side, mine, leafs), *self.uplinks(side, leafs, spines)]
        return Topology(
            fabric=self.words.name,
            switches=tuple(switches),
            servers=tuple(servers),
            links=tuple(links),
            places={
                (server.name, network_on(side.words)): self.place(side, server)
                for side, mine in zip(self.size.sides, every, strict=True)
                for server in mine
            },
        )

    def place(self, side: SideSize, server: Server) -> Place:
        unit = (server.number - 1) // side.per_leaf + 1
        return Place(unit=unit, group=side.name, index=server.number)

    def leafs(self, side: SideSize) -> list[Switch]:
        """Return the leafs of a side; the leafs of a unit share its servers."""
        pattern = "{group}-leaf{index:02}"
        row = Row(words=self.words, role=Role.LEAF, default=pattern, site=self.site)
        because = Provenance((at(*side.path), at(*side.here)), _SIZED)
        face, leafs = self.size.leafs[side.name], []
        for number in range(side.leafs(side.words.seated.count)):
            unit, leaf = divmod(number, side.spread)
            seat = Seat(
                ordinal=side.ordinal(number),
                unit=unit + 1,
                index=number + 1,
                rails=(side.rail(leaf),),
                group=side.name,
            )
            leafs.append(row.switch(side.role, face.ports, seat, because))
        return leafs

    def servers(self, side: SideSize) -> list[Server]:
        if side.words.kind is not None:
            return list(servers_of(side.words.kind, self.site))
        names, words = self.words.server_names(side.name), side.words.seated
        because = Provenance(
            (at(*self.words.servers_at(side.name)),), "server n of its side, in unit ceil(n / size)"
        )
        return count_servers(names, words.count, words.network, self.site, because)

    def server_links(
        self, side: SideSize, servers: list[Server], leafs: list[Switch]
    ) -> Iterator[Link]:
        """Cable port k of a server to leaf k of its unit, round by round."""
        why = "port k of a server goes to leaf k of its unit, and round again"
        because = Provenance((at(*self.words.servers_at(side.name)),), why)
        down, words = self.size.leafs[side.name].down, side.words.seated
        network = network_on(side.words)
        ports = [divmod(port, side.spread) for port in range(words.ports)]
        of = side.words.kind
        settings = values_of(PortSet, of.ports) if of is not None else NO_SETTINGS
        nics = [
            (
                leaf,
                port,
                Nic(
                    rail=side.rail(leaf),
                    port=port + 1,
                    name=f"{network}{number}",
                    network=network,
                    settings=settings,
                ),
            )
            for number, (port, leaf) in enumerate(ports)
        ]
        for server in servers:
            unit, place = divmod(server.number - 1, side.per_leaf)
            for leaf, port, nic in nics:
                yield Link(
                    lower=server,
                    lower_port=nic,
                    upper=leafs[unit * side.spread + leaf],
                    upper_port=down[place * side.each + port],
                    speed=words.speed,
                    length=length_of(words),
                    slot=(server.number - 1) * side.each + port,
                    because=because,
                    place=place + 1,
                )

    def uplinks(self, side: SideSize, leafs: list[Switch], spines: list[Switch]) -> Iterator[Link]:
        tier = self.size.tier(side)
        cabling = Cabling(
            words=self.words,
            tier=tier,
            uplinks=self.size.uplinks,
            because=Provenance((at(*self.words.at("spine")), at(*self.words.at("links"))), _UP),
        )
        up = self.size.leafs[side.name].up
        for place, leaf in enumerate(leafs):
            yield from cabling.fan(leaf, up, spines, place)

"""Wire a backend of GPU rails."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from fabricgen.compile.design.server_placement import servers_of
from fabricgen.compile.design.wiring.backend_counts import BackendSize
from fabricgen.compile.design.wiring.rail_kinds import RailKind
from fabricgen.compile.design.wiring.tiers import (
    Cabling,
    Row,
    Seat,
    Tier,
    count_servers,
    length_of,
)
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.hardware import SwitchRole
from fabricgen.intent.paths import at
from fabricgen.intent.settings import values_of
from fabricgen.model.fabric.topology import Link, Nic, Place, Port, Role, Server, Switch, Topology
from fabricgen.model.settings.ports import NO_SETTINGS, PortSet

RDMA = "rdma"
"""Network of servers in the fabric's own key."""
_NIC_LINK = "NIC k is rail k and connects to the leaf of its unit that holds rail k"
_UP_LINK = "every leaf reaches every spine of its plane and pod with the same number of links"
_RAIL_LINK = "every leaf reaches every spine of its plane and rail with the same number of links"
_TOP_LINK = "spine s of every pod reaches the superspines of group s"
_CORE_LINK = "spine s of every pod and rail reaches the superspines of group s, where rails meet"


def wire_backend(
    intent: Backend, size: BackendSize, kinds: Sequence[RailKind], site: str
) -> Topology:
    """Build the backend's topology. kinds: its servers, by their units."""
    return _Wiring(intent=intent, size=size, kinds=kinds, site=site).topology()


@dataclass(slots=True, kw_only=True)
class _Wiring:
    intent: Backend
    size: BackendSize
    kinds: Sequence[RailKind]
    site: str

    def topology(self) -> Topology:
        leafs = self.leafs()
        spines = self.spines()
        tops = self.superspines()
        racked = [(kind, self.servers(kind)) for kind in self.kinds]
        links = [
            *(link for kind, each in racked for link in self.nic_links(kind, each, leafs)),
            *self.leaf_links(leafs, spines),
            *self.top_links(spines, tops),
        ]
        return Topology(
            fabric=self.intent.name,
            switches=(*tops.values(), *spines.values(), *leafs.values()),
            servers=tuple(server for _, each in racked for server in each),
            links=tuple(links),
            places={
                (server.name, network_of(kind.words)): self.place(kind, server)
                for kind, each in racked
                for server in each
            },
        )

    def seat(self, kind: RailKind, server: Server) -> tuple[int, int]:
        """Return the unit of a server and its place there, both from 0."""
        unit, place = divmod(server.number - 1, kind.per_unit)
        return kind.first - 1 + unit, place

    def place(self, kind: RailKind, server: Server) -> Place:
        unit, place = self.seat(kind, server)
        index = unit * self.size.per_unit + place + 1
        return Place(unit=unit + 1, group=kind.group, index=index)

    def because(self, rule: str, *keys: str) -> Provenance:
        return Provenance(tuple(at(*self.intent.at(key)) for key in keys), rule)

    def switch(self, row: Row, hardware: SwitchRole, ports: tuple[Port, ...], seat: Seat) -> Switch:
        because = self.because("a switch of the derived size", row.role)
        return row.switch(hardware, ports, seat, because)

    def row(self, role: Role, default: str) -> Row:
        plane = "p{plane}-" if self.size.servers.planes > 1 else ""
        return Row(words=self.intent, role=role, default=f"{plane}{default}", site=self.site)

    def rails(self, unit: int, index: int) -> tuple[int, ...]:
        each = self.size.rails_per_leaf(unit)
        first = (index - 1) * each + 1
        return tuple(range(first, min(first + each, self.size.servers.rails + 1)))

    def leafs(self) -> dict[tuple[int, int, int], Switch]:
        """Leafs by (plane, unit, index in the unit)."""
        servers = self.size.servers
        unit = "" if self.intent.design == "rail-only" else "su{unit:02}-"
        row = self.row(Role.LEAF, f"{unit}leaf{{index}}")
        leafs = {}
        of_unit = {
            unit - 1: kind for kind in self.kinds for unit in range(kind.first, kind.last + 1)
        }
        for u, kind in of_unit.items():
            pod = u // self.size.units_per_pod
            for i in range(self.size.groups(u + 1)):
                rails = self.rails(u + 1, i // servers.leafs_per_nic + 1)
                for p in range(servers.planes):
                    ordinal = (u * servers.reserved_groups + i) * servers.reserved_planes + p
                    seat = Seat(
                        ordinal=ordinal,
                        plane=p + 1,
                        pod=pod + 1,
                        unit=u + 1,
                        index=i + 1,
                        rails=rails,
                        group=kind.group,
                    )
                    leafs[p, u, i] = self.switch(row, self.intent.leaf, kind.face.ports, seat)
        return leafs

    def spines(self) -> dict[tuple[int, int, int], Switch]:
        """Spines by (plane, pod or rail, slot)."""
        tier, role, size = self.size.spines, self.intent.spine, self.size
        if tier is None or role is None:
            return {}
        block = "pod{pod:02}-" if size.superspines else ""
        block += "rail{rail}-" if size.per_rail else ""
        row = self.row(Role.SPINE, f"{block}spine{{index}}")
        spines = {}
        planes = range(size.servers.planes)
        for (b, pod, rail), s, p in product(size.blocks, range(tier.count), planes):
            seat = Seat(
                ordinal=(b * tier.slots + s) * size.servers.reserved_planes + p,
                plane=p + 1,
                pod=pod + 1,
                index=s + 1,
                rails=self.rails(1, rail + 1) if size.per_rail else (),
            )
            spines[p, b, s] = self.switch(row, role, tier.face.ports, seat)
        return spines

    def superspines(self) -> dict[tuple[int, int, int], Switch]:
        """Superspines by (plane, group, slot); group g serves spine g of every pod."""
        tier, role, below = self.size.superspines, self.intent.superspine, self.size.spines
        if tier is None or role is None or below is None:
            return {}
        row, servers = self.row(Role.SUPERSPINE, "g{unit:02}-superspine{index}"), self.size.servers
        tops = {}
        for g, s, p in product(range(below.count), range(tier.count), range(servers.planes)):
            seat = Seat(
                ordinal=(g * tier.slots + s) * servers.reserved_planes + p,
                plane=p + 1,
                pod=0,
                unit=g + 1,
                index=s + 1,
            )
            tops[p, g, s] = self.switch(row, role, tier.face.ports, seat)
        return tops

    def servers(self, of: RailKind) -> Sequence[Server]:
        kind = of.words.kind_of_servers
        if kind is not None:
            return servers_of(kind, self.site)
        words, counted = self.intent.servers, self.size.servers.count
        why = f"server n of the {self.intent.name}, in scalable unit ceil(n / size)"
        because = self.because(why, "servers")
        names = self.intent.server_names
        return count_servers(names, counted, words.network, self.site, because)

    def nic_links(
        self, kind: RailKind, servers: Sequence[Server], leafs: dict[tuple[int, int, int], Switch]
    ) -> list[Link]:
        """Cable NIC k to rail k: rails on one leaf are port groups one after the other."""
        counted, links = self.size.servers, []
        words = kind.words
        because = Provenance(
            tuple(at(*words.at(key)) for key in ("servers", "rails_per_leaf")), _NIC_LINK
        )
        length, speed = length_of(words.servers), words.servers.nic_speed
        nics = [
            (r, p, port, _nic(kind, r, p * kind.ports_per_plane + port))
            for r in range(counted.rails)
            for p in range(counted.planes)
            for port in range(kind.ports_per_plane)
        ]
        for server in servers:
            unit, place = self.seat(kind, server)
            each, shared = self.size.rails_per_leaf(unit + 1), unit + 1 in self.size.shared
            room = self.size.room(unit + 1) if shared else kind.per_unit
            for r, p, port, nic in nics:
                group, twin = r // each, port % counted.leafs_per_nic
                leaf = leafs[p, unit, group * counted.leafs_per_nic + twin]
                above = (r % each * room + place) * kind.ports_per_leaf
                index = above + port // counted.leafs_per_nic
                first = unit * self.size.per_unit * counted.ports_per_plane
                slot = first + place * kind.ports_per_plane + port
                links.append(
                    Link(
                        lower=server,
                        lower_port=nic,
                        upper=leaf,
                        upper_port=kind.face.down[index],
                        speed=speed,
                        length=length,
                        slot=slot,
                        because=because,
                        place=place + 1,
                    )
                )
        return links

    def leaf_links(
        self, leafs: dict[tuple[int, int, int], Switch], spines: dict[tuple[int, int, int], Switch]
    ) -> Iterator[Link]:
        size = self.size
        if size.spines is None:
            return
        because = self.because(_RAIL_LINK if size.per_rail else _UP_LINK, "spine", "links")
        cabling = self.cabling(size.spines, size.uplinks, because)
        up = {kind.group: kind.face.up for kind in self.kinds}
        for (p, u, i), leaf in leafs.items():
            block, place = size.seat(u, i)
            above = (spines[p, block, s] for s in range(size.spines.count))
            yield from cabling.fan(leaf, up[leaf.group], above, place)

    def top_links(
        self, spines: dict[tuple[int, int, int], Switch], tops: dict[tuple[int, int, int], Switch]
    ) -> Iterator[Link]:
        tier, below = self.size.superspines, self.size.spines
        if tier is None or below is None:
            return
        because = self.because(
            _CORE_LINK if self.size.per_rail else _TOP_LINK, "superspine", "links"
        )
        cabling = self.cabling(tier, self.size.spine_uplinks, because)
        for (p, d, g), spine in spines.items():
            above = (tops[p, g, s] for s in range(tier.count))
            yield from cabling.fan(spine, below.face.up, above, d)

    def cabling(self, tier: Tier, uplinks: int, because: Provenance) -> Cabling:
        return Cabling(words=self.intent, tier=tier, uplinks=uplinks, because=because)


def network_of(words: Backend) -> str:
    """Return the name of the set of ports, with which names of server ports begin."""
    of = words.kind_of_servers
    return RDMA if of is None else of.network


def _nic(kind: RailKind, rail: int, port: int) -> Nic:
    """Return a port of every server of a kind; rail and port count from 0."""
    network = network_of(kind.words)
    several = kind.words.servers.nic_ports > 1
    name = f"{network}{rail}p{port}" if several else f"{network}{rail}"
    of = kind.words.kind_of_servers
    return Nic(
        rail=rail + 1,
        port=port + 1,
        name=name,
        network=network,
        settings=values_of(PortSet, of.ports) if of is not None else NO_SETTINGS,
    )

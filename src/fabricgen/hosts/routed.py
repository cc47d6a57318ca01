"""A fabric whose server ports are routed in, the sides that each server has on it out.

A side is one set of ports: all NICs of the rails, or the ports to a storage fabric.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.diagnostics import IntentPath
from fabricgen.fabric.addressing import Ip, NicPlan
from fabricgen.fabric.because import Because
from fabricgen.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Link, Nic, Role, Server
from fabricgen.record import record

if TYPE_CHECKING:
    from fabricgen.catalog.nics import NicModel


@record(eq=False, kw_only=True)
class PortPlan:
    """One NIC port as all servers have it. `table` is its routing table, a number that says it.

    block: every NIC of this rail and plane. everywhere: all NICs, where spines join the rails.
    """

    nic: Nic
    table: int
    block: Ip
    everywhere: Ip | None


@record(eq=False, kw_only=True)
class RoutedPort:
    """One NIC port of one server: its address, and the leaf it goes to."""

    plan: PortPlan
    address: Ip
    gateway: Ip
    leaf: str


@record(eq=False, kw_only=True)
class RoutedShare:
    """What servers of a kind share in one set of their ports. Without a contract, no RoCE class."""

    fabric: str
    place: IntentPath
    plan: HostPlan
    model: NicModel
    contract: HostContract | None
    mtu: int
    ports: tuple[PortPlan, ...]
    spines: bool
    pool: Ip

    def because(self, rule: str, *keys: IntentPath) -> Because:
        """Say why something is told all servers: keys of the fabric, and the rule."""
        return Because(tuple(self._place(key) for key in keys), rule)

    def _place(self, key: IntentPath) -> IntentPath:
        if key[0] != "servers":
            return (*self.place, *key)
        return self.plan.keys[str(key[1])] if key[1:] else self.plan.servers


@record(eq=False)
class RoutedSide:
    """One set of a server's ports on a fabric."""

    share: RoutedShare
    ports: tuple[RoutedPort, ...]


def table_of(nic: Nic) -> int:
    """Return the routing table of a NIC port: 1011 is rail 1, port 1.

    The kernel's own tables are 0 and 253 to 255 (ip-route(8)).
    """
    return 1000 + 10 * nic.rail + nic.port


@dataclass(slots=True)
class RoutedSlicer:
    """Cuts the sides of one fabric's servers; what they share is made once."""

    fabric: Fabric
    _plans: dict[tuple[Nic, int], PortPlan] = field(init=False, default_factory=dict)
    _shares: dict[tuple[HostPlan, tuple[PortPlan, ...]], RoutedShare | None] = field(
        init=False, default_factory=dict
    )
    _firsts: dict[tuple[str, int], int] = field(default_factory=dict)
    _spines: bool = field(init=False)
    _told: set[IntentPath] = field(init=False)

    def __post_init__(self) -> None:
        """Note whether spines join the rails, the first link of each unit, and who is told."""
        shape = self.fabric.topology
        above = [switch for switch in shape.switches if switch.role is not Role.LEAF]
        self._spines = any(not switch.rails for switch in above)
        routed = self.fabric.addresses.nics is not None
        for link in shape.links if routed else ():
            if link.to_server:
                unit = link.upper.group, link.upper.unit
                self._firsts[unit] = min(self._firsts.get(unit, link.slot), link.slot)
        plans = self.fabric.hosts.items() if routed else ()
        self._told = {servers for (servers, _), plan in plans if plan.model is not None}

    def tells(self, server: Server) -> bool:
        """Tell whether there is a side of a server."""
        return server.because.main in self._told and server.name in self.fabric.topology.links_at

    def sides(self, server: Server) -> Iterator[RoutedSide]:
        """Yield one server's sides, one for each set of its ports."""
        if not self.tells(server):
            return
        sets: dict[str, list[Link]] = {}
        for link in self.fabric.topology.links_at[server.name]:
            assert isinstance(link.lower_port, Nic)
            sets.setdefault(link.lower_port.network, []).append(link)
        for network, links in sets.items():
            plan = self.fabric.plan_of(server, network)
            ports = self.ports(links)
            share = self._share(plan, tuple(port.plan for port in ports)) if plan else None
            if share is not None:
                yield RoutedSide(share, ports)

    def ports(self, links: Sequence[Link]) -> tuple[RoutedPort, ...]:
        """Return the NIC ports of some links of a server, by rail and port."""
        ports = [self._port(link, link.lower_port) for link in links]
        return tuple(sorted(ports, key=lambda port: (port.plan.nic.rail, port.plan.nic.port)))

    def _share(self, plan: HostPlan, ports: tuple[PortPlan, ...]) -> RoutedShare | None:
        """Return what servers with these ports have in common."""
        if (plan, ports) not in self._shares:
            self._shares[plan, ports] = self._made(plan, ports)
        return self._shares[plan, ports]

    def _made(self, plan: HostPlan, ports: tuple[PortPlan, ...]) -> RoutedShare | None:
        fabric, nics, model = self.fabric, self.fabric.addresses.nics, plan.model
        if nics is None or model is None:
            return None
        return RoutedShare(
            fabric=fabric.name,
            place=fabric.place,
            plan=plan,
            model=model,
            contract=contract_of(fabric, plan),
            mtu=min(fabric.routing.mtu, model.largest_mtu),
            ports=ports,
            spines=self._spines,
            pool=nics.pool.whole,
        )

    def _port(self, link: Link, nic: object) -> RoutedPort:
        assert isinstance(nic, Nic)
        nics = self.fabric.addresses.nics
        assert nics is not None
        plan = self._plan(nic, link.upper.plane, nics)
        address, gateway = self._addresses(link, nic, nics)
        return RoutedPort(plan=plan, address=address, gateway=gateway, leaf=link.upper.name)

    def _addresses(self, link: Link, nic: Nic, nics: NicPlan) -> tuple[Ip, Ip]:
        """Return the NIC's address and its leaf's, as the leaf's slice has them."""
        block = nics.block_first(nic.rail, link.upper.plane)
        if nics.subnet_length is None:
            first = block + 2 * link.slot
            return Ip(first + 1, 31), Ip(first, 31)
        length = nics.subnet_length
        first = block + (link.upper.unit - 1) * (1 << (32 - length))
        place = link.slot - self._firsts[link.upper.group, link.upper.unit]
        return Ip(first + 2 + place, length), Ip(first + 1, length)

    def _plan(self, nic: Nic, plane: int, nics: NicPlan) -> PortPlan:
        if (nic, plane) not in self._plans:
            self._plans[nic, plane] = PortPlan(
                nic=nic,
                table=table_of(nic),
                block=nics.block_prefix(nic.rail, plane),
                everywhere=nics.pool.whole if self._spines else None,
            )
        return self._plans[nic, plane]

"""Build the sides of each server on a fabric with routed server ports.

A side is one set of ports: all NICs of the rails, or the ports to a storage fabric.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Block, Provenance
from fabricgen.core.record import record
from fabricgen.model.catalog.nics import NicModel
from fabricgen.model.fabric.addressing import Ip, NicPlan
from fabricgen.model.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Role, Server
from fabricgen.nos.hosts.bridged import Address


@record(eq=False, kw_only=True)
class PortPlan(Block):
    """The settings of one NIC port that all servers share.

    Attributes:
        table: Number of its routing table.
        block: Every NIC of this rail and plane. Without rails, of the complete fabric.
        everywhere: All NICs, if spines join the rails in the VRF of the server.
        prefixes: Both prefixes, each once.
        open: Table of programs without an address, and `unbound` the priority of its rule.
        closed: Table without a path, and the priority of its rule.
        slot: PCI address of the port. Empty if the intent has none.
    """

    last: ClassVar[int] = 4278198272
    """Metric of a last default route (docs.kernel.org/networking/vrf)."""
    nic: Nic
    name: str
    mtu: int
    table: int
    block: Ip
    everywhere: Ip | None
    prefixes: tuple[Ip, ...]
    open: int
    unbound: int
    closed: int
    slot: str


@record(eq=False, kw_only=True)
class RoutedPort(Address):
    """One NIC port of one server.

    Its metric orders the ports for programs without an address, from 1. It is 0 on rails, where the
    rail of the target decides.
    """

    address: Ip
    plan: PortPlan
    leaf: str


@record(kw_only=True)
class _PortKey:
    """Facts that decide the plan of a port."""

    plan: HostPlan
    nic: Nic
    plane: int
    joined: bool


@record()
class _Unit:
    """The switches of one unit, which share the positions of their servers."""

    group: str
    number: int


@record(eq=False, kw_only=True)
class RoutedShare:
    """Shared settings of servers of a kind in one set of ports. No contract means no RoCE class."""

    fabric: str
    place: IntentPath
    plan: HostPlan
    model: NicModel | None
    contract: HostContract | None
    mtu: int
    ports: tuple[PortPlan, ...]
    spines: bool
    pool: Ip

    @property
    def network(self) -> str:
        """Return the name of the set of ports."""
        return self.ports[0].nic.network

    @property
    def family(self) -> str:
        """Return the family of its NICs, whose tools configure them; empty if unknown."""
        return self.model.family if self.model is not None else ""

    @property
    def gid_index(self) -> int:
        """Return the index of the GID that is the NICs' IPv4 address, in RoCE v2."""
        return self.model.gid_index if self.model is not None else 0

    @property
    def rdma(self) -> bool:
        """Return whether its NICs use RDMA: on rails, and with a contract."""
        return self.plan.railed or self.contract is not None

    def because(self, rule: str, *keys: IntentPath) -> Provenance:
        """Return why all servers have a setting: keys of the fabric, and the rule."""
        return Provenance(tuple(self._place(key) for key in keys), rule)

    def _place(self, key: IntentPath) -> IntentPath:
        if key[0] != "servers":
            return (*self.place, *key)
        return self.plan.keys[str(key[1])] if key[1:] else self.plan.servers


@record(eq=False)
class RoutedSide:
    """One set of a server's ports on a fabric."""

    share: RoutedShare
    ports: tuple[RoutedPort, ...]


UNBOUND, CLOSED = 1000, 2000
"""Offsets to a port's table for the rule of programs without an address, and of all others.

The latter use a table of that number without a path.
"""
RAIL, LEAF = 10, 20
"""Tables per rail, with at most 4 ports, and per leaf with storage, with at most 16."""


def table_of(nic: Nic, plan: HostPlan) -> int:
    """Return the routing table of a NIC port: 1011 is rail 1, port 1, and 9021 leaf 1, port 1.

    The kernel's own tables are 0 and 253 to 255 (ip-route(8)).
    """
    return plan.tables + (RAIL if plan.railed else LEAF) * nic.rail + nic.port


@dataclass(slots=True)
class RoutedSlicer:
    """Slices the sides of one fabric's servers, with shared parts made once."""

    fabric: Fabric
    _plans: dict[_PortKey, PortPlan] = field(init=False, default_factory=dict)
    _shares: dict[tuple[PortPlan, ...], RoutedShare] = field(init=False, default_factory=dict)
    _firsts: dict[_Unit, int] = field(init=False, default_factory=dict)
    _spines: bool = field(init=False)
    _told: dict[IntentPath, dict[str, HostPlan]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Note if spines join the rails, the first link of each unit, and configured servers."""
        shape = self.fabric.topology
        above = [switch for switch in shape.switches if switch.role is not Role.LEAF]
        self._spines = any(not switch.rails for switch in above)
        routed = self.fabric.addresses.nics is not None
        for link in shape.links if routed else ():
            if link.to_server:
                unit = _Unit(link.upper.group, link.upper.unit)
                self._firsts[unit] = min(self._firsts.get(unit, link.slot), link.slot)
        for (servers, network), plan in self.fabric.hosts.items() if routed else ():
            if plan.known:
                self._told.setdefault(servers, {})[network] = plan

    def tells(self, server: Server) -> bool:
        """Return whether a server has a side."""
        return server.because.main in self._told and server.name in self.fabric.topology.links_at

    def sides(self, server: Server) -> Iterator[RoutedSide]:
        """Yield one server's sides, one for each set of its ports."""
        if not self.tells(server):
            return
        links, plans = self.fabric.topology.links_at[server.name], self._told[server.because.main]
        sets: dict[str, list[RoutedPort]] = {}
        for number, link in enumerate(links):
            nic = link.lower_port
            assert isinstance(nic, Nic)
            if nic.network in plans:
                mine = sets.setdefault(nic.network, [])
                turn = (number + 1 - server.number) % len(links) + 1
                mine.append(self._port(link, nic, plans[nic.network], len(mine), turn))
        for network, ports in sets.items():
            plan = plans[network]
            if plan.railed:
                ports.sort(key=lambda port: (port.plan.nic.rail, port.plan.nic.port))
            share = self._share(plan, tuple(port.plan for port in ports))
            yield RoutedSide(share, tuple(ports))

    def _share(self, plan: HostPlan, ports: tuple[PortPlan, ...]) -> RoutedShare:
        """Return the shared settings of servers with these ports."""
        if ports not in self._shares:
            fabric = self.fabric
            self._shares[ports] = RoutedShare(
                fabric=fabric.name,
                place=fabric.place,
                plan=plan,
                model=plan.model,
                contract=contract_of(fabric.qos, fabric.routing.tenant_mtu, plan),
                mtu=ports[0].mtu,
                ports=ports,
                spines=any(p.everywhere for p in ports) if plan.railed else self._spines,
                pool=self._nics.pool.whole,
            )
        return self._shares[ports]

    def _port(self, link: Link, nic: Nic, plan: HostPlan, number: int, turn: int) -> RoutedPort:
        """Return a server's port. `number`: in its set, from 0. `turn`: among all on the fabric."""
        shared = self._plan(nic, link, plan, number)
        address, gateway = self._addresses(link, nic, self._nics)
        return RoutedPort(
            plan=shared,
            address=address,
            gateway=gateway,
            leaf=link.upper.name,
            table=shared.table,
            metric=0 if plan.railed else turn,
            because=shared.because,
        )

    @property
    def _nics(self) -> NicPlan:
        nics = self.fabric.addresses.nics
        assert nics is not None  # otherwise no server is configured
        return nics

    def _addresses(self, link: Link, nic: Nic, nics: NicPlan) -> tuple[Ip, Ip]:
        """Return the NIC's address and its leaf's, as in the leaf's slice."""
        if nics.subnet_length is None:
            return nics.ends(link)
        length = nics.subnet_length
        first = nics.block_first(nic.rail, link.upper.plane) + (link.upper.unit - 1) * (
            1 << (32 - length)
        )
        place = link.slot - self._firsts[_Unit(link.upper.group, link.upper.unit)]
        return Ip(first + 2 + place, length), Ip(first + 1, length)

    def _joined(self, server: str) -> bool:
        """Return whether spines join the rails of a server. Not in a VRF local to a leaf."""
        overlay = self.fabric.overlay
        member = overlay.members.get(server) if overlay is not None else None
        local = overlay is not None and member is not None and overlay.vrfs[member.vrf].local
        return self._spines and not local

    def _plan(self, nic: Nic, link: Link, plan: HostPlan, number: int) -> PortPlan:
        joined = plan.railed and self._joined(link.lower.name)
        key = _PortKey(plan=plan, nic=nic, plane=link.upper.plane, joined=joined)
        if key not in self._plans:
            self._plans[key] = self._planned(key, _slot(plan, nic, number))
        return self._plans[key]

    def _planned(self, key: _PortKey, slot: str) -> PortPlan:
        plan, nic, place = key.plan, key.nic, self.fabric.place
        pool, table, mtu = (
            self._nics.pool.whole,
            table_of(nic, plan),
            self.fabric.routing.tenant_mtu,
        )
        block = self._nics.block_prefix(nic.rail, key.plane) if plan.railed else pool
        paths = plan.servers, (*place, "nic_addressing"), (*place, "addressing", "nics")
        return PortPlan(
            nic=nic,
            name=nic.name,
            mtu=min(mtu, plan.model.largest_mtu) if plan.model else mtu,
            table=table,
            block=block,
            everywhere=pool if key.joined else None,
            prefixes=(block, pool) if key.joined and pool != block else (block,),
            open=table if plan.railed else plan.tables + UNBOUND,
            unbound=table + UNBOUND,
            closed=table + CLOSED,
            slot=slot,
            because=Provenance(paths, _RAILED if plan.railed else _ROUTED),
        )


_RAILED = "NIC r is on rail r; its table leads to its block, and with spines to all NICs"
_ROUTED = "each port has a table, which leads to the complete fabric through its leaf"


def _slot(plan: HostPlan, nic: Nic, number: int) -> str:
    """Return the PCI address of a port: port p is function p - 1 after its NIC's first function."""
    if not plan.slots:
        return ""
    card, more = (nic.rail - 1, nic.port - 1) if plan.railed else divmod(number, plan.ports)
    place, function = plan.slots[card].split(".")
    return f"{place}.{int(function) + more}"

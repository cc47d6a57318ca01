"""Builds the sides of each server on a fabric with routed server ports.

A side is one set of ports: all NICs of the rails, or the ports to a storage fabric.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricgen.core.because import Because
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.model.catalog.nics import NicModel
from fabricgen.model.fabric.addressing import Ip, NicPlan
from fabricgen.model.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Role, Server


@record(eq=False, kw_only=True)
class PortPlan:
    """One NIC port as all servers have it. `table` is its routing table, a number that says it.

    block: on rails every NIC of this rail and plane, else all of the fabric. everywhere: all NICs,
    where spines join the rails in the server's VRF. open: the table of programs that chose no
    address. slot: its PCI address, empty where it is not said.
    """

    nic: Nic
    table: int
    block: Ip
    everywhere: Ip | None
    open: int
    slot: str


@record(eq=False, kw_only=True)
class RoutedPort:
    """One NIC port of one server: its address, and the leaf it goes to.

    rank: its place among those by which programs without an address go, from 1; 0 on rails, where
    the rail of who is asked decides.
    """

    plan: PortPlan
    address: Ip
    gateway: Ip
    leaf: str
    rank: int


@record(eq=False, kw_only=True)
class RoutedShare:
    """What servers of a kind share in one set of their ports. Without a contract, no RoCE class."""

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
        """Return the family of its NICs, whose tools set them; empty where that is not known."""
        return self.model.family if self.model is not None else ""

    @property
    def gid_index(self) -> int:
        """Return which GID of its NICs is their IPv4 address, in RoCE v2."""
        return self.model.gid_index if self.model is not None else 0

    @property
    def rdma(self) -> bool:
        """Tell whether its NICs are told of RDMA: rails have it, and whoever has a contract."""
        return self.plan.railed or self.contract is not None

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


UNBOUND, CLOSED = 1000, 2000
"""What is added to a port's table for the rule of programs without an address, and of all others.

The latter have a table of that number, which leads nowhere.
"""
RAIL, LEAF = 10, 20
"""Tables for each rail, with 4 ports at most; and for each leaf that storage reaches, with 16."""


def table_of(nic: Nic, plan: HostPlan) -> int:
    """Return the routing table of a NIC port: 1011 is rail 1, port 1; 9021 leaf 1, port 1.

    The kernel's own tables are 0 and 253 to 255 (ip-route(8)).
    """
    return plan.tables + (RAIL if plan.railed else LEAF) * nic.rail + nic.port


@dataclass(slots=True)
class RoutedSlicer:
    """Cuts the sides of one fabric's servers; what they share is made once."""

    fabric: Fabric
    _plans: dict[tuple[HostPlan, Nic, int, bool], PortPlan] = field(
        init=False, default_factory=dict
    )
    _shares: dict[tuple[HostPlan, tuple[PortPlan, ...]], RoutedShare] = field(
        init=False, default_factory=dict
    )
    _firsts: dict[tuple[str, int], int] = field(default_factory=dict)
    _spines: bool = field(init=False)
    _told: dict[IntentPath, dict[str, HostPlan]] = field(init=False, default_factory=dict)

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
        for (servers, network), plan in self.fabric.hosts.items() if routed else ():
            if plan.known:
                self._told.setdefault(servers, {})[network] = plan

    def tells(self, server: Server) -> bool:
        """Tell whether there is a side of a server."""
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
        """Return what servers with these ports have in common."""
        if (plan, ports) not in self._shares:
            self._shares[plan, ports] = self._made(plan, ports)
        return self._shares[plan, ports]

    def _made(self, plan: HostPlan, ports: tuple[PortPlan, ...]) -> RoutedShare:
        fabric, model, mtu = self.fabric, plan.model, self.fabric.routing.tenant_mtu
        return RoutedShare(
            fabric=fabric.name,
            place=fabric.place,
            plan=plan,
            model=model,
            contract=contract_of(fabric.qos, fabric.routing.tenant_mtu, plan),
            mtu=min(mtu, model.largest_mtu) if model else mtu,
            ports=ports,
            spines=self._spines if not plan.railed else any(port.everywhere for port in ports),
            pool=self._nics.pool.whole,
        )

    def _port(self, link: Link, nic: Nic, plan: HostPlan, number: int, turn: int) -> RoutedPort:
        """Return a server's port; number: in its set, from 0. turn: among all on the fabric."""
        address, gateway = self._addresses(link, nic, self._nics)
        return RoutedPort(
            plan=self._plan(nic, link, plan, number),
            address=address,
            gateway=gateway,
            leaf=link.upper.name,
            rank=0 if plan.railed else turn,
        )

    @property
    def _nics(self) -> NicPlan:
        nics = self.fabric.addresses.nics
        assert nics is not None  # else nobody is told anything
        return nics

    def _addresses(self, link: Link, nic: Nic, nics: NicPlan) -> tuple[Ip, Ip]:
        """Return the NIC's address and its leaf's, as the leaf's slice has them."""
        if nics.subnet_length is None:
            return nics.ends(link)
        length = nics.subnet_length
        first = nics.block_first(nic.rail, link.upper.plane) + (link.upper.unit - 1) * (
            1 << (32 - length)
        )
        place = link.slot - self._firsts[link.upper.group, link.upper.unit]
        return Ip(first + 2 + place, length), Ip(first + 1, length)

    def _joined(self, server: str) -> bool:
        """Tell whether spines join the rails of a server: not in a VRF that is each leaf's own."""
        overlay = self.fabric.overlay
        member = overlay.members.get(server) if overlay is not None else None
        local = overlay is not None and member is not None and overlay.vrfs[member.vrf].local
        return self._spines and not local

    def _plan(self, nic: Nic, link: Link, plan: HostPlan, number: int) -> PortPlan:
        plane, joined = link.upper.plane, plan.railed and self._joined(link.lower.name)
        key = (plan, nic, plane, joined)
        if key not in self._plans:
            pool, table = self._nics.pool.whole, table_of(nic, plan)
            self._plans[key] = PortPlan(
                nic=nic,
                table=table,
                block=self._nics.block_prefix(nic.rail, plane) if plan.railed else pool,
                everywhere=pool if joined else None,
                open=table if plan.railed else plan.tables + UNBOUND,
                slot=_slot(plan, nic, number),
            )
        return self._plans[key]


def _slot(plan: HostPlan, nic: Nic, number: int) -> str:
    """Return the PCI address of a port: port p is function p - 1 after that of its NIC's first."""
    if not plan.slots:
        return ""
    card, more = (nic.rail - 1, nic.port - 1) if plan.railed else divmod(number, plan.ports)
    place, function = plan.slots[card].split(".")
    return f"{place}.{int(function) + more}"

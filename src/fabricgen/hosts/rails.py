"""A fabric of rails in, the side that each of its servers has on it out: NIC by NIC."""

from __future__ import annotations

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
class RailPlan:
    """One NIC port as all servers have it. `table` is its routing table, a number that says it.

    block: every NIC of this rail and plane. everywhere: all NICs, where spines join the rails.
    """

    nic: Nic
    table: int
    block: Ip
    everywhere: Ip | None


@record(eq=False, kw_only=True)
class Rail:
    """One NIC port of one server: its address, and the leaf it goes to."""

    plan: RailPlan
    address: Ip
    gateway: Ip
    leaf: str


@record(eq=False, kw_only=True)
class RailShare:
    """What servers with ports of the same names share. Without a contract, no RoCE class."""

    fabric: str
    place: IntentPath
    plan: HostPlan
    model: NicModel
    contract: HostContract | None
    mtu: int
    rails: tuple[RailPlan, ...]
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
class RailSide:
    """One server's ports on a fabric of rails."""

    share: RailShare
    ports: tuple[Rail, ...]


def table_of(nic: Nic) -> int:
    """Return the routing table of a NIC port: 1011 is rail 1, port 1.

    The kernel's own tables are 0 and 253 to 255 (ip-route(8)).
    """
    return 1000 + 10 * nic.rail + nic.port


@dataclass(slots=True)
class RailSlicer:
    """Cuts the sides of one fabric's servers; what they share is made once."""

    fabric: Fabric
    _plans: dict[tuple[str, int, int, int], RailPlan] = field(init=False, default_factory=dict)
    _shares: dict[tuple[RailPlan, ...], RailShare] = field(init=False, default_factory=dict)
    _firsts: dict[tuple[str, int], int] = field(default_factory=dict)
    _spines: bool = field(init=False)
    share: RailShare | None = field(init=False)
    """What the first server has in common with its like, None when no server is told anything."""

    def __post_init__(self) -> None:
        """Note whether spines join the rails, the first link of each unit, and what all share."""
        shape = self.fabric.topology
        above = [switch for switch in shape.switches if switch.role is not Role.LEAF]
        self._spines = any(not switch.rails for switch in above)
        for link in shape.links if self.fabric.addresses.nics is not None else ():
            if link.to_server:
                unit = link.upper.group, link.upper.unit
                self._firsts[unit] = min(self._firsts.get(unit, link.slot), link.slot)
        servers = shape.servers if self.fabric.hosts is not None else ()
        self.share = self._share(self.rails(servers[0])) if servers else None

    def side(self, server: Server) -> RailSide | None:
        """Return one server's side, None when there is nothing to tell it."""
        if self.share is None or server.name not in self.fabric.topology.links_at:
            return None
        ports = self.rails(server)
        share = self._share(ports)
        return RailSide(share, ports) if share is not None else None

    def _share(self, ports: tuple[Rail, ...]) -> RailShare | None:
        """Return what servers with these ports have in common: kinds may name them otherwise."""
        plans = tuple(rail.plan for rail in ports)
        if plans not in self._shares and (made := self._made(plans)) is not None:
            self._shares[plans] = made
        return self._shares.get(plans)

    def _made(self, plans: tuple[RailPlan, ...]) -> RailShare | None:
        fabric = self.fabric
        nics, plan = fabric.addresses.nics, fabric.hosts
        model = plan.model if plan is not None else None
        if plan is None or nics is None or model is None:
            return None
        return RailShare(
            fabric=fabric.name,
            place=fabric.place,
            plan=plan,
            model=model,
            contract=contract_of(fabric, model.ecn_bits, model.largest_mtu),
            mtu=min(fabric.routing.mtu, model.largest_mtu),
            rails=plans,
            spines=self._spines,
            pool=nics.pool.whole,
        )

    def rails(self, server: Server) -> tuple[Rail, ...]:
        """Return the NIC ports of a server, by rail and port."""
        links = self.fabric.topology.links_at[server.name]
        rails = [self._rail(link, link.lower_port) for link in links]
        return tuple(sorted(rails, key=lambda rail: (rail.plan.nic.rail, rail.plan.nic.port)))

    def _rail(self, link: Link, nic: object) -> Rail:
        assert isinstance(nic, Nic)
        nics = self.fabric.addresses.nics
        assert nics is not None
        plan = self._plan(nic, link.upper.plane, nics)
        address, gateway = self._addresses(link, nic, nics)
        return Rail(plan=plan, address=address, gateway=gateway, leaf=link.upper.name)

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

    def _plan(self, nic: Nic, plane: int, nics: NicPlan) -> RailPlan:
        key = (nic.network, nic.rail, nic.port, plane)
        if key not in self._plans:
            self._plans[key] = RailPlan(
                nic=nic,
                table=table_of(nic),
                block=nics.block_prefix(nic.rail, plane),
                everywhere=nics.pool.whole if self._spines else None,
            )
        return self._plans[key]

"""Computes addresses from numbers, prefix lengths and pools."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.model.fabric.numbering import NO_PLAN, Formula, Plan, berth_of, run_of, seat_of
from fabricgen.model.fabric.pins import NO_PINS, Pins
from fabricgen.model.fabric.topology import Link, Role, Switch


def host_text(value: int, version: int) -> str:
    """Format an address: dotted for IPv4, RFC 5952 for IPv6."""
    if version == 4:
        return f"{value >> 24}.{value >> 16 & 255}.{value >> 8 & 255}.{value & 255}"
    return str(IPv6Address(value))


class Ip(NamedTuple):
    """An interface address: the host's number, the prefix length, the IP version."""

    value: int
    length: int
    version: int = 4

    @property
    def host(self) -> str:
        """The address without its prefix length."""
        return host_text(self.value, self.version)

    @property
    def bits(self) -> int:
        """The length of a single address."""
        return 32 if self.version == 4 else 128

    @property
    def network(self) -> tuple[int, int]:
        """First and last address of the subnet of this address."""
        size = 1 << (self.bits - self.length)
        first = self.value // size * size
        return first, first + size - 1

    @property
    def prefix(self) -> str:
        """The subnet, for example 10.0.0.0/24."""
        return f"{host_text(self.network[0], self.version)}/{self.length}"

    @property
    def subnet(self) -> "Ip":
        """The subnet of this address, by its first address."""
        return self._replace(value=self.network[0])

    def holds(self, other: "Ip") -> bool:
        """Return whether the other subnet is inside this one."""
        (first, last), (low, high) = self.network, other.network
        return self.version == other.version and first <= low and high <= last

    def meets(self, other: "Ip") -> bool:
        """Return whether the two subnets have an address in common."""
        (first, last), (low, high) = self.network, other.network
        return self.version == other.version and first <= high and low <= last

    def __str__(self) -> str:
        """Return address/length."""
        return f"{host_text(self.value, self.version)}/{self.length}"


def address_of(text: str) -> Ip:
    """Return a single address from its text."""
    known = ip_address(text)
    return Ip(int(known), known.max_prefixlen, known.version)


@record(kw_only=True)
class Pool:
    """A block of addresses: lower tiers use the bottom, upper tiers the top."""

    name: str
    first: int
    size: int
    version: int = 4

    @property
    def whole(self) -> Ip:
        """The pool as a prefix."""
        bits = 32 if self.version == 4 else 128
        return Ip(self.first, bits + 1 - self.size.bit_length(), self.version)

    @property
    def text(self) -> str:
        """The pool as the text of a prefix."""
        return str(self.whole)

    def low(self, number: int) -> int:
        """Return the address `number` places above the bottom."""
        return self.first + number

    def high(self, number: int) -> int:
        """Return the address `number` places below the top."""
        return self.first + self.size - 1 - number


@record(kw_only=True)
class NicPlan:
    """NIC addresses: pool divided into equal blocks, one per rail and plane, with a /31 per server.

    In subnet mode a block is divided into one subnet per leaf of that rail instead. `subnet_length`
    is its prefix length; the leaf has the first address, server n of the leaf the (n+1)-th after
    it. `said`: formula from the intent, which replaces this.
    """

    pool: Pool
    planes: int
    block: int
    subnet_length: int | None
    said: Formula | None = None

    @property
    def formula(self) -> Formula:
        """Return the formula of the NIC's address; its leaf has the other address of the /31."""
        return self.said or _blocked(self.pool.first, self.planes, self.block)

    def ends(self, link: Link) -> tuple[Ip, Ip]:
        """Return the address of a NIC, and the address of its leaf."""
        own = self.formula.at(berth_of(link))
        return Ip(own, 31), Ip(own ^ 1, 31)

    def block_first(self, rail: int, plane: int) -> int:
        """Return the first address of the block of a rail and plane (both from 1)."""
        return self.pool.first + ((rail - 1) * self.planes + plane - 1) * self.block

    @property
    def room(self) -> int:
        """Return the number of addresses of a rail and plane; 0 if a plan mixes them."""
        if self.said is None:
            return self.block
        apart = [abs(self.said.step(word)) for word in ("rail", "plane")]
        size = min((step for step in apart if step), default=0)
        inner = [abs(step) for word, step in self.said.steps if word not in ("rail", "plane")]
        whole = size.bit_count() == 1 and not any(step % size for step in apart)
        return size if whole and max(inner, default=0) < size else 0

    def block_prefix(self, rail: int, plane: int) -> Ip:
        """Return one prefix for a whole rail: its block, else the pool."""
        if not self.room:
            return self.pool.whole
        first = self.block_first(rail, plane)
        if self.said is not None:
            where = {"rail": rail, "plane": plane}
            first = self.said.at(lambda word: where.get(word, 1)) // self.room * self.room
        return Ip(first, 33 - self.room.bit_length(), 4)


@lru_cache(maxsize=64)
def _blocked(first: int, planes: int, block: int) -> Formula:
    """Return the formula for one block per rail and plane."""
    return Formula(first + 1, (("rail", planes * block), ("plane", block), ("number", 2)))


@lru_cache(maxsize=256)
def _placed(first: int, size: int, tier: int) -> Formula:
    """Return a formula: leafs count up; spines and superspines count down, interleaved."""
    if tier == 1:
        return Formula(first + 1, (("number", 1),))
    return Formula(first + size - tier, (("number", -2),))


@lru_cache(maxsize=64)
def _paired(first: int, size: int, lower: Role) -> Formula:
    """Return a formula: links to spines from the bottom, links to superspines from the top."""
    if lower is Role.LEAF:
        return Formula(first + 1, (("slot", 2),))
    return Formula(first + size - 1, (("slot", -2),))


@record(kw_only=True)
class Addresses:
    """Every address of a fabric, as a function of its switch or link.

    `pins`: of switches with address overrides. `plan`: the formulas in the intent.
    """

    loopbacks: Pool
    links: Pool | None
    management: Pool
    management_length: int
    vteps: Pool | None
    nics: NicPlan | None
    pins: Pins = NO_PINS
    plan: Plan = NO_PLAN

    def _pinned(self, switch: Switch, key: str) -> int | None:
        """Return an overridden value of a switch."""
        pin = self.pins.get(switch.name)
        return None if pin is None else getattr(pin, key)

    def formula(self, kind: str, role: Role) -> Formula:
        """Return the formula of the addresses of a role; `kind`: loopbacks, management."""
        pool: Pool = getattr(self, kind)
        return self.plan.get(kind, role.value) or _placed(pool.first, pool.size, role.tier)

    def tunnel(self, pool: Pool) -> Formula:
        """Return the formula of VTEPs."""
        return self.plan.get("vteps") or _placed(pool.first, pool.size, 1)

    def run(self, pool: Pool, lower: Role) -> Formula:
        """Return the formula of the lower ends of links between switches."""
        return self.plan.get("links", lower.value) or _paired(pool.first, pool.size, lower)

    def loopback(self, switch: Switch) -> Ip:
        """Return the /32 of the EVPN endpoint, which is the router ID unless overridden."""
        said = self._pinned(switch, "loopback")
        if said is None:
            said = self.formula("loopbacks", switch.role).at(seat_of(switch))
        return Ip(said, 32)

    def router_id(self, switch: Switch) -> Ip:
        """Return the router ID of BGP and OSPF."""
        said = self._pinned(switch, "router_id")
        return self.loopback(switch) if said is None else Ip(said, 32)

    def vtep(self, switch: Switch) -> Ip | None:
        """Return the /32 of VXLAN tunnel sources; only leafs of a fabric with an overlay have one.

        The leafs of an MLAG pair share one.
        """
        if self.vteps is None or not switch.is_leaf:
            return None
        said = self._pinned(switch, "vtep")
        if said is None:
            said = self.tunnel(self.vteps).at(seat_of(switch, shared=True))
        return Ip(said, 32)

    def management_address(self, switch: Switch) -> Ip:
        """Return the address of the management port."""
        said = self._pinned(switch, "management")
        if said is None:
            said = self.formula("management", switch.role).at(seat_of(switch))
        return Ip(said, self.management_length)

    def link(self, link: Link) -> tuple[Ip, Ip] | None:
        """Return (lower, upper) of a switch link; None if links are unnumbered, or bridged."""
        if self.links is None or link.of_pair:
            return None
        version, length = self.links.version, 31 if self.links.version == 4 else 127
        lower = Role.LEAF if link.upper.role.tier == 2 else Role.SPINE
        own = self.run(self.links, lower).at(run_of(link))
        return Ip(own, length, version), Ip(own ^ 1, length, version)

"""Defines the intent keys of a routed fabric for storage: leafs and spines without tenants."""

from collections.abc import Collection, Mapping
from typing import ClassVar, Literal, Self

from pydantic import Field, PrivateAttr

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.backend import NicAddressing
from fabricgen.intent.model.fabric import FabricWords, KindPorts
from fabricgen.intent.model.hardware import (
    Exceptions,
    FormerNames,
    Links,
    SwitchRole,
    TierRole,
    shorter,
)
from fabricgen.intent.model.numbering import NIC_NUMBERING, NicNumbering
from fabricgen.intent.model.qos import Roce
from fabricgen.intent.model.servers import (
    CableLength,
    NetworkTool,
    NicName,
    NicPorts,
    NicSlots,
    stated,
)
from fabricgen.intent.model.underlay import Underlay
from fabricgen.intent.model.vocabulary import IntentModel, Network, Pattern, Speed, pool
from fabricgen.model.settings import ports
from fabricgen.model.settings.setting import keys

SIDES = ("compute", "storage")
MOST_TOGETHER = 4096
"""Maximum servers of a demand."""
MOST_LEAFS = 4
"""Maximum leafs of one server; each has a block of the NIC pool on either side."""


class SideServers(IntentModel):
    """The servers of one side, of one type. The number of a server decides its name and place."""

    count: int = Field(ge=1, le=100_000, description="Number of servers.")
    ports: int = Field(2, ge=1, le=16, description="Ports of one server in this fabric.")
    leafs: int | None = Field(
        None,
        ge=1,
        le=MOST_LEAFS,
        description="Leafs over which the ports of a server are spread. Default: 2, or 1 for an "
        "odd number of ports.",
    )
    speed: Speed = Field(description="Speed of one port.")
    nic: NicName | None = Field(
        None,
        description="NIC model from the catalog. It decides how QoS is configured on the host. "
        "Default with `roce`: connectx-7. Without `roce` it is optional.",
    )
    nic_ports: NicPorts = Field(
        1, description="Ports per NIC. The ports of one NIC are consecutive in the server."
    )
    nic_slots: NicSlots | None = Field(
        None,
        description="PCI address of the first port of each NIC, in the order of the ports. It "
        "gives the interfaces their names. Without it, the host image must name them.",
    )
    network: NetworkTool = Field(
        "netplan", description="Tool that configures addresses and routes on the servers."
    )
    cable_length: CableLength = Field(5, description="Cable length from server to leaf, in meters.")
    names: Pattern | None = Field(
        None,
        description="Server name pattern with the placeholders site and number. Default: names "
        "of fabric and side, then {number:04}.",
    )


class Side(IntentModel):
    """One side of the fabric: its servers and their leafs."""

    servers: SideServers | None = Field(
        None,
        description="The servers of this side. Short for a kind in the site's `servers` with one "
        "set of ports, whose `group` is the side.",
    )
    per_leaf: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Servers on each leaf. Default: as many as the ratio permits.",
    )
    ratio: float = Field(
        1.0,
        gt=0,
        le=64,
        description="Maximum ratio of server bandwidth to uplink bandwidth, per leaf.",
    )
    leaf: SwitchRole | None = Field(
        None, description="Leaf hardware of this side, instead of the fabric's `leaf`."
    )
    _kind: KindPorts | None = PrivateAttr(None)

    @property
    def kind(self) -> KindPorts | None:
        """Return the port set of its servers; None if the side's `servers` key defines them."""
        return self._kind

    @property
    def seated(self) -> SideServers:
        """Return its servers, from the `servers` key or from a kind."""
        assert self.servers is not None  # the design checked it
        return self.servers

    def with_servers(self, of: KindPorts) -> Self:
        """Return this side with a set of ports as its servers."""
        said = {**vars(of.servers), **vars(of.ports)}
        unsaid = said.keys() & {"leafs", "nic"} - of.ports.model_fields_set
        said |= dict.fromkeys(unsaid)
        said["ports"] = vars(of.ports).get("ports")
        mine = self.model_copy(update={"servers": stated(SideServers, said)})
        mine._kind = of  # noqa: SLF001 - its own class
        return mine


class Sides(IntentModel):
    """The two sides: servers that use the storage, and servers that provide it."""

    compute: Side | None = Field(None, description="Side of the servers that use the storage.")
    storage: Side | None = Field(None, description="Side of the storage servers.")


class Demand(IntentModel):
    """Bandwidth from compute side to storage side, in each direction, at one time."""

    rate: float = Field(gt=0, le=1e6, description="GB/s of this number of servers together.")
    servers: int = Field(
        1,
        ge=1,
        le=MOST_TOGETHER,
        description="Compute servers that need it together, for example a scalable unit.",
    )


class RoutedGrowth(IntentModel):
    """Reserved sizes. Growth up to them changes no address, port, ASN or name."""

    compute: int | None = Field(
        None, ge=1, le=100_000, description="Compute servers that spines are sized for."
    )
    storage: int | None = Field(
        None, ge=1, le=100_000, description="Storage servers that spines are sized for."
    )
    spines: int | None = Field(
        None, ge=1, le=256, description="Spines that the uplinks of each leaf are split for."
    )


class RoutedPools(IntentModel):
    """Address pools of the fabric."""

    loopbacks: Network = Field(pool("10.208.0.0/16"), description="One /32 per switch.")
    links: Network = Field(
        pool("10.212.0.0/14"), description="Switch links, a /31 each (a /127 from an IPv6 pool)."
    )
    nics: Network = Field(
        pool("10.216.0.0/13"),
        description="Server ports. Each leaf that a server of a side reaches has an eighth.",
    )


class RoutedNames(IntentModel):
    """Name patterns with the placeholders site, group, unit and index."""

    leaf: Pattern | None = Field(None, description="Name pattern of leafs.")
    spine: Pattern | None = Field(None, description="Name pattern of spines.")
    previous_name: FormerNames = Field(
        default_factory=FormerNames,
        description="Previous name patterns of the switches. A push renames the switches.",
    )


class Routed(FabricWords):
    """A routed fabric. It has no default route, no border and no link to another fabric."""

    port_keys: ClassVar[frozenset[str]] = frozenset(
        {
            "fabric",
            "speed",
            "cable_length",
            "ports",
            "leafs",
            "group",
            "nic",
            "nic_ports",
            "nic_slots",
            *(each.key for each in keys(ports.AnyPorts)),
        }
    )

    kind: Literal["routed"] = Field(
        "routed", description="Kind of fabric: leafs and spines without tenants, for storage."
    )
    sides: Sides = Field(default_factory=Sides, description="Servers at the leafs, by side.")
    demand: Demand | None = Field(
        None, description="Bandwidth that the compute side needs. Less bandwidth is an error."
    )
    leaf: SwitchRole = Field(description="The leafs.")
    spine: TierRole = Field(description="The spines.")
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    growth: RoutedGrowth = Field(default_factory=RoutedGrowth, description="Reserved growth.")
    addressing: RoutedPools = Field(default_factory=RoutedPools, description="Address pools.")
    nic_addressing: NicAddressing = Field(
        default_factory=NicAddressing, description="Addresses on the server links."
    )
    underlay: Underlay = Field(default_factory=Underlay, description="Routing between switches.")
    roce: Roce | None = Field(
        None, description="The lossless class for NVMe over RoCE. TCP needs none."
    )
    names: RoutedNames = Field(default_factory=RoutedNames, description="Name patterns.")
    numbering: NicNumbering = NIC_NUMBERING
    switches: Exceptions
    _here: IntentPath = PrivateAttr(("fabrics",))

    @property
    def design(self) -> str:
        """Return its design, by the name that an evpn fabric uses."""
        return "leaf-spine"

    @property
    def each_side(self) -> dict[str, Side]:
        """Return the valid sides by name."""
        sides = {name: self.sides.unless_refused(name) for name in SIDES}
        return {name: side for name, side in sides.items() if side is not None}

    def server_names(self, side: str) -> str:
        """Return the server name pattern of a side with a `servers` key."""
        return self.each_side[side].seated.names or f"{self.prefix}-{side}{{number:04}}"

    def servers_at(self, side: str, *keys: str) -> IntentPath:
        """Return the place of a side's server key, here or in the site's `servers`."""
        kind = self.each_side[side].kind
        return kind.at(*keys) if kind is not None else self.at("sides", side, "servers", *keys)

    def with_sides(self, sides: Mapping[str, Side | None], refused: Collection[str] = ()) -> Self:
        """Return a copy in which these sides replace sides of the same name."""
        said = {name: side for name, side in vars(self.sides).items() if name not in refused}
        return self.model_copy(update={"sides": stated(Sides, {**said, **sides})})

    @property
    def cables(self) -> tuple[int, ...]:
        """Return the cable lengths in meters."""
        near = [side.seated.cable_length for side in self.each_side.values()]
        return (*near, self.links.length)

    def within(self, limit: int) -> Self:
        """Return a copy in which no cable exceeds this many meters."""
        sides = {
            name: side.model_copy(update={"servers": shorter(side.seated, "cable_length", limit)})
            for name, side in self.each_side.items()
        }
        links = shorter(self.links, "length", limit)
        return self.with_sides(sides).model_copy(update={"links": links})

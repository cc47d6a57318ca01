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

SIDES = ("compute", "storage")
MOST_LEAFS = 4
"""Leafs that one server may reach; each has a block of the NIC pool on either side."""


class SideServers(IntentModel):
    """The servers of one side, all alike. Server n is named by its number and stays where it is."""

    count: int = Field(ge=1, le=100_000, description="How many servers.")
    ports: int = Field(2, ge=1, le=16, description="Ports of one server in this fabric.")
    leafs: int | None = Field(
        None,
        ge=1,
        le=MOST_LEAFS,
        description="Leafs over which the ports of a server are spread; default: 2, or 1 where "
        "its ports are odd in number.",
    )
    speed: Speed = Field(description="Speed of one port.")
    nic: NicName | None = Field(
        None,
        description="NIC model from the catalog; it decides how the host's QoS is set. Default: "
        "connectx-7 with `roce`; else it need not be known.",
    )
    nic_ports: NicPorts = Field(
        1, description="Ports per NIC; those of one follow one another in the server."
    )
    nic_slots: NicSlots | None = Field(
        None,
        description="PCI address of each NIC, of its first port, in the order of the ports; gives "
        "the interfaces their names. Left out, the host's image has to.",
    )
    network: NetworkTool = Field(
        "netplan", description="What configures the servers' addresses and routes."
    )
    cable_length: CableLength = Field(5, description="Meters from server to leaf.")
    names: Pattern | None = Field(
        None,
        description="Server names; words: site, number. Default: the names of fabric and side "
        "and {number:04}.",
    )


class Side(IntentModel):
    """One side of the fabric: its servers, and leafs of their own."""

    servers: SideServers | None = Field(
        None,
        description="The servers of this side: short for a kind in the site's `servers` with one "
        "set of ports, whose `group` is the side.",
    )
    per_leaf: int | None = Field(
        None,
        ge=1,
        le=512,
        description="Servers on each leaf; default: as many as the ratio leaves room for.",
    )
    ratio: float = Field(
        1.0, gt=0, le=64, description="Most bandwidth towards servers per bandwidth up, per leaf."
    )
    leaf: SwitchRole | None = Field(None, description="Other leafs than the fabric's own `leaf`.")
    _kind: KindPorts | None = PrivateAttr(None)

    @property
    def kind(self) -> KindPorts | None:
        """Return the set of ports that its servers are, None where its own key says them."""
        return self._kind

    @property
    def seated(self) -> SideServers:
        """Return its servers, by its own key or by a kind."""
        assert self.servers is not None  # the design has seen to it
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
    """The two sides: servers that read and write, and servers that keep what they do."""

    compute: Side | None = Field(None, description="Of the servers that use the storage.")
    storage: Side | None = Field(None, description="Of the storage servers.")


class Demand(IntentModel):
    """What the compute side asks of the storage side, either way, all of it at once."""

    rate: float = Field(gt=0, le=1e6, description="GB/s that so many servers need.")
    servers: int = Field(
        1, ge=1, le=4096, description="Compute servers that need it together: a scalable unit."
    )


class RoutedGrowth(IntentModel):
    """What to reserve, so that growing up to it moves no address, port, ASN or name."""

    compute: int | None = Field(
        None, ge=1, le=100_000, description="Servers of the compute side to size spines for."
    )
    storage: int | None = Field(
        None, ge=1, le=100_000, description="Servers of the storage side to size spines for."
    )
    spines: int | None = Field(
        None, ge=1, le=256, description="Spines to split each leaf's uplinks for."
    )


class RoutedPools(IntentModel):
    """Where the fabric's addresses come from."""

    loopbacks: Network = Field(pool("10.208.0.0/16"), description="One /32 per switch.")
    links: Network = Field(
        pool("10.212.0.0/14"), description="Switch links: /31 (or a v6 pool: /127)."
    )
    nics: Network = Field(
        pool("10.216.0.0/13"),
        description="Server ports: an eighth for each leaf that a server of a side reaches.",
    )


class RoutedNames(IntentModel):
    """Name patterns; words: site, group, unit, index."""

    leaf: Pattern | None = Field(None, description="Pattern of leaf names.")
    spine: Pattern | None = Field(None, description="Pattern of spine names.")
    previous_name: FormerNames = Field(
        default_factory=FormerNames,
        description="Patterns that switches were named by until now: a push renames them.",
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
        }
    )

    kind: Literal["routed"] = Field(
        "routed", description="Its kind: leafs and spines without tenants, for storage."
    )
    sides: Sides = Field(default_factory=Sides, description="Who stands at its leafs.")
    demand: Demand | None = Field(
        None, description="What the compute side needs; more than there is, is an error."
    )
    leaf: SwitchRole = Field(description="The leafs.")
    spine: TierRole = Field(description="The spines.")
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    growth: RoutedGrowth = Field(default_factory=RoutedGrowth, description="What to reserve.")
    addressing: RoutedPools = Field(default_factory=RoutedPools, description="Address pools.")
    nic_addressing: NicAddressing = Field(
        default_factory=NicAddressing, description="Addresses on the server links."
    )
    underlay: Underlay = Field(default_factory=Underlay, description="Routing between switches.")
    roce: Roce | None = Field(
        None, description="The lossless class, for NVMe over RoCE; left out, TCP needs none."
    )
    names: RoutedNames = Field(default_factory=RoutedNames, description="Name patterns.")
    numbering: NicNumbering = NIC_NUMBERING
    switches: Exceptions
    _here: IntentPath = PrivateAttr(("fabrics",))

    @property
    def design(self) -> str:
        """Return its tiers, by the name that an evpn fabric has for them."""
        return "leaf-spine"

    @property
    def each_side(self) -> dict[str, Side]:
        """Return the sides that are there by name, without those that were refused."""
        sides = {name: self.sides.unless_refused(name) for name in SIDES}
        return {name: side for name, side in sides.items() if side is not None}

    def server_names(self, side: str) -> str:
        """Return the pattern of the server names of a side that its own key says."""
        return self.each_side[side].seated.names or f"{self.prefix}-{side}{{number:04}}"

    def servers_at(self, side: str, *keys: str) -> IntentPath:
        """Return the place of a key of the servers of a side, here or in the site's `servers`."""
        kind = self.each_side[side].kind
        return kind.at(*keys) if kind is not None else self.at("sides", side, "servers", *keys)

    def with_sides(self, sides: Mapping[str, Side | None], refused: Collection[str] = ()) -> Self:
        """Return these words with other sides in place of those of the same name."""
        said = {name: side for name, side in vars(self.sides).items() if name not in refused}
        return self.model_copy(update={"sides": stated(Sides, {**said, **sides})})

    @property
    def cables(self) -> tuple[int, ...]:
        """Return the lengths of its cables in meters."""
        near = [side.seated.cable_length for side in self.each_side.values()]
        return (*near, self.links.length)

    def within(self, limit: int) -> Self:
        """Return these words with no cable longer than so many meters."""
        sides = {
            name: side.model_copy(update={"servers": shorter(side.seated, "cable_length", limit)})
            for name, side in self.each_side.items()
        }
        links = shorter(self.links, "length", limit)
        return self.with_sides(sides).model_copy(update={"links": links})

"""Defines the intent keys of the backend, a lossless fabric of GPU rails."""

from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, PrivateAttr

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.balancing import LoadBalancing
from fabricgen.intent.model.fabric import DEMAND, FabricDemand, FabricWords, KindPorts
from fabricgen.intent.model.hardware import (
    Exceptions,
    FormerNames,
    LeafRole,
    Links,
    UpperTier,
    shorter,
)
from fabricgen.intent.model.numbering import NIC_NUMBERING, NicNumbering
from fabricgen.intent.model.qos import Roce
from fabricgen.intent.model.servers import (
    CableLength,
    NetworkTool,
    NicName,
    NicPorts,
    Nics,
    NicSlots,
    stated,
)
from fabricgen.intent.model.underlay import Underlay
from fabricgen.intent.model.vocabulary import IntentModel, Network, Numbers, Pattern, Speed, pool
from fabricgen.model.settings import ports
from fabricgen.model.settings.setting import keys


class GpuServers(IntentModel):
    """The GPU servers, all of one type. The number of a server decides its name and place."""

    count: int = Field(ge=1, le=1_000_000, description="Number of servers.")
    gpus: int = Field(8, ge=1, le=64, description="GPUs per server.")
    nics: Nics | None = Field(None, description="RDMA NICs per server. Default: one per GPU.")
    nic_speed: Speed = Field(description="Speed of one NIC port.")
    nic_ports: NicPorts = Field(
        1, description="Ports per NIC. With several planes, port p connects to plane p."
    )
    nic: NicName = Field(
        "connectx-7",
        description="NIC model from the catalog. It decides how QoS is configured on the host.",
    )
    nic_slots: NicSlots | None = Field(
        None,
        description="PCI address of the first port of each NIC, in the order of the rails. It "
        "gives the interfaces their names. Without it, the host image must name them.",
    )
    network: NetworkTool = Field(
        "netplan", description="Tool that configures addresses and routes on the servers."
    )
    cable_length: CableLength = Field(5, description="Cable length from NIC to leaf, in meters.")
    names: Pattern | None = Field(
        None,
        description="Server name pattern with the placeholders site and number. Default: "
        "gpu{number:04}. In a fabric not called `backend`, the fabric name precedes it.",
    )


UNSAID = stated(GpuServers, {})
"""Servers of a fabric without a `servers` key."""


class Spines(UpperTier):
    """The spines of GPU rails."""

    per_rail: bool = Field(
        False,
        description="Give the leafs of each rail their own spines. In two tiers rails never meet, "
        "and a rail has at most as many leafs as a spine has ports. In three tiers each pod has "
        "such spines, and rails meet in the superspines.",
    )


class SharedUnits(IntentModel):
    """Units with few servers, in which more rails share a leaf than elsewhere."""

    units: Numbers = Field(description="Numbers of the units.")
    rails_per_leaf: int = Field(ge=2, le=64, description="Rails that share a leaf in these units.")


class ScalableUnit(IntentModel):
    """Unit of purchase and repetition: servers and the leafs that they share."""

    servers: int = Field(
        ge=1, le=4096, description="Servers per unit. Default: as many as a leaf has server ports."
    )
    shared: list[SharedUnits] = Field(
        default_factory=list,
        max_length=64,
        description="Partly filled units that need fewer leafs.",
    )


class Pod(IntentModel):
    """Scalable units under one group of spines, with superspines above the pods."""

    units: int = Field(
        ge=1,
        le=1024,
        description="Scalable units per pod. Default: as many as a spine has ports for.",
    )


class BackendGrowth(IntentModel):
    """Reserved sizes. Growth up to them changes no address, port, ASN or name."""

    servers: int | None = Field(
        None, ge=1, le=1_000_000, description="Servers that the spines are sized for."
    )
    rails: int | None = Field(
        None, ge=1, le=64, description="Rails that leafs and pools are reserved for."
    )
    planes: int | None = Field(None, ge=1, le=8, description="Planes that pools are reserved for.")
    spines: int | None = Field(
        None,
        ge=1,
        le=1024,
        description="Spines (per plane or pod) that the uplinks of each leaf are split for.",
    )
    pods: int | None = Field(
        None, ge=1, le=1024, description="Pods that superspines are sized for."
    )


class BackendPools(IntentModel):
    """Address pools of the backend."""

    loopbacks: Network = Field(pool("10.192.0.0/16"), description="One /32 per switch.")
    vteps: Network = Field(
        pool("10.193.0.0/16"),
        description="One /32 per leaf for the VXLAN tunnel source. Needed with tenants whose "
        "leafs are joined by spines.",
    )
    links: Network = Field(
        pool("10.200.0.0/14"), description="Switch links, a /31 each (a /127 from an IPv6 pool)."
    )
    nics: Network = Field(
        pool("172.16.0.0/12"), description="NIC addresses, one block per rail and plane."
    )


class NicAddressing(IntentModel):
    """How NICs get their addresses."""

    mode: Literal["p2p", "subnet"] = Field(
        "p2p",
        description="`p2p`: a /31 per NIC port. `subnet`: one subnet per rail and leaf, with the "
        "leaf as gateway.",
    )


class BackendNames(IntentModel):
    """Name patterns with the placeholders site, plane, pod, unit, rail, index and number."""

    leaf: Pattern | None = Field(None, description="Name pattern of leafs.")
    spine: Pattern | None = Field(None, description="Name pattern of spines.")
    superspine: Pattern | None = Field(None, description="Name pattern of superspines.")
    previous_name: FormerNames = Field(
        default_factory=FormerNames,
        description="Previous name patterns of the switches. A push renames the switches.",
    )


class Backend(FabricWords):
    """The backend fabric. It has no default route, no border and no link to another fabric."""

    port_keys: ClassVar[frozenset[str]] = frozenset(
        {"fabric", "speed", "cable_length", "nics", "nic_ports", "nic", "nic_slots", "unit"}
        | {each.key for each in keys(ports.AnyPorts)}
    )

    kind: Literal["rails"] = Field(
        "rails", description="Kind of fabric, needed in `fabrics`. A backend has GPU rails."
    )
    design: Literal["rail-only", "rail-optimized", "three-tier"] = Field(
        description="`rail-only`: leafs without spines, so rails never meet. `rail-optimized`: "
        "leafs and spines. `three-tier`: pods joined by superspines."
    )
    sites: list[str] | None = Field(
        None, max_length=64, description="At most one site name: a backend cannot span sites."
    )
    servers: GpuServers = Field(
        default_factory=lambda: UNSAID,
        description="The GPU servers and their NICs. Short for a kind in `servers` with one set "
        "of ports.",
    )
    rails: int | None = Field(
        None, ge=1, le=64, description="Number of rails. Default: the number of NICs of a server."
    )
    rails_per_leaf: int = Field(
        1, ge=1, le=64, description="Rails that share a leaf, each as its own group of ports."
    )
    leafs_per_nic: int = Field(
        1,
        ge=1,
        le=4,
        description="Leafs of one plane that the ports of each NIC are spread over. 2 is dual ToR.",
    )
    planes: int = Field(1, ge=1, le=8, description="Parallel copies of the fabric.")
    scalable_unit: ScalableUnit | None = Field(None, description="Size of the repeated unit.")
    pod: Pod | None = Field(None, description="Size of a pod in a three-tier design.")
    leaf: LeafRole = Field(description="The leafs.")
    spine: Spines | None = Field(None, description="The spines.")
    superspine: UpperTier | None = Field(
        None, description="The superspines of a three-tier design."
    )
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    oversubscription: float = Field(
        1.0,
        gt=0,
        le=64,
        description="Maximum ratio of server bandwidth to uplink bandwidth, per tier.",
    )
    demand: FabricDemand | None = DEMAND
    growth: BackendGrowth = Field(default_factory=BackendGrowth, description="Reserved growth.")
    addressing: BackendPools = Field(default_factory=BackendPools, description="Address pools.")
    nic_addressing: NicAddressing = Field(
        default_factory=NicAddressing, description="Addresses on the NIC links."
    )
    underlay: Underlay = Field(default_factory=Underlay, description="Routing between switches.")
    load_balancing: LoadBalancing = Field(
        default_factory=LoadBalancing, description="Packet distribution over ECMP paths."
    )
    roce: Roce = Field(default_factory=Roce, description="The lossless class.")
    names: BackendNames = Field(default_factory=BackendNames, description="Name patterns.")
    numbering: NicNumbering = NIC_NUMBERING
    switches: Exceptions
    _here: IntentPath = PrivateAttr(("backend",))
    _kind: KindPorts | None = PrivateAttr(None)

    @property
    def server_names(self) -> str:
        """Return the name pattern of the servers."""
        other = "" if self.prefix == "be" else f"{self.prefix}-"
        return self.servers.names or f"{other}gpu{{number:04}}"

    def at(self, *keys: str) -> IntentPath:
        """Return the intent path of a key; server keys may be in `servers`."""
        if self._kind is None or keys[:1] != ("servers",):
            return super().at(*keys)
        return self._kind.at(*("speed" if key == "nic_speed" else key for key in keys[1:]))

    @property
    def kind_name(self) -> str:
        """Return the server kind's name; empty for servers of the fabric's `servers` key."""
        return "" if self._kind is None else self._kind.kind

    @property
    def unit(self) -> int:
        """Return the first scalable unit of its servers."""
        return 1 if self._kind is None else self._kind.ports.unit

    @property
    def kind_of_servers(self) -> KindPorts | None:
        """Return the port set of its servers; None if the fabric's `servers` key defines them."""
        return self._kind

    def with_servers(self, of: KindPorts) -> Self:
        """Return a copy that has a set of ports as the GPU servers."""
        said = {**vars(of.servers), **vars(of.ports)}
        said |= {"nic_speed": said["speed"]} if "speed" in said else {}
        mine = self.model_copy(update={"servers": stated(GpuServers, said)})
        mine._kind = of  # noqa: SLF001 - its own class
        return mine

    @property
    def cables(self) -> tuple[int, ...]:
        """Return the cable lengths in meters, one for each kind of servers."""
        near = [each.ports.cable_length for each in self.served] or [self.servers.cable_length]
        return (*near, self.links.length)

    def within(self, limit: int) -> "Backend":
        """Return a copy in which no cable exceeds this many meters."""
        served = (
            replace(each, ports=shorter(each.ports, "cable_length", limit)) for each in self.served
        )
        update = {
            "servers": shorter(self.servers, "cable_length", limit),
            "links": shorter(self.links, "length", limit),
        }
        return self.model_copy(update=update).serving(tuple(served), every=self.all_served)

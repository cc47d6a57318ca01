"""Defines the intent keys of the backend, a lossless fabric of GPU rails."""

from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, PrivateAttr

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.balancing import LoadBalancing
from fabricgen.intent.model.fabric import FabricWords, KindPorts
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
from fabricgen.intent.model.vocabulary import (
    IntentModel,
    Network,
    Numbers,
    Pattern,
    Speed,
    pool,
)


class GpuServers(IntentModel):
    """The GPU servers, all alike. Server n is named by its number and stays where it is."""

    count: int = Field(ge=1, le=1_000_000, description="How many servers.")
    gpus: int = Field(8, ge=1, le=64, description="GPUs per server.")
    nics: Nics | None = Field(None, description="RDMA NICs per server; default: one per GPU.")
    nic_speed: Speed = Field(description="Speed of one NIC port.")
    nic_ports: NicPorts = Field(
        1, description="Ports per NIC; with several planes, port p goes to plane p."
    )
    nic: NicName = Field(
        "connectx-7",
        description="NIC model from the catalog; it decides how the host's QoS is set.",
    )
    nic_slots: NicSlots | None = Field(
        None,
        description="PCI address of each NIC, of its first port, in the order of the rails; gives "
        "the interfaces their names. Left out, the host's image has to.",
    )
    network: NetworkTool = Field(
        "netplan", description="What configures the servers' addresses and routes."
    )
    cable_length: CableLength = Field(5, description="Meters from NIC to leaf.")
    names: Pattern | None = Field(
        None,
        description="Server names; words: site, number. Default: gpu{number:04}, with the "
        "fabric's name before it in others than `backend`.",
    )


UNSAID = stated(GpuServers, {})
"""Servers that the fabric's own key does not say."""


class Spines(UpperTier):
    """The spines of GPU rails."""

    per_rail: bool = Field(
        False,
        description="The leafs of each rail have spines of their own, in two tiers: rails never "
        "meet, and each takes as many leafs as a spine has ports.",
    )


class SharedUnits(IntentModel):
    """Units with few servers, in which more rails share a leaf than elsewhere."""

    units: Numbers = Field(description="Numbers of the units.")
    rails_per_leaf: int = Field(ge=2, le=64, description="Rails that share a leaf there.")


class ScalableUnit(IntentModel):
    """The unit bought and repeated: servers and the leafs they share."""

    servers: int = Field(
        ge=1, le=4096, description="Servers per unit; default: as many as a leaf has ports for."
    )
    shared: list[SharedUnits] = Field(
        default_factory=list,
        max_length=64,
        description="Units that are not full and get by with fewer leafs.",
    )


class Pod(IntentModel):
    """What the spines of a pod join, with superspines above them."""

    units: int = Field(
        ge=1,
        le=1024,
        description="Scalable units per pod; default: as many as a spine has ports for.",
    )


class BackendGrowth(IntentModel):
    """What to reserve, so that growing up to it moves no address, port, ASN or name."""

    servers: int | None = Field(None, ge=1, le=1_000_000, description="Servers to size spines for.")
    rails: int | None = Field(
        None, ge=1, le=64, description="Rails to reserve leafs and pools for."
    )
    planes: int | None = Field(None, ge=1, le=8, description="Planes to reserve pools for.")
    spines: int | None = Field(
        None,
        ge=1,
        le=1024,
        description="Spines (per plane or pod) to split each leaf's uplinks for.",
    )
    pods: int | None = Field(None, ge=1, le=1024, description="Pods to size superspines for.")


class BackendPools(IntentModel):
    """Where the backend's addresses come from."""

    loopbacks: Network = Field(pool("10.192.0.0/16"), description="One /32 per switch.")
    vteps: Network = Field(
        pool("10.193.0.0/16"),
        description="With tenants that spines join: one /32 per leaf, the VXLAN tunnel source.",
    )
    links: Network = Field(
        pool("10.200.0.0/14"), description="Switch links: /31 (or a v6 pool: /127)."
    )
    nics: Network = Field(pool("172.16.0.0/12"), description="NICs: one block per rail and plane.")


class NicAddressing(IntentModel):
    """How NICs get their addresses."""

    mode: Literal["p2p", "subnet"] = Field(
        "p2p",
        description="p2p: a /31 per NIC port. subnet: one subnet per rail and leaf, the leaf "
        "is its gateway.",
    )


class BackendNames(IntentModel):
    """Name patterns; words: site, plane, pod, unit, rail, index, number."""

    leaf: Pattern | None = Field(None, description="Pattern of leaf names.")
    spine: Pattern | None = Field(None, description="Pattern of spine names.")
    superspine: Pattern | None = Field(None, description="Pattern of superspine names.")
    previous_name: FormerNames = Field(
        default_factory=FormerNames,
        description="Patterns that switches were named by until now: a push renames them.",
    )


class Backend(FabricWords):
    """The backend fabric. It has no default route, no border and no link to another fabric."""

    port_keys: ClassVar[frozenset[str]] = frozenset(
        {"fabric", "speed", "cable_length", "nics", "nic_ports", "nic", "nic_slots", "unit"}
    )

    kind: Literal["rails"] = Field(
        "rails",
        description="Its kind, needed in `fabrics`: GPU rails.",
    )
    design: Literal["rail-only", "rail-optimized", "three-tier"] = Field(
        description="rail-only: leafs alone, a rail never meets another. rail-optimized: leafs and "
        "spines. three-tier: pods joined by superspines."
    )
    sites: list[str] | None = Field(
        None, max_length=64, description="Refused with more than one name: a backend is one site."
    )
    servers: GpuServers = Field(
        default_factory=lambda: UNSAID,
        description="The GPU servers and their NICs: short for a kind in `servers` with one set "
        "of ports.",
    )
    rails: int | None = Field(
        None, ge=1, le=64, description="Number of rails; default: the NICs of a server."
    )
    rails_per_leaf: int = Field(
        1, ge=1, le=64, description="Rails that share a leaf, each as its own group of ports."
    )
    leafs_per_nic: int = Field(
        1,
        ge=1,
        le=4,
        description="Leafs of one plane that the ports of each NIC are spread over; 2 is dual ToR.",
    )
    planes: int = Field(1, ge=1, le=8, description="Parallel copies of the fabric.")
    scalable_unit: ScalableUnit | None = Field(None, description="Size of the repeated unit.")
    pod: Pod | None = Field(None, description="Size of a pod of three tiers.")
    leaf: LeafRole = Field(description="The leafs.")
    spine: Spines | None = Field(None, description="The spines.")
    superspine: UpperTier | None = Field(None, description="The superspines of three tiers.")
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    oversubscription: float = Field(
        1.0, gt=0, le=64, description="Most bandwidth towards servers per bandwidth up, per tier."
    )
    growth: BackendGrowth = Field(default_factory=BackendGrowth, description="What to reserve.")
    addressing: BackendPools = Field(default_factory=BackendPools, description="Address pools.")
    nic_addressing: NicAddressing = Field(
        default_factory=NicAddressing, description="Addresses on the NIC links."
    )
    underlay: Underlay = Field(default_factory=Underlay, description="Routing between switches.")
    load_balancing: LoadBalancing = Field(
        default_factory=LoadBalancing, description="Spreading packets over equal paths."
    )
    roce: Roce = Field(default_factory=Roce, description="The lossless class.")
    names: BackendNames = Field(default_factory=BackendNames, description="Name patterns.")
    numbering: NicNumbering = NIC_NUMBERING
    switches: Exceptions
    _here: IntentPath = PrivateAttr(("backend",))
    _kind: KindPorts | None = PrivateAttr(None)

    @property
    def server_names(self) -> str:
        """Return the pattern of server names."""
        other = "" if self.prefix == "be" else f"{self.prefix}-"
        return self.servers.names or f"{other}gpu{{number:04}}"

    def at(self, *keys: str) -> IntentPath:
        """Return the place of a key in it; that of its servers may be in `servers`."""
        if self._kind is None or keys[:1] != ("servers",):
            return super().at(*keys)
        return self._kind.at(*("speed" if key == "nic_speed" else key for key in keys[1:]))

    @property
    def kind_name(self) -> str:
        """Return the name of the kind that its servers are; empty for those of its own key."""
        return "" if self._kind is None else self._kind.kind

    @property
    def unit(self) -> int:
        """Return the first scalable unit of its servers."""
        return 1 if self._kind is None else self._kind.ports.unit

    @property
    def kind_of_servers(self) -> KindPorts | None:
        """Return the set of ports that its servers are, None where its own key says them."""
        return self._kind

    def with_servers(self, of: KindPorts) -> Self:
        """Return these words with a set of ports as the GPU servers."""
        said = {**vars(of.servers), **vars(of.ports)}
        said |= {"nic_speed": said["speed"]} if "speed" in said else {}
        mine = self.model_copy(update={"servers": stated(GpuServers, said)})
        mine._kind = of  # noqa: SLF001 - its own class
        return mine

    @property
    def cables(self) -> tuple[int, ...]:
        """Return the lengths of its cables in meters, those of each kind of servers apart."""
        near = [each.ports.cable_length for each in self.served] or [self.servers.cable_length]
        return (*near, self.links.length)

    def within(self, limit: int) -> "Backend":
        """Return these words with no cable longer than so many meters."""
        served = (
            replace(each, ports=shorter(each.ports, "cable_length", limit)) for each in self.served
        )
        update = {
            "servers": shorter(self.servers, "cable_length", limit),
            "links": shorter(self.links, "length", limit),
        }
        return self.model_copy(update=update).serving(tuple(served), every=self.all_served)

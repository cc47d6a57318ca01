"""Defines the whole intent of a site, the root model of the keys of all files."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, get_args

from pydantic import Field

from fabricgen.intent.model.access import Access
from fabricgen.intent.model.acknowledge import Acknowledgment
from fabricgen.intent.model.backend import Backend
from fabricgen.intent.model.cabling import Cabling
from fabricgen.intent.model.fabric import FabricName, KindPorts
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.model.ports import PortProfile
from fabricgen.intent.model.racks import RackType
from fabricgen.intent.model.routed import Routed
from fabricgen.intent.model.servers import ServerKind
from fabricgen.intent.model.site import SiteWords
from fabricgen.intent.model.tenants import Tenant
from fabricgen.intent.model.vocabulary import IntentModel, LateModel, Name, OneOf
from fabricgen.intent.model.zones import AccessZone, Flow, Service
from fabricgen.model.catalog.catalog import Catalog

if TYPE_CHECKING:
    from fabricgen.intent.model.applications import Application
    from fabricgen.intent.model.dci import Dci, Distribution
    from fabricgen.intent.model.failures import FailureWords
    from fabricgen.intent.model.gateways import Gateways
    from fabricgen.intent.model.jobs import JobPool
    from fabricgen.intent.model.review import ReviewRules
    from fabricgen.intent.model.watching import WatchLimits
else:
    Application = Annotated[Any, LateModel("fabricgen.intent.model.applications:Application")]
    Dci = Annotated[Any, LateModel("fabricgen.intent.model.dci:Dci")]
    Distribution = Annotated[Any, LateModel("fabricgen.intent.model.dci:Distribution")]
    FailureWords = Annotated[Any, LateModel("fabricgen.intent.model.failures:FailureWords")]
    Gateways = Annotated[Any, LateModel("fabricgen.intent.model.gateways:Gateways")]
    JobPool = Annotated[Any, LateModel("fabricgen.intent.model.jobs:JobPool")]
    ReviewRules = Annotated[Any, LateModel("fabricgen.intent.model.review:ReviewRules")]
    WatchLimits = Annotated[Any, LateModel("fabricgen.intent.model.watching:WatchLimits")]

AnyFabric = Frontend | Backend | Routed | Access
LosslessFabric = Backend | Frontend | Routed
"""The kinds that may have a lossless class."""
FABRIC_KINDS = tuple(str(words.model_fields["kind"].default) for words in get_args(AnyFabric))


class Intent(IntentModel):
    """Intent of a site directory, merged from all files."""

    site: SiteWords = Field(description="The site and its management services.")
    servers: dict[Name, ServerKind] = Field(
        default_factory=dict,
        description="Kinds of servers by name, each with its ports by network. Several files may "
        "each add kinds.",
    )
    backend: Backend | None = Field(
        None, description="The lossless GPU fabric. Short for `fabrics.backend` of kind rails."
    )
    frontend: Frontend | None = Field(
        None, description="The VXLAN/EVPN fabric. Short for `fabrics.frontend` of kind evpn."
    )
    fabrics: dict[FabricName, Annotated[AnyFabric, OneOf("kind")]] = Field(
        default_factory=dict,
        description="Fabrics by name, any number of each kind. Several files may each add fabrics.",
    )
    racks: dict[Name, RackType] = Field(
        default_factory=dict, description="Rack types by name, with positions and contents."
    )
    cabling: Cabling = Field(
        default_factory=Cabling, description="Cable routes and media. Lengths follow from `racks`."
    )
    port_profiles: dict[Name, PortProfile] = Field(
        default_factory=dict,
        description="Profiles of bridged ports by name, for sets of ports and attachments.",
    )
    tenants: dict[Name, Tenant] = Field(
        default_factory=dict,
        description="Tenants of an evpn fabric by name. Several files may each add tenants.",
    )
    jobs: dict[Name, JobPool] = Field(
        default_factory=dict, description="Pools of numbers by name, with the jobs that use a slot."
    )
    failures: FailureWords | None = Field(
        None, description="Joint failures and availability requirements."
    )
    review: ReviewRules | None = Field(
        None, description="Gates of `fabricgen diff`: risk, frozen keys, owners and limits."
    )
    watch: WatchLimits | None = Field(
        None, description="Limits of `fabricgen verify` and `watch` that no standard gives."
    )
    acknowledge: list[Acknowledgment] = Field(
        default_factory=list,
        max_length=1000,
        description="Warnings and notes that are known and accepted until a date.",
    )
    zones: dict[Name, AccessZone] = Field(
        default_factory=dict,
        description="Zones by name. Traffic inside a zone is permitted; `flows` permit traffic "
        "between zones.",
    )
    services: dict[Name, Annotated[list[Service], Field(min_length=1)]] = Field(
        default_factory=dict,
        description="Services by name, each one or more entries such as `tcp/443`.",
    )
    flows: list[Flow] = Field(
        default_factory=list,
        description="Permitted connections between zones. Add new entries at the end.",
    )

    dci: dict[Name, Dci] = Field(
        default_factory=dict,
        description="Links between the frontends of two sites of this tree, by name.",
    )
    applications: dict[Name, Application] = Field(
        default_factory=dict,
        description="Applications by name: their replicas, their address and the latency that "
        "their clients need.",
    )
    distribution: dict[Name, Distribution] = Field(
        default_factory=dict,
        description="Data that is copied between sites in a time window, by name.",
    )
    gateways: dict[Name, Gateways] = Field(
        default_factory=dict,
        description="Pairs of sites in this tree that are joined by EVPN gateways, by name.",
    )

    def naming(self, catalog: Catalog) -> "Intent":
        """Return a copy with the catalog of hardware that its fabrics may name."""
        update: dict[str, Any] = {}
        for key in ("frontend", "backend"):
            words = self.unless_refused(key)
            update |= {key: words.naming(catalog)} if words is not None else {}
        fabrics = self.unless_refused("fabrics")
        if fabrics is not None:
            update["fabrics"] = {name: each.naming(catalog) for name, each in fabrics.items()}
        return self.model_copy(update=update)

    def each_fabric(self) -> Iterator[AnyFabric]:
        """Yield every valid fabric with its place."""
        short = (self.unless_refused("frontend"), self.unless_refused("backend"))
        named = sorted((self.unless_refused("fabrics") or {}).items())
        every = [words for words in short if words is not None]
        every += [words.placed("fabrics", name) for name, words in named]
        sets, names = list(self.each_set()), {words.name for words in every}
        kinds = (self.unless_refused("servers") or {}).values()
        known = "servers" in vars(self) and all("ports" in vars(kind) for kind in kinds)
        known = known and all(each.ports.unless_refused("fabric") in names for each in sets)
        for words in every:
            mine = (each for each in sets if each.ports.unless_refused("fabric") == words.name)
            yield words.serving(tuple(mine), every=known)

    def each_set(self) -> Iterator[KindPorts]:
        """Yield every set of ports in `servers`, by kind and network."""
        for kind, servers in sorted((self.unless_refused("servers") or {}).items()):
            for network, ports in sorted((servers.unless_refused("ports") or {}).items()):
                yield KindPorts(kind=kind, network=network, servers=servers, ports=ports)

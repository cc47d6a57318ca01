"""Defines the keys that fabrics of every kind share; each fabric knows its place in the intent."""

from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, PrivateAttr, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.intent.model.descriptions import Descriptions
from fabricgen.intent.model.own_lines import CUSTOM_CONFIG, UNMANAGED, KeptSections, OwnLines
from fabricgen.intent.model.servers import PortSet, ServerKind
from fabricgen.intent.model.site import FabricServices, SiteWords
from fabricgen.intent.model.vocabulary import IntentModel, Name, Network, Speed
from fabricgen.model.catalog.catalog import SHIPPED, Catalog

NO_FABRIC = "hosts"
"""The folder of servers in a rendered tree, next to those of the fabrics."""
MOST = 7
"""Highest number whose private addresses avoid all other defaults."""
_SHORT = {"frontend": "fe", "backend": "be"}


def _no_folder(name: str) -> str:
    if name == NO_FABRIC:
        raise PydanticCustomError(
            "value", "the name `hosts` is reserved for the folder of servers; choose another name"
        )
    return name


Megabytes = Annotated[float | None, Field(gt=0, le=1e6)]
FabricName = Annotated[Name, AfterValidator(_no_folder)]


@record(kw_only=True)
class KindPorts:
    """One set of ports of a server kind, with its kind name and network name."""

    kind: str
    network: str
    servers: ServerKind
    ports: PortSet

    def at(self, *keys: str) -> IntentPath:
        """Return the intent path of a key of the port set, or of its server kind."""
        here: IntentPath = ("servers", self.kind)
        of_set = not keys or keys[0] in PortSet.model_fields
        return (*here, "ports", self.network, *keys) if of_set else (*here, *keys)


PURPOSES = ("ingest", "inference", "checkpoint", "storage_reads")


class FabricDemand(IntentModel):
    """Bandwidth of all servers together, in one direction, that crosses every tier at one time."""

    ingest: Speed | None = Field(None, description="Data that enters from outside.")
    inference: Speed | None = Field(None, description="Answers to users outside.")
    checkpoint: Speed | None = Field(None, description="Checkpoints to storage on this fabric.")
    storage_reads: Speed | None = Field(None, description="Reads from storage on this fabric.")
    growth: float = Field(
        1.0, ge=1, le=1000, description="Factor that all rates grow by. A warning names its limit."
    )
    years: float | None = Field(
        None,
        gt=0,
        le=50,
        description="Years until `growth` is reached, with equal growth every year.",
    )

    @model_validator(mode="after")
    def _said(self) -> "FabricDemand":
        if self.whole and not any(getattr(self, name) for name in PURPOSES):
            raise PydanticCustomError(
                "value",
                "the demand has no rate; add one of {words}",
                {"words": ", ".join(f"`{name}`" for name in PURPOSES)},
            )
        if self.whole and self.years is not None and self.growth == 1:
            raise PydanticCustomError("value", "`years` needs a `growth` above 1")
        return self


DEMAND = Field(
    None,
    description="Bandwidth that the fabric must carry. Less bandwidth of a tier, of the server "
    "ports or of the external links is an error.",
)


class BufferDepth(IntentModel):
    """Minimum packet memory of each port, by tier, in MB (1,000,000 bytes)."""

    leaf: Megabytes = Field(None, description="Of each port of a leaf.")
    spine: Megabytes = Field(None, description="Of each port of a spine.")
    superspine: Megabytes = Field(None, description="Of each port of a superspine.")


class FabricWords(IntentModel):
    """Keys of every kind of fabric. `port_keys`: keys that a set of ports may have on this kind."""

    port_keys: ClassVar[frozenset[str]] = frozenset()

    kind: str
    number: int | None = Field(
        None,
        ge=1,
        le=MOST,
        description="Number of the fabric in the site. Its default pools, ASNs and management "
        "addresses follow from it. The only fabric of a kind needs no number.",
    )
    site: Name | None = Field(
        None,
        description="Site of the fabric, if one tree holds several sites. It fills `{site}` in "
        "names. All ports of a server are at one site. Default: `site.name`.",
    )
    management: Network | None = Field(
        None,
        description="Part of the management subnet for the fabric's switches. Default: a fixed "
        "part for its kind. With a number n: sixteenth n of the second half.",
    )
    services: FabricServices | None = Field(
        None,
        description="Time servers and collectors of the fabric's switches. Each key replaces the "
        "key of `site.management`.",
    )
    descriptions: Descriptions = Field(
        default_factory=Descriptions, description="Interface description patterns of the fabric."
    )
    buffer_per_port: BufferDepth | None = Field(
        None,
        description="Minimum packet memory, divided by the ports of the switch. Less memory, or "
        "memory that the catalog does not know, is an error.",
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED
    _here: IntentPath
    _catalog: Catalog = PrivateAttr(default_factory=lambda: SHIPPED)
    _served: tuple[KindPorts, ...] = PrivateAttr(())
    _all_served: bool = PrivateAttr(default=True)

    @property
    def served(self) -> tuple[KindPorts, ...]:
        """Return the sets of ports in `servers` that connect to it, by kind and network."""
        return self._served

    @property
    def all_served(self) -> bool:
        """Check that all its port sets are known; an invalid set may belong to any fabric."""
        return self._all_served

    @property
    def manages(self) -> bool:
        """Return whether management ports of other fabrics connect to it."""
        return False

    @property
    def managed(self) -> tuple[KindPorts, ...]:
        """Return the sets of management ports in `servers` that connect to it."""
        return self._served if self.manages else ()

    def keys_of(self, _ports: PortSet) -> frozenset[str]:
        """Return the keys that a set of ports may have here."""
        return self.port_keys

    @property
    def here(self) -> IntentPath:
        """Return its place in the intent."""
        return self._here

    @property
    def catalog(self) -> Catalog:
        """Return the hardware catalog of its site."""
        return self._catalog

    @property
    def name(self) -> str:
        """Return its name, which is also its folder."""
        return str(self._here[-1])

    @property
    def prefix(self) -> str:
        """Return the default prefix of its switch names."""
        return _SHORT.get(self.name, self.name)

    def stands(self, whole: SiteWords) -> str:
        """Return the name of its site."""
        return self.unless_refused("site") or whole.called

    def at(self, *keys: str) -> IntentPath:
        """Return the intent path of one of its keys."""
        return (*self._here, *keys)

    def naming(self, catalog: Catalog) -> Self:
        """Return a copy with this hardware catalog."""
        naming = self.model_copy()
        naming._catalog = catalog  # noqa: SLF001 - its own class
        return naming

    def placed(self, *here: str) -> Self:
        """Return a copy whose parts know their place."""
        placed = self.model_copy()
        placed._here = here  # noqa: SLF001 - its own class
        return placed

    def serving(self, served: tuple[KindPorts, ...], *, every: bool) -> Self:
        """Return a copy with the port sets that connect to it. `every`: the list is complete."""
        known = self.model_copy()
        known._served, known._all_served = served, every  # noqa: SLF001 - its own class
        return known

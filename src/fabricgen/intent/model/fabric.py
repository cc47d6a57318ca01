"""Defines the keys that fabrics of every kind share; each fabric knows its place in the intent."""

from typing import Annotated, ClassVar, Self

from pydantic import AfterValidator, Field, PrivateAttr
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.intent.model.descriptions import Descriptions
from fabricgen.intent.model.own_lines import CUSTOM_CONFIG, UNMANAGED, KeptSections, OwnLines
from fabricgen.intent.model.servers import PortSet, ServerKind
from fabricgen.intent.model.site import SiteWords
from fabricgen.intent.model.vocabulary import IntentModel, Name, Network
from fabricgen.model.catalog.catalog import SHIPPED, Catalog

NO_FABRIC = "hosts"
"""The folder that a rendered tree has beside those of the fabrics."""
MOST = 7
"""Highest number: private addresses have room for as many that meet no other default."""
_SHORT = {"frontend": "fe", "backend": "be"}


def _no_folder(name: str) -> str:
    if name == NO_FABRIC:
        raise PydanticCustomError("value", "`hosts` is the folder of servers; choose another name")
    return name


FabricName = Annotated[Name, AfterValidator(_no_folder)]


@record(kw_only=True)
class KindPorts:
    """One set of ports of a kind of servers: their names in the intent, and their words."""

    kind: str
    network: str
    servers: ServerKind
    ports: PortSet

    def at(self, *keys: str) -> IntentPath:
        """Return the place of a key: of the set, else of the kind."""
        here: IntentPath = ("servers", self.kind)
        of_set = not keys or keys[0] in PortSet.model_fields
        return (*here, "ports", self.network, *keys) if of_set else (*here, *keys)


class FabricWords(IntentModel):
    """What every kind of fabric has. port_keys: what a set of ports may say on one of this kind."""

    port_keys: ClassVar[frozenset[str]] = frozenset()

    kind: str
    number: int | None = Field(
        None,
        ge=1,
        le=MOST,
        description="Its number in the site, from which its pools, ASNs and management addresses "
        "follow where they are not given. One fabric of each kind needs none.",
    )
    site: Name | None = Field(
        None,
        description="Site that it stands at, where one tree holds several: the word `{site}` of "
        "its names. A server has its ports at one of them. Default: `site.name`.",
    )
    management: Network | None = Field(
        None,
        description="Part of the management subnet that its switches have; default: a part that "
        "its kind has, with a number the n-th sixteenth of the second half.",
    )
    descriptions: Descriptions = Field(
        default_factory=Descriptions, description="Patterns of the text on its ports."
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED
    _here: IntentPath
    _catalog: Catalog = PrivateAttr(default_factory=lambda: SHIPPED)
    _served: tuple[KindPorts, ...] = PrivateAttr(())
    _all_served: bool = PrivateAttr(default=True)

    @property
    def served(self) -> tuple[KindPorts, ...]:
        """Return the sets of ports in `servers` that go to it, by kind and network."""
        return self._served

    @property
    def all_served(self) -> bool:
        """Tell whether there are no others: of a set with an error nobody knows its fabric."""
        return self._all_served

    @property
    def manages(self) -> bool:
        """Tell whether management ports of other fabrics are cabled to it."""
        return False

    @property
    def managed(self) -> tuple[KindPorts, ...]:
        """Return the sets of management ports in `servers` that go to it."""
        return self._served if self.manages else ()

    def keys_of(self, _ports: PortSet) -> frozenset[str]:
        """Return what a set of ports may say here."""
        return self.port_keys

    @property
    def here(self) -> IntentPath:
        """Return its place in the intent."""
        return self._here

    @property
    def catalog(self) -> Catalog:
        """Return the hardware that it may name."""
        return self._catalog

    @property
    def name(self) -> str:
        """Return its name, which is that of its folder, too."""
        return str(self._here[-1])

    @property
    def prefix(self) -> str:
        """Return what its switches' names begin with, unless a pattern says otherwise."""
        return _SHORT.get(self.name, self.name)

    def stands(self, whole: SiteWords) -> str:
        """Return the name of the site that it stands at."""
        return self.unless_refused("site") or whole.called

    def at(self, *keys: str) -> IntentPath:
        """Return the place of a key in it."""
        return (*self._here, *keys)

    def naming(self, catalog: Catalog) -> Self:
        """Return these words as those of a site with this hardware."""
        naming = self.model_copy()
        naming._catalog = catalog  # noqa: SLF001 - its own class
        return naming

    def placed(self, *here: str) -> Self:
        """Return these words as what stands there."""
        placed = self.model_copy()
        placed._here = here  # noqa: SLF001 - its own class
        return placed

    def serving(self, served: tuple[KindPorts, ...], *, every: bool) -> Self:
        """Return these words with the sets of ports that go to the fabric. every: no others may."""
        known = self.model_copy()
        known._served, known._all_served = served, every  # noqa: SLF001 - its own class
        return known

"""Defines the keys of facts that a site adds to a switch model of the catalog."""

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from fabricgen.intent.model.facts import (
    BREAKOUT,
    HeadroomRow,
    LatencyFacts,
    Name,
    PlatformFacts,
    Pools,
    Profile,
    SkuFacts,
    Source,
    TopologyName,
    WattsFacts,
)
from fabricgen.intent.model.vocabulary import IntentModel, SafeText

FIGURES, WHOLE = "figures", "whole"
"""Names that pydantic gives to both types of hwsku in the path of an error."""


class AddedFigures(IntentModel):
    """Packet memory of a hwsku of the catalog, for some releases and templates."""

    pools: Pools | None = None
    profiles: dict[SafeText, Profile] = Field(default_factory=dict)
    headroom: list[HeadroomRow] = Field(default_factory=list)
    releases: list[SafeText] = Field(default_factory=list)
    topologies: list[TopologyName] = Field(default_factory=list)


class AddedMemory(AddedFigures):
    """Packet memory of a hwsku of the catalog; `targets` has what holds for some releases only."""

    targets: list[AddedFigures] = Field(default_factory=list)


def _kind_of(value: Any) -> str:
    return WHOLE if isinstance(value, dict) and "layout" in value else FIGURES


Hwsku = Annotated[
    Annotated[SkuFacts, Tag(WHOLE)] | Annotated[AddedMemory, Tag(FIGURES)],
    Discriminator(_kind_of),
]


class AddedSonic(IntentModel):
    """SONiC facts in addition to the port map of the catalog."""

    platform: SafeText | None = None
    breakouts: list[Annotated[str, Field(pattern=BREAKOUT)]] = Field(default_factory=list)
    skus: dict[SafeText, Hwsku] = Field(default_factory=dict)


class AddedPlatforms(PlatformFacts):
    """Platform facts of a model whose port map on SONiC the catalog has."""

    sonic: AddedSonic | None = None  # type: ignore[assignment] # other keys than a new platform


class MoreFacts(IntentModel):
    """Additional facts of a model of the catalog."""

    model: Name
    source: Source | None = Field(
        None, description="Source of the facts. Only new platforms have a source of their own."
    )
    rack_units: Annotated[int, Field(ge=1, le=60)] | None = None
    watts: WattsFacts | None = None
    latency: LatencyFacts | None = None
    platforms: PlatformFacts = Field(default_factory=PlatformFacts)


class MoreOnSonic(MoreFacts):
    """Additional facts of a model whose port map on SONiC the catalog has."""

    platforms: AddedPlatforms = Field(default_factory=AddedPlatforms)

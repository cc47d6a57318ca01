"""Which switch stands in a role: model, platform, breakout; and the exceptions per switch."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from fabricgen.intent.model.vocabulary import HostName, Name, Speed, Words

BREAKOUT = r"^[1-8]x[1-9][0-9]{0,3}(\.[0-9])?[MGT]$"
RELEASE = r"^[a-z0-9][a-z0-9.-]{0,30}$"

PlatformName = Annotated[
    str, Field(description="The network OS; `fabricgen capabilities` lists those there are.")
]
ReleaseName = Annotated[str, Field(pattern=RELEASE)]
ModelName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        description="Switch model from the catalog, for example SN5600 or 7060X6-64PE.",
        examples=["7060X6-64PE", "SN5600"],
    ),
]


class SwitchRole(Words):
    """The hardware of one role in one fabric. How many leafs there are follows from the servers."""

    model: ModelName
    platform: PlatformName
    release: ReleaseName | None = Field(
        None,
        description="Release of that network OS, as `fabricgen capabilities` lists them; default: "
        "the one that is marked there.",
    )
    breakout: Annotated[str, Field(pattern=BREAKOUT)] | None = Field(
        None,
        description="How cages towards servers (leaf) or below (spine) are split, as 2x400G; "
        "default: the mode with the most ports of the speed that is needed.",
    )


class TierRole(SwitchRole):
    """The hardware of a tier above the leafs."""

    count: int | None = Field(
        None,
        ge=1,
        le=4096,
        description="How many: spines per plane (per pod with three tiers), superspines per "
        "spine group. Derived when left out; checked when given.",
    )


class SwitchException(Words):
    """What differs on one named switch: its OS, or the release of it."""

    platform: PlatformName = Field(description="Another network OS on this switch.")
    release: ReleaseName | None = Field(
        None, description="A release of it; default: the one that `capabilities` marks."
    )


Exceptions = Annotated[
    dict[HostName, SwitchException],
    Field(
        default_factory=dict,
        description="Exceptions by switch name: another platform on that one switch.",
    ),
]


class Links(Words):
    """How switches are wired to one another."""

    speed: Speed | None = Field(
        None,
        description="Speed of switch-to-switch links; default: the fastest that both ends have.",
    )
    length: int = Field(
        30,
        ge=1,
        le=2000,
        description="Cable length in metres between switches; the lossless settings depend on it.",
    )


__all__ = [
    "Exceptions",
    "Links",
    "ModelName",
    "Name",
    "PlatformName",
    "ReleaseName",
    "SwitchRole",
    "TierRole",
]

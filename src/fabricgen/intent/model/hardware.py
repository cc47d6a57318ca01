"""Defines the hardware keys of roles and single switches: model, platform and breakout."""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.own_lines import CUSTOM_CONFIG, UNMANAGED, KeptSections, OwnLines
from fabricgen.intent.model.pins import PinnedNumbers
from fabricgen.intent.model.port_pins import PinnedPorts
from fabricgen.intent.model.vocabulary import (
    HostName,
    IntentModel,
    Mac,
    Name,
    Pattern,
    SafeText,
    Speed,
)

SERIAL = r"^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$"
BREAKOUT = r"^[1-8]x[1-9][0-9]{0,3}(\.[0-9])?[MGT]$"
RELEASE = r"^[a-z0-9][a-z0-9.-]{0,30}$"

PlatformName = Annotated[
    str, Field(description="The network OS; `fabricgen capabilities` lists those there are.")
]
ReleaseName = Annotated[str, Field(pattern=RELEASE)]
SwitchState = Literal["planned", "active", "drained", "dead"]
ModelName = Annotated[
    str,
    Field(
        min_length=1,
        max_length=40,
        description="Switch model from the catalog, for example SN5600 or 7060X6-64PE.",
        examples=["7060X6-64PE", "SN5600"],
    ),
]


class SwitchRole(IntentModel):
    """The hardware of one role in one fabric. How many leafs there are follows from the servers."""

    model: ModelName
    platform: PlatformName
    release: ReleaseName | None = Field(
        None,
        description="Release of that network OS, as `fabricgen capabilities` lists them; default: "
        "the one that is marked there.",
    )
    hwsku: SafeText | None = Field(
        None,
        description="On SONiC: the hardware SKU that the switches run as, as `fabricgen catalog` "
        "has it for the model; default: the one that ships most like the ports that are needed.",
    )
    breakout: Annotated[str, Field(pattern=BREAKOUT)] | None = Field(
        None,
        description="How cages towards servers (leaf) or below (spine) are split, as 2x400G; "
        "default: the mode with the most ports of the speed that is needed.",
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED


class LeafRole(SwitchRole):
    """The hardware of the leafs."""

    reserve: int = Field(
        0,
        ge=0,
        le=512,
        description="Cages of each leaf that are kept for appliances: neither servers nor uplinks "
        "take them.",
    )


class TierRole(SwitchRole):
    """The hardware of a tier above the leafs."""

    count: int | None = Field(
        None,
        ge=1,
        le=4096,
        description="How many: spines per plane (per pod with three tiers), superspines per "
        "spine group. Derived when left out (with tenants two at least, and no more than growth "
        "keeps room for); checked when given.",
    )


class UpperTier(TierRole):
    """A tier above the leafs, with what holds between it and the switches below."""

    links: int | None = Field(
        None,
        ge=1,
        le=64,
        description="Links of each switch below to each of these. Derived when left out.",
    )
    speed: Speed | None = Field(None, description="Speed of those links; default: `links.speed`.")
    ratio: float | None = Field(
        None,
        gt=0,
        le=64,
        description="Most bandwidth from below per bandwidth up of the switches under this tier; "
        "default: `oversubscription`.",
    )


class SwitchException(PinnedNumbers, PinnedPorts):
    """What is said of one named switch: its OS and numbers where they differ, and which box."""

    platform: PlatformName | None = Field(None, description="Another network OS on this switch.")
    release: ReleaseName | None = Field(
        None, description="A release of it; default: the one that `capabilities` marks."
    )
    model: ModelName | None = Field(
        None,
        description="Another model, whose cages may be used as those of its role are; in a "
        "lossless fabric with the same chip.",
    )
    speed: Speed | None = Field(
        None,
        description="Of a spine of two tiers with tenants: speed of its links, which are upgraded "
        "spine by spine. It and they stand as if all spines had it.",
    )
    hwsku: SafeText | None = Field(
        None, description="On SONiC: another hardware SKU of its model, with the same ports."
    )
    previous_name: HostName | None = Field(
        None,
        description="The name that the switch still has; a push renames it. Without effect after.",
    )
    serial: Annotated[str, Field(pattern=SERIAL)] | None = Field(
        None,
        description="Serial number of the box, as the network OS reads it. Plan and push then "
        "touch no other, and take this one under the name that it left the factory with.",
        examples=["JPE19151234"],
    )
    mac: Mac | None = Field(
        None, description="MAC address of the management port, for the first boot (DHCP)."
    )
    state: SwitchState | None = Field(
        None,
        description="`planned`: not there yet; it is numbered and cabled, not pushed, and the "
        "ports towards it are shut. `drained`: it runs, and traffic goes by others. `dead`: gone "
        "until another box comes; its neighbors keep what they have and nobody waits for it. "
        "Default: `active`.",
    )
    accept_loss: bool | None = Field(
        None,
        description="The servers that have no other leaf than this drained one may lose the "
        "network while people work on it.",
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED

    @model_validator(mode="after")
    def _tells(self) -> SwitchException:
        if self.release is not None and self.platform is None:
            raise PydanticCustomError("value", "a release is one of a platform: name that, too")
        if self.accept_loss is not None and self.state != "drained":
            raise PydanticCustomError("value", "a loss is accepted of a switch that is drained")
        if all(value in (None, {}) for value in vars(self).values()):
            raise PydanticCustomError("value", "nothing is said of this switch: leave it out")
        return self


Exceptions = Annotated[
    dict[HostName, SwitchException],
    Field(
        default_factory=dict,
        description="What is said of single switches, by name: another platform, and which box "
        "each one is.",
    ),
]


def runs_on(role: SwitchRole, exception: SwitchException | None) -> tuple[str, str]:
    """Return platform and release of a switch; the latter is empty for the platform's default."""
    if exception is not None and exception.platform is not None:
        return exception.platform, exception.release or ""
    return role.platform, role.release or ""


class FormerNames(IntentModel):
    """Name patterns of before a renaming, with the words of the present ones."""

    leaf: Pattern | None = Field(None, description="Pattern that leafs were named by.")
    spine: Pattern | None = Field(None, description="Pattern that spines were named by.")
    superspine: Pattern | None = Field(None, description="Pattern that superspines were named by.")


class Links(IntentModel):
    """How switches are wired to one another."""

    speed: Speed | None = Field(
        None,
        description="Speed of switch-to-switch links; default: the fastest that both ends have.",
    )
    length: int = Field(
        30,
        ge=1,
        le=2000,
        description="Cable length in meters between switches; the lossless settings depend on it.",
    )


W = TypeVar("W", bound=IntentModel)


def shorter(words: W, key: str, limit: int) -> W:
    """Return words about cables of at most so many meters; `key` has their length."""
    return words.model_copy(update={key: min(getattr(words, key), limit)})


__all__ = [
    "Exceptions",
    "FormerNames",
    "LeafRole",
    "Links",
    "ModelName",
    "Name",
    "PlatformName",
    "ReleaseName",
    "SwitchRole",
    "TierRole",
    "UpperTier",
    "runs_on",
    "shorter",
]

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
RELEASE = r"^[a-z0-9][a-z0-9.-]{0,30}(\+[a-z0-9][a-z0-9-]{0,20})?$"

PlatformName = Annotated[
    str, Field(description="The network OS. `fabricgen capabilities` lists the supported ones.")
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
    """Hardware of one role in one fabric. The number of leafs follows from the servers."""

    model: ModelName
    platform: PlatformName
    release: ReleaseName | None = Field(
        None,
        description="Release of the network OS. Default: the release that `fabricgen "
        "capabilities` marks. `+` and a word name a vendor's image with more features, for "
        "example `202505+iccpd`.",
    )
    hwsku: SafeText | None = Field(
        None,
        description="Hardware SKU of SONiC switches, as `fabricgen catalog` lists it for the "
        "model. Default: the SKU whose shipped ports match the needed ports best.",
    )
    breakout: Annotated[str, Field(pattern=BREAKOUT)] | None = Field(
        None,
        description="Split of cages towards servers (leaf) or lower switches (spine), for "
        "example 2x400G. Default: the mode with the most ports of the needed speed.",
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED


class LeafRole(SwitchRole):
    """The hardware of the leafs."""

    reserve: int = Field(
        0,
        ge=0,
        le=512,
        description="Cages of each leaf that are reserved for appliances. Neither servers nor "
        "uplinks use them.",
    )


class TierRole(SwitchRole):
    """The hardware of a tier above the leafs."""

    count: int | None = Field(
        None,
        ge=1,
        le=4096,
        description="Number of spines per plane (per pod with three tiers), or of superspines "
        "per spine group. Derived if omitted: at least two with tenants, and at most "
        "as many as growth reserves. Checked if given.",
    )


class UpperTier(TierRole):
    """A tier above the leafs, with its links to the lower tier."""

    links: int | None = Field(
        None,
        ge=1,
        le=64,
        description="Links from each lower switch to each switch of this tier. Derived if omitted.",
    )
    speed: Speed | None = Field(None, description="Speed of those links. Default: `links.speed`.")
    ratio: float | None = Field(
        None,
        gt=0,
        le=64,
        description="Maximum ratio of downlink to uplink bandwidth of the switches under this "
        "tier. Default: `oversubscription`.",
    )


class SwitchException(PinnedNumbers, PinnedPorts):
    """Settings of one named switch: its OS, its numbers and its device."""

    platform: PlatformName | None = Field(
        None, description="Network OS of this switch, if it differs from the role."
    )
    release: ReleaseName | None = Field(
        None, description="Release of that OS. Default: the release that `capabilities` marks."
    )
    model: ModelName | None = Field(
        None,
        description="Model of this switch. Its cages must serve like the cages of its role's "
        "model. A lossless fabric needs the same chip.",
    )
    speed: Speed | None = Field(
        None,
        description="Link speed of one spine in a two-tier fabric with tenants, for an upgrade "
        "spine by spine. The cabling stays as if all spines had this speed.",
    )
    hwsku: SafeText | None = Field(
        None, description="Another SONiC hardware SKU of the model, with the same ports."
    )
    previous_name: HostName | None = Field(
        None,
        description="Current name of the switch. A push renames the switch and then ignores this "
        "key.",
    )
    serial: Annotated[str, Field(pattern=SERIAL)] | None = Field(
        None,
        description="Serial number, as the network OS reports it. Plan and push change no other "
        "device, and accept this one under its factory name.",
        examples=["JPE19151234"],
    )
    mac: Mac | None = Field(
        None, description="MAC address of the management port, for the first boot (DHCP)."
    )
    state: SwitchState | None = Field(
        None,
        description="`planned`: not installed yet. The switch is numbered and cabled but not "
        "pushed, and ports towards it are shut. `drained`: the switch runs, and "
        "traffic uses others. `dead`: absent until it is replaced. Its neighbors "
        "keep their configuration, and no command waits for it. Default: `active`.",
    )
    accept_loss: bool | None = Field(
        None,
        description="Accept that servers without another leaf may lose the network while this "
        "switch is drained.",
    )
    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED

    @model_validator(mode="after")
    def _tells(self) -> SwitchException:
        if self.release is not None and self.platform is None:
            raise PydanticCustomError("value", "`release` needs `platform`; name the platform too")
        if self.accept_loss is not None and self.state != "drained":
            raise PydanticCustomError("value", "`accept_loss` needs `state: drained`")
        if all(value in (None, {}) for value in vars(self).values()):
            raise PydanticCustomError("value", "the entry of this switch is empty; remove it")
        return self


Exceptions = Annotated[
    dict[HostName, SwitchException],
    Field(
        default_factory=dict,
        description="Settings of single switches by name, for example platform or serial number.",
    ),
]


def runs_on(role: SwitchRole, exception: SwitchException | None) -> tuple[str, str]:
    """Return platform and release of a switch; an empty release means the platform's default."""
    if exception is not None and exception.platform is not None:
        return exception.platform, exception.release or ""
    return role.platform, role.release or ""


class FormerNames(IntentModel):
    """Name patterns from before a renaming, with the same placeholders as now."""

    leaf: Pattern | None = Field(None, description="Previous name pattern of leafs.")
    spine: Pattern | None = Field(None, description="Previous name pattern of spines.")
    superspine: Pattern | None = Field(None, description="Previous name pattern of superspines.")


class Links(IntentModel):
    """Links between switches."""

    speed: Speed | None = Field(
        None,
        description="Speed of switch-to-switch links. Default: the fastest speed of both ends.",
    )
    length: int = Field(
        30,
        ge=1,
        le=2000,
        description="Cable length between switches in meters. The lossless settings depend on it.",
    )


W = TypeVar("W", bound=IntentModel)


def shorter(words: W, key: str, limit: int) -> W:
    """Return a copy whose cable length at `key` is at most this many meters."""
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

"""Defines the intent keys of the out-of-band network for switches and power units."""

from typing import Literal

from pydantic import Field

from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.frontend import Overlay
from fabricgen.intent.model.hardware import Exceptions, Links, SwitchRole, TierRole
from fabricgen.intent.model.managed import MANAGEMENT_KEYS, OutOfBand
from fabricgen.intent.model.numbering import NUMBERING, Numbering
from fabricgen.intent.model.underlay import Underlay
from fabricgen.intent.model.vocabulary import IntentModel, Network, Pattern, pool


class AccessPools(IntentModel):
    """Address pools of an access fabric's switches."""

    loopbacks: Network = Field(pool("10.224.0.0/16"), description="One /32 per switch.")
    vteps: Network = Field(
        pool("10.225.0.0/16"), description="One /32 per access switch for the VXLAN tunnel source."
    )
    links: Network = Field(
        pool("10.228.0.0/14"), description="Switch links, a /31 each (a /127 from an IPv6 pool)."
    )


class AccessUnderlay(Underlay):
    """Routing between the switches of an access fabric."""

    mtu: int = Field(
        1550,
        ge=1500,
        le=9214,
        description="IP MTU of every routed link. 1550 leaves 1500 for management ports inside "
        "VXLAN.",
    )


class FormerAccessNames(IntentModel):
    """Name patterns from before a renaming, with the same placeholders as now."""

    leaf: Pattern | None = Field(None, description="Previous name pattern of access switches.")
    spine: Pattern | None = Field(None, description="Previous name pattern of the management pair.")


class AccessNames(IntentModel):
    """Name patterns with the placeholders site and index."""

    leaf: Pattern | None = Field(None, description="Name pattern of access switches.")
    spine: Pattern | None = Field(None, description="Name pattern of the management pair.")
    previous_name: FormerAccessNames = Field(
        default_factory=FormerAccessNames,
        description="Previous name patterns of the switches. A push renames the switches.",
    )


class Access(OutOfBand, FabricWords):
    """The out-of-band network: access switches under a management pair."""

    port_keys = MANAGEMENT_KEYS

    kind: Literal["access"] = Field(
        "access",
        description="Kind of fabric, needed in `fabrics`. An access fabric has "
        "management ports over VXLAN/EVPN.",
    )
    leaf: SwitchRole = Field(description="The access switches.")
    spine: TierRole = Field(
        description="The management pair above the access switches. Two "
        "switches unless `count` is set."
    )
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    oversubscription: float = Field(
        4.0,
        gt=0,
        le=64,
        description="Maximum ratio of management port bandwidth to uplink bandwidth.",
    )
    addressing: AccessPools = Field(default_factory=AccessPools, description="Address pools.")
    underlay: AccessUnderlay = Field(
        default_factory=AccessUnderlay, description="Routing between switches."
    )
    overlay: Overlay = Field(default_factory=Overlay, description="EVPN numbering.")
    names: AccessNames = Field(default_factory=AccessNames, description="Name patterns.")
    numbering: Numbering = NUMBERING
    switches: Exceptions

    @property
    def manages(self) -> bool:
        """Return True: the fabric connects management ports of other fabrics."""
        return True

    @property
    def design(self) -> str:
        """Return the only design of this kind."""
        return "access"

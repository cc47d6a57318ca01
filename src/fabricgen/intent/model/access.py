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
    """Where the addresses of the access fabric's own switches come from."""

    loopbacks: Network = Field(pool("10.224.0.0/16"), description="One /32 per switch.")
    vteps: Network = Field(
        pool("10.225.0.0/16"), description="One /32 per access switch: the VXLAN tunnel source."
    )
    links: Network = Field(
        pool("10.228.0.0/14"), description="Switch links: /31 (or a v6 pool: /127)."
    )


class AccessUnderlay(Underlay):
    """Routing between the switches of an access fabric."""

    mtu: int = Field(
        1550,
        ge=1500,
        le=9214,
        description="IP MTU of every routed link. 1550 leaves 1500 for management ports, inside "
        "VXLAN.",
    )


class FormerAccessNames(IntentModel):
    """Name patterns of before a renaming, with the words of the present ones."""

    leaf: Pattern | None = Field(None, description="Pattern that access switches were named by.")
    spine: Pattern | None = Field(None, description="Pattern that the pair was named by.")


class AccessNames(IntentModel):
    """Name patterns; words: site, index."""

    leaf: Pattern | None = Field(None, description="Pattern of access switches' names.")
    spine: Pattern | None = Field(None, description="Pattern of the pair's names.")
    previous_name: FormerAccessNames = Field(
        default_factory=FormerAccessNames,
        description="Patterns that switches were named by until now: a push renames them.",
    )


class Access(OutOfBand, FabricWords):
    """The out-of-band network: access switches under a management pair."""

    port_keys = MANAGEMENT_KEYS

    kind: Literal["access"] = Field(
        "access", description="Its kind, needed in `fabrics`: management ports over VXLAN/EVPN."
    )
    leaf: SwitchRole = Field(description="The access switches.")
    spine: TierRole = Field(description="The management pair above them; two unless `count`.")
    links: Links = Field(default_factory=Links, description="Switch-to-switch links.")
    oversubscription: float = Field(
        4.0, gt=0, le=64, description="Most bandwidth of management ports per bandwidth up."
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
        """Return that it has the management ports of others."""
        return True

    @property
    def design(self) -> str:
        """Return the one design there is."""
        return "access"

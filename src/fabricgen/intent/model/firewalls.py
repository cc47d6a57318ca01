"""Defines the intent keys of external firewalls: pairs of units and the leg of a VRF on each."""

from typing import Literal

from netaddr import IPNetwork
from pydantic import Field, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.edge import PrefixRange, Tag
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import Asn, IntentModel, Name, Network


class FirewallUnit(IntentModel):
    """One unit of a pair."""

    links: list[Name] = Field(
        min_length=1,
        max_length=8,
        description="Links of `edge` that end on the unit. Add new entries at the end.",
    )


class Firewall(IntentModel):
    """A pair of external units that run BGP over tagged links, one session per VRF and link."""

    asn: Asn = Field(description="ASN of both units, public or private.")
    mode: Literal["active-standby", "active-active"] = Field(
        "active-standby",
        description="`active-standby`: all traffic uses the first unit while it has a session. "
        "`active-active`: traffic uses both.",
    )
    units: list[FirewallUnit] = Field(
        min_length=2,
        max_length=2,
        description="Both units. With `active-standby`, the active unit comes first.",
    )
    shares_state: bool = Field(
        False,
        description="The units synchronize their connection state. Required with "
        "`active-active`, since answers may return through the other unit.",
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`. Off if `underlay.bfd` is off."
    )
    password: SecretReference | None = Field(None, description="TCP MD5 password of each session.")


class FirewallLeg(IntentModel):
    """Attachment of a VRF to every link of a firewall."""

    vlan: Tag = Field(
        description="VLAN tag of this VRF on every link of the firewall, unique there."
    )
    pool: Network | None = Field(
        None,
        description="IPv4 addresses of the leg. Every link has a /31, of which the leaf has the "
        "first address. Link n of both units has the n-th two /31s.",
    )
    pool6: Network | None = Field(
        None, description="IPv6 addresses in addition or alone, a /127 for each link."
    )
    accept: list[Network | PrefixRange] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="Accepted prefixes, as for every external router. Default: the default route "
        "of each address family.",
    )

    @field_validator("pool", "pool6")
    @classmethod
    def _of_its_family(cls, pool: IPNetwork | None, field: ValidationInfo) -> IPNetwork | None:
        version = 6 if field.field_name == "pool6" else 4
        if pool is not None and pool.version != version:
            raise PydanticCustomError("value", "must be IPv{version}", {"version": str(version)})
        return pool

    @model_validator(mode="after")
    def _addressed(self) -> "FirewallLeg":
        if self.pool is None and self.pool6 is None:
            raise PydanticCustomError("value", "give `pool`, `pool6` or both")
        return self

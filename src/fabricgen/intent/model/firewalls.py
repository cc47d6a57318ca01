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
        description="Links of `edge` that end on it; new ones go to the end.",
    )


class Firewall(IntentModel):
    """A pair of units outside that speak BGP over tagged links, a session for each VRF and link."""

    asn: Asn = Field(description="ASN of both units, public or private.")
    mode: Literal["active-standby", "active-active"] = Field(
        "active-standby",
        description="`active-standby`: all goes by the first unit while it has a session. "
        "`active-active`: by both.",
    )
    units: list[FirewallUnit] = Field(
        min_length=2, max_length=2, description="Both units; of a standby the active one first."
    )
    shares_state: bool = Field(
        False,
        description="Each unit knows the other's connections; must be so where both are active, "
        "since answers may come back by the other one.",
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`; off where that is off."
    )
    password: SecretReference | None = Field(None, description="Of each session: TCP MD5.")


class FirewallLeg(IntentModel):
    """A VRF's share of every link of a firewall."""

    vlan: Tag = Field(description="Tag of this VRF on every link of the firewall, its own there.")
    pool: Network | None = Field(
        None,
        description="IPv4 addresses of the leg: every link has a /31 of it, the leaf's first. Link "
        "n of a unit has the n-th two of them, one for each unit.",
    )
    pool6: Network | None = Field(
        None, description="IPv6 addresses beside them or alone, a /127 for each link."
    )
    accept: list[Network | PrefixRange] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="Prefixes that may come in, as of any router outside; default: the default "
        "route of each family.",
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

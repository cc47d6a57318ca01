"""Defines the intent keys of a site: name, management network and services of every switch."""

from typing import Annotated

from netaddr import IPNetwork
from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.descriptions import MoreDescriptions
from fabricgen.intent.model.own_lines import CUSTOM_CONFIG, UNMANAGED, KeptSections, OwnLines
from fabricgen.intent.model.vocabulary import Address, IntentModel, Name, Network, SafeText
from fabricgen.intent.settings import carries
from fabricgen.model.settings import services

MANAGEMENT_VRF = r"^[a-zA-Z][a-zA-Z0-9-]{0,11}$"


@carries(services.LocalUser)
class LocalUser(IntentModel):
    """A local account in the intent: the settings of model/settings/services.py."""

    @model_validator(mode="after")
    def _locked(self) -> "LocalUser":
        if not any(map(self.unless_refused, ("password_hash", "ssh_key"))):
            raise PydanticCustomError(
                "value",
                "an account needs `password_hash` or `ssh_key`: it would be open or of no use",
            )
        return self


@carries(services.Management)
class Management(IntentModel):
    """The management network in the intent, and services that are designed."""

    subnet: Network = Field(
        description="Subnet of the management ports. Each fabric takes a part of it."
    )
    gateway: Address | None = Field(None, description="Default gateway; default: first address.")
    vrf: Annotated[str, Field(pattern=MANAGEMENT_VRF)] = Field(
        "mgmt", description="VRF of the management port (SONiC always calls it mgmt)."
    )
    admitted: list[Network] = Field(
        default_factory=list,
        description="IPv4 prefixes that may reach SSH, the API, gNMI and SNMP of the switches; "
        "default: everybody who reaches the management VRF.",
    )

    @field_validator("subnet")
    @classmethod
    def _roomy(cls, subnet: IPNetwork) -> IPNetwork:
        if subnet.version != 4:
            raise PydanticCustomError("value", "the management subnet must be IPv4")
        if subnet.size < 16:
            raise PydanticCustomError(
                "value",
                "the management subnet is at least a /28: each fabric takes a quarter of it",
            )
        return subnet


class SiteWords(IntentModel):
    """The site as a whole."""

    name: Name = Field(description="Short name of the site, used in names and descriptions.")
    management: Management = Field(description="Management addressing and services.")
    accept_unsupported: list[SafeText] = Field(
        default_factory=list,
        max_length=64,
        description="Features (see `fabricgen capabilities`) that may be missing on a platform: "
        "the error becomes a warning.",
    )

    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED
    descriptions: MoreDescriptions = Field(
        default_factory=MoreDescriptions,
        description="Patterns of the text on ports, for fabrics that say none of their own.",
    )

    @property
    def called(self) -> str:
        """Return the name; where it was refused, a word in its place: it is only ever printed."""
        return self.unless_refused("name") or "site"

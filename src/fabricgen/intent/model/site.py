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
            raise PydanticCustomError("value", "the account needs `password_hash` or `ssh_key`")
        return self


@carries(services.Management)
class Management(IntentModel):
    """The management network, and services that fabricgen designs."""

    subnet: Network = Field(
        description="Subnet of the management ports. Each fabric uses a part of the subnet."
    )
    gateway: Address | None = Field(
        None, description="Default gateway. Default: the first address."
    )
    vrf: Annotated[str, Field(pattern=MANAGEMENT_VRF)] = Field(
        "mgmt", description="VRF of the management port. On SONiC it is always mgmt."
    )
    admitted: list[Network] = Field(
        default_factory=list,
        description="IPv4 prefixes that may reach SSH, the API, gNMI, NETCONF, RESTCONF and SNMP "
        "of the switches. Default: all sources that reach the management VRF.",
    )

    @field_validator("subnet")
    @classmethod
    def _roomy(cls, subnet: IPNetwork) -> IPNetwork:
        if subnet.version != 4:
            raise PydanticCustomError("value", "the management subnet must be IPv4")
        if subnet.size < 16:
            raise PydanticCustomError(
                "value",
                "the management subnet must be at least a /28: each fabric uses a quarter of it",
            )
        return subnet


@carries(services.Watching)
class FabricServices(IntentModel):
    """Services of the switches of one fabric."""


class SiteWords(IntentModel):
    """The site as a whole."""

    name: Name = Field(description="Short name of the site, used in names and descriptions.")
    management: Management = Field(description="Management addressing and services.")
    accept_unsupported: list[SafeText] = Field(
        default_factory=list,
        max_length=64,
        description="Features (see `fabricgen capabilities`) that a platform may lack: the error "
        "becomes a warning.",
    )

    custom_config: OwnLines | None = CUSTOM_CONFIG
    unmanaged: KeptSections | None = UNMANAGED
    descriptions: MoreDescriptions = Field(
        default_factory=MoreDescriptions,
        description="Interface description patterns for fabrics without their own.",
    )

    @property
    def called(self) -> str:
        """Return the name, or a replacement if it was refused; it is only printed."""
        return self.unless_refused("name") or "site"

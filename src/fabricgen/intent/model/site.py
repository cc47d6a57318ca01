"""The site: its name, its management network and the services every switch uses."""

from typing import Annotated, Literal

from netaddr import IPNetwork
from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.aaa import Aaa
from fabricgen.intent.model.descriptions import MoreDescriptions
from fabricgen.intent.model.monitoring import CloudVision, Ptp, Sflow, Snmp, Telemetry
from fabricgen.intent.model.own_lines import EXTRA, KEEP, KeptSections, OwnLines
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import Address, Name, Network, SafeText, Words
from fabricgen.intent.settings import carries
from fabricgen.model.settings import services

LOGIN = r"^[a-z_][a-z0-9_-]{0,31}$"
STORED = r"^[A-Za-z0-9][A-Za-z0-9_-]{0,55}\.[A-Za-z0-9]{1,8}$"
MANAGEMENT_VRF = r"^[a-zA-Z][a-zA-Z0-9-]{0,11}$"


class LocalUser(Words):
    """A local account: a reference to its password hash, a public key, or both."""

    name: Annotated[str, Field(pattern=LOGIN, description="Login name.")]
    role: Literal["admin", "operator"] = Field("admin", description="What the account may do.")
    password_hash: SecretReference | None = Field(
        None, description="Reference to the SHA-512 crypt hash of the password."
    )
    ssh_key: SafeText | None = Field(None, description="Public SSH key of the account.")

    @model_validator(mode="after")
    def _locked(self) -> "LocalUser":
        if self.password_hash is None and self.ssh_key is None:
            raise PydanticCustomError(
                "value",
                "an account needs `password_hash` or `ssh_key`: it would be open or of no use",
            )
        return self


class Tls(Words):
    """The certificate that eAPI and gNMI show: files in the switch's own store, put there before.

    On EOS `copy … certificate:` and `copy … sslkey:`. A file that is not there closes both.
    """

    certificate: Annotated[str, Field(pattern=STORED, description="File of the certificate.")]
    key: Annotated[str, Field(pattern=STORED, description="File of its private key.")]


@carries(services.Management)
class Management(Words):
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
    ptp: Ptp | None = Field(None, description="PTP, off unless given; switches go by NTP.")
    snmp: Snmp | None = Field(None, description="SNMP, off unless given.")
    gnmi: Telemetry | None = Field(None, description="gNMI, off unless given.")
    sflow: Sflow | None = Field(None, description="Samples of packets, off unless given.")
    cloudvision: CloudVision | None = Field(None, description="CloudVision, off unless given.")
    tls: Tls | None = Field(
        None, description="Certificate of eAPI and gNMI; default: the switch's own."
    )
    users: list[LocalUser] = Field(default_factory=list, description="Local accounts.")
    aaa: Aaa | None = Field(None, description="Central login; local accounts alone unless given.")

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


class SiteWords(Words):
    """The site as a whole."""

    name: Name = Field(description="Short name of the site, used in names and descriptions.")
    management: Management = Field(description="Management addressing and services.")
    accept_unsupported: list[SafeText] = Field(
        default_factory=list,
        max_length=64,
        description="Features (see `fabricgen capabilities`) that may be missing on a platform: "
        "the error becomes a warning.",
    )

    extra: OwnLines | None = EXTRA
    keep: KeptSections | None = KEEP
    descriptions: MoreDescriptions = Field(
        default_factory=MoreDescriptions,
        description="Patterns of the text on ports, for fabrics that say none of their own.",
    )

    @property
    def called(self) -> str:
        """Return the name; where it was refused, a word in its place: it is only ever printed."""
        return self.unless_refused("name") or "site"

"""How switches are watched: SNMP, samples of packets, state that they stream, and whose time."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import Address, Name, SafeText, Words

SNMP_USER = r"^[a-zA-Z][a-zA-Z0-9_-]{3,31}$"
"""sonic-snmp.yang asks for 4 to 32 characters."""


class SnmpUser(Words):
    """A user of SNMP v3: SHA authenticates, AES with 128 bits hides, which all platforms have."""

    name: Annotated[str, Field(pattern=SNMP_USER, description="Name, 4 to 32 characters.")]
    auth: SecretReference
    privacy: SecretReference


class SnmpTraps(Words):
    """Where switches send traps of version 3, by themselves."""

    targets: list[Address] = Field(min_length=1, max_length=8, description="Who gets them.")
    user: Annotated[str, Field(pattern=SNMP_USER, description="The user they are sent as.")]


class Snmp(Words):
    """SNMP read access for collectors: by users of version 3, or by a community of version 2c."""

    community: SecretReference | None = Field(
        None, description="Reference to the community of version 2c, which is sent in the clear."
    )
    users: list[SnmpUser] = Field(default_factory=list, description="Users of version 3.")
    traps: SnmpTraps | None = Field(None, description="Traps, off unless given.")
    location: SafeText | None = Field(None, description="sysLocation text.")
    contact: SafeText | None = Field(None, description="sysContact text.")


class Telemetry(Words):
    """gNMI: which collectors may connect."""

    port: int = Field(6030, ge=1024, le=65535, description="TCP port the gNMI server listens on.")
    collectors: list[Address] = Field(
        default_factory=list, description="Addresses of the gNMI collectors."
    )


class Sflow(Words):
    """Samples of packets, of every port in use, to collectors by sFlow (UDP 6343)."""

    collectors: list[Address] = Field(
        min_length=1, max_length=2, description="Addresses; SONiC takes two (sonic-sflow.yang)."
    )
    rate: int = Field(
        ge=16_384,
        le=8_388_608,
        description="One packet in this many: EOS takes no fewer, SONiC no more.",
    )


class CloudVision(Words):
    """CloudVision, to which EOS streams its state by TerminAttr, and which it dials itself."""

    servers: list[Address] = Field(min_length=1, max_length=3, description="Its addresses.")
    port: int = Field(9910, ge=1, le=65535, description="TCP port of CloudVision's ingest.")


class Ptp(Words):
    """Precise time by PTP (IEEE 1588, its default profile): each switch is a boundary clock."""

    domain: int = Field(0, ge=0, le=127, description="Domain, the same at grandmaster and servers.")
    fabrics: list[Name] = Field(
        min_length=1,
        max_length=16,
        description="Fabrics through which time goes: every link between their switches, and the "
        "ports of servers that say `ptp`.",
    )

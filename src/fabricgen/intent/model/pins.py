"""Defines the overrides of a single switch's numbers, which are used unchanged."""

from typing import Annotated

from netaddr import IPAddress
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import Address, Asn, HostName, IntentModel


def _host(value: IPAddress) -> IPAddress:
    """Refuse an address that is not unicast (RFC 1122 section 3.2.1.3, RFC 1112)."""
    first = int(value) >> 24
    if value.version != 4 or not 1 <= first <= 223 or first == 127:
        raise PydanticCustomError(
            "value", "write the IPv4 address of one switch, for example 10.0.0.1"
        )
    return value


HostAddress = Annotated[Address, AfterValidator(_host)]


class PinnedNumbers(IntentModel):
    """Name and numbers of one switch. Omitted values are computed as without overrides."""

    hostname: HostName | None = Field(
        None,
        description="Name of the switch in every file and everywhere except in the intent.",
        examples=["osl-r1-tor1"],
    )
    loopback: HostAddress | None = Field(
        None,
        description="Loopback address, instead of the computed one. An address outside "
        "`addressing.loopbacks` adds a line to the prefix lists.",
        examples=["10.0.255.11"],
    )
    vtep: HostAddress | None = Field(
        None,
        description="VXLAN tunnel source address. Both leafs of an MLAG pair share one.",
        examples=["10.0.254.11"],
    )
    router_id: HostAddress | None = Field(
        None, description="Router ID of BGP and OSPF. Default: the loopback."
    )
    management: HostAddress | None = Field(
        None, description="Address of the management port, in the management subnet."
    )
    asn: Asn | None = Field(
        None, description="Private ASN. Switches that share an ASN need the same value."
    )

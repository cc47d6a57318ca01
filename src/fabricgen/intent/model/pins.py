"""Defines the overrides of a single switch's numbers, which are used unchanged."""

from typing import Annotated

from netaddr import IPAddress
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.vocabulary import Address, Asn, HostName, IntentModel


def _host(value: IPAddress) -> IPAddress:
    """Refuse what is no unicast address of a host: RFC 1122 section 3.2.1.3, RFC 1112."""
    first = int(value) >> 24
    if value.version != 4 or not 1 <= first <= 223 or first == 127:
        raise PydanticCustomError("value", "this is the IPv4 address of one switch, as 10.0.0.1")
    return value


HostAddress = Annotated[Address, AfterValidator(_host)]


class PinnedNumbers(IntentModel):
    """Name and numbers of one switch; what is not written is computed, whatever others have."""

    hostname: HostName | None = Field(
        None,
        description="What it is called, in every file and wherever switches are named but here.",
        examples=["osl-r1-tor1"],
    )
    loopback: HostAddress | None = Field(
        None,
        description="Address of its loopback, in the place of the computed one. Outside of "
        "`addressing.loopbacks` it has a line of its own in the prefix lists.",
        examples=["10.0.255.11"],
    )
    vtep: HostAddress | None = Field(
        None,
        description="Address that its VXLAN tunnels start at; both leafs of an MLAG pair have one.",
        examples=["10.0.254.11"],
    )
    router_id: HostAddress | None = Field(
        None, description="Router ID of its BGP and OSPF; default: its loopback."
    )
    management: HostAddress | None = Field(
        None, description="Address of its management port, of the management subnet."
    )
    asn: Asn | None = Field(
        None, description="Its ASN, a private one; switches that share one are pinned alike."
    )

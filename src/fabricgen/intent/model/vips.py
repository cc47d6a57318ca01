"""Defines the intent keys of VIPs: service addresses that balancers of a VRF advertise."""

from pydantic import Field

from fabricgen.intent.model.vocabulary import Address, IntentModel, Name
from fabricgen.intent.model.zones import Reference


class Vip(IntentModel):
    """One service address of a load balancer, a WAF or a gateway."""

    hosts: Name = Field(
        description="Entry in `hosts` of the VRF. Each of its servers has the address on its "
        "loopback and advertises it."
    )
    address: Address = Field(description="IPv4 address inside `accept` of that entry.")
    servers: list[Reference] = Field(
        default_factory=list,
        description="VLANs of the servers behind the balancers, as `tenant/vlan`. fabricgen "
        "proves that only the balancers open connections to them.",
    )

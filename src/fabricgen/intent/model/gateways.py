"""Defines the intent keys of EVPN gateways: links between two sites, stretched VRFs and VLANs."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import IntentModel, Name, Network, VrfName

Vlans = Annotated[list[Name], Field(max_length=4000)]


class GatewayEnd(IntentModel):
    """One end of a link: a gateway leaf, and the cage of its cable."""

    leaf: int = Field(ge=1, le=10_000, description="Number of the gateway leaf.")
    cage: int = Field(ge=1, le=256, description="Unsplit faceplate cage that nothing else needs.")


class Gateways(IntentModel):
    """Two sites that share VRFs and VLANs through EVPN gateways on border leafs.

    A gateway re-advertises the routes of its site with itself as the next hop. So tunnels end at
    gateways, and no leaf learns the leafs of the other site.
    """

    number: int = Field(
        ge=1,
        le=64_511,
        description="Number of the pair: the first half of the route targets between the sites.",
    )
    links: list[dict[FabricName, GatewayEnd]] = Field(
        min_length=1,
        max_length=16,
        description="Cables between gateways, each with both ends by fabric. All cables join the "
        "same two fabrics of kind evpn. Add new entries at the end.",
    )
    vrfs: dict[VrfName, Vlans] = Field(
        min_length=1,
        description="VRFs of both sites by name, with the VLANs that are stretched between them. "
        "The other VLANs are routed.",
    )
    vlans: Vlans = Field(
        default_factory=list, description="Stretched VLANs without a VRF, by name."
    )
    pool: Network = Field(description="IPv4 addresses of the links. Link n has pair n.")
    mtu: int | None = Field(
        None,
        ge=1280,
        le=9214,
        description="IP MTU of the path between the sites. Tunnels need 50 bytes of the MTU. "
        "Default: the MTU of the underlay.",
    )
    password: SecretReference | None = Field(
        None, description="TCP MD5 password of every session between gateways (RFC 2385)."
    )

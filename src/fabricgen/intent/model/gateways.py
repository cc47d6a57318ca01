"""Defines the intent keys of EVPN gateways: links between two sites, stretched VRFs and VLANs."""

from typing import Annotated

from pydantic import Field

from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import IntentModel, Name, Network, VrfName

Vlans = Annotated[list[Name], Field(max_length=4000)]


class GatewayEnd(IntentModel):
    """One end of a link: a gateway, and the cage of its cable."""

    leaf: int = Field(ge=1, le=10_000, description="Number of the leaf that is the gateway.")
    cage: int = Field(
        ge=1, le=256, description="Cage on its faceplate, unsplit, that nothing else needs."
    )


class Gateways(IntentModel):
    """Two sites whose VRFs and VLANs go on in each other, by EVPN gateways on border leafs.

    A gateway tells the other site what it heard in its own with itself as the way to it, so
    tunnels end at gateways and no leaf knows the other site's leafs.
    """

    number: int = Field(
        ge=1,
        le=64_511,
        description="Own number: the first half of the route targets between the sites.",
    )
    links: list[dict[FabricName, GatewayEnd]] = Field(
        min_length=1,
        max_length=16,
        description="Cables between gateways, each with both its ends, by fabric: two of kind "
        "evpn, the same in all. New ones go to the end.",
    )
    vrfs: dict[VrfName, Vlans] = Field(
        min_length=1,
        description="VRFs that both sites have, by name, and which of its VLANs are one VLAN at "
        "both; the others are routed.",
    )
    vlans: Vlans = Field(
        default_factory=list, description="VLANs of no VRF that are one VLAN at both, by name."
    )
    pool: Network = Field(
        description="IPv4 addresses of the links: the n-th link has the n-th pair of it."
    )
    mtu: int | None = Field(
        None,
        ge=1280,
        le=9214,
        description="IP MTU that the way between the sites carries; default: that of the "
        "underlay. Tunnels go over it, so 50 bytes of it are theirs.",
    )
    password: SecretReference | None = Field(
        None, description="Of every session between gateways: TCP MD5 (RFC 2385)."
    )

"""The edge: routers outside the fabric, and what each is told and may tell."""

from __future__ import annotations

from pydantic import Field

from fabricgen.intent.model.vocabulary import Address, Asn, InterfaceAddress, Network, Words, pool


class ExternalPeer(Words):
    """A router outside the fabric that a VRF reaches by eBGP, on a port of a border leaf."""

    leaf: int = Field(ge=1, le=10_000, description="Number of the border leaf.")
    cage: int = Field(ge=1, le=512, description="Cage on its faceplate, unsplit; must be free.")
    address: InterfaceAddress = Field(description="Address of the leaf with its length.")
    peer: Address = Field(description="Address of the outside router, in the same subnet.")
    asn: Asn = Field(description="ASN of the outside, public or private.")
    accept: list[Network] = Field(
        default_factory=lambda: [pool("0.0.0.0/0")],
        min_length=1,
        max_length=100,
        description="Prefixes that may come in, exactly as written, and nothing else; default: "
        "0.0.0.0/0. New ones go to the end.",
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`; off where that is off."
    )
    mtu: int | None = Field(
        None,
        ge=576,
        le=9164,
        description="IP MTU of the link; default: 1500, at most that of servers.",
    )

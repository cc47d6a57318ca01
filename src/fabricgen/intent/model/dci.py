"""Defines the intent keys of links between the frontends of two sites and their demands."""

from typing import Annotated

from netaddr import IPNetwork
from pydantic import Field, field_validator, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.edge import ExternalPeer, Tag
from fabricgen.intent.model.fabric import FabricName
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import (
    Address,
    Asn,
    IntentModel,
    Name,
    Network,
    Numbers,
    Speed,
    VrfName,
)

LAST_TAG = 4094


class DciEnd(IntentModel):
    """One end of a link between sites: a border leaf, and the ASN by which it is known there."""

    leaf: int | None = Field(None, ge=1, le=10_000, description="Number of the border leaf.")
    cages: Numbers | None = Field(
        None,
        description="Cages on its faceplate, unsplit, that nothing else needs; several are a "
        "bundle.",
    )
    peer: Name | None = Field(
        None,
        description="With `gre`, in the place of leaf and cages: the external peer of its VRF by "
        "which the tunnels go. They start at the IPv4 address of the leaf there.",
    )
    asn: Asn = Field(description="ASN that the other site sees, the same for all its links.")


class Gre(IntentModel):
    """A way between sites through a network that routes: a tunnel for each VRF, by a key."""

    vrf: VrfName = Field(
        description="VRF of both ends that has the way out, by which the other end is reached."
    )


class TunnelPeer(ExternalPeer):
    """A session through a tunnel; it follows from a link between sites, and nobody says it.

    vlan: the key. mtu: of the tunnel. outer: the way out that carries it, in the VRF `below`.
    beyond: where it ends.
    """

    outer: ExternalPeer
    below: str
    beyond: Address


class Transfer(IntentModel):
    """What has to get over a link in a window of time, alone on it."""

    terabytes: float = Field(gt=0, le=1e6, description="How much, in TB of 10^12 bytes.")
    hours: float = Field(gt=0, le=8760, description="The window.")
    qos: Name | None = Field(
        None,
        description="Class of `classes` at both ends that it is in: it has the share of that, the "
        "smaller one, while others have theirs. Default: the whole rate.",
    )
    efficiency: float = Field(
        0.8,
        gt=0,
        le=1,
        description="Part of the rate that is data: what headers, the distance and other traffic "
        "leave.",
    )


class Dci(IntentModel):
    """A link between two sites, of one cable or a bundle; VRFs share it, each by a VLAN tag."""

    ends: dict[FabricName, DciEnd] = Field(
        min_length=2, max_length=2, description="Both ends, by fabric: two of kind evpn."
    )
    vrfs: dict[VrfName, Tag] = Field(
        min_length=1,
        description="VRFs that are joined, with the tag of each on the link, or the key of its "
        "tunnel. A VRF has the same name at both ends, and each end is told the other's subnets.",
    )
    gre: Gre | None = Field(
        None, description="Tunnels through a routed network; default: a link of their own."
    )
    pool: Network = Field(
        description="Addresses of the link, a /19 at least: tag t has the t-th pair of it."
    )
    pool6: Network | None = Field(
        None, description="IPv6 addresses beside them, a /115 at least: a session of its own."
    )
    mtu: Annotated[int, Field(ge=1280, le=9164)] = Field(
        1500, description="IP MTU that the way between the sites carries."
    )
    rate: Speed | None = Field(
        None,
        description="What the way between the sites carries; needed with `transfers`. Ports that "
        "are faster send no more than that, so that the shares of classes hold.",
    )
    transfers: dict[Name, Transfer] = Field(
        default_factory=dict, description="What must get over it in time, by name."
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`; off where that is off."
    )
    password: SecretReference | None = Field(None, description="Of each session: TCP MD5.")

    @model_validator(mode="after")
    def _one_way(self) -> "Dci":
        for end in self.ends.values():
            words = (end.leaf, end.cages, end.peer)
            wanted = (False, False, True) if self.gre is not None else (True, True, False)
            if tuple(word is not None for word in words) != wanted:
                raise PydanticCustomError(
                    "value",
                    "give each end its `leaf` and `cages`, or its `peer` and the link `gre`",
                )
        return self

    @field_validator("pool", "pool6")
    @classmethod
    def _roomy(cls, pool: IPNetwork | None) -> IPNetwork | None:
        if pool is not None and pool.size < 2 * (LAST_TAG + 2):
            least = {4: 19, 6: 115}[pool.version]
            raise PydanticCustomError(
                "value",
                "a pair of addresses for each tag needs a /{least} at least",
                {"least": str(least)},
            )
        return pool

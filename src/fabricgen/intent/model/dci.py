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
    """One end of a link between sites: a border leaf, and the ASN that the other site sees."""

    leaf: int | None = Field(None, ge=1, le=10_000, description="Number of the border leaf.")
    cages: Numbers | None = Field(
        None,
        description="Unsplit faceplate cages that nothing else needs. Several cages form a "
        "port-channel.",
    )
    peer: Name | None = Field(
        None,
        description="With `gre`, instead of leaf and cages: the external peer of the VRF that "
        "carries the tunnels. They start at the leaf's IPv4 address on that link.",
    )
    asn: Asn = Field(description="ASN that the other site sees, the same for all links of the end.")


class Gre(IntentModel):
    """Connection of sites over a routed network, with one tunnel and key per VRF."""

    vrf: VrfName = Field(
        description="VRF at both ends with the external peer that reaches the other end."
    )


class TunnelPeer(ExternalPeer):
    """A session through a tunnel, derived from a link between sites; no intent key defines it.

    `vlan`: the tunnel key. `mtu`: the tunnel's MTU. `outer`: the external peer that carries the
    tunnel, in the VRF `below`. `beyond`: the remote address of the tunnel.
    """

    outer: ExternalPeer
    below: str
    beyond: Address


class Transfer(IntentModel):
    """Data that must cross a link within a time window, with no other transfer."""

    terabytes: float = Field(gt=0, le=1e6, description="Amount of data in TB (10^12 bytes).")
    hours: float = Field(gt=0, le=8760, description="Length of the time window in hours.")
    qos: Name | None = Field(
        None,
        description="Class of `classes` at both ends. The transfer has the smaller of the two "
        "shares, while other classes have theirs. Default: the whole rate.",
    )
    efficiency: float = Field(
        0.8,
        gt=0,
        le=1,
        description="Fraction of the rate that is data, after headers, distance effects and "
        "other traffic.",
    )


class Dci(IntentModel):
    """A link between two sites: one cable or a port-channel. VRFs share it by VLAN tags."""

    ends: dict[FabricName, DciEnd] = Field(
        min_length=2, max_length=2, description="Both ends by fabric: two fabrics of kind evpn."
    )
    vrfs: dict[VrfName, Tag] = Field(
        min_length=1,
        description="Joined VRFs, with the tag of each on the link or the key of its tunnel. A VRF "
        "has the same name at both ends, and each end receives the subnets of the other.",
    )
    gre: Gre | None = Field(
        None, description="Tunnels through a routed network. Default: a dedicated link."
    )
    pool: Network = Field(description="Addresses of the link, at least a /19. Tag t has pair t.")
    pool6: Network | None = Field(
        None,
        description="IPv6 addresses in addition, at least a /115. They have their own session.",
    )
    mtu: Annotated[int, Field(ge=1280, le=9164)] = Field(
        1500, description="IP MTU of the path between the sites."
    )
    rate: Speed | None = Field(
        None,
        description="Rate of the path between the sites, needed with `transfers`. Faster ports "
        "send no more than that, so that the shares of classes hold.",
    )
    transfers: dict[Name, Transfer] = Field(
        default_factory=dict, description="Data transfers with deadlines, by name."
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`. Off if `underlay.bfd` is off."
    )
    password: SecretReference | None = Field(None, description="TCP MD5 password of each session.")

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
                "the pool is too small: a pair of addresses for each tag needs at least a /{least}",
                {"least": str(least)},
            )
        return pool

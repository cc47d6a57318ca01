"""Defines the intent keys of links between the frontends of two sites and their demands."""

from typing import Annotated, Literal

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
    SafeText,
    Speed,
    VrfName,
)

LAST_TAG = 4094
_LINE = ("kilometers", "line", "amplified", "loss", "equipment")
"""Keys of a link with a line of its own."""


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


class SitePeer(ExternalPeer):
    """A session of a link between sites, derived from the link; no intent key defines it.

    `told`: addresses of applications that it advertises besides the subnets.
    """

    told: list[Address]


class TunnelPeer(SitePeer):
    """A session through a tunnel.

    `vlan`: the tunnel key. `mtu`: the tunnel's MTU. `outer`: the external peer that carries the
    tunnel, in the VRF `below`. `beyond`: the remote address of the tunnel.
    """

    outer: ExternalPeer
    below: str
    beyond: Address


Efficiency = Annotated[
    float,
    Field(
        gt=0,
        le=1,
        description="Fraction of the rate that is data, after headers, distance effects and "
        "other traffic.",
    ),
]
Terabytes = Annotated[float, Field(gt=0, le=1e6, description="Amount of data in TB (10^12 bytes).")]
Hours = Annotated[float, Field(gt=0, le=8760, description="Length of the time window in hours.")]


class Transfer(IntentModel):
    """Data that must cross a link within a time window, with no other transfer."""

    terabytes: Terabytes
    hours: Hours
    qos: Name | None = Field(
        None,
        description="Class of `classes` at both ends. The transfer has the smaller of the two "
        "shares, while other classes have theirs. Default: the whole rate.",
    )
    efficiency: Efficiency = 0.8


class Distribution(IntentModel):
    """Data of one site that others must have in time, such as the weights of a model.

    All distributions start at the same time. They have the share of their class, and those over one
    link in one direction follow each other, the earliest deadline first.
    """

    terabytes: Terabytes
    source: FabricName = Field(description="Fabric of the site that has the data.")
    sites: list[FabricName] = Field(
        min_length=1, max_length=64, description="Fabrics of the sites that receive a copy each."
    )
    vrf: VrfName = Field(description="VRF of the copies, on the links between the sites.")
    hours: Hours
    qos: Name = Field(description="Class of `classes` at both ends of the links, such as bulk.")
    efficiency: Efficiency = 0.8


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
    circuit: SafeText | None = Field(
        None, description="Name of the line at its carrier. Cable lists and alerts show it."
    )
    kilometers: float | None = Field(
        None,
        gt=0,
        le=40_000,
        description="Length of the line. It decides the optics of both ends, and the latency.",
    )
    line: Literal["fiber", "service"] = Field(
        "fiber",
        description="`fiber`: the optics of both ends are the ends of the line. `service`: "
        "equipment of a carrier is at both ends, so the optics are not known.",
    )
    amplified: bool = Field(False, description="The fiber has optical amplifiers.")
    loss: float | None = Field(
        None,
        gt=0,
        le=100,
        description="Measured loss of the fiber without amplifiers, in dB. Default: 0.25 dB/km.",
    )
    milliseconds: float | None = Field(
        None,
        gt=0,
        le=1000,
        description="One-way latency. Default: 5 us/km, and the equipment of both ends.",
    )
    equipment: float | None = Field(
        None,
        ge=0,
        le=100_000,
        description="One-way latency of all equipment in microseconds. Default: optics and border "
        "leafs by the catalog.",
    )
    prefer: Literal["primary", "backup"] = Field(
        "primary",
        description="Primary links of two sites share the traffic. A backup link carries it while "
        "no primary one is up. It applies in both directions.",
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

    @model_validator(mode="after")
    def _one_line(self) -> "Dci":
        said = self.model_fields_set
        line = [key for key in _LINE if key in said]
        if self.gre is not None and line:
            raise PydanticCustomError(
                "value",
                "a tunnel has no line of its own: remove `{key}`, and state `milliseconds`",
                {"key": line[0]},
            )
        if self.kilometers is None and line:
            raise PydanticCustomError("value", "`{key}` needs `kilometers`", {"key": line[0]})
        if self.milliseconds is not None and self.equipment is not None:
            raise PydanticCustomError("value", "`milliseconds` contains the `equipment`: give one")
        if self.loss is not None and (self.amplified or self.line == "service"):
            raise PydanticCustomError("value", "`loss` is of fiber without amplifiers")
        if self.amplified and self.line == "service":
            raise PydanticCustomError("value", "the amplifiers of a service are its carrier's")
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

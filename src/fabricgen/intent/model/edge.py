"""Defines the intent keys of the edge: external cables and the routes of a VRF over each."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, PrivateAttr, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.core.diagnostics import IntentPath
from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import (
    Address,
    Asn,
    IntentModel,
    InterfaceAddress,
    InterfaceAddress6,
    Name,
    Network,
    Numbers,
    Speed,
)
from fabricgen.intent.settings import carries
from fabricgen.model.settings import sessions

COMMUNITY = r"^[0-9]{1,5}:[0-9]{1,5}$"
Tag = Annotated[int, Field(ge=2, le=4094)]
Community = Annotated[str, Field(pattern=COMMUNITY, description="Two 16-bit numbers.")]
Communities = Annotated[list[Community], Field(max_length=16)]


class Placed(IntentModel):
    """Keys that may be derived from other keys; their findings then name those other keys."""

    _here: IntentPath = PrivateAttr(())

    def told_at(self, path: IntentPath) -> Self:
        """Return a copy whose values are derived from a place in the intent."""
        mine = self.model_copy()
        mine._here = path  # noqa: SLF001 - its own class
        return mine

    def place(self, path: IntentPath) -> IntentPath:
        """Return the place of the values in the intent: `path`, unless they are derived."""
        return self._here or path


class EdgeLink(Placed):
    """An external cable, or an LACP port-channel. VRFs share it by VLAN tags."""

    leaf: int = Field(ge=1, le=10_000, description="Number of the border leaf.")
    cages: Numbers = Field(
        description="Unsplit faceplate cages that nothing else needs. Several cages of one speed "
        "form a port-channel."
    )
    lacp: bool = Field(
        False, description="Run LACP even on one cable, so that another cable can join."
    )
    mtu: int | None = Field(
        None,
        ge=576,
        le=9164,
        description="IP MTU. Default: 1500, and at most the MTU of the servers.",
    )
    rate: Speed | None = Field(
        None,
        description="Rate of the path behind the link, if lower than the port speed. The ports "
        "send no more than that, so that the shares of classes hold. Default: the port speed.",
    )


class PrefixRange(IntentModel):
    """Prefixes inside another prefix, by length."""

    prefix: Network = Field(description="Prefix that contains them.")
    ge: int | None = Field(
        None, ge=1, le=128, description="Minimum length. Default: the length of the prefix."
    )
    le: int | None = Field(
        None,
        ge=1,
        le=128,
        description="Maximum length. Default: with `ge` 32 or 128, else the length of the prefix.",
    )


@carries(sessions.MaxPrefixes)
class MaxPrefixes(IntentModel):
    """Prefix limit of a session: the settings of model/settings/sessions.py."""


class PeerCommunities(IntentModel):
    """Communities at the border. All other communities are removed in both directions."""

    require: Communities = Field(
        default_factory=list, description="Accept only routes with one of the listed communities."
    )
    mark: Communities = Field(
        default_factory=list, description="Communities that are added to received routes."
    )
    send: Communities = Field(default_factory=list, description="Communities of advertised routes.")


class Session(Placed):
    """eBGP with an external router: accepted routes, advertised communities and limits."""

    asn: Asn | None = Field(
        None, description="ASN of the external router, public or private. Required with BGP."
    )
    accept: list[Network | PrefixRange] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="Accepted prefixes, exactly as written or by length; all others are "
        "rejected. Default: the default route. Add new entries at the end.",
    )
    origins: list[Asn] = Field(
        default_factory=list,
        max_length=32,
        description="Allowed origin ASNs. Routes of another origin are rejected.",
    )
    communities: PeerCommunities = Field(
        default_factory=PeerCommunities,
        description="Communities that pass. Default: none, in both directions.",
    )
    max_prefixes: MaxPrefixes | None = Field(
        None,
        description="Maximum prefixes of each session, which goes down above the limit. Default: "
        "12,000. Required if `accept` permits more.",
    )
    prefer: Literal["primary", "backup"] | None = Field(
        None,
        description="Preference among several external peers: `primary` comes before others, "
        "`backup` after them. It applies in both directions.",
    )
    local_asn: Asn | None = Field(
        None, description="ASN that the external router sees instead of the leaf's ASN."
    )
    private_asns: Literal["keep", "remove"] = Field(
        "keep", description="Keep private ASNs of the fabric in advertised paths."
    )
    password: SecretReference | None = Field(None, description="TCP MD5 password of the session.")
    own_sources: Literal["drop", "pass"] = Field(
        "drop",
        description="Packets from the router with a source in a subnet of the VRF. `drop`: "
        "discard them as forged. `pass`: accept them from a router that sends the "
        "VRF's packets back into it.",
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`. Off if `underlay.bfd` is off."
    )


class OutsideRouter(Session):
    """An external router on its own cage, through which operators reach the managed ports."""

    asn: Asn = Field(description="ASN of the external router, public or private.")
    leaf: int = Field(ge=1, le=10_000, description="Number of the leaf.")
    cage: int = Field(ge=1, le=512, description="Free, unsplit cage on the faceplate.")
    address: InterfaceAddress = Field(description="Address of the leaf with its prefix length.")
    peer: Address = Field(description="Address of the external router, in the same subnet.")
    mtu: int | None = Field(
        None,
        ge=576,
        le=9164,
        description="IP MTU. Default: 1500, and at most the MTU of the servers.",
    )
    protocol: ClassVar[str] = "bgp"
    area: ClassVar[None] = None
    link: ClassVar[None] = None
    vlan: ClassVar[None] = None
    address6: ClassVar[None] = None
    peer6: ClassVar[None] = None


_OF_BGP = frozenset(Session.model_fields) - {"accept", "own_sources"}


class ExternalPeer(Session):
    """An external router of a VRF, on its own cage or by a tag on a link."""

    protocol: Literal["bgp", "ospf", "static"] = Field(
        "bgp",
        description="`bgp`: an eBGP session for each address family. `ospf`: OSPFv2 on a "
        "point-to-point link, IPv4 only. `static`: no protocol. Each prefix of "
        "`accept` is a static route to the peer, which needs static routes back.",
    )
    area: Address | None = Field(
        None, description="OSPF area of `protocol: ospf`, as an address. Default: 0.0.0.0."
    )
    leaf: int | None = Field(None, ge=1, le=10_000, description="Number of the border leaf.")
    cage: int | None = Field(None, ge=1, le=512, description="Free, unsplit cage on the faceplate.")
    link: Name | None = Field(None, description="Link of `edge`, instead of leaf and cage.")
    vlan: Tag | None = Field(None, description="VLAN tag of this VRF, unique on the link.")
    address: InterfaceAddress | None = Field(
        None, description="IPv4 address of the leaf with its prefix length."
    )
    peer: Address | None = Field(
        None, description="IPv4 address of the external router, in the same subnet."
    )
    address6: InterfaceAddress6 | None = Field(
        None, description="IPv6 address of the leaf with its prefix length. It has its own session."
    )
    peer6: Address | None = Field(
        None, description="IPv6 address of the external router, in the same subnet."
    )
    mtu: int | None = Field(
        None,
        ge=576,
        le=9164,
        description="IP MTU of the cage. Default: 1500, and at most the MTU of the servers. With "
        "`link`, the link's own `mtu` applies.",
    )

    @model_validator(mode="after")
    def _of_protocol(self) -> ExternalPeer:
        if self.protocol == "bgp" and self.asn is None:
            raise PydanticCustomError(
                "value", "`protocol: bgp` needs the `asn` of the external router"
            )
        wrong = sorted(self.model_fields_set & _OF_BGP) if self.protocol != "bgp" else []
        if wrong:
            raise PydanticCustomError(
                "value",
                "`{key}` needs a session, and `protocol: {protocol}` has none; remove `{key}`",
                {"key": wrong[0], "protocol": self.protocol},
            )
        return self

    @model_validator(mode="after")
    def _of_ospf(self) -> ExternalPeer:
        if self.protocol != "ospf" and self.area is not None:
            raise PydanticCustomError("value", "`area` needs `protocol: ospf`")
        if self.protocol == "ospf" and self.address6 is not None:
            raise PydanticCustomError(
                "value", "`protocol: ospf` is OSPFv2 and supports IPv4 only; remove `address6`"
            )
        if self.area is not None and self.area.version != 4:
            raise PydanticCustomError("value", "write `area` as an IPv4 address")
        return self

    @model_validator(mode="after")
    def _of_static(self) -> ExternalPeer:
        if self.protocol != "static":
            return self
        if any(isinstance(each, PrefixRange) for each in self.accept or ()):
            raise PydanticCustomError(
                "value",
                "a static route has exactly one prefix; list prefixes without `ge` and `le`",
            )
        return self

    @model_validator(mode="after")
    def _one_place(self) -> ExternalPeer:
        own, shared = (self.leaf, self.cage), (self.link, self.vlan)
        if (None in own) == (None in shared) or own.count(None) == 1 or shared.count(None) == 1:
            raise PydanticCustomError(
                "value", "give `leaf` and `cage`, or a `link` of `edge` and the `vlan` on it"
            )
        if self.link is not None and self.mtu is not None:
            raise PydanticCustomError("value", "set `mtu` at the link in `edge`, not here")
        return self

    @model_validator(mode="after")
    def _both_ends(self) -> ExternalPeer:
        four, six = (self.address, self.peer), (self.address6, self.peer6)
        if four.count(None) == 1 or six.count(None) == 1 or four == six:
            raise PydanticCustomError(
                "value", "give `address` and `peer`, `address6` and `peer6`, or all four"
            )
        return self

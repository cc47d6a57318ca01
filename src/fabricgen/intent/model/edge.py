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
Community = Annotated[str, Field(pattern=COMMUNITY, description="Two numbers of 16 bits each.")]
Communities = Annotated[list[Community], Field(max_length=16)]


class Placed(IntentModel):
    """Words that may follow from others; what is said of them then stands where those are."""

    _here: IntentPath = PrivateAttr(())

    def told_at(self, path: IntentPath) -> Self:
        """Return these words as what follows from a place."""
        mine = self.model_copy()
        mine._here = path  # noqa: SLF001 - its own class
        return mine

    def place(self, path: IntentPath) -> IntentPath:
        """Return where the intent says them: `path`, unless they follow from others."""
        return self._here or path


class EdgeLink(Placed):
    """A cable to the outside, or an LACP bundle of them; VRFs share it, each by a VLAN tag."""

    leaf: int = Field(ge=1, le=10_000, description="Number of the border leaf.")
    cages: Numbers = Field(
        description="Cages on its faceplate, unsplit, that nothing else needs; several of one "
        "speed are a bundle."
    )
    lacp: bool = Field(False, description="A bundle even of one cable, so that another may join.")
    mtu: int | None = Field(
        None, ge=576, le=9164, description="IP MTU; default: 1500, at most that of servers."
    )
    rate: Speed | None = Field(
        None,
        description="What the way behind it carries, where that is less than its ports: they send "
        "no more, so that the shares of classes hold. Default: the speed of the ports.",
    )


class PrefixRange(IntentModel):
    """Prefixes inside another, by their lengths."""

    prefix: Network = Field(description="What they lie in.")
    ge: int | None = Field(
        None, ge=1, le=128, description="Shortest length; default: that of the prefix."
    )
    le: int | None = Field(
        None,
        ge=1,
        le=128,
        description="Longest length; default: with `ge` the longest there is, else that of the "
        "prefix.",
    )


@carries(sessions.MaxPrefixes)
class MaxPrefixes(IntentModel):
    """Limit of a session in the intent: the settings of model/settings/sessions.py."""


class PeerCommunities(IntentModel):
    """Communities at the border, where all others are taken off, in both directions."""

    require: Communities = Field(
        default_factory=list, description="Only what has one of these comes in."
    )
    mark: Communities = Field(default_factory=list, description="What came in has these inside.")
    send: Communities = Field(default_factory=list, description="What goes out has these.")


class Session(Placed):
    """eBGP with a router outside: what comes in, what is sent along, and where it ends."""

    asn: Asn | None = Field(
        None, description="ASN of the outside, public or private; of a session it must be said."
    )
    accept: list[Network | PrefixRange] | None = Field(
        None,
        min_length=1,
        max_length=100,
        description="Prefixes that may come in, exactly as written or by their lengths, and "
        "nothing else; default: the default route. New ones go to the end.",
    )
    origins: list[Asn] = Field(
        default_factory=list,
        max_length=32,
        description="ASNs at the far end of the path; what another originates does not come in.",
    )
    communities: PeerCommunities = Field(
        default_factory=PeerCommunities, description="Default: none pass, either way."
    )
    max_prefixes: MaxPrefixes | None = Field(
        None,
        description="Most prefixes of each session; default: 12,000, beyond which it ends. Must be "
        "given where `accept` lets more in.",
    )
    prefer: Literal["primary", "backup"] | None = Field(
        None,
        description="Of several ways out: `primary` is taken before others, `backup` after them, "
        "by the fabric and by the outside.",
    )
    local_asn: Asn | None = Field(
        None, description="ASN that the outside sees in the place of the leaf's own."
    )
    private_asns: Literal["keep", "remove"] = Field(
        "keep", description="Whether private ASNs of the fabric leave it in paths."
    )
    password: SecretReference | None = Field(None, description="Of the session: TCP MD5.")
    own_sources: Literal["drop", "pass"] = Field(
        "drop",
        description="Packets from the router whose source is in a subnet of the VRF. `drop`: they "
        "are forged. `pass`: for a router that sends the VRF's own packets back into it.",
    )
    bfd: bool = Field(
        True, description="BFD with the timers of `underlay.bfd`; off where that is off."
    )


class OutsideRouter(Session):
    """A router outside that people come from to what is managed, on a cage of its own."""

    asn: Asn = Field(description="ASN of the outside, public or private.")
    leaf: int = Field(ge=1, le=10_000, description="Number of the leaf.")
    cage: int = Field(ge=1, le=512, description="Cage on its faceplate, unsplit; must be free.")
    address: InterfaceAddress = Field(description="Address of the leaf with its length.")
    peer: Address = Field(description="Address of the outside router, in the same subnet.")
    mtu: int | None = Field(
        None, ge=576, le=9164, description="IP MTU; default: 1500, at most that of servers."
    )
    protocol: ClassVar[str] = "bgp"
    area: ClassVar[None] = None
    link: ClassVar[None] = None
    vlan: ClassVar[None] = None
    address6: ClassVar[None] = None
    peer6: ClassVar[None] = None


_OF_BGP = frozenset(Session.model_fields) - {"accept", "own_sources"}


class ExternalPeer(Session):
    """A router outside that a VRF reaches: on a cage of its own, or by a tag on a link."""

    protocol: Literal["bgp", "ospf", "static"] = Field(
        "bgp",
        description="`bgp`: an eBGP session of each family. `ospf`: OSPFv2 on a point-to-point "
        "link; IPv4 alone. `static`: neither; each prefix of `accept` is a static route by the "
        "peer, which has to know its ways back by itself.",
    )
    area: Address | None = Field(
        None, description="Of `protocol: ospf`, as an address; default: 0.0.0.0."
    )
    leaf: int | None = Field(None, ge=1, le=10_000, description="Number of the border leaf.")
    cage: int | None = Field(
        None, ge=1, le=512, description="Cage on its faceplate, unsplit; must be free."
    )
    link: Name | None = Field(None, description="Link of `edge`, in the place of leaf and cage.")
    vlan: Tag | None = Field(None, description="Tag of this VRF on the link, its own there.")
    address: InterfaceAddress | None = Field(
        None, description="IPv4 address of the leaf with its length."
    )
    peer: Address | None = Field(
        None, description="IPv4 address of the outside router, in the same subnet."
    )
    address6: InterfaceAddress6 | None = Field(
        None, description="IPv6 address of the leaf with its length: a session of its own."
    )
    peer6: Address | None = Field(
        None, description="IPv6 address of the outside router, in the same subnet."
    )
    mtu: int | None = Field(
        None,
        ge=576,
        le=9164,
        description="IP MTU of the cage; default: 1500, at most that of servers. A link has its "
        "own.",
    )

    @model_validator(mode="after")
    def _of_protocol(self) -> ExternalPeer:
        if self.protocol == "bgp" and self.asn is None:
            raise PydanticCustomError("value", "give the `asn` of the outside: it speaks BGP")
        wrong = sorted(self.model_fields_set & _OF_BGP) if self.protocol != "bgp" else []
        if wrong:
            raise PydanticCustomError(
                "value",
                "`{key}` is of a session, and with `protocol: {protocol}` there is none",
                {"key": wrong[0], "protocol": self.protocol},
            )
        return self

    @model_validator(mode="after")
    def _of_ospf(self) -> ExternalPeer:
        if self.protocol != "ospf" and self.area is not None:
            raise PydanticCustomError("value", "an `area` is of `protocol: ospf`")
        if self.protocol == "ospf" and self.address6 is not None:
            raise PydanticCustomError(
                "value", "`protocol: ospf` is OSPFv2, of IPv4 alone: give no `address6`"
            )
        if self.area is not None and self.area.version != 4:
            raise PydanticCustomError("value", "an `area` is spelled as an IPv4 address")
        return self

    @model_validator(mode="after")
    def _of_static(self) -> ExternalPeer:
        if self.protocol != "static":
            return self
        if any(isinstance(each, PrefixRange) for each in self.accept or ()):
            raise PydanticCustomError(
                "value", "a static route is of one prefix: list them without `ge` and `le`"
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
            raise PydanticCustomError("value", "the `mtu` is that of the link")
        return self

    @model_validator(mode="after")
    def _both_ends(self) -> ExternalPeer:
        four, six = (self.address, self.peer), (self.address6, self.peer6)
        if four.count(None) == 1 or six.count(None) == 1 or four == six:
            raise PydanticCustomError(
                "value", "give `address` and `peer`, `address6` and `peer6`, or all four"
            )
        return self

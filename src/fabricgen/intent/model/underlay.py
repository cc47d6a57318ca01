"""Defines the intent keys of the routed underlay: link addressing, ASNs, BFD and MTU."""

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import Asn, IntentModel


class AsnPlan(IntentModel):
    """ASN of each switch. Leafs count up from `first`, upper tiers down from `last`."""

    scheme: Literal["per-switch", "rfc7938"] = Field(
        "per-switch",
        description="`per-switch`: every switch has its own ASN. `rfc7938`: superspines share one "
        "ASN, spines of a pod share one, and leafs have their own (RFC 7938 section 5.2.1).",
    )
    first: Asn = Field(
        4_200_000_000, description="First ASN of the range (default: 4-byte private)."
    )
    last: Asn = Field(4_294_967_294, description="Last ASN of the range.")

    @model_validator(mode="after")
    def _private_and_ordered(self) -> "AsnPlan":
        if self.first >= self.last:
            raise PydanticCustomError(
                "value", "the ASN range is empty; `first` must be below `last`"
            )
        if not any(
            low <= self.first and self.last <= high
            for low, high in ((64_512, 65_534), (4_200_000_000, 4_294_967_294))
        ):
            raise PydanticCustomError(
                "value", "ASNs must be private: 64512-65534 or 4200000000-4294967294 (RFC 6996)"
            )
        return self


class Bfd(IntentModel):
    """Bidirectional forwarding detection on every BGP session."""

    enabled: bool = Field(True, description="Run BFD on the underlay sessions.")
    interval: int = Field(300, ge=50, le=5000, description="Transmit and receive interval in ms.")
    multiplier: int = Field(
        3, ge=2, le=50, description="Missed packets before a neighbor counts as down."
    )


class Underlay(IntentModel):
    """Routing between the switches of a fabric: eBGP on every link."""

    links: Literal["numbered", "numbered-v6", "unnumbered"] = Field(
        "numbered",
        description="`numbered`: an IPv4 /31 per link (RFC 3021). `numbered-v6`: an IPv6 /127 "
        "(RFC 6164) that carries IPv4 routes. `unnumbered`: IPv6 link-local "
        "addresses and RFC 8950 next hops.",
    )
    asn: AsnPlan = Field(default_factory=AsnPlan, description="The ASN plan.")
    bfd: Bfd = Field(default_factory=Bfd, description="BFD settings.")
    password: SecretReference | None = Field(
        None, description="TCP MD5 password of every BGP session between its switches (RFC 2385)."
    )
    mtu: int = Field(
        9214,
        ge=1500,
        le=9214,
        description="IP MTU of every routed link. 9214 is the maximum of all platforms (the "
        "limit of EOS).",
    )

    @property
    def ospf(self) -> bool:
        """Return whether OSPF, and not eBGP, carries the routes between switches."""
        return False


class TenantUnderlay(Underlay):
    """Routing between the switches of a fabric with tenants: eBGP or OSPF on every link."""

    protocol: Literal["bgp", "ospf"] = Field(
        "bgp",
        description="`bgp`: eBGP on every link. `ospf`: OSPFv2, area 0, advertises the loopbacks "
        "and the links. EVPN stays eBGP between loopbacks.",
    )

    @property
    def ospf(self) -> bool:
        """Return whether OSPF, and not eBGP, carries the routes between switches."""
        return self.protocol == "ospf"

    @model_validator(mode="after")
    def _ospf_is_version_two(self) -> "TenantUnderlay":
        if self.ospf and self.links != "numbered":
            raise PydanticCustomError(
                "value", "OSPFv2 needs IPv4 addresses on the links; set `links: numbered`"
            )
        if self.ospf and self.password is not None:
            raise PydanticCustomError(
                "value",
                "`password` protects BGP sessions only, and OSPF packets would stay without "
                "authentication; remove it, or set `protocol: bgp`",
            )
        return self

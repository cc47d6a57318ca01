"""Defines the intent keys of the routed underlay: link addressing, ASNs, BFD and MTU."""

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from fabricgen.intent.model.secret import SecretReference
from fabricgen.intent.model.vocabulary import Asn, IntentModel


class AsnPlan(IntentModel):
    """Which ASN each switch gets. Leafs count up from `first`, upper tiers down from `last`."""

    scheme: Literal["per-switch", "rfc7938"] = Field(
        "per-switch",
        description="per-switch: every switch its own ASN. rfc7938: superspines share one, spines "
        "share one per pod, leafs have their own (RFC 7938 section 5.2.1).",
    )
    first: Asn = Field(
        4_200_000_000, description="First ASN of the range (default: 4-byte private)."
    )
    last: Asn = Field(4_294_967_294, description="Last ASN of the range.")

    @model_validator(mode="after")
    def _private_and_ordered(self) -> "AsnPlan":
        if self.first >= self.last:
            raise PydanticCustomError("value", "the ASN range is empty: first must be below last")
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
    multiplier: int = Field(3, ge=2, le=50, description="Missed packets until a neighbor is down.")


class Underlay(IntentModel):
    """How the switches of a fabric reach one another: eBGP on every link."""

    links: Literal["numbered", "numbered-v6", "unnumbered"] = Field(
        "numbered",
        description="numbered: IPv4 /31 a link (RFC 3021). numbered-v6: IPv6 /127 (RFC 6164) with "
        "IPv4 routes over it. unnumbered: IPv6 link-local and RFC 8950 next hops.",
    )
    asn: AsnPlan = Field(default_factory=AsnPlan, description="The ASN plan.")
    bfd: Bfd = Field(default_factory=Bfd, description="BFD settings.")
    password: SecretReference | None = Field(
        None, description="Of every BGP session between its switches: TCP MD5 (RFC 2385)."
    )
    mtu: int = Field(
        9214,
        ge=1500,
        le=9214,
        description="IP MTU of every routed link. 9214 is the largest that every platform accepts "
        "(EOS stops there).",
    )

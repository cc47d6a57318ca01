"""Describe the effect while the two ends of a term differ, with its source."""

from fabricgen.core.record import record
from fabricgen.operate.deploy.coordination.agreement import Term
from fabricgen.operate.deploy.coordination.terms import (
    ADDRESS,
    AREA,
    ASN,
    BFD,
    FAMILIES,
    MAC,
    MTU,
    PASSWORD,
    PORT,
    TIMERS,
    VLAN,
    VNI,
    VRF,
)


@record(kw_only=True)
class Effect:
    """The effect.

    Attributes:
        noun: The setting.
        says: Predicate for any number of `of`.
        of: The affected objects.
        breaks: No redundant path exists.
        source: Reference.
    """

    noun: str
    says: str
    of: str = "session"
    breaks: bool
    source: str


_ENDS = "will go down and stay down"
EFFECTS = {
    ASN: Effect(
        noun="ASN",
        says=_ENDS,
        breaks=True,
        source="RFC 4271 section 6.2: an OPEN with another ASN is rejected, Bad Peer AS",
    ),
    PASSWORD: Effect(
        noun="password",
        says=_ENDS,
        breaks=True,
        source="RFC 2385 section 2.0: a segment with another password is dropped",
    ),
    ADDRESS: Effect(
        noun="address",
        says=_ENDS,
        breaks=True,
        source="RFC 4271 section 8.2.1: a connection from an unconfigured address is rejected",
    ),
    FAMILIES: Effect(
        noun="address families",
        says="will carry no address family that only one end activates",
        breaks=True,
        source="RFC 4760 section 8: both speakers have to advertise the capability",
    ),
    BFD: Effect(
        noun="BFD",
        says="will run without BFD, after an end where it was removed",
        breaks=False,
        source="RFC 5882 section 4.2; FRR, bgpd/bgp_bfd.c: silence after Up is one failure",
    ),
    TIMERS: Effect(
        noun="BFD timers",
        says="will negotiate the slower timers of both ends",
        breaks=False,
        source="RFC 5880 section 6.8.2",
    ),
    AREA: Effect(
        noun="OSPF area",
        of="adjacency",
        says=_ENDS,
        breaks=True,
        source="RFC 2328 section 8.2: a packet of another area is discarded",
    ),
    MTU: Effect(
        noun="MTU",
        of="cable",
        says="will lose frames that are larger than the smaller MTU",
        breaks=False,
        source="RFC 7348 section 4.3: tunnel endpoints do not fragment",
    ),
    VLAN: Effect(
        noun="VLAN",
        of="server",
        says="cannot all reach each other",
        breaks=True,
        source=("RFC 7348 section 4, RFC 7432 section 7.10: only the same VNI and target connect"),
    ),
    VRF: Effect(
        noun="VRF",
        of="server",
        says="cannot all route to each other",
        breaks=True,
        source="RFC 9136 section 4.4.1: routes go to the VRF that imports their route target",
    ),
    PORT: Effect(
        noun="UDP port of VXLAN",
        of="server",
        says="cannot all reach each other",
        breaks=True,
        source="RFC 7348 section 5: packets to another port do not belong to the tunnel",
    ),
    MAC: Effect(
        noun="anycast gateway MAC",
        of="server",
        says=(
            "will use the old MAC until the next ARP or ND request, and lose the gateway if "
            "they move"
        ),
        breaks=False,
        source="RFC 9135 section 4.1",
    ),
}


def effect_of(term: Term) -> Effect:
    """Return the effect while the ends of a term disagree."""
    return EFFECTS[term.word if term.word != VNI else term.kind]


def is_session(term: Term) -> bool:
    """Check whether a term has two ends, unlike a VLAN, VRF or tunnel setting."""
    return term.kind not in (VLAN, VRF) and term.word not in (PORT, MAC)

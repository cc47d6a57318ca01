"""Describes the effect while the two ends of a term differ, with its source."""

from fabricgen.core.record import record
from fabricgen.operate.deploy.coordination.agreement import Term
from fabricgen.operate.deploy.coordination.terms import (
    ADDRESS,
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
    """What happens. noun: what is told of. of: whom it happens to; says: to however many of them.

    breaks: no other way carries it. source: where that is written.
    """

    noun: str
    says: str
    of: str = "session"
    breaks: bool
    source: str


_ENDS = "will end and not come up"
EFFECTS = {
    ASN: Effect(
        noun="ASN",
        says=_ENDS,
        breaks=True,
        source="RFC 4271 section 6.2: an OPEN with another ASN is refused, Bad Peer AS",
    ),
    PASSWORD: Effect(
        noun="password",
        says=_ENDS,
        breaks=True,
        source="RFC 2385 section 2.0: a segment that another password signed is dropped",
    ),
    ADDRESS: Effect(
        noun="address",
        says=_ENDS,
        breaks=True,
        source="RFC 4271 section 8.2.1: a connection from another address is no configured peer's",
    ),
    FAMILIES: Effect(
        noun="address families",
        says="will carry no family that one end alone activates",
        breaks=True,
        source="RFC 4760 section 8: both speakers have to advertise the capability",
    ),
    BFD: Effect(
        noun="BFD",
        says="will work without it, after an end where it was taken away",
        breaks=False,
        source="RFC 5882 section 4.2; FRR, bgpd/bgp_bfd.c: silence after Up is a failure, once",
    ),
    TIMERS: Effect(
        noun="BFD timers",
        says="will negotiate, the slower of both is used",
        breaks=False,
        source="RFC 5880 section 6.8.2",
    ),
    MTU: Effect(
        noun="MTU",
        of="cable",
        says="will lose frames that are larger than the smaller of both ends",
        breaks=False,
        source="RFC 7348 section 4.3: tunnel endpoints do not fragment",
    ),
    VLAN: Effect(
        noun="VLAN",
        of="server",
        says="cannot reach each other across",
        breaks=True,
        source="RFC 7348 section 4, RFC 7432 section 7.10: only the same VNI and route target join",
    ),
    VRF: Effect(
        noun="VRF",
        of="server",
        says="cannot be routed to each other across",
        breaks=True,
        source="RFC 9136 section 4.4.1: routes go to the VRF that imports their route target",
    ),
    PORT: Effect(
        noun="UDP port of VXLAN",
        of="server",
        says="cannot reach each other across",
        breaks=True,
        source="RFC 7348 section 5: what comes to another port is no tunnel's",
    ),
    MAC: Effect(
        noun="anycast gateway MAC",
        of="server",
        says="will keep the old one until they ask again, and lose the gateway where they move",
        breaks=False,
        source="RFC 9135 section 4.1",
    ),
}


def effect_of(term: Term) -> Effect:
    """Return what happens while the ends of a term disagree."""
    return EFFECTS[term.word if term.word != VNI else term.kind]


def is_session(term: Term) -> bool:
    """Tell whether two switches are its ends, not all that have a VLAN."""
    return term.kind not in (VLAN, VRF) and term.word not in (PORT, MAC)

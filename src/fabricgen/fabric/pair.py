"""The MLAG pair of a leaf: what its two leafs say alike, and what each says of the other."""

from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.because import Because
from fabricgen.fabric.switch import Interface
from fabricgen.fabric.topology import Switch
from fabricgen.record import record

PEER_VLAN = 4094
"""What the leafs of a pair speak to each other in: above INTERNAL_VLANS, so nobody else has it."""
PEER_BUNDLE = 1000
"""The bundle between them: above the places of servers, within the 2000 that EOS numbers."""
_FIRST, _SECOND = (Ip((169 << 24 | 254 << 16) + n, 31) for n in range(2))
"""Link-local (RFC 3927), so no pool has them; alike on all pairs, since no pair sees another's."""


@record(kw_only=True)
class Pair:
    """The other leaf and the way to it; both have one ASN and one tunnel endpoint.

    domain: its name, the same on both. members: of the bundle between the two, by port. local,
    remote: the ends of their BGP session, in PEER_VLAN. mtu: IP, of that VLAN.
    """

    domain: str
    peer: Switch
    members: tuple[Interface, ...]
    local: Ip
    remote: Ip
    mtu: int
    because: Because


def ends(switch: Switch) -> tuple[Ip, Ip]:
    """Return a leaf's own address in PEER_VLAN and that of the other: the first has the lower."""
    return (_FIRST, _SECOND) if switch.ordinal == switch.shared else (_SECOND, _FIRST)

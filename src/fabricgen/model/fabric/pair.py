"""Defines the MLAG pair of a leaf: the values that both leafs share and those of each leaf."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Switch

PEER_VLAN = 4094
"""What the leafs of a pair speak to each other in: above INTERNAL_VLANS, so nobody else has it."""
PEER_BUNDLE = 1000
"""The bundle between them: above the places of servers, within the 2000 that EOS numbers."""
_ENDS = {
    4: (Ip(169 << 24 | 254 << 16, 31), Ip((169 << 24 | 254 << 16) + 1, 31)),
    6: (Ip((0xFE80 << 112) + 1, 64, 6), Ip((0xFE80 << 112) + 2, 64, 6)),
}
"""By IP version. Link-local (RFC 3927, RFC 4291), so no pool has them; alike on all pairs, since no
pair sees another's."""
PEER_SUBNET = _ENDS[4][0].subnet
"""What both leafs are in, and no one else."""


@record(kw_only=True)
class JoinedVrf:
    """A VRF in which one leaf of a pair has what the other has not, so each tells the other.

    vlan: between the two, that which carries the VRF's L3VNI on platforms that need one for it.
    ends: the own address and the other leaf's of a session of each IP version, alike in all VRFs.
    """

    name: str
    vlan: int
    ends: tuple[tuple[Ip, Ip], ...]
    because: Provenance


@record(kw_only=True)
class Pair:
    """The other leaf and the way to it; both have one ASN and one tunnel endpoint.

    domain: its name, the same on both. members: of the bundle between the two, by port. local,
    remote: the ends of their BGP session, in PEER_VLAN. mtu: IP, of that VLAN. vrfs: those in which
    they have a VLAN and sessions of their own, by number.
    """

    domain: str
    peer: Switch
    members: tuple[Interface, ...]
    local: Ip
    remote: Ip
    mtu: int
    because: Provenance
    vrfs: tuple[JoinedVrf, ...] = ()


def ends(switch: Switch, version: int = 4) -> tuple[Ip, Ip]:
    """Return a leaf's own address towards the other, and that one's: the first has the lower."""
    first, second = _ENDS[version]
    return (first, second) if switch.ordinal == switch.shared else (second, first)

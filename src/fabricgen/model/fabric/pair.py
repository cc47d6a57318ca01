"""Defines the MLAG pair of a leaf: the values that both leafs share and those of each leaf."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Switch

PEER_VLAN = 4094
"""VLAN between the leafs of a pair: above INTERNAL_VLANS, so no other use conflicts."""
PEER_BUNDLE = 1000
"""Port-channel between them: above the places of servers, within EOS's maximum of 2000."""
_ENDS = {
    4: (Ip(169 << 24 | 254 << 16, 31), Ip((169 << 24 | 254 << 16) + 1, 31)),
    6: (Ip((0xFE80 << 112) + 1, 64, 6), Ip((0xFE80 << 112) + 2, 64, 6)),
}
"""By IP version. Link-local (RFC 3927, RFC 4291), so no pool contains them; the same on all pairs,
since pairs do not see each other.
"""
PEER_SUBNET = _ENDS[4][0].subnet
"""Name of the trunk group of both leafs only."""


@record(kw_only=True)
class JoinedVrf:
    """A VRF in which one leaf of a pair lacks routes of the other, so both exchange routes.

    `vlan`: between the two; it carries the VRF's L3VNI on platforms that need one for it. `ends`:
    local and remote address of a session of each IP version, the same in all VRFs.
    """

    name: str
    vlan: int
    ends: tuple[tuple[Ip, Ip], ...]
    because: Provenance


@record(kw_only=True)
class Pair:
    """The other leaf of an MLAG pair and the path to it; both share ASN and tunnel endpoint.

    `domain`: its name, the same on both. `members`: members of the port-channel between the two, by
    port. `local`, `remote`: the ends of their BGP session, in PEER_VLAN. `mtu`: IP MTU of that
    VLAN. `vrfs`: VRFs with a VLAN and sessions between the leafs, by number.
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
    """Return the local and remote address of a pair; the first leaf has the lower one."""
    first, second = _ENDS[version]
    return (first, second) if switch.ordinal == switch.shared else (second, first)

"""The addresses of one routing table, each packed into one number: what clashes in it comes out.

Packed, sorted and compared with its neighbour only, half a million addresses cost a second. The
neighbour is enough: prefixes nest or are disjoint, so whatever lies between two hosts of a subnet
belongs to that subnet. A segment is who may share a subnet: one cable, one VLAN.
"""

from collections.abc import Iterator
from enum import IntEnum
from itertools import chain, pairwise

from fabricgen.compile.checks import ends
from fabricgen.core.diagnostics import IntentPath
from fabricgen.model.fabric.addressing import Ip, host_text

_OWNER, _KIND, _LENGTH = 24, 3, 8  # bits
_SEGMENT = _OWNER + _KIND + ends.BITS
_VALUE = _SEGMENT + _LENGTH
_MASK = (1 << _SEGMENT) - 1


class Kind(IntEnum):
    """What an address is on; only cables and VLANs have more than one end."""

    LOOPBACK = 0
    VTEP = 1
    LINK = 2
    NIC = 3
    GATEWAY = 4
    MANAGEMENT = 5
    ROUTER = 6
    EXTERNAL = 7


# What can be wrong, in the words of a finding.
TWICE, OVERLAP = "addresses used twice", "overlapping subnets"
APART, TWO_GATEWAYS = "link ends in different subnets", "VLANs with two gateways"
_ONE_SUBNET = (Kind.MANAGEMENT, Kind.ROUTER)


class RoutingTable:
    """Collects the addresses of one table and one IP version."""

    def __init__(self, name: str, version: int, path: IntentPath) -> None:
        """Start empty; `path` is the intent that the table's addresses come from."""
        self.name, self.version, self.path = name, version, path
        self.bits = 32 if version == 4 else 128
        self.entries: list[int] = []

    def add(self, ip: Ip, kind: int, owner: int, detail: int = 0) -> None:
        """Add one address; `detail` is a port's key or a VLAN id."""
        segment = (owner << _KIND | kind) << ends.BITS | detail
        self.entries.append((ip.value << _LENGTH | ip.length) << _SEGMENT | segment)

    def clashes(self) -> Iterator[tuple[str, int, int]]:
        """Yield (what is wrong, one entry, the other); the other is -1 for a lonely link end.

        Behind an address that is used twice, the overlap of the same two subnets is not told again.
        """
        self.entries.sort()
        alone, before = True, ""
        for one, other in pairwise(chain(self.entries, (-1,))):
            kind = one >> ends.BITS & 7
            wrong = self._wrong(one, other, kind) if other >= 0 else ""
            if wrong and not (wrong == OVERLAP and before == TWICE):
                yield wrong, one, other
            before = wrong
            related = bool(wrong) or not (one ^ other) & _MASK
            if alone and not related and kind == Kind.LINK:
                yield APART, one, -1
            alone = not related

    def _wrong(self, one: int, other: int, kind: int) -> str:
        differing = (one >> _VALUE ^ other >> _VALUE).bit_length()
        if not differing:
            return TWICE
        lengths = one >> _SEGMENT & 255, other >> _SEGMENT & 255
        if (one ^ other) & _MASK == 0:
            if differing > self.bits - max(lengths):
                return APART
            return TWO_GATEWAYS if kind == Kind.GATEWAY else ""
        if differing > self.bits - min(lengths) or kind in _ONE_SUBNET:
            return ""
        return OVERLAP

    def ip(self, entry: int) -> Ip:
        """Return the address of an entry."""
        return Ip(entry >> _VALUE, entry >> _SEGMENT & 255, self.version)

    def host(self, entry: int) -> str:
        """Return the address of an entry as text, without its length."""
        return host_text(entry >> _VALUE, self.version)

    def segment(self, entry: int) -> tuple[int, int, int]:
        """Return (kind, owner, detail) of what has this address."""
        owner = entry >> ends.BITS + _KIND & (1 << _OWNER) - 1
        return entry >> ends.BITS & 7, owner, entry & (1 << ends.BITS) - 1

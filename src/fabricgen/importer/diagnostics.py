"""Read the diagnostic addresses of a VRF from the leafs that have them."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv4Address
from typing import TYPE_CHECKING

from fabricgen.importer.segments import usual
from fabricgen.prove.invariants.switch import plain

if TYPE_CHECKING:
    from fabricgen.importer.seats import Floor
    from fabricgen.importer.tree import Fragment

_LENGTH, _ALONE = 24, 32
"""The prefix that is proposed: the files have the address of each leaf alone."""


def diagnostics(floor: Floor, vrf: str) -> Fragment:
    """Return the prefix of which leaf n has the n-th address as a host route of a VRF."""
    bases = Counter[int]()
    for leaf, judged in floor.leafs:
        for name, port in judged.tables.ports.items():
            own = judged.own(("interface", name))
            if "relays" in own or vrf not in (name, plain(port.vrf)):
                continue
            for address in port.addresses:
                if address.version == 4 and address.network.prefixlen == _ALONE:
                    bases[int(address.ip) - leaf.ordinal - 1] += 1
    base = usual(bases)
    if base is None:
        return {}
    length = _LENGTH
    while base % (1 << (_ALONE - length)):
        length += 1
    return {"diagnostics": {"subnet": f"{IPv4Address(base)}/{length}"}}

"""NICs of rails in VRFs in; the tenants that share the rails out."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from fabricgen.core.units import spans
from fabricgen.importer.segments import FoundVrf, segments
from fabricgen.importer.tenant_names import tenant_of
from fabricgen.importer.tenant_numbers import numbers
from fabricgen.prove.invariants.switch import plain

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fabricgen.importer.seats import Floor
    from fabricgen.importer.tree import Fragment


def rail_tenants(floor: Floor, others: Collection[str]) -> Fragment:
    """Return the tenants of shared rails: one for each VRF, and the servers in it."""
    found = segments(floor)
    numbered = numbers(found, fixed=True)
    tenants: Fragment = {}
    for name, vrf in sorted(found.vrfs.items(), key=lambda each: numbered.ids[each[0]]):
        attached = list(_attachments(floor, name))
        if attached:
            note = vrf.note
            words: Fragment = {"fabric": floor.fabric.name}
            words |= {"description": note} if note else {}
            said = numbered.of_vrf(vrf) | _local(floor, vrf)
            words |= {"vrfs": {name: said}, "attachments": attached}
            tenants[tenant_of(name, (), {*others, *tenants})] = words
    return tenants


def _local(floor: Floor, vrf: FoundVrf) -> Fragment:
    """Tell a VRF that each leaf has for itself; without spines none is otherwise."""
    spines = any(not each.is_leaf for each in floor.fabric.topology.switches)
    return {"local": True} if spines and not vrf.vni else {}


def _attachments(floor: Floor, vrf: str) -> Iterator[Fragment]:
    """Yield which servers have their NICs in a VRF, kind by kind."""
    inside: dict[str, set[int]] = defaultdict(set)
    every: dict[str, set[int]] = defaultdict(set)
    for seat in floor.seats:
        every[seat.server.kind].add(seat.server.number)
        if plain(seat.port.vrf) == vrf:
            inside[seat.server.kind].add(seat.server.number)
    for kind, those in sorted(inside.items()):
        said: Fragment = {"servers": kind} if kind else {}
        said |= {} if those == every[kind] else {"numbers": spans(those)}
        yield said | {"vrf": vrf}

"""Static routes of a VRF in; networks behind hosts, as people say them, out."""

from __future__ import annotations

from collections import Counter
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from fabricgen.importer.border import clause, permitted
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.values import words

if TYPE_CHECKING:
    from fabricgen.importer.seats import Floor
    from fabricgen.importer.tree import Fragment
    from fabricgen.prove.foreign.switch import Judged
    from fabricgen.prove.walk.packet import Address


def routes(floor: Floor, vrf: str) -> Fragment:
    """Return the routes of a VRF by hosts in its VLANs, and by none of those outside.

    The design has them on each leaf where the host may be: what few of these have is their own.
    """
    found: Counter[tuple[str, str]] = Counter()
    told: dict[str, None] = {}
    for _, judged in floor.leafs:
        for key, own in judged.facts.items():
            if key[0] == "route" and plain(key[1]) == vrf:
                near = [via for via in words(own.get("via")) if _inside(judged, via, vrf)]
                found.update((key[2], via) for via in near)
            if key[0] == "session" and plain(key[1]) == vrf:
                listed = permitted(clause(own.get("out")).get("prefixes"))
                told |= dict.fromkeys(each.partition(",")[0] for each in listed)
    place = {prefix: number for number, prefix in enumerate(told)}
    ordered = sorted(
        (route for route, many in found.items() if 2 * many > _able(floor, route[1], vrf)),
        key=lambda route: place.get(route[0], len(place)),
    )
    listed_: list[dict[str, Any]] = [
        {"to": prefix, "by": via} | ({"announce": True} if prefix in told else {})
        for prefix, via in ordered
    ]
    return {"routes": listed_} if listed_ else {}


def _able(floor: Floor, via: str, vrf: str) -> int:
    """Return how many leafs have a next hop in a VLAN of the VRF."""
    return sum(_inside(judged, via, vrf) for _, judged in floor.leafs)


def _inside(judged: Judged, via: str, vrf: str) -> bool:
    """Tell whether a next hop is in a VLAN of the VRF here, or a server on a port."""
    try:
        address: Address = ip_address(via)
    except ValueError:
        return False
    gateways = {id(port) for port in judged.tables.gateways.values()}
    return any(
        address in own.network
        for port in judged.tables.ports.values()
        if plain(port.vrf) == vrf and id(port) in gateways
        for own in port.addresses
    )

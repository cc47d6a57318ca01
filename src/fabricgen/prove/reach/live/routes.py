"""Compare the routes of a hop: underlay next hops, and the exit of a packet from a VRF."""

from collections.abc import Collection
from ipaddress import ip_address, ip_network

from fabricgen.core.tree.facts import GLOBAL, Attributes, Value
from fabricgen.nos.questions import PATH, path_key
from fabricgen.nos.show import Observed
from fabricgen.prove.reach.live.branches import holds
from fabricgen.prove.reach.live.sides import Seen, Side, Unknown, compared
from fabricgen.prove.reach.live.steps import Item
from fabricgen.prove.walk.exchange import Exchange
from fabricgen.prove.walk.packet import Address, Station
from fabricgen.prove.walk.ways import Ways

_PORTS = "ports"
_ROUTES = ("route", "kernel-route")
"""Kinds of routes; one that a person added counts after one of a daemon with the same prefix."""


def underlay(side: Side, exchange: Exchange, target: str) -> Item:
    """Compare the next hops to an address outside all VRFs."""
    name, address = side.expected.switch, ip_address(target)
    learned = exchange.learned(name, address)
    files: Seen = tuple(sorted({port for port, _ in learned[1].hops})) if learned else ()
    if name in exchange.unsure:
        files = Unknown(exchange.unsure[name])
    running = looked_up(side, GLOBAL, address)
    return compared(
        "next hops",
        f"route to {target}",
        (
            tuple(sorted(side.underlay.next_hops(target))),
            files,
            running if isinstance(running, Unknown) else _exits(running),
        ),
        source=_source(side),
    )


def _source(side: Side) -> str:
    return side.source((PATH,), _PORTS) or side.source(("route",), _PORTS)


def looked_up(side: Side, vrf: str, address: Address) -> Attributes | Unknown:
    """Return the running route to an address: the asked one, or the longest reported prefix.

    A recording of another look has no answer for one address.
    """
    key = path_key(vrf, str(address))
    asked = (PATH, _PORTS) in side.expected.about
    unread = side.unread(key, _PORTS) if asked else None
    if unread is not None or side.observed is None:
        return unread or Unknown(side.reason or "not read")
    if key in side.observed.facts:
        return side.observed.facts[key]
    return _reported(side, vrf, address, side.observed)


def _reported(side: Side, vrf: str, address: Address, observed: Observed) -> Attributes | Unknown:
    """Return the longest reported route around an address. Most readers report no VRFs."""
    found: dict[int, Attributes] = {}
    for key, own in observed.facts.items():
        if key[0] in _ROUTES and key[1] == vrf and holds(key[2], address):
            length = ip_network(key[2], strict=False).prefixlen
            way = "; ".join(map(str, own.get("way", ())))
            found[length] = {_PORTS: (), "effect": way} if way else own
    unread = side.unread(("route", vrf), _PORTS)
    if unread is not None or not found:
        return unread or Unknown("the answers have no route to this address")
    return found[max(found)]


def _exits(route: Attributes) -> Value:
    """Return the ports of a route, or its effect if packets do not leave."""
    exits = tuple(sorted(map(str, route.get(_PORTS, ()))))
    return exits or str(route.get("effect") or "no route")


def delivery(side: Side, vrf: str, address: Address, place: str, files: Seen) -> Item:
    """Compare the exit of a packet on the switch of its receiver: a port or a VLAN's gateway."""
    running = looked_up(side, vrf, address)
    return compared(
        "route",
        f"{address} in VRF {vrf}" if vrf != GLOBAL else str(address),
        ((place,), files, running if isinstance(running, Unknown) else _exits(running)),
        source=_source(side),
    )


def tunneled(
    side: Side, vrf: str, address: Address, ends: Collection[str], gateway: str, files: Seen
) -> Item:
    """Compare the exit of a packet from a VRF: the tunnel to the receiver's leaf.

    Args:
        side: The switch.
        vrf: Name of the VRF.
        address: Target of the packet.
        ends: Tunnel endpoints of the receiver's leafs, first, and of leafs with its VLAN.
        gateway: The interface of the receiver's VLAN on this switch. Empty without one. A leaf
            without a learned host route uses it, and bridges.
        files: Exit in the files.
    """
    running = looked_up(side, vrf, address)
    first = next(iter(ends), "")

    def fits(_: Value | None, seen: Value | None) -> bool:
        words = {*(seen if isinstance(seen, tuple) else (seen,))}
        return bool(words) and (words <= {*ends} or words == {gateway})

    return compared(
        "route",
        f"{address} in VRF {vrf}",
        (
            f"{first}, or {gateway}" if gateway else first,
            files,
            running if isinstance(running, Unknown) else _through(running, gateway),
        ),
        fits=fits,
        source=_source(side),
    )


def _through(route: Attributes, gateway: str) -> Value:
    """Return the VTEPs of a route, else its ports or its effect."""
    via = route.get("via", ())
    if route.get("effect") or not via or route.get(_PORTS) == (gateway,):
        return _exits(route)
    return via


def written(
    exchange: Exchange, ways: Ways, name: str, vrf: str, target: Address, other: Station
) -> Seen:
    """Return the exit of a VRF in the files: tunnel endpoints, or a port of the switch."""
    switch = exchange.switches[name]
    table = switch.tables.get(vrf)
    if table is None or not table.routes:
        return f"no VRF {vrf}"
    entries = ways.entries(switch, vrf, table, target, other)
    strange = switch.strange or next((each.strange for each in entries if each.strange), "")
    if strange:
        return Unknown(strange)
    if not entries:
        return "no route"
    best = max((each.length, -each.rank) for each in entries)
    taken = [each for each in entries if (each.length, -each.rank) == best]
    return tuple(
        dict.fromkeys(
            exchange.switches[each.tunnel].vtep if each.tunnel else each.port or each.beside
            for each in taken
        )
    )

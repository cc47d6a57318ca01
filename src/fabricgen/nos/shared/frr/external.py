"""External peers of a switch in; their neighbours, prefix lists and route maps out.

Nothing passes but what a list has, and it passes without communities. With another tenant's route
target the outside could put a route into that tenant's VRF, because a type-5 route keeps what the
peer sent and adds its own; with the fabric's mark or no-export a route would never reach the other
leafs. Both were seen in FRR 8.4.4. Nor is anything of either kind for the outside to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.nos.shared.description import outside
from fabricgen.nos.shared.frr.view import (
    ExternalPrefixes,
    FamilyLine,
    NeighborSetting,
    PrefixRule,
    RouteMapRule,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.fabric import external as fabric

Peers = tuple["fabric.ExternalPeer", ...]


def of_vrf(peers: Peers, vrf: str) -> Peers:
    """Return the peers of one VRF in the order FRR prints neighbours: by address."""
    return tuple(sorted((p for p in peers if p.vrf == vrf), key=lambda peer: peer.remote))


def neighbors(peers: Peers, profile: str) -> Iterator[NeighborSetting]:
    """Yield what is set on each peer outside an address family. profile: that of its BFD."""
    for peer in peers:
        settings = [f"remote-as {peer.peer_asn}", f"description {outside(peer.name)}"]
        if peer.bfd:
            settings += ["bfd", f"bfd profile {profile}"]
        for setting in settings:
            yield NeighborSetting(peer.remote.host, setting, peer.because)


def activations(peers: Peers) -> Iterator[FamilyLine]:
    """Yield the lines of each peer in the IPv4 family of its VRF."""
    for peer in peers:
        settings = ("activate", f"route-map {peer.inward} in", f"route-map {peer.outward} out")
        for setting in settings:
            yield FamilyLine(f"neighbor {peer.remote.host} {setting}", peer.because)


def prefixes(peers: Peers) -> ExternalPrefixes | None:
    """Return the lists of all peers, by name as FRR prints them; lengths match exactly."""
    rules = [
        PrefixRule(
            name=name,
            seq=rule.sequence,
            prefix=rule.prefix.prefix,
            lengths="",
            because=peer.because,
        )
        for peer in peers
        for name, found in ((peer.inward, peer.accept), (peer.outward, peer.announce))
        for rule in found
    ]
    rules.sort(key=lambda rule: (rule.name, rule.seq))
    return ExternalPrefixes(tuple(rules)) if rules else None


def route_map_rules(peers: Peers) -> list[RouteMapRule]:
    """Return the route maps of all peers; each matches the list of its own name."""
    return [
        RouteMapRule(
            name=name,
            action="permit",
            seq=10,
            lines=(
                f"match ip address prefix-list {name}",
                "set community none",
                "set extcommunity none",
            ),
            because=peer.because,
        )
        for peer in peers
        for name in (peer.inward, peer.outward)
    ]

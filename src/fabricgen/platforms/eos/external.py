"""External peers of a switch in; their prefix lists, route maps and neighbours in a VRF out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.platforms.description import outside
from fabricgen.platforms.eos.view import external as view

if TYPE_CHECKING:
    from fabricgen.fabric.external import ExternalPeer, PrefixRule


def inward(peer: ExternalPeer) -> str:
    """Name the list and map of what comes in; one name for both, as their peer has one."""
    return f"IN-{peer.label}"


def outward(peer: ExternalPeer) -> str:
    """Name the list and map of what goes out."""
    return f"OUT-{peer.label}"


def policy_of(peers: tuple[ExternalPeer, ...]) -> view.External:
    """Return the policy of every external peer, sorted as EOS sorts: by name."""
    named = [(name(peer), peer, rules(peer)) for peer in peers for name, rules in _DIRECTIONS]
    named.sort(key=lambda row: row[0])
    return view.External(
        tuple(view.PrefixList(peer.because, name, _entries(found)) for name, peer, found in named),
        tuple(view.RouteMap(peer.because, name) for name, peer, _ in named),
    )


def _accepted(peer: ExternalPeer) -> tuple[PrefixRule, ...]:
    return peer.accept


def _announced(peer: ExternalPeer) -> tuple[PrefixRule, ...]:
    return peer.announce


_DIRECTIONS = ((inward, _accepted), (outward, _announced))


def _entries(rules: tuple[PrefixRule, ...]) -> str:
    """An entry without `ge` or `le` matches that length alone."""
    return "\n   ".join(f"seq {rule.sequence} permit {rule.prefix.prefix}" for rule in rules)


def neighbors_of(peers: tuple[ExternalPeer, ...], vrf: str) -> tuple[view.ExternalNeighbor, ...]:
    """Return the external neighbours in one VRF, by address."""
    return tuple(
        view.ExternalNeighbor(
            peer.because,
            peer.remote.host,
            peer.peer_asn,
            outside(peer.name),
            peer.bfd,
            inward(peer),
            outward(peer),
        )
        for peer in sorted(peers, key=lambda peer: peer.remote)
        if peer.vrf == vrf
    )

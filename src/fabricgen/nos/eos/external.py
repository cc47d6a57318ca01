"""External peers of a switch in; their prefix lists, route maps and neighbours in a VRF out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.nos.eos.view import external as view
from fabricgen.nos.shared.description import outside

if TYPE_CHECKING:
    from fabricgen.fabric.external import ExternalPeer, PrefixRule


def policy_of(peers: tuple[ExternalPeer, ...]) -> view.External:
    """Return the policy of every external peer, sorted as EOS sorts: by name."""
    named = [
        (name, peer, rules)
        for peer in peers
        for name, rules in ((peer.inward, peer.accept), (peer.outward, peer.announce))
    ]
    named.sort(key=lambda row: row[0])
    return view.External(
        tuple(view.PrefixList(peer.because, name, _entries(found)) for name, peer, found in named),
        tuple(view.RouteMap(peer.because, name) for name, peer, _ in named),
    )


def _entries(rules: tuple[PrefixRule, ...]) -> str:
    """An entry without `ge` or `le` matches that length alone."""
    return "\n   ".join(f"seq {rule.sequence} permit {rule.prefix.prefix}" for rule in rules)


def neighbors_of(peers: tuple[ExternalPeer, ...], vrf: str) -> tuple[view.ExternalNeighbor, ...]:
    """Return the external neighbours in one VRF, by address."""
    return tuple(
        view.ExternalNeighbor(
            because=peer.because,
            address=peer.remote.host,
            asn=peer.peer_asn,
            description=outside(peer.name),
            bfd=peer.bfd,
            inward=peer.inward,
            outward=peer.outward,
        )
        for peer in sorted(peers, key=lambda peer: peer.remote)
        if peer.vrf == vrf
    )

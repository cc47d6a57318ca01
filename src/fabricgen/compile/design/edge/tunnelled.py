"""A peer at the far end of a tunnel in; its tunnel, and the port that this leaves by, out."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.compile.design.edge.cages import Cages
from fabricgen.intent.model.dci import TunnelPeer
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import EdgeLink
from fabricgen.model.fabric.interface import Tunnel
from fabricgen.model.fabric.topology import Port


class Carrier(NamedTuple):
    """What a tunnel's packets leave by: a leaf, its port, and the bundle that this is of."""

    leaf: str
    port: Port
    lag: int | None


def tunnel_of(peer: TunnelPeer) -> Tunnel:
    """Return the end of a tunnel here."""
    near = peer.outer.address
    assert near is not None
    return Tunnel(
        vrf=peer.below,
        local=Ip(int(near.ip), int(near.prefixlen), 4),
        remote=Ip(int(peer.beyond), 32, 4),
        below=peer.outer.vlan,
    )


def carrier(peer: TunnelPeer, links: Mapping[str, EdgeLink], cages: Cages) -> Carrier | None:
    """Return where its packets leave; None where the way out has no port, which is said of that."""
    outer = peer.outer
    if outer.link is not None:
        link = links.get(outer.link)
        return Carrier(link.leaf, link.ports[0].port, link.lag) if link is not None else None
    leaf = cages.leafs.get(outer.leaf or 0)
    every = leaf.ports if leaf is not None else ()
    port = next((each for each in every if each.cage == outer.cage), None)
    return Carrier(leaf.name, port, None) if leaf is not None and port is not None else None

"""The slice of a leaf of an MLAG pair in; what its files say of it, and what is its own, out."""

from collections.abc import Iterator

from fabricgen.fabric.because import Because
from fabricgen.fabric.pair import PEER_BUNDLE, PEER_VLAN, Pair
from fabricgen.fabric.switch import SwitchSlice
from fabricgen.nos.show import UP
from fabricgen.nos.spelling import Names, Place
from fabricgen.proof.border import inside
from fabricgen.proof.gateways import hosts
from fabricgen.proof.policies import allowed, clause
from fabricgen.tree.facts import GLOBAL, NAME, TRUE, Attributes, Key

Said = tuple[Key, Attributes, Because]


def said_of_pair(piece: SwitchSlice, names: Names) -> Iterator[Said]:
    """Yield the pair, the way to the other leaf, the session with it, and what both have alike."""
    pair = piece.pair
    if pair is None:
        return
    bundle, vlan = names.bundle(PEER_BUNDLE), names.gateway(PEER_VLAN)
    own: Attributes = {"domain": pair.domain, "other": pair.remote.host, "by": bundle}
    yield ("pair",), {**own, "over": vlan}, pair.because
    yield ("interface", bundle), {"link": UP, "note": _ends(piece, pair, bundle)}, pair.because
    way: Attributes = {"address": (str(pair.local),), "mtu": str(pair.mtu)}
    yield ("interface", vlan), {"link": UP, **way}, pair.because
    session = _session(piece, pair, vlan) | inside(piece.routing.password, "UNDERLAY-PEER", names)
    yield ("session", GLOBAL, pair.remote.host), session, pair.because
    for lag in piece.lags:
        if lag.mlag:
            yield ("interface", names.bundle(lag.number)), {"mlag": str(lag.number)}, lag.because


def own_of_pair(piece: SwitchSlice, names: Names) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """Yield each value that another leaf of a pair has another of, and where it stands."""
    pair = piece.pair
    if pair is None:
        return
    bundle, vlan = names.bundle(PEER_BUNDLE), names.gateway(PEER_VLAN)
    at, session = ("pair",), ("session", GLOBAL, pair.remote.host)
    yield pair.domain, ((at, "domain"),)
    yield pair.remote.host, ((at, "other"), (session, NAME))
    yield str(pair.local), ((("interface", vlan), "address"),)
    yield f"MLAG pair {pair.domain}", ((("interface", vlan), "note"),)
    yield _ends(piece, pair, bundle), ((("interface", bundle), "note"),)
    yield str(piece.asn), ((session, "asn"),)
    yield pair.peer.name, ((session, "peer"),)
    yield f"{pair.peer.name}:{vlan}", ((session, "far-end"),)


def _ends(piece: SwitchSlice, pair: Pair, bundle: str) -> str:
    return f"{piece.switch.name}:{bundle} to {pair.peer.name}:{bundle}"


def _session(piece: SwitchSlice, pair: Pair, vlan: str) -> Attributes:
    """Return what BGP says to the other leaf: all, in one AS, and as what is taken last."""
    every = [allowed(piece.routing.allowed)]
    if piece.gateway is not None:  # the other leaf's way to the other site is its own way, too
        every.append(hosts(piece.gateway.far))
    return {
        "asn": str(piece.asn),
        "peer": pair.peer.name,
        "far-end": f"{pair.peer.name}:{vlan}",
        "communities": TRUE,
        "maximum-routes": "0",
        "families": ("ipv4",),
        "next-hop-self": TRUE,
        "in": tuple(clause("permit", prefixes=each, origin="incomplete") for each in every),
        "out": tuple(clause("permit", prefixes=each) for each in every),
    }

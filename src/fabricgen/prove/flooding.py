"""Routers outside that speak OSPF in; what files must say of each out."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import TRUE, Attributes, Key, Value
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.external import PrefixRule
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.spelling import Names
from fabricgen.prove.policies import allowed, clause
from fabricgen.prove.shares import name_of_share


def said_of_ospf(piece: SwitchSlice, names: Names) -> Iterator[tuple[Key, Attributes, Because]]:
    """Yield each VRF's OSPF, its port, and what BGP takes of it: by lists, both ways."""
    for peer in piece.flooding:
        told, heard = _listed(peer.announce), _listed(peer.accept)
        own: Attributes = {"router-id": piece.router_id.host, "in": heard}
        own |= dict.fromkeys(("connected", "static", "bgp"), told)
        yield ("ospf", peer.vrf), own, peer.because
        port = name_of_share(piece, peer.interface, names)
        yield ("interface", port), {"area": peer.area, "two-ended": TRUE}, peer.because
        taken = dict.fromkeys(("ospf", "ospf-internal", "ospf-external"), heard)
        yield ("vrf", peer.vrf), taken, peer.because


def _listed(rules: tuple[PrefixRule, ...]) -> Value:
    return (clause("permit", prefixes=allowed(tuple(rule.allowed for rule in rules))),)

"""An MLAG pair is two leafs that name each other, and to all others one.

A domain that a second pair has too is one LACP system wherever the two meet. A leaf that names
another peer, or another address of it, never forms the pair: its servers are on one leaf. With
another ASN or tunnel endpoint, or without one of the VLANs or VRFs, what other leafs send to the
pair ends on the leaf that does not take it. Fix a domain in the intent; the rest is a defect of the
design. A switch without a pair counts as examined.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.core.units import spans
from fabricgen.model.fabric.pair import Pair
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice


class _End(NamedTuple):
    """A leaf and what it says of its pair. alike: what both must say, by what it is called."""

    switch: str
    pair: Pair
    alike: dict[str, str]


class Pairs(Tallied):
    """Keeps the leafs of every domain."""

    name, code, noun = "MLAG pairs", Code.PAIR_DISAGREES, "switches and pairs"

    def __init__(self, site: Site) -> None:
        """Start with nothing seen."""
        super().__init__(site)
        self.domains: dict[str, list[_End]] = defaultdict(list)

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Keep what one leaf says."""
        del fabric
        self.tally.objects += 1 + (piece.pair is not None)
        if piece.pair is not None:
            alike = {
                "ASN": str(piece.asn),
                "tunnel endpoint": str(piece.vtep),
                "links": str(len(piece.pair.members)),
                "MTU": str(piece.pair.mtu),
                "VLANs": spans(vlan.id for vlan in piece.vlans) or "none",
                "VRF ids": spans(vrf.id for vrf in piece.vrfs) or "none",
                "VLANs of VRFs": spans(vrf.vlan for vrf in piece.pair.vrfs) or "none",
            }
            self.domains[piece.pair.domain].append(_End(piece.switch.name, piece.pair, alike))

    def result(self) -> Examined:
        """Compare the leafs of each domain."""
        for domain, ends in self.domains.items():
            for kind, what in _wrongs(ends):
                text = f"the MLAG domain {domain} {what}"
                self.tally.add(kind, text, ends[-1].pair.because)
        return self.tally.result()


def _wrongs(ends: list[_End]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with the leafs that name one domain, by its kind."""
    names = listing([end.switch for end in ends])
    if len(ends) != 2:
        yield "domains that are not of two leafs", f"is that of {names}: a domain is of one pair"
        return
    one, other = ends
    peers = {one.pair.peer.name: one.switch, other.pair.peer.name: other.switch}
    if peers != {other.switch: one.switch, one.switch: other.switch}:
        yield "leafs that do not name each other", f"is that of {names}, which are no pair"
        return
    for what, mine in one.alike.items():
        theirs = other.alike[what]
        if mine != theirs:
            text = f"differs in its {what}: {mine} on {one.switch}, {theirs} on {other.switch}"
            yield "pairs whose leafs differ", text
    near, far = (one.pair.local, one.pair.remote), (other.pair.remote, other.pair.local)
    if near != far or near[0] == near[1]:
        yield "pairs whose addresses do not meet", f"has addresses on {names} that do not meet"

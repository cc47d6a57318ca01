"""Finds the links and gateways between sites on the path of a packet in the designed model."""

from collections.abc import Iterable, Iterator

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.gateways import Gateway
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.vlans import Vlan


@record(eq=False, kw_only=True)
class Crossing:
    """A session of a VRF over a link between two sites, from the sender's side.

    `leaf`, `peer`: of the local end; `beyond`, `far`: of the other fabric's end.
    """

    name: str
    leaf: str
    peer: ExternalPeer
    beyond: str
    far: ExternalPeer


@record(kw_only=True)
class Gates:
    """The gateways of two fabrics, from the sender's side. `near`, `far`: their leafs at each."""

    name: str
    near: tuple[str, ...]
    far: tuple[str, ...]
    ours: Gateway
    theirs: Gateway

    def one_vlan(self, here: Vlan | None, there: Vlan | None) -> bool:
        """Return whether these gateways join two VLANs into one."""
        ours = self.ours.vlans.get(here.id) if here is not None else None
        theirs = self.theirs.vlans.get(there.id) if there is not None else None
        return ours is not None and ours == theirs


def gates(one: Fabric, other: Fabric) -> Gates | None:
    """Return the gateways between two fabrics, if there are any."""
    ours, theirs = (each.overlay.gateways if each.overlay else {} for each in (one, other))
    for mine in ours.values():
        far = {leaf: each for leaf, each in theirs.items() if each.name == mine.name}
        if far:
            return Gates(
                name=mine.name,
                near=tuple(ours),
                far=tuple(far),
                ours=mine,
                theirs=next(iter(far.values())),
            )
    return None


class Crossings:
    """The links between the fabrics of a site."""

    def __init__(self, fabrics: Iterable[Fabric]) -> None:
        """Read the sessions over links."""
        self._ends: dict[str, list[tuple[str, ExternalPeer]]] = {}
        for fabric in fabrics:
            for leaf, peers in fabric.overlay.external.items() if fabric.overlay else ():
                ends = [(leaf, peer) for peer in peers if peer.joins]
                self._ends[fabric.name] = [*self._ends.get(fabric.name, ()), *ends]

    @property
    def leafs(self) -> set[str]:
        """Return the leafs with a session over a link."""
        return {leaf for ends in self._ends.values() for leaf, _ in ends}

    def between(self, one: Fabric, other: Fabric) -> Iterator[Crossing]:
        """Yield the sessions of one fabric's VRFs with another's."""
        theirs = {(peer.joins, peer.local): (leaf, peer) for leaf, peer in self._of(other)}
        for leaf, peer in self._of(one):
            far = theirs.get((peer.joins, peer.remote))
            if far is not None:
                yield Crossing(name=peer.joins, leaf=leaf, peer=peer, beyond=far[0], far=far[1])

    def _of(self, fabric: Fabric) -> list[tuple[str, ExternalPeer]]:
        return self._ends.get(fabric.name, [])


def told(crossing: Crossing, target: Ip) -> bool:
    """Return whether the remote end advertises an address, and the local end accepts it."""
    rules = crossing.far.announce, crossing.peer.accept
    return all(any(rule.prefix.holds(target) for rule in each) for each in rules)

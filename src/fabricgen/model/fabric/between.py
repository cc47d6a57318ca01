"""Finds the cables that connect the networks of two fabrics of a site."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric

End = tuple[str, str]
"""A switch and the label of its port."""


@record(kw_only=True)
class Outward:
    """A cable that leaves a site. `ends`: both, or only the local one before a carrier."""

    ends: tuple[End, ...]
    speed: BitsPerSecond

    @property
    def name(self) -> str:
        """Return its name for people."""
        ends = [f"{leaf}:{label}" for leaf, label in self.ends]
        return " -- ".join(ends if ends[1:] else [*ends, "carrier"])


@record(kw_only=True)
class SiteConnection:
    """Connection of two fabrics: a link, a tunnel for each VRF, or gateways.

    `leafs`: its ends in both fabrics. `legs`: the cables between the leafs; of a tunnel, the cables
    from the first leaf to the carrier and from the carrier to the second. `networks`: the names in
    each fabric of the VRFs and of VLANs without a VRF that use it.
    """

    name: str
    fabrics: tuple[str, str]
    leafs: tuple[str, str]
    legs: tuple[tuple[Outward, ...], ...]
    networks: frozenset[tuple[str, str]]


def ways_between(fabrics: Sequence[Fabric]) -> list[SiteConnection]:
    """Return the connections between each two fabrics, in the order of both."""
    overlays = [(each, each.overlay) for each in fabrics if each.overlay is not None]
    return [
        way
        for (one, ours), (other, theirs) in combinations(overlays, 2)
        for way in (*_links(one, other, ours, theirs), *_gateways(one, other, ours, theirs))
    ]


def outward(ways: Iterable[SiteConnection]) -> list[Outward]:
    """Return the cables of some connections, each once."""
    return list(dict.fromkeys(cable for way in ways for leg in way.legs for cable in leg))


def _links(one: Fabric, other: Fabric, ours: Overlay, theirs: Overlay) -> Iterator[SiteConnection]:
    far = {
        (peer.joins, peer.local): (leaf, peer)
        for leaf, peers in theirs.external.items()
        for peer in peers
        if peer.joins
    }
    carried: dict[tuple[str, str, str], tuple[Interface, Interface, set[str]]] = {}
    for leaf, peer in _joining(ours):
        beyond = far.get((peer.joins, peer.remote))
        if beyond is not None:
            key = peer.joins, leaf, beyond[0]
            ends = peer.interface, beyond[1].interface, set[str]()
            carried.setdefault(key, ends)[2].add(peer.vrf)
    for (name, leaf, there), (near, distant, vrfs) in carried.items():
        mine, yours = _ports(ours, leaf, near), _ports(theirs, there, distant)
        legs: tuple[tuple[Outward, ...], ...]
        if near.tunnel is None:
            legs = (tuple(_cable(a, b) for a, b in zip(mine, yours, strict=False)),)
        else:
            legs = tuple(map(_cable, mine)), tuple(map(_cable, yours))
        yield SiteConnection(
            name=name,
            fabrics=(one.name, other.name),
            leafs=(leaf, there),
            legs=legs,
            networks=frozenset((vrf, vrf) for vrf in vrfs),
        )


Socket = tuple[End, "BitsPerSecond"]


def _cable(*sockets: Socket) -> Outward:
    """Return the cable of one or two ports, with the lower speed."""
    return Outward(ends=tuple(end for end, _ in sockets), speed=min(speed for _, speed in sockets))


def _joining(overlay: Overlay) -> Iterator[tuple[str, ExternalPeer]]:
    for leaf, peers in overlay.external.items():
        yield from ((leaf, peer) for peer in peers if peer.joins)


def _ports(overlay: Overlay, leaf: str, interface: Interface) -> list[Socket]:
    """Return the port of an interface, or all ports of its port-channel."""
    own = interface.port
    links = (link.cages for link in overlay.edge.values() if link.leaf == leaf)
    ports = next((cages for cages in links if any(each is own for each in cages)), (own,))
    return [((leaf, port.label), port.speed) for port in ports]


def _gateways(
    one: Fabric, other: Fabric, ours: Overlay, theirs: Overlay
) -> Iterator[SiteConnection]:
    for leaf, gateway in ours.gateways.items():
        for link in gateway.links:
            far = theirs.gateways.get(link.peer.name)
            if far is None or link.peer.fabric != other.name:
                continue
            beyond = {target: theirs.vlans[number] for number, target in far.vlans.items()}
            bridged = {
                (vlan.name, beyond[target].name)
                for number, target in gateway.vlans.items()
                if (vlan := ours.vlans[number]).vrf is None and target in beyond
            }
            near = ((leaf, link.interface.port.label), link.interface.port.speed)
            distant = ((link.peer.name, link.peer_port.label), link.peer_port.speed)
            yield SiteConnection(
                name=gateway.name,
                fabrics=(one.name, other.name),
                leafs=(leaf, link.peer.name),
                legs=((_cable(near, distant),),),
                networks=frozenset({(vrf, vrf) for vrf in gateway.vrfs} | bridged),
            )

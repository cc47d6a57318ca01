"""The second judge of two sites: every server and port a node, by no code of the first."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

from tests.unit.survive.naive import Arcs, Naive, flow

from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Port, Server

UNLIMITED = 1 << 60
End = tuple[str, str]


class Line(NamedTuple):
    """One cable on a way: both its nodes in the flow, and the ports that have to live."""

    here: str
    there: str
    ends: frozenset[End]
    speed: int


def lines(one: Fabric, other: Fabric, vrf: str | None) -> set[Line]:
    """Return the cables by which a VRF, or anything, goes from one site to another."""
    found: set[Line] = set()
    assert one.overlay is not None
    assert other.overlay is not None
    for leaf, gateway in one.overlay.gateways.items():
        for link in gateway.links:
            ends = (leaf, link.interface.port.label), (link.peer.name, link.peer_port.label)
            if vrf is None or vrf in gateway.vrfs:
                speed = min(link.interface.port.speed, link.peer_port.speed)
                found.add(Line(leaf, link.peer.name, frozenset(ends), speed))
    for leaf, mine in one.overlay.external.items():
        for there, theirs in other.overlay.external.items():
            for near in mine:
                for far in theirs:
                    met = near.local == far.remote and near.remote == far.local
                    if met and vrf in (None, near.vrf):
                        found |= _over((one, leaf, near), (other, there, far))
    return found


def _over(
    here: tuple[Fabric, str, ExternalPeer], there: tuple[Fabric, str, ExternalPeer]
) -> set[Line]:
    """Return the cables under one session; a tunnel has those of both ends, to a carrier."""
    near, far = (ports(fabric, leaf, peer) for fabric, leaf, peer in (here, there))
    if here[2].interface.tunnel is None:
        return {
            Line(here[1], there[1], frozenset([(here[1], a.label), (there[1], b.label)]), a.speed)
            for a, b in zip(near, far, strict=True)
        }
    ways = set()
    for first, leaf, mine in ((True, here[1], near), (False, there[1], far)):
        for port in mine:
            ends = (leaf, "carrier") if first else ("carrier", leaf)
            ways.add(Line(*ends, frozenset([(leaf, port.label)]), port.speed))
    return ways


def ports(fabric: Fabric, leaf: str, peer: ExternalPeer) -> list[Port]:
    """Return the ports of a session's bundle, or its one port."""
    assert fabric.overlay is not None
    for link in fabric.overlay.edge.values():
        cages = [port.cage for port in link.cages]
        if link.leaf == leaf and peer.interface.port.cage in cages:
            return list(link.cages)
    return [peer.interface.port]


class Side(NamedTuple):
    """One site in one failure: a graph of its servers, or of none, and where it is left."""

    naive: Naive
    exits: set[str]

    def arcs(self, name: str, *, whole: bool) -> Arcs:
        """Return what carries packets up and down, each node with the name of the site."""
        own, raw = self.naive, defaultdict[str, dict[str, int]](lambda: defaultdict(int))
        for link in [*own.all, *own.up]:
            if whole or own.works(link):
                low = own.end(link) if isinstance(link.lower, Server) else link.lower.name
                raw[f"{low} up"][f"{link.upper.name} up"] += link.speed
                raw[f"{link.upper.name} down"][f"{low} down"] += link.speed
        own.over_peers(raw, whole=whole)
        for switch in own.tier:
            if whole or switch not in own.dead:
                raw[f"{switch} up"][f"{switch} down"] = UNLIMITED
        return {
            f"{name} {tail}": {f"{name} {head}": each for head, each in heads.items()}
            for tail, heads in raw.items()
        }

    def ends(self, *, whole: bool) -> dict[str, int]:
        """Return who sends, and how much."""
        if not self.naive.own:
            return {leaf: UNLIMITED for leaf in self.exits if whole or leaf not in self.naive.dead}
        return {end: self.naive.sends(end) for end in self.naive.alive}


class NaiveBetween:
    """Two sites and one VRF of them, or all, in one failure."""

    def __init__(
        self,
        fabrics: tuple[Fabric, Fabric],
        links: tuple[Iterable[Link], Iterable[Link]],
        vrf: str | None,
        *,
        dead: set[str],
        cut: set[int],
        ends: set[End],
    ) -> None:
        """Take what fails: switches, links of a site, and ports of cables between."""
        self.lines, self.gone = lines(*fabrics, vrf), ends
        self.dead = dead
        leafs = {name for line in self.lines for name in (line.here, line.there)}
        self.sides = []
        for fabric, mine in zip(fabrics, links, strict=True):
            names = {switch.name for switch in fabric.topology.switches}
            naive = Naive(fabric.topology, mine, (), joined=True, dead=dead, cut=cut)
            self.sides.append(Side(naive, leafs & names))

    def flow(self, *, whole: bool) -> int:
        """Return the smaller of both directions."""
        return min(self.one_way(0, whole=whole), self.one_way(1, whole=whole))

    def one_way(self, sender: int, *, whole: bool) -> int:
        """Return what one site can send to the other."""
        arcs: Arcs = {"s": {}}
        for number, side in enumerate(self.sides):
            arcs |= side.arcs(str(number), whole=whole)
        taker = 1 - sender
        arcs["s"] = {
            f"{sender} {end} up": each for end, each in self.sides[sender].ends(whole=whole).items()
        }
        for end, each in self.sides[taker].ends(whole=whole).items():
            arcs.setdefault(f"{taker} {end} down", {})["t"] = each
        for line in self.lines:
            if not whole and (line.ends & self.gone or {leaf for leaf, _ in line.ends} & self.dead):
                continue
            tail, head = (line.here, line.there) if sender == 0 else (line.there, line.here)
            start = tail if tail == "carrier" else f"{sender} {tail} down"
            stop = head if head == "carrier" else f"{taker} {head} up"
            into = arcs.setdefault(start, {})
            into[stop] = into.get(stop, 0) + line.speed
        return flow(arcs)

    def kept(self, whole: int) -> tuple[Fraction, bool]:
        """Return the share that is left, and whether nothing is. whole: with nothing gone."""
        after = self.flow(whole=False)
        if not after:
            return Fraction(not whole), bool(whole)
        return Fraction(after, self.flow(whole=True)), False

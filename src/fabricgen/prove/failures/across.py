"""Computes the bandwidth between two sites that each VRF keeps in a failure.

A flow goes from all servers of a VRF at one site to all at the other. It goes up and down inside
each site, and over the cables between them. The smaller of both directions counts.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from fabricgen.core.record import record
from fabricgen.model.fabric.between import Outward, SiteConnection, outward, ways_between
from fabricgen.model.fabric.failures import Fails, Together
from fabricgen.model.fabric.switch import Fabric
from fabricgen.prove.failures.colors import Colors, colored
from fabricgen.prove.failures.failures import Failure, dark_of, singles, together
from fabricgen.prove.failures.flow import (
    SINK,
    SOURCE,
    UNLIMITED,
    Arcs,
    add_arc,
    climb,
    largest_flow,
    members_of,
)
from fabricgen.prove.failures.groups import FABRIC, TENANT, Group, groups_of
from fabricgen.prove.failures.network import ALL, Damage, Left, damage, net_of

Fabrics = tuple["Fabric", "Fabric"]


@record(kw_only=True)
class Joined:
    """Connection of two sites: all of it, or a VRF or bridged VLAN. `within`: its name at each.

    The name of the whole connection contains both sites.
    """

    sites: tuple[str, str]
    within: tuple[str, str] | None

    @property
    def label(self) -> str:
        """Return its name for people."""
        return self.within[0] if self.within is not None else " -- ".join(self.sites)


@record(kw_only=True)
class Kept:
    """Remaining bandwidth of a connection in a failure. `lost`: all of it is lost."""

    share: Fraction
    lost: bool


@record(eq=False, kw_only=True)
class Crossed:
    """Failures of one kind with equal results between two sites. `kept`: result by network."""

    failures: tuple[Failure, ...]
    kept: dict[Joined, Kept]


def surveyed_between(
    fabrics: Sequence[Fabric], named: Iterable[Together]
) -> dict[tuple[str, str], list[Crossed]]:
    """Return the remaining bandwidth of each two joined sites, in every failure between them."""
    pairs = _pairs(fabrics)
    named = list(named)
    return {names: pair.rows([*pair.singles(), *pair.together(named)]) for names, pair in pairs}


def lost_between(fabrics: Sequence[Fabric], what: Together) -> dict[tuple[str, str], list[Crossed]]:
    """Return the remaining bandwidth of each two joined sites in one failure."""
    return {names: pair.rows(pair.together([what])) for names, pair in _pairs(fabrics)}


def _pairs(fabrics: Sequence[Fabric]) -> "list[tuple[tuple[str, str], _Pair]]":
    by_name = {fabric.name: fabric for fabric in fabrics}
    ways: dict[tuple[str, str], list[SiteConnection]] = {}
    for way in ways_between(fabrics):
        ways.setdefault(way.fabrics, []).append(way)
    return [
        ((one, other), _Pair((by_name[one], by_name[other]), tuple(mine)))
        for (one, other), mine in ways.items()
    ]


@dataclass(eq=False)
class _Pair:
    """Two joined sites."""

    fabrics: Fabrics
    ways: tuple[SiteConnection, ...]
    crossings: "dict[Joined, _Crossing]" = field(init=False)

    def __post_init__(self) -> None:
        """Build the graphs of all traffic between them."""
        names = self.fabrics[0].name, self.fabrics[1].name
        inside = sorted({each for way in self.ways for each in way.networks})
        self.crossings = {
            each: _Crossing.of(each, self.fabrics, self.ways)
            for each in (Joined(sites=names, within=within) for within in (None, *inside))
        }

    def singles(self) -> Iterator[Failure]:
        """Yield the cables between the sites, then the elements in each site."""
        for cable in outward(self.ways):
            yield Failure(kind=Fails.SITE_LINK, name=cable.name, cables=(cable,))
        leafs = {leaf for way in self.ways for leaf in way.leafs}
        for fabric in self.fabrics:
            for failure in singles(fabric):
                below = {*failure.switches, *(link.lower.name for link in failure.links)}
                if failure.kind in (Fails.SPINE, Fails.SUPERSPINE) or (
                    failure.kind in (Fails.LEAF, Fails.LINK) and below & leafs
                ):
                    yield failure

    def together(self, named: Iterable[Together]) -> Iterator[Failure]:
        """Yield the joint failures of the intent, in both sites at once."""
        ends = {end: cable for cable in outward(self.ways) for end in cable.ends}
        for each in named:
            parts = [part for fabric in self.fabrics for part in together(fabric, [each])]
            cables = tuple(dict.fromkeys(ends[port] for port in each.ports if port in ends))
            if parts or cables:
                yield Failure(
                    kind=each.kind,
                    name=each.name,
                    switches=tuple(name for part in parts for name in part.switches),
                    links=tuple(link for part in parts for link in part.links),
                    cables=cables,
                )

    def rows(self, failures: Iterable[Failure]) -> list[Crossed]:
        """Compute failures, and group those with equal results."""
        alike: dict[object, tuple[list[Failure], dict[Joined, Kept]]] = {}
        idle = tuple(sorted(self.fabrics[0].idle | self.fabrics[1].idle))
        dark = tuple(link for fabric in self.fabrics for link in dark_of(fabric))
        for failure in (replace(each, idle=idle, dark=dark) for each in failures):
            kept = {each: crossing.kept(failure) for each, crossing in self.crossings.items()}
            named = failure.name if failure.kind in (Fails.DOUBLE, Fails.POWER_ZONE) else ""
            key = failure.kind, named, *kept.values()
            alike.setdefault(key, ([], kept))[0].append(failure)
        return [Crossed(failures=tuple(some), kept=kept) for some, kept in alike.values()]


@dataclass(eq=False, kw_only=True)
class _Crossing:
    """One network of two sites: the graph of each, and the connections that carry it."""

    sides: tuple[Colors, Colors]
    ways: tuple[SiteConnection, ...]
    whole: int = 0

    @classmethod
    def of(cls, what: Joined, fabrics: Fabrics, ways: Sequence[SiteConnection]) -> "_Crossing":
        mine = tuple(way for way in ways if what.within is None or what.within in way.networks)
        one, other = (
            _side(fabric, what.within and what.within[number], {way.leafs[number] for way in mine})
            for number, fabric in enumerate(fabrics)
        )
        crossing = cls(sides=(one, other), ways=mine)
        crossing.whole = crossing.flow((Damage(one.net), Damage(other.net)), frozenset())
        return crossing

    def kept(self, failure: Failure) -> Kept:
        """Return the remaining share in a failure, for the servers that still have a port."""
        hurt = self.hurt(failure)
        after = self.flow(hurt, frozenset(failure.cables))
        if not after:
            return Kept(share=Fraction(not self.whole), lost=bool(self.whole))
        before = self.flow(hurt, frozenset(), whole=True)
        return Kept(share=Fraction(after, before), lost=False)

    def hurt(self, failure: Failure) -> tuple[Damage, Damage]:
        """Return the failed elements in each site."""
        one, other = (
            damage(side.net, failure.gone, failure.cut) or Damage(side.net) for side in self.sides
        )
        return one, other

    def flow(
        self,
        hurt: tuple[Damage, Damage],
        cut: frozenset[Outward],
        *,
        whole: bool = False,
    ) -> int:
        """Return the smaller of both flows. `whole`: of the living servers, without the failure."""
        halves = [
            _Half.of(side, each, {way.leafs[number] for way in self.ways}, whole=whole)
            for number, (side, each) in enumerate(zip(self.sides, hurt, strict=True))
        ]
        return min(self._one_way(halves, cut, *turn) for turn in ((0, 1), (1, 0)))

    def _one_way(
        self, halves: "Sequence[_Half]", cut: frozenset[Outward], sender: int, taker: int
    ) -> int:
        arcs = Arcs()
        halves[sender].send(arcs)
        halves[taker].take(arcs)
        for leg in {leg for way in self.ways for leg in way.legs}:
            speeds = sum(cable.speed for cable in leg if cable not in cut)
            add_arc(arcs, (leg, "in"), (leg, "out"), speeds)
        for way in self.ways:
            legs = way.legs if sender == 0 else way.legs[::-1]
            near = halves[sender].stop(way.leafs[sender], "from", "down")
            for leg in legs:
                add_arc(arcs, near, (leg, "in"), UNLIMITED)
                near = leg, "out"
            add_arc(arcs, near, halves[taker].stop(way.leafs[taker], "to", "up"), UNLIMITED)
        return largest_flow(arcs)


@record(eq=False, kw_only=True)
class _Half:
    """One site in one failure. `exits`: leafs with connections. `left`: remaining link capacity."""

    colors: Colors
    alive: frozenset[int]
    exits: tuple[int, ...]
    left: Left

    @classmethod
    def of(cls, side: Colors, hurt: Damage, leafs: Iterable[str], *, whole: bool) -> "_Half":
        net = hurt.net
        exits = tuple(sorted(net.node[leaf] for leaf in leafs))
        touched = hurt.touched - set(exits)
        return cls(
            colors=side.over(net).apart(*((node,) for node in (*exits, *touched))),
            alive=frozenset(node for node in net.endpoints() if hurt.alive(node)),
            exits=tuple(node for node in exits if whole or node not in hurt.dead),
            left=(lambda one, other: net.near[one][other]) if whole else hurt.left,
        )

    def stop(self, leaf: str, site: str, turn: str) -> Hashable:
        """Return the flow node of a leaf."""
        return site, self.colors.of[self.colors.net.node[leaf]], turn

    def send(self, arcs: Arcs) -> None:
        """Add the site as sender."""
        for color, capacity in self._climb(arcs, "from"):
            add_arc(arcs, SOURCE, ("from", color, "up"), capacity)

    def take(self, arcs: Arcs) -> None:
        """Add the site as receiver."""
        for color, capacity in self._climb(arcs, "to"):
            add_arc(arcs, ("to", color, "down"), SINK, capacity)

    def _climb(self, arcs: Arcs, site: str) -> Iterator[tuple[int, int]]:
        """Add the arcs; yield senders and receivers: without servers, its exits."""
        net, of = self.colors.net, self.colors.of
        for tail, head, capacity in climb(self.colors, self.alive, ALL, self.left, site):
            add_arc(arcs, tail, head, capacity)
        if not net.ends:
            yield from ((of[node], UNLIMITED) for node in self.exits)
        for color in {of[node] for node in self.alive}:
            one = next(iter(self.colors.nodes[color]))
            yield color, members_of(self.colors, color) * net.capacity[one]


def _side(fabric: Fabric, within: str | None, leafs: set[str]) -> Colors:
    """Return the graph classes of a network at one site; all servers for the whole."""
    groups = groups_of(fabric)
    wanted = (FABRIC, "") if within is None else (TENANT, within)
    none = Group(kind=TENANT, name="", within="", links=())
    group = next((each for each in groups if (each.kind, each.within) == wanted), none)
    pairs = {each.shared for each in fabric.topology.switches if each.name in leafs}
    both = {each.name for each in fabric.topology.switches if each.is_leaf and each.shared in pairs}
    return colored(net_of(fabric.topology, replace(group, exits=frozenset(both))))

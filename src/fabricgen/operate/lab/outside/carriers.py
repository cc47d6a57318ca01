"""Plan the external routers that carry tunnels between sites.

A carrier's network is a cable between the two routing tables by which both ends of a tunnel leave.
Each table has a route to the subnet of the other end's leaf.
"""

from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence

from fabricgen.core.record import record
from fabricgen.model.fabric.external import EdgeLink
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.operate.lab.outside.routers import Router, Table
from fabricgen.operate.lab.plan import LabCable


def between_sites(site: Site, wanted: Container[str]) -> Iterator[LabCable]:
    """Yield the cables of links with both ends among these switches.

    A LAG whose ends have different numbers of cages has as many cables as the smaller end.
    """
    for (leaf, one), (far, other) in _links(site, wanted):
        for near, away in zip(one.cages, other.cages, strict=False):
            yield LabCable(
                a=leaf.name, a_port=spell(leaf, near), b=far.name, b_port=spell(far, away)
            )


def joined(
    site: Site, wanted: Container[str], tunnels: Collection[str]
) -> frozenset[tuple[str, str]]:
    """Return the sessions over these links and tunnels, by switch and label."""
    there = {end[1].name for ends in _links(site, wanted) for end in ends} | {*tunnels}
    return frozenset(
        (leaf, peer.label)
        for fabric in site.fabrics
        if fabric.overlay is not None
        for leaf, peers in fabric.overlay.external.items()
        for peer in peers
        if peer.joins in there
    )


def _links(site: Site, wanted: Container[str]) -> Iterator[list[tuple[Switch, EdgeLink]]]:
    """Yield both ends of each link in the lab."""
    ends: dict[str, list[tuple[Switch, EdgeLink]]] = defaultdict(list)
    for fabric in site.fabrics:
        switches = {each.name: each for each in fabric.topology.switches}
        for link in fabric.overlay.edge.values() if fabric.overlay is not None else ():
            if link.because.main[:1] == ("dci",) and link.leaf in wanted:
                ends[link.name].append((switches[link.leaf], link))
    yield from (both for both in ends.values() if len(both) == 2)


@record(kw_only=True)
class Way:
    """One end of a path. link: name of the tunnel. to: the remote subnet, through `via`."""

    link: str
    router: str
    table: str
    device: str
    address: str
    to: str
    via: str
    mtu: int


def carriers(site: Site, every: Iterable[Router]) -> tuple[tuple[Way, Way], ...]:
    """Return both ends of each path."""
    tables = {
        (table.fabric.name, session.vrf, session.local.value): (router, table)
        for router in every
        for table in router.tables
        for session in table.sessions
        if session.version == 4
    }
    ends: dict[str, dict[str, tuple[Router, Table]]] = {}
    for fabric in site.fabrics:
        for peer in fabric.overlay.peers if fabric.overlay is not None else ():
            tunnel = peer.interface.tunnel
            if tunnel is not None:
                end = tables.get((fabric.name, tunnel.vrf, tunnel.local.value))
                if end is not None:
                    ends.setdefault(peer.joins, {})[fabric.name] = end
    both = ((name, tuple(of.values())) for name, of in ends.items())
    return tuple(
        _ways(name, number, *pair)
        for number, (name, pair) in enumerate(((n, each) for n, each in both if len(each) == 2), 1)
    )


def _ways(
    name: str, number: int, near: tuple[Router, Table], far: tuple[Router, Table]
) -> tuple[Way, Way]:
    hosts = (f"169.254.{number}.1", f"169.254.{number}.2")
    mtu = min(table.uplink.mtu for _, table in (near, far))
    one, other = (
        Way(
            link=name,
            router=router.name,
            table=table.name,
            device=f"c{number}{side}",
            address=f"{here}/30",
            to=_subnet(beyond[1]),
            via=there,
            mtu=mtu,
        )
        for side, (router, table), beyond, here, there in (
            ("a", near, far, *hosts),
            ("b", far, near, *hosts[::-1]),
        )
    )
    return one, other


def _subnet(table: Table) -> str:
    return next(each.local.prefix for each in table.sessions if each.version == 4)


def commands_of(ways: Iterable[Way]) -> Iterator[str]:
    """Yield the commands that attach these ends to their tables."""
    for way in ways:
        yield f"link set {way.device} master {way.table}"
        yield f"link set {way.device} mtu {way.mtu} up"
        yield f"address add {way.address} dev {way.device}"


def cables_of(every: Sequence[tuple[Way, Way]]) -> Iterator[LabCable]:
    """Yield the cables of paths; both ends may be in one router."""
    for one, other in every:
        yield LabCable(a=one.router, a_port=one.device, b=other.router, b_port=other.device)


def by_router(every: Iterable[tuple[Way, Way]]) -> Mapping[str, list[Way]]:
    """Return the path ends of each router."""
    own: dict[str, list[Way]] = {}
    for pair in every:
        for way in pair:
            own.setdefault(way.router, []).append(way)
    return own

"""Plan the external FRR routers of a site, and a host behind each of their tables.

A separate template writes the external side, so an error of a platform does not occur on both
sides.
"""

from collections.abc import Container, Iterator, Sequence

from fabricgen.compile.attached.host import Endpoint
from fabricgen.compile.render import Renderer
from fabricgen.core.record import record
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.switch import Site
from fabricgen.model.settings.setting import placeholder
from fabricgen.nos.lowering import spell
from fabricgen.operate.lab.outside.carriers import (
    Way,
    between_sites,
    by_router,
    cables_of,
    carriers,
    commands_of,
    joined,
)
from fabricgen.operate.lab.outside.routers import Router, Table, routers
from fabricgen.operate.lab.plan import LabCable, LabHost, LabRouter

_NEAR, _FAR = "169.254.255.1", "169.254.255.2"
_NEAR6, _FAR6 = "fe80::1", "fe80::2"
"""Addresses of a router and the host behind one of its tables; other links do not use them."""
_DAEMONS = "bgpd=yes\nbfdd=yes\nospfd=yes\n"
_SYSCTL = """\
net.ipv4.ip_forward=1
net.ipv6.conf.all.forwarding=1
net.ipv4.conf.all.rp_filter=0
net.ipv4.conf.default.rp_filter=0
net.ipv6.conf.all.accept_dad=0
net.ipv6.conf.default.accept_dad=0
"""
_BOND = "mode 802.3ad lacp_rate fast miimon 100 xmit_hash_policy layer3+4"


@record(kw_only=True)
class _Route:
    """A route to the host of a table, or to the remote end of a tunnel."""

    family: str  # ip | ipv6
    prefix: str
    via: str


@record(kw_only=True)
class _Profile:
    """BFD timers in ms, as in the fabric, because the slower end decides."""

    name: str
    interval: int
    multiplier: int


@record(kw_only=True)
class _Session:
    """One session from this side; empty fields are not set. route_map: its route map."""

    leaf: str
    leaf_asn: int
    bfd: str
    password: str
    family: str  # ipv4 | ipv6
    offers: tuple[str, ...]
    route_map: str
    communities: str
    origin: str


@record(kw_only=True)
class _Vrf:
    """One table. router_id: any number except 0 and the leaf's (RFC 6286).

    area: OSPF area of its device, or empty. default: it advertises a default route.
    """

    name: str
    asn: int
    router_id: str
    routes: tuple[_Route, ...]
    sessions: tuple[_Session, ...]
    area: str
    device: str
    default: bool


@record(kw_only=True)
class _View:
    """Input of the template."""

    name: str
    tables: tuple[_Vrf, ...]
    profiles: tuple[_Profile, ...]


@record(kw_only=True)
class Outside:
    """External side. endpoints: behind the routers. answered: peers by switch and label."""

    routers: tuple[LabRouter, ...]
    hosts: tuple[LabHost, ...]
    cables: tuple[LabCable, ...]
    endpoints: tuple[Endpoint, ...]
    answered: frozenset[tuple[str, str]]


def outside_of(site: Site, leafs: Container[str]) -> Outside:
    """Return the external side of these leafs, including cables of links between sites."""
    every = routers(site, leafs)
    ways = carriers(site, every)
    carrying = by_router(ways)
    return Outside(
        routers=tuple(_play(router, carrying.get(router.name, ())) for router in every),
        hosts=tuple(host for router in every for host in _hosts(router)),
        cables=(
            *between_sites(site, leafs),
            *(cable for router in every for cable in _cables(router)),
            *cables_of(ways),
        ),
        endpoints=tuple(each for router in every for each in _endpoints(router)),
        answered=joined(site, leafs, {one.link for one, _ in ways}).union(
            *(router.answers for router in every)
        ),
    )


def _play(router: Router, ways: Sequence[Way]) -> LabRouter:
    """Return the plan of a router. ways: its tunnel paths."""
    frr = Renderer().section("lab/outside", _view(router, ways))
    files = {
        "etc/frr/frr.conf": frr,
        "etc/frr/daemons": _DAEMONS,
        "etc/sysctl.d/90-outside.conf": _SYSCTL,
    }
    return LabRouter(
        name=router.name,
        folder=f"outside/{router.name}",
        files=files,
        commands=(*_commands(router), *commands_of(ways)),
        plays=_plays(router),
    )


def _plays(router: Router) -> str:
    """Describe its role and its routes."""
    return "; ".join(
        _who(table) + ", ".join(offer.prefix.prefix for offer in table.offers)
        for table in router.tables
    )


def _who(table: Table) -> str:
    first, place = table.sessions[0], f"to {table.vrf} on {table.uplink.leaf.name}"
    if first.speaks:
        return f"AS {first.peer_asn} {place}, announces "
    if first.floods:
        return f"OSPF {place}, announces "
    return f"static routes {place}, reaches "


def _commands(router: Router) -> Iterator[str]:
    for uplink in router.uplinks:
        if uplink.bundle:
            yield f"link add {uplink.device} type bond {_BOND}"
        for port in uplink.ports if uplink.bundle else ():
            yield f"link set {port} down"
            yield f"link set {port} master {uplink.device}"
        yield f"link set {uplink.device} mtu {uplink.mtu} up"
    for place, table in enumerate(router.tables, 1):
        yield from _table(table, f"h{place}")


def _table(table: Table, inner: str) -> Iterator[str]:
    """Yield the commands for a VRF and its links; a link that joins loses its addresses."""
    device, tag = table.device, table.sessions[0].interface.tag
    yield f"link add {table.name} type vrf table {table.number}"
    yield f"link set {table.name} up"
    if tag is not None:
        yield f"link add link {table.uplink.device} name {device} type vlan id {tag}"
    for each in (device, inner):
        yield f"link set {each} master {table.name}"
        yield f"link set {each} mtu {table.uplink.mtu} up"
    for session in table.sessions:
        yield f"address add {session.remote} dev {device}"
    yield f"address add {_NEAR}/30 dev {inner}"
    yield f"address add {_NEAR6}/64 dev {inner}"


def _view(router: Router, ways: Sequence[Way]) -> _View:
    fabrics = {table.fabric.name: table.fabric for table in router.tables}
    return _View(
        name=router.name,
        tables=tuple(
            _vrf(table, place, [way for way in ways if way.table == table.name])
            for place, table in enumerate(router.tables, 1)
        ),
        profiles=tuple(
            _Profile(name=name, interval=int(bfd.interval), multiplier=bfd.multiplier)
            for name, fabric in fabrics.items()
            for bfd in (fabric.routing.bfd,)
            if bfd is not None
        ),
    )


def _vrf(table: Table, number: int, ways: Sequence[Way]) -> _Vrf:
    return _Vrf(
        name=table.name,
        asn=table.sessions[0].peer_asn,
        router_id=f"0.0.0.{number}",
        routes=(
            *(
                _Route(
                    family="ip" if offer.prefix.version == 4 else "ipv6",
                    prefix=offer.prefix.prefix,
                    via=_FAR if offer.prefix.version == 4 else f"{_FAR6} h{number}",
                )
                for offer in table.offers
            ),
            *(_Route(family="ip", prefix=way.to, via=way.via) for way in ways),
            *_back(table),
        ),
        sessions=tuple(_session(table, session) for session in table.sessions if session.speaks),
        area=table.sessions[0].area,
        device=table.device,
        default=any(not offer.prefix.length for offer in table.offers),
    )


def _back(table: Table) -> Iterator[_Route]:
    """Yield the return routes of a router without a routing protocol."""
    for session in table.sessions:
        for rule in session.announce if session.protocol == "static" else ():
            yield _Route(
                family="ip" if session.version == 4 else "ipv6",
                prefix=rule.prefix.prefix,
                via=session.local.host,
            )


def _session(table: Table, peer: ExternalPeer) -> _Session:
    border = peer.border
    strange = border.origins and peer.peer_asn not in border.origins
    return _Session(
        leaf=peer.local.host,
        leaf_asn=border.local_asn or table.fabric.routing.asns.asn(table.uplink.leaf),
        bfd=table.fabric.name if peer.bfd else "",
        password=placeholder(border.password) if border.password is not None else "",
        family=f"ipv{peer.version}",
        offers=tuple(
            offer.prefix.prefix for offer in table.offers if offer.prefix.version == peer.version
        ),
        route_map=f"TO-{peer.label}",
        communities=" ".join(border.require),
        origin=str(border.origins[0]) if strange else "",
    )


def _hosts(router: Router) -> Iterator[LabHost]:
    """Yield the hosts behind a router; each has the addresses of its table's offers."""
    for table in router.tables:
        yield LabHost(
            name=table.host,
            interfaces=(),
            commands=(
                "link set lo up",
                f"link set eth0 mtu {table.uplink.mtu} up",
                f"address add {_FAR}/30 dev eth0",
                f"address add {_FAR6}/64 dev eth0 nodad",
                *(f"address add {each} dev lo" for each in table.addresses),
                f"route add default via {_NEAR} dev eth0",
                f"-6 route add default via {_NEAR6} dev eth0",
            ),
        )


def _cables(router: Router) -> Iterator[LabCable]:
    """Yield the cables of a router: to its leafs, and to the hosts behind it."""
    for uplink in router.uplinks:
        for port, far in zip(uplink.ports, uplink.leaf_ports, strict=True):
            yield LabCable(
                a=uplink.leaf.name,
                a_port=spell(uplink.leaf, far.port),
                b=router.name,
                b_port=port,
            )
    for place, table in enumerate(router.tables, 1):
        yield LabCable(a=table.host, a_port="eth0", b=router.name, b_port=f"h{place}")


def _endpoints(router: Router) -> Iterator[Endpoint]:
    """Yield the endpoints behind a router. leaf: the leaf of the site."""
    for table in router.tables:
        for address in table.addresses:
            yield Endpoint(
                name=table.host,
                host=table.host,
                fabric=table.fabric.name,
                device="eth0",
                address=address.host,
                gateway=_NEAR6 if address.version == 6 else _NEAR,
                group=table.vrf,
                segment=table.sessions[0].name,
                leaf=table.uplink.leaf.name,
                mtu=table.uplink.mtu,
            )

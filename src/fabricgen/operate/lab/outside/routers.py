"""Plan the external routers that peer with a site.

A router has the name of the link, or of the peer if that has its own cage. A unit of a firewall
pair is one router, independent of its links. Each peer has its own table there, so the same
addresses may occur in several VRFs. The router offers the prefixes that the site accepts, with a
path and communities that pass.
"""

from collections.abc import Container, Iterable, Iterator
from ipaddress import ip_address

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer, PrefixRule
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch

_ANYWHERE = {4: Ip(int(ip_address("198.18.0.1")), 32), 6: Ip(int(ip_address("2001:2::1")), 128, 6)}
"""Host behind a default route: test addresses (RFC 2544, RFC 5180) that no site uses."""
_VRF_LENGTH = 15  # a VRF is an interface: IFNAMSIZ of linux/if.h, without the zero


@record(kw_only=True)
class Offer:
    """A prefix that a router announces. host: address for tests; None if none is free."""

    prefix: Ip
    host: Ip | None


@record(kw_only=True)
class Uplink:
    """A cable or LAG to a leaf. device: interface of `ports`. leaf_ports: in the same order."""

    device: str
    ports: tuple[str, ...]
    leaf: Switch
    leaf_ports: tuple[Interface, ...]

    @property
    def bundle(self) -> bool:
        """Check whether the uplink uses LACP."""
        return self.leaf_ports[0].lag is not None

    @property
    def mtu(self) -> int:
        """Return the MTU, which all tags share."""
        return self.leaf_ports[0].mtu


@record(kw_only=True)
class Table:
    """The configuration of a router for one external peer. sessions: one per IP version.

    name: of its VRF at the router; number: of its table there. host: the host behind it.
    """

    name: str
    host: str
    number: int
    fabric: Fabric
    uplink: Uplink
    sessions: tuple[ExternalPeer, ...]
    offers: tuple[Offer, ...]

    @property
    def vrf(self) -> str:
        """Return the VRF of the site."""
        return self.sessions[0].vrf

    @property
    def addresses(self) -> tuple[Ip, ...]:
        """Return the addresses of its host without duplicates, which overlapping prefixes cause."""
        return tuple(dict.fromkeys(each.host for each in self.offers if each.host is not None))

    @property
    def device(self) -> str:
        """Return the interface towards the leaf."""
        tag = self.sessions[0].interface.tag
        return self.uplink.device if tag is None else f"{self.uplink.device}.{tag}"


@record(kw_only=True)
class Router:
    """One external router."""

    name: str
    uplinks: tuple[Uplink, ...]
    tables: tuple[Table, ...]

    @property
    def answers(self) -> frozenset[tuple[str, str]]:
        """Return the sessions that it answers, by leaf and label."""
        return frozenset(
            (table.uplink.leaf.name, session.label)
            for table in self.tables
            for session in table.sessions
        )


@record(kw_only=True)
class _Peer:
    """Both sessions of an external peer, and the ports of its leaf."""

    fabric: Fabric
    leaf: Switch
    router: str
    ports: tuple[Interface, ...]
    sessions: tuple[ExternalPeer, ...]


def routers(site: Site, leafs: Container[str]) -> tuple[Router, ...]:
    """Return the external routers with a cable to one of these leafs, sorted by name."""
    behind: dict[str, list[_Peer]] = {}
    for fabric in site.fabrics:
        for peer in _peers(fabric, leafs):
            behind.setdefault(peer.router, []).append(peer)
    return tuple(_router(name, behind[name]) for name in sorted(behind))


def _peers(fabric: Fabric, leafs: Container[str]) -> Iterator[_Peer]:
    if fabric.overlay is None:
        return
    switches = {each.name: each for each in fabric.topology.switches}
    units = {
        link: f"{pair.name}-{number}"
        for pair in fabric.overlay.firewalls.values()
        for number, links in enumerate(pair.units, 1)
        for link in links
    }
    for leaf, sessions in fabric.overlay.external.items():
        own: dict[tuple[str, str], list[ExternalPeer]] = {}
        for session in sessions:
            if leaf in leafs and not session.joins:
                own.setdefault((session.vrf, session.name), []).append(session)
        for both in own.values():
            first = both[0].interface
            link = next(
                (
                    each
                    for each in fabric.overlay.edge.values()
                    if each.leaf == leaf and first.port in each.cages
                ),
                None,
            )
            name = link.name if link is not None else both[0].name
            yield _Peer(
                fabric=fabric,
                leaf=switches[leaf],
                router=f"out-{units.get(name, name)}",
                ports=link.ports if link is not None else (first,),
                sessions=tuple(both),
            )


def _router(name: str, peers: Iterable[_Peer]) -> Router:
    uplinks: dict[tuple[str, int], Uplink] = {}
    tables: list[Table] = []
    for number, peer in enumerate(peers, 1):
        key = (peer.leaf.name, peer.ports[0].port.cage)
        if key not in uplinks:
            used = sum(len(each.ports) for each in uplinks.values())
            uplinks[key] = _uplink(peer, len(uplinks) + 1, used)
        vrf = peer.sessions[0].vrf
        own = _distinct(vrf, number, {table.name for table in tables})
        tables.append(
            Table(
                name=own,
                host=f"{name}-{own}",
                number=1000 + number,
                fabric=peer.fabric,
                uplink=uplinks[key],
                sessions=peer.sessions,
                offers=tuple(_offers(peer)),
            )
        )
    return Router(name=name, uplinks=tuple(uplinks.values()), tables=tuple(tables))


def _distinct(vrf: str, number: int, taken: Container[str]) -> str:
    """Return the site's name of a VRF, with a number if the router already uses the name."""
    return vrf if vrf not in taken else f"{vrf[: _VRF_LENGTH - 4]}-{number}"


def _uplink(peer: _Peer, number: int, used: int) -> Uplink:
    """Return the uplink with this number; used: ports of earlier uplinks."""
    ports = tuple(f"p{used + place}" for place, _ in enumerate(peer.ports, 1))
    bundle = peer.ports[0].lag is not None
    return Uplink(
        device=f"bond{number}" if bundle else ports[0],
        ports=ports,
        leaf=peer.leaf,
        leaf_ports=peer.ports,
    )


def _offers(peer: _Peer) -> Iterator[Offer]:
    """Yield offers for accepted prefixes: the first one with the shortest length per rule."""
    assert peer.fabric.overlay is not None
    vrf = peer.sessions[0].vrf
    taken = [
        gateway
        for vlan in peer.fabric.overlay.vlans.values()
        if vlan.vrf == vrf
        for gateway in vlan.gateways
    ]
    taken += [each.local for each in peer.fabric.overlay.peers if each.vrf == vrf]
    for session in peer.sessions:
        for rule in session.accept:
            prefix = offered(rule)
            yield Offer(prefix=prefix, host=_host(prefix, taken))


def offered(rule: PrefixRule) -> Ip:
    """Return the prefix that a router announces for a rule."""
    return rule.prefix._replace(length=rule.allowed.shortest)


def _host(prefix: Ip, taken: Iterable[Ip]) -> Ip | None:
    """Return the first address of a prefix that is in no subnet of the VRF."""
    if prefix.length == 0:
        return _ANYWHERE[prefix.version]
    first, last = prefix.network
    value = min(first + 1, last)
    for subnet in sorted(taken, key=lambda each: each.network):
        low, high = subnet.network
        if subnet.version == prefix.version and low <= value <= high:
            value = high + 1
    whole = 32 if prefix.version == 4 else 128
    return Ip(value, whole, prefix.version) if value <= last else None

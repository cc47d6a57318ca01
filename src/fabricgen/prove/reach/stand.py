"""Defines the stations of the model, including those behind static routes.

A next hop that no known server has is assumed at the first port with its VLAN, because no design
locates it.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.nos.hosts.bridged import Member
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.prove.walk.packet import Station


@record(eq=False, kw_only=True)
class Touch:
    """A server's interface in one network, at one switch; a bond over two leafs has two."""

    switch_slice: SwitchSlice
    interface: Interface
    server: Server
    nic: Nic
    vlan: Vlan | None


@record(eq=False, kw_only=True)
class Stand:
    """A station and its place in the model. `peer`: of an external one. `vlan`: of one in a VLAN.

    `session`: the BGP session of a server on a routed port. `route`: the static route before it.
    `kind`: of a server, its kind in `servers`. `replicas`: of an application, its servers at each
    site.
    """

    station: Station
    fabric: Fabric
    switch_slice: SwitchSlice
    leafs: tuple[str, ...]
    vrf: str | None
    because: Provenance
    nic: Nic | None = None
    vlan: Vlan | None = None
    host: HostSlice | None = None
    member: Member | None = None
    peer: ExternalPeer | None = None
    session: ExternalPeer | None = None
    route: VrfRoute | None = None
    kind: str = ""
    replicas: tuple["Stand", ...] = ()


_TRIES = 64


def beyond(
    overlay: Overlay,
    placed: Callable[[VrfRoute], Iterable[Stand]],
    anywhere: Callable[[int], Ip],
) -> Iterator[Stand]:
    """Yield a station for each network behind static routes.

    `placed`: stations in the subnet of a next hop. `anywhere`: target of a default route.
    """
    every: dict[tuple[str, Ip], list[VrfRoute]] = defaultdict(list)
    for route in overlay.routes:
        every[route.vrf, route.prefix].append(route)
    for (vrf, prefix), routes in every.items():
        hops = [hop for route in routes if (hop := _hop(route, placed(route))) is not None]
        if hops:
            inside = anywhere(prefix.version) if not prefix.length else prefix
            address = _free(inside, nearer(overlay, vrf, prefix.length))
            yield _behind(f"{vrf} {prefix.prefix}", routes[0], address, hops)


def nearer(overlay: Overlay, vrf: str, length: int) -> list[Ip]:
    """Return the prefixes of a VRF that are longer than a length."""
    subnets = (own for vlan in overlay.vlans.values() if vlan.vrf == vrf for own in vlan.gateways)
    routes = (route.prefix for route in overlay.routes if route.vrf == vrf)
    heard = (
        rule.prefix._replace(length=max(rule.allowed.shortest, rule.prefix.length))
        for peer in overlay.peers
        if peer.vrf == vrf and peer.tells
        for rule in peer.accept
        if rule.allowed.longest > length
    )
    return [*(each for each in chain(subnets, routes) if each.length > length), *heard]


def _hop(route: VrfRoute, stands: Iterable[Stand]) -> Stand | None:
    """Return the next hop with its address: its holder, or the first station in its subnet."""
    found = None
    for stand in stands:
        own = stand.station.address(route.by.version)
        found = found or stand
        if own is not None and int(own.ip) == route.by.value:
            found = stand
            break
    if found is None:
        return None
    address = f"{route.by.host}/{route.near.length}"
    return replace(found, station=replace(found.station, addresses=(address,), told=False))


def _behind(name: str, route: VrfRoute, address: Ip, hops: list[Stand]) -> Stand:
    first = hops[0]
    station = Station(
        name=name,
        node=name,
        device="",
        fabric=first.fabric.name,
        network=f"{first.fabric.name} {route.vrf} routed",
        ends=first.station.ends if first.peer is not None else (),
        addresses=(str(address),),
        outside=first.peer is not None,
        asn=first.station.asn,
        behind=tuple(hop.station for hop in hops),
    )
    leafs = tuple(dict.fromkeys(leaf for hop in hops for leaf in hop.leafs))
    return replace(
        first, station=station, leafs=leafs, because=route.because, host=None, route=route
    )


def _free(prefix: Ip, others: list[Ip]) -> Ip:
    """Return an address of a prefix outside longer prefixes, or the first one."""
    first, last = prefix.network
    step = max((last - first) // _TRIES, 1)
    tries = (prefix._replace(value=min(first + 1 + n * step, last)) for n in range(_TRIES))
    whole = 32 if prefix.version == 4 else 128
    free = (
        each
        for each in tries
        if not any(other.holds(each._replace(length=whole)) for other in others)
    )
    return next(free, prefix._replace(value=min(first + 1, last)))

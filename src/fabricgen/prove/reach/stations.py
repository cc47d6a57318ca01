"""Lists the stations of a designed site that can send and receive packets.

Stations that no switch can distinguish (the same switches, VLAN or rail, and kind of server) are
one class. Two of each class are used, for the traffic between them, and every requested station.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import replace
from itertools import chain

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.nos.hosts.bridged import Member
from fabricgen.nos.hosts.slices import HostSlice, HostSlicer
from fabricgen.nos.lowering import spell
from fabricgen.prove.reach.replicas import applications
from fabricgen.prove.reach.stand import Stand, Touch, beyond
from fabricgen.prove.walk.packet import End, Station

OF_A_CLASS = 2
"""Number of stations of a class: a sender and a receiver."""
OUTSIDE = {4: Ip(0xC6336400, 24), 6: Ip(0x20010DB8FFFF << 80, 64, 6)}
"""198.51.100.0/24 (RFC 5737) and 2001:db8:ffff::/64: samples of any external address."""


BRIDGED = Ip(0xCB007101, 24)
"""203.0.113.0/24: samples in a VLAN without a subnet, whose addresses the intent lacks."""


def stands(site: Site, asked: Callable[[str], bool] = lambda _: False) -> list[Stand]:
    """Return two stations of each class, and every station of a server requested by name."""
    touches: dict[tuple[str, str, int], list[Touch]] = defaultdict(list)
    outside: list[Stand] = []
    pieces: list[tuple[Fabric, SwitchSlice]] = []
    fabrics: dict[str, Fabric] = {fabric.name: fabric for fabric in site.fabrics}
    for fabric, switch_slice in slices(site):
        if site.applications and switch_slice.external != switch_slice.peers:
            pieces.append((fabric, switch_slice))
        for interface in switch_slice.interfaces:
            for touch in _touches(switch_slice, interface):
                lag = interface.lag is not None
                below = touch.nic.network if lag else f"{touch.nic.network} {touch.nic.name}"
                vlan = touch.vlan.id if touch.vlan is not None else 0
                touches[touch.server.name, f"{fabric.name} {below}", vlan].append(touch)
        peers = (peer for peer in switch_slice.external if not peer.joins)
        outside += (_outside(fabric, switch_slice, peer, n) for n, peer in enumerate(peers))
        outside += _vips(fabric, switch_slice)
    made = _Maker(site, fabrics)
    kept: dict[Hashable, int] = defaultdict(int)
    inside = []
    for group in touches.values():
        alike = _alike(group)
        kept[alike] += 1
        if kept[alike] <= OF_A_CLASS or asked(group[0].server.name):
            inside.append(made.stand(group))
    routed = (_routed_to(fabric, touches.values(), outside, made) for fabric in fabrics.values())
    speaking = [each for each in outside if each.peer is not None and each.peer.tells]
    served = applications(site, pieces)
    return [*inside, *_joined(speaking), *chain.from_iterable(routed), *served]


def _routed_to(
    fabric: Fabric, touches: Iterable[list[Touch]], outside: list[Stand], made: "_Maker"
) -> Iterator[Stand]:
    """Yield the stations behind static routes."""
    if fabric.overlay is None or not fabric.overlay.routes:
        return

    def placed(route: VrfRoute) -> Iterator[Stand]:
        for group in touches:
            first = group[0]
            own = first.vlan.gateways if first.vlan is not None else first.interface.addresses
            vrf = first.vlan.vrf if first.vlan is not None else first.interface.vrf
            here = first.switch_slice.switch.fabric == fabric.name and vrf == route.vrf
            if here and any(each.subnet == route.near for each in own):
                yield made.stand(group)
        for stand in outside:
            peer = stand.peer
            if peer is None or stand.fabric is not fabric:
                continue
            if (peer.vrf, peer.local.subnet) == (route.vrf, route.near):
                address = (str(peer.remote),)
                yield replace(stand, station=replace(stand.station, addresses=address))

    yield from beyond(fabric.overlay, placed, OUTSIDE.__getitem__)


def _touches(switch_slice: SwitchSlice, interface: Interface) -> Iterator[Touch]:
    server, nic = interface.peer, interface.peer_port
    if not isinstance(server, Server) or not isinstance(nic, Nic) or server.standing is not None:
        return
    carried = interface.carries.vlans if interface.carries is not None else ()
    vlans: tuple[Vlan | None, ...] = carried
    if interface.use is Use.NIC and not carried:
        vlans = (None,)
    for vlan in vlans:
        yield Touch(
            switch_slice=switch_slice, interface=interface, server=server, nic=nic, vlan=vlan
        )


def _alike(group: list[Touch]) -> Hashable:
    first = group[0]
    vlan = first.vlan
    untagged = first.interface.carries is not None and first.interface.carries.untagged is vlan
    place = (vlan.id, untagged) if vlan is not None else (first.nic.rail, first.interface.vrf)
    leafs = tuple(touch.switch_slice.switch.name for touch in group)
    return (leafs, place, first.nic.network, first.server.kind, first.interface.carries)


class _Maker:
    """Makes stations; counts the sample addresses."""

    def __init__(self, site: Site, fabrics: dict[str, Fabric]) -> None:
        self._hosts, self._fabrics = HostSlicer(site), fabrics
        self._told = {server.name for server in self._hosts.servers()}
        self._given: dict[Vlan | int, int] = defaultdict(int)

    def stand(self, group: list[Touch]) -> Stand:
        """Return the station of one interface of a server."""
        first = group[0]
        server, nic, vlan = first.server, first.nic, first.vlan
        fabric, lag = (
            self._fabrics[first.switch_slice.switch.fabric],
            first.interface.lag is not None,
        )
        host = self._hosts.slice(server) if server.name in self._told else None
        untagged = first.interface.carries.untagged if first.interface.carries else None
        tag = vlan.id if vlan is not None and vlan is not untagged else None
        member, below = _member(host, nic, vlan), nic.network if lag else nic.label
        device = f"{below}.{tag}" if tag else below
        if member is not None:
            device = member.device
        station = Station(
            name=f"{server.name}:{device}",
            node=server.name,
            device=device,
            fabric=fabric.name,
            network=_network(fabric, first),
            ends=tuple(_end(touch.switch_slice, touch.interface) for touch in group),
            tag=tag,
            bundle=lag,
            addresses=tuple(str(each) for each in self._addresses(first, host, member)),
            told=member is not None or _routed(host, nic),
        )
        return Stand(
            station=station,
            fabric=fabric,
            switch_slice=first.switch_slice,
            leafs=tuple(dict.fromkeys(touch.switch_slice.switch.name for touch in group)),
            vrf=vlan.vrf if vlan is not None else first.interface.vrf,
            because=first.interface.because,
            nic=nic,
            vlan=vlan,
            host=host,
            member=member,
            session=next(
                (p for p in first.switch_slice.speakers if p.interface is first.interface), None
            ),
            kind=server.kind,
        )

    def _addresses(self, touch: Touch, host: HostSlice | None, member: Member | None) -> list[Ip]:
        """Return the designed addresses, or some at the end of the subnet."""
        vlan, fabric = touch.vlan, self._fabrics[touch.switch_slice.switch.fabric]
        if touch.interface.use is Use.NIC:
            every = (port for side in host.routed for port in side.ports) if host else ()
            own = [port.address for port in every if port.plan.nic is touch.nic]
            leaf = touch.interface.address
            if own or leaf is not None:
                return own or [leaf._replace(value=leaf.value + 1)] if leaf else own
        assert vlan is not None
        said = {own.version: own for own in member.addresses} if member is not None else {}
        end = (touch.server.name, touch.nic.network)
        if fabric.managed is not None and end in fabric.managed.ports:
            return [fabric.managed.address(vlan, fabric.topology.places[end])]
        if len(said) < max(len(vlan.gateways), 1):
            self._given[vlan.vni or vlan] += 1
        last = self._given[vlan.vni or vlan] - 1
        return [
            said.get(each.version) or each._replace(value=each.network[1] - 1 - last % _room(each))
            for each in vlan.gateways or (BRIDGED,)
        ]


def _room(gateway: Ip) -> int:
    """Return the number of sample addresses of a subnet, without its ends and its gateway."""
    first, last = gateway.network
    return max(last - first - 2, 1)


def _member(host: HostSlice | None, nic: Nic, vlan: Vlan | None) -> Member | None:
    """Return the server's configuration of a VLAN on one of its ports, or on their bond."""
    for side in host.bridged if host is not None and vlan is not None else ():
        for member in side.members if nic.label in side.ports else ():
            if member.vlan is vlan and (side.bond is not None or member.below == nic.label):
                return member
    return None


def _routed(host: HostSlice | None, nic: Nic) -> bool:
    """Return whether a server's files configure routing on a routed port."""
    every = (port for side in host.routed for port in side.ports) if host is not None else ()
    return any(port.plan.nic is nic for port in every)


def _end(switch_slice: SwitchSlice, interface: Interface) -> End:
    return End(switch_slice.switch.name, spell(switch_slice.switch, interface.port))


def _network(fabric: Fabric, touch: Touch) -> str:
    """Return the network of the matrix: a VLAN, a rail, or a set of routed ports."""
    if touch.interface.use is not Use.NIC:
        assert touch.vlan is not None
        return f"{fabric.name} {touch.vlan.vrf or 'bridged'} {touch.vlan.name}"
    rail = f"rail {touch.nic.rail}" if touch.nic.rail else touch.nic.network
    vrf = touch.interface.vrf
    return f"{fabric.name} {vrf} {rail}" if vrf else f"{fabric.name} {rail}"


def _outside(fabric: Fabric, switch_slice: SwitchSlice, peer: ExternalPeer, number: int) -> Stand:
    """Return the router behind an external peer, with an address that it may advertise."""
    anywhere = OUTSIDE[peer.version]
    first = peer.accept[0].prefix if peer.accept else anywhere
    network = first if first.length else anywhere
    value = network.network[0] + 1 + number + 16 * switch_slice.switch.ordinal % 200
    station = Station(
        name=f"outside:{peer.name}",
        node=peer.name,
        device="",
        fabric=fabric.name,
        network=f"{fabric.name} {peer.vrf} outside",
        ends=(_end(switch_slice, peer.interface)._replace(tag=peer.interface.tag or 0),),
        addresses=(str(network._replace(value=min(value, network.network[1]))),),
        outside=True,
        asn=str(peer.peer_asn or ""),
    )
    return Stand(
        station=station,
        fabric=fabric,
        switch_slice=switch_slice,
        leafs=(switch_slice.switch.name,),
        vrf=peer.vrf,
        because=peer.because,
        peer=peer,
    )


def _vips(fabric: Fabric, switch_slice: SwitchSlice) -> Iterator[Stand]:
    """Yield each VIP at each port of its balancers on a switch."""
    vips = fabric.overlay.vips if fabric.overlay is not None else ()
    for vip in vips:
        for peer in switch_slice.speakers:
            if peer.label == vip.entry:
                made = _outside(fabric, switch_slice, peer, 0)
                station = replace(
                    made.station,
                    name=f"vip:{vip.name}",
                    node=f"vip {vip.name}",
                    network=f"{fabric.name} {vip.vrf} vip {vip.name}",
                    addresses=(str(vip.address),),
                )
                yield replace(made, station=station)


def _joined(outside: list[Stand]) -> Iterator[Stand]:
    """Yield each external router with the ports that lead to the same outside."""
    for stand in outside:
        like = [each for each in outside if each.station.network == stand.station.network]
        ends = tuple((end, each.station.asn) for each in like for end in each.station.ends)
        yield replace(stand, station=replace(stand.station, also=ends))

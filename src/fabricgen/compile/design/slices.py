"""Cut the design of a fabric into one slice for each switch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from ipaddress import ip_address

from fabricgen.compile.design.descriptions import noted, outside_of
from fabricgen.compile.design.pairs import (
    CarriedNetworks,
    GuardedEntries,
    JoinedReasons,
    RouteTargets,
    SwitchNetworks,
    pair_of,
    routed_beside,
    vlans_beside,
)
from fabricgen.core.provenance import Provenance
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.classes import Marks, together
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.host_ports import HostPorts
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import EvpnRules, Member, Vrf
from fabricgen.model.fabric.pair import PEER_BUNDLE
from fabricgen.model.fabric.redundancy import waiting_port, waits
from fabricgen.model.fabric.segment import Segment, segment_of
from fabricgen.model.fabric.state import State
from fabricgen.model.fabric.switch import Fabric, Lag, Session, SwitchSlice
from fabricgen.model.fabric.topology import Link, Nic, Port, Server, Switch
from fabricgen.model.fabric.transition import AS_DESIGNED, Transition
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.model.fabric.zones import NO_ZONES, Guard

RAIL_VLAN_BASE = 100  # in subnet mode rail k of a leaf is VLAN 100 + k, local to the leaf
ANY_NUMBER = 16
"""How often a path by OSPF may cross one ASN: more often than any path does, for OSPF has none."""
_UNUSED = Provenance((), "no cable is connected here, so the port is shut")
_TURN = Provenance((), "in this step of a push other switches use every other path")


@dataclass(slots=True)
class Slicer:
    """Division into slices; equal tuples of VLANs and VRFs are shared, so rendering reuses them."""

    fabric: Fabric
    _vlan_sets: dict[CarriedNetworks, SwitchNetworks] = field(default_factory=dict)
    _rules: dict[RouteTargets, EvpnRules] = field(init=False, default_factory=dict)
    _joined: dict[JoinedReasons, Provenance] = field(default_factory=dict)
    _guards: dict[GuardedEntries, tuple[Guard, ...]] = field(init=False, default_factory=dict)
    _marks: dict[int, Marks | None] = field(init=False, default_factory=dict)
    _lent: dict[str, Vrf] = field(init=False, default_factory=dict)
    _asns: dict[str, int] = field(init=False, default_factory=dict)
    _met: tuple[Link | None, tuple[Ip, Ip] | None] = field(init=False, default=(None, None))
    _sessions_because: tuple[Provenance, Provenance] = field(init=False)
    _spare: bool = field(init=False)
    _kept: tuple[int, ...] = field(init=False)
    edge: dict[str, list[Interface]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Prepare the reasons that every session shares, and count planes."""
        self._spare = len({switch.plane for switch in self.fabric.topology.switches}) > 1
        self._kept = self.fabric.qos.kept if self.fabric.qos is not None else ()
        underlay = self.fabric.routing.path
        for link in self.fabric.overlay.edge.values() if self.fabric.overlay else ():
            self.edge.setdefault(link.leaf, []).extend(link.ports)
        for leaf, gateway in self.fabric.overlay.gateways.items() if self.fabric.overlay else ():
            self.edge.setdefault(leaf, []).extend(gateway.cables)
        rules = self.fabric.overlay.rules if self.fabric.overlay else None
        overlay = (rules.path,) if rules is not None else ()
        self._sessions_because = (
            self.fabric.routing.why,
            Provenance(
                (*overlay, at(*underlay, "asn")),
                "EVPN between loopbacks of neighboring tiers",
            ),
        )

    def slices(self) -> Iterator[SwitchSlice]:
        """Yield the slice of every switch, one at a time: memory stays flat."""
        for switch in self.fabric.topology.switches:
            yield self.slice(switch)

    def slice(self, switch: Switch, kept: Transition = AS_DESIGNED) -> SwitchSlice:
        """Cut the slice of one switch; `kept` is retained in a step of a change."""
        fabric, addresses = self.fabric, self.fabric.addresses
        used: dict[Port, Interface] = {}
        sessions: list[Session] = []
        overlay_peers: dict[str, Switch] = {}
        for link in fabric.topology.links_at[switch.name]:
            interface = noted(self.fabric.topology, switch, self.interface(switch, link, kept))
            used[interface.port] = interface
            peer = interface.peer
            if isinstance(peer, Switch) and not link.of_pair:
                sessions.append(self.underlay(switch, peer, link, interface, kept))
                overlay_peers[peer.name] = peer
        if fabric.routing.overlay:
            sessions.extend(self.overlay(switch, peer, kept) for peer in overlay_peers.values())
        external = outside_of(fabric, switch)
        used.update((port.port, port) for port in self.outward(switch, external))
        interfaces = tuple(used.get(port) or self.unused(switch, port) for port in switch.ports)
        every = (*interfaces, *(peer.interface for peer in external))
        networks, speakers = self.networks(switch, every), self.speakers(interfaces)
        return SwitchSlice(
            switch=switch,
            services=fabric.services,
            routing=fabric.routing,
            qos=fabric.qos_of(switch.role),
            overlay=self.rules(kept),
            asn=kept.asn or fabric.routing.asns.asn(switch),
            loopback=addresses.loopback(switch),
            router_id=addresses.router_id(switch),
            vtep=addresses.vtep(switch),
            management=addresses.management_address(switch),
            interfaces=interfaces,
            lags=self.lags(switch, interfaces),
            sessions=tuple(sessions),
            vlans=networks.vlans,
            vrfs=networks.vrfs,
            external=external,
            speakers=speakers,
            buffers=fabric.lossless.switches.get(switch.name) if fabric.lossless else None,
            balancing=fabric.balancing[switch.role] if fabric.balancing else None,
            drained=self.drained(switch, kept),
            pair=pair_of(fabric, switch, interfaces, networks),
            guards=self.guards(networks.vlans, external, speakers),
            routes=self.routes(networks.vlans, every),
            recovery=fabric.recovery if switch.is_leaf else None,
            gateway=fabric.overlay.gateways.get(switch.name) if fabric.overlay else None,
            descriptions=fabric.descriptions,
            pin=addresses.pins.get(switch.name),
            own=fabric.own.of(switch.name, _tenants(networks.vlans, networks.vrfs)),
        )

    def drained(self, switch: Switch, kept: Transition) -> Provenance | None:
        """Return why others are to pass a switch by, if they are."""
        said = self.fabric.in_state(switch.name, State.DRAINED)
        return said.because if said is not None else _TURN if kept.drained else None

    def outward(self, switch: Switch, external: tuple[ExternalPeer, ...]) -> Iterator[Interface]:
        """Yield the ports that lead out of the fabric."""
        yield from (peer.interface for peer in external if peer.interface.tag is None)
        for shared in self.edge.get(switch.name, ()):
            yield noted(self.fabric.topology, switch, shared)

    def unused(self, switch: Switch, port: Port) -> Interface:
        """Return a port that nothing needs."""
        mtu = self.fabric.routing.mtu
        idle = Interface(port=port, use=Use.UNUSED, mtu=mtu, because=_UNUSED)
        return noted(self.fabric.topology, switch, idle)

    def guards(
        self,
        vlans: tuple[Vlan, ...],
        external: tuple[ExternalPeer, ...],
        speakers: tuple[ExternalPeer, ...],
    ) -> tuple[Guard, ...]:
        """Return the guards of a switch; switches with the same entry points share one tuple."""
        if self.fabric.overlay is None or self.fabric.overlay.zones is NO_ZONES:
            return ()
        hosts = tuple(dict.fromkeys(peer.label for peer in speakers))
        key = GuardedEntries(id(vlans), id(external), hosts)
        if key not in self._guards:
            labels = (*(peer.label for peer in external), *hosts)
            guards = self.fabric.overlay.zones.guards((vlan.id for vlan in vlans), labels)
            self._guards[key] = guards
        return self._guards[key]

    def routes(
        self, vlans: tuple[Vlan, ...], interfaces: tuple[Interface, ...]
    ) -> tuple[VrfRoute, ...]:
        """Return the static routes whose next hop is in a subnet of this switch."""
        every = self.fabric.overlay.routes if self.fabric.overlay is not None else ()
        if not every:
            return ()
        near = {(vlan.vrf, own.subnet) for vlan in vlans for own in vlan.gateways}
        near |= {(item.vrf, own.subnet) for item in interfaces for own in item.addresses}
        return tuple(route for route in every if (route.vrf, route.near) in near)

    def interface(self, switch: Switch, link: Link, kept: Transition = AS_DESIGNED) -> Interface:
        """Describe this switch's end of a link."""
        mtu, drained = self.fabric.routing.mtu, self.drained(switch, kept)
        waits_for = waits(self.fabric, switch, link, drained)
        if isinstance(link.lower, Server):
            assert isinstance(link.lower_port, Nic)
            port = self.server_port(switch, link, link.lower, link.lower_port)
            port = replace(port, dark=True) if link.dead else port
            return port if waits_for is None else waiting_port(port, waits_for)
        ends = self.ends(link)
        near, far = (link.lower, link.lower_port), (link.upper, link.upper_port)
        if link.lower is not switch:
            near, far = far, near
        assert isinstance(near[1], Port)
        port = Interface(
            port=near[1],
            use=Use.PEER if link.of_pair else Use.FABRIC,
            mtu=mtu,
            because=link.because,
            peer=far[0],
            peer_port=far[1],
            address=_stays(ends[link.lower is not switch], kept) if ends else None,
            link_local=ends is None and not link.of_pair,
            lag=PEER_BUNDLE if link.of_pair else None,
            length=link.length,
            dark=link.dead,
        )
        return port if waits_for is None else waiting_port(port, waits_for)

    def ends(self, link: Link) -> tuple[Ip, Ip] | None:
        """Return the addresses of a link, which its interface and then its session ask for."""
        if self._met[0] is not link:
            self._met = link, self.fabric.addresses.link(link)
        return self._met[1]

    def asn(self, peer: Switch, kept: Transition) -> int:
        """Return the ASN of a peer, which is computed once for all its sessions."""
        if peer.name not in self._asns:
            self._asns[peer.name] = self.fabric.routing.asns.asn(peer)
        return kept.asns.get(peer.name, self._asns[peer.name])

    def server_port(self, switch: Switch, link: Link, server: Server, nic: Nic) -> Interface:
        """Describe a port towards a server: routed where NICs have addresses, else bridged."""
        plan = self.fabric.addresses.nics
        routed = self.fabric.overlay.routed if self.fabric.overlay else {}
        if (ports := routed.get((server.name, nic.network))) is not None:
            return self.routed_port(link, server, nic, ports)
        if plan is None:
            index = self.fabric.topology.places[server.name, nic.network].index
            carries = self.carries(switch, index)
            return Interface(
                port=link.upper_port,
                use=Use.EDGE,
                mtu=self.fabric.routing.tenant_mtu,
                because=self.joined(link.because, carries),
                peer=server,
                peer_port=nic,
                carries=carries,
                lag=index if nic.bond == "lacp" else None,
                length=link.length,
                marks=self.marks(carries) if carries is not None and carries.marks else None,
            )
        member = self.fabric.overlay.members.get(server.name) if self.fabric.overlay else None
        bridged = plan.subnet_length is not None
        return Interface(
            port=link.upper_port,
            use=Use.NIC,
            mtu=self.fabric.routing.tenant_mtu,
            because=self.joined(link.because, member),
            peer=server,
            peer_port=nic,
            address=None if bridged else plan.ends(link)[1],
            carries=Carries(
                untagged=self.rail_vlan(switch, nic.rail), tagged=(), because=link.because
            )
            if bridged
            else None,
            length=link.length,
            spare=self._spare,
            vrf=member.vrf if member is not None else None,
        )

    def routed_port(self, link: Link, server: Server, nic: Nic, ports: HostPorts) -> Interface:
        """Return the interface to a server that is routed in a VRF, in addition to VLAN ports."""
        return Interface(
            port=link.upper_port,
            use=Use.NIC,
            mtu=self.fabric.routing.tenant_mtu,
            because=self.joined(link.because, ports),
            peer=server,
            peer_port=nic,
            address=ports.link(server.number, nic.port)[0],
            length=link.length,
            vrf=ports.vrf,
            marks=self.marks(ports) if ports.mark is not None else None,
        )

    def marks(self, of: Carries | HostPorts) -> Marks | None:
        """Return the DSCP marking of packets of servers; equal ports share one object."""
        if id(of) not in self._marks:  # which lives as long as the fabric
            if isinstance(of, HostPorts):
                marks = together(None, {0: of.mark} if of.mark is not None else {}, self._kept)
            else:
                untagged = of.untagged.id if of.untagged is not None else None
                marks = together(untagged, of.marks, self._kept)
            self._marks[id(of)] = marks
        return self._marks[id(of)]

    def speakers(self, interfaces: tuple[Interface, ...]) -> tuple[ExternalPeer, ...]:
        """Return the sessions with servers on these ports, which share a policy."""
        routed = self.fabric.overlay.routed if self.fabric.overlay else {}
        if not routed:
            return ()
        return tuple(
            session
            for item in interfaces
            if isinstance(item.peer, Server) and isinstance(item.peer_port, Nic)
            for ports in (routed.get((item.peer.name, item.peer_port.network)),)
            if ports is not None
            if (session := ports.session(item, item.peer, item.peer_port)) is not None
        )

    def joined(
        self, cabled: Provenance, attached: Carries | Member | HostPorts | None
    ) -> Provenance:
        """Join the reasons of a port's cable and of its VLANs or VRF; one object per pair."""
        if attached is None:
            return cabled
        why = attached.because
        key = JoinedReasons(id(cabled), id(why))
        if key not in self._joined:
            paths = (*why.paths, *cabled.paths)
            self._joined[key] = Provenance(paths, f"{why.rule}; {cabled.rule}")
        return self._joined[key]

    def carries(self, switch: Switch, index: int) -> Carries | None:
        overlay = self.fabric.overlay
        return overlay.ports.get(switch.name, {}).get(index) if overlay else None

    def rail_vlan(self, switch: Switch, rail: int) -> Vlan:
        """Return the leaf-local VLAN of a rail in subnet mode; the leaf is its gateway."""
        plan = self.fabric.addresses.nics
        assert plan is not None
        assert plan.subnet_length is not None
        size = 1 << (32 - plan.subnet_length)
        first = plan.block_first(rail, switch.plane) + (switch.unit - 1) * size
        return Vlan(
            id=RAIL_VLAN_BASE + rail,
            name=f"{switch.group or 'rail'}{rail}",
            tenant="",
            vni=None,
            vrf=None,
            gateways=(Ip(first + 1, plan.subnet_length),),
            because=Provenance(
                (
                    at(*self.fabric.place, "nic_addressing"),
                    at(*self.fabric.place, "addressing", "nics"),
                ),
                "one subnet per rail and leaf, the leaf is the gateway",
            ),
        )

    def rules(self, kept: Transition) -> EvpnRules | None:
        """Return the rules of a VTEP; equal rules share one object."""
        rules = self.fabric.overlay.rules if self.fabric.overlay else None
        if rules is None:
            return None
        key = RouteTargets(kept.imports, kept.exports)
        if key not in self._rules:
            self._rules[key] = replace(rules, imports=kept.imports, exports=kept.exports)
        return self._rules[key]

    def underlay(
        self, switch: Switch, peer: Switch, link: Link, interface: Interface, kept: Transition
    ) -> Session:
        ends = self.ends(link)
        theirs = ends[link.lower is switch] if ends else None
        return Session(
            overlay=False,
            up=self.fabric.above(peer, switch),
            peer=peer,
            peer_asn=self.asn(peer, kept),
            interface=interface,
            local=interface.address,
            remote=_stays(theirs, kept) if theirs else None,
            because=self.pinned(peer, self._sessions_because[0], "asn"),
            stranger=peer.name in kept.strangers,
            drained=link.standing.because if link.standing and link.drained else None,
            valley_free=not self.fabric.routing.ospf,
            own_as=ANY_NUMBER if self.fabric.routing.ospf else 0,
            ospf=self.fabric.routing.ospf,
        )

    def overlay(self, switch: Switch, peer: Switch, kept: Transition) -> Session:
        addresses = self.fabric.addresses
        return Session(
            overlay=True,
            up=self.fabric.above(peer, switch),
            peer=peer,
            peer_asn=self.asn(peer, kept),
            interface=None,
            local=addresses.loopback(switch),
            remote=addresses.loopback(peer),
            because=self.pinned(peer, self._sessions_because[1], "loopback", "asn"),
            stranger=peer.name in kept.strangers,
            one_platform=self.fabric.topology.one_platform(switch.role, peer.role),
        )

    def pinned(self, peer: Switch, why: Provenance, *keys: str) -> Provenance:
        """Return why a line is there that has numbers of a peer."""
        pin = self.fabric.addresses.pins.get(peer.name)
        return why if pin is None else pin.why(why, *keys)

    def lags(self, switch: Switch, interfaces: tuple[Interface, ...]) -> tuple[Lag, ...]:
        members: dict[int, list[Interface]] = {}
        for interface in interfaces:
            if interface.lag is not None:
                members.setdefault(interface.lag, []).append(interface)
        return tuple(
            self.lag(switch, number, group)
            for number, group in sorted(members.items())
            if isinstance(group[0].peer, Server) or group[0].outside
        )

    def lag(self, switch: Switch, number: int, group: list[Interface]) -> Lag:
        """Return one bundle; on two leafs it is of an MLAG pair, or an Ethernet segment."""
        server, nic = group[0].peer, group[0].peer_port
        leafs = (
            self.leafs(server, nic) if isinstance(server, Server) and isinstance(nic, Nic) else []
        )
        apart = len(leafs) > 1 and switch.domain is None
        return Lag(
            number=number,
            server=server if isinstance(server, Server) else None,
            outside=group[0].outside,
            members=tuple(group),
            carries=group[0].carries,
            mtu=group[0].mtu,
            because=group[0].because,
            segment=self.segment(switch, leafs, number) if apart else None,
            mlag=len(leafs) > 1 and not apart,
        )

    def leafs(self, server: Server, nic: Nic) -> list[Link]:
        """Return a link of a server's set of ports to each of its leafs, in their order."""
        leafs = {
            link.upper.ordinal: link
            for link in self.fabric.topology.links_at[server.name]
            if isinstance(link.lower_port, Nic) and link.lower_port.network == nic.network
        }
        return [leafs[ordinal] for ordinal in sorted(leafs)]

    def segment(self, switch: Switch, leafs: list[Link], number: int) -> Segment:
        """Return the segment of a bundle with ports on two leafs."""
        first, second = leafs
        endpoint = self.fabric.addresses.vtep(first.upper)
        assert endpoint is not None  # a bond is of ports on a fabric of kind evpn
        is_first = switch is first.upper
        peer = second.upper if is_first else first.upper
        return segment_of(number, endpoint, peer, first.because, first=is_first)

    def networks(self, switch: Switch, interfaces: tuple[Interface, ...]) -> SwitchNetworks:
        """Return the VLANs that the ports carry, in order of id, and their VRFs.

        A VRF of a routed port, to a NIC or to an external peer, is included. The leafs of an MLAG
        pair have the networks of both: a tunnel to their endpoint ends on either.
        """
        carried = {vlan.id: vlan for vlan in vlans_beside(self.fabric, switch)}
        seen: set[int] = set()
        for interface in interfaces:
            carries = interface.carries
            if carries is None or id(carries) in seen:
                continue
            seen.add(id(carries))
            carried.update((vlan.id, vlan) for vlan in carries.vlans)
        if not self.fabric.overlay:
            return SwitchNetworks(tuple(carried[number] for number in sorted(carried)), ())
        routed = {each.vrf for each in interfaces if each.vrf is not None}
        routed |= routed_beside(self.fabric, switch)
        if switch.name in self.fabric.overlay.gateways:
            routed.update(self.fabric.overlay.gateways[switch.name].vrfs)
        more = frozenset(routed - {vlan.vrf for vlan in carried.values()})
        key = CarriedNetworks(frozenset(carried), more)
        if key not in self._vlan_sets:
            vlans = tuple(carried[number] for number in sorted(carried))
            names = {vlan.vrf for vlan in vlans if vlan.vrf is not None} | more
            every = self.vrfs(names, self.fabric.overlay.vrfs)
            self._vlan_sets[key] = SwitchNetworks(vlans, every)
        return self._vlan_sets[key]

    def vrfs(self, names: set[str], every: Mapping[str, Vrf]) -> tuple[Vrf, ...]:
        """Return the VRFs of these names by id, and the VRFs from which they import.

        A VRF that is here only for others imports nothing: it has no port here.
        """
        sources = {taken.source for name in names for taken in every[name].takes} - names
        for name in sources - self._lent.keys():
            self._lent[name] = replace(every[name], takes=())
        here = [*(every[name] for name in names), *(self._lent[name] for name in sources)]
        return tuple(sorted(here, key=lambda vrf: vrf.id))


def _tenants(vlans: Iterable[Vlan], vrfs: Iterable[Vrf]) -> set[str]:
    return {*(vlan.tenant for vlan in vlans), *(vrf.tenant for vrf in vrfs)}


def _stays(designed: Ip, kept: Transition) -> Ip:
    """Return the address of a link's end; in a step of a change possibly the previous one."""
    host = kept.addresses.get(designed.host) if kept.addresses else None
    return designed if host is None else designed._replace(value=int(ip_address(host)))

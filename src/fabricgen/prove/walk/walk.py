"""Follows packets through the tables of every switch on their path.

A packet goes from table to table as in a switch: into a port, through a VLAN or a VRF's longest
prefix, into a tunnel and out of it, over every ECMP path. All hosts have sent before, so leafs have
learned each address. A statement that is not understood makes the answer `not known`.
"""

from collections.abc import Hashable, Iterable, Mapping
from ipaddress import ip_address

from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.nos.hosts.readback.network import Network
from fabricgen.prove.walk.borders import by_hand, outside, share
from fabricgen.prove.walk.domains import Domains
from fabricgen.prove.walk.effective import Idle
from fabricgen.prove.walk.exchange import Exchange, network
from fabricgen.prove.walk.leafs import Scene
from fabricgen.prove.walk.likeness import Likeness
from fabricgen.prove.walk.packet import (
    End,
    Hop,
    Outcome,
    Packet,
    Station,
    Verdict,
    after,
    every_way,
    joined,
    stops,
    taken,
    unknown,
)
from fabricgen.prove.walk.pairs import crosses, other_mac, torn
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.sending import Sending
from fabricgen.prove.walk.tables import Tables
from fabricgen.prove.walk.ways import Entry, Ways, carries, is_in


class Walk:
    """Answers from the files. `stations`: senders and receivers. `hosts`: server networks."""

    def __init__(
        self,
        exchange: Exchange,
        stations: Iterable[Station],
        hosts: Mapping[str, Network],
        idle: Mapping[str, tuple[Idle, ...]] | None = None,
    ) -> None:
        """Set the routes, the stations and the networks of servers.

        `idle`: lines of a switch without effect; they explain why a packet stops.
        """
        self._idle = {name: each for name, each in (idle or {}).items() if each}
        self._exchange, self._switches = exchange, exchange.switches
        self._ways, self._domains = Ways(exchange), Domains(exchange)
        self._sending = Sending(stations, hosts)
        self._known: dict[tuple[Hashable, ...], Verdict] = {}
        self._macs: dict[tuple[str, int], Verdict | None] = {}

    def answer(self, one: Station, other: Station, packet: Packet) -> Verdict:
        """Return the result of a packet from one station to another."""
        verdict = self._answer(one, other, packet)
        if verdict.outcome is not Outcome.STOPS or not self._idle:
            return verdict
        passed = {hop.node for hop in verdict.hops} | {*verdict.rule.split()}
        near = [name for name in self._idle if name in passed] or list(self._idle)
        why = "; ".join(f"{name}: {self._idle[name][0].why}" for name in near[:2])
        return stops(f"{verdict.rule} ({why})", verdict.hops)

    def likeness(self) -> Likeness:
        """Return the classes of stations that no walk can distinguish."""
        return Likeness(
            Scene(
                exchange=self._exchange,
                far=self._ways.far,
                nodes=self._sending.nodes,
                hosts=self._sending.hosts,
                tunnel=self._tunnel,
            )
        )

    def _answer(self, one: Station, other: Station, packet: Packet) -> Verdict:
        for each in (one, other, *one.behind, *other.behind):
            fault = torn(each, self._switches, self._exchange.partners)
            if fault:
                return unknown(fault)
        if one.outside:
            return every_way([self._inward(end, one, other, packet) for end in one.ends])
        one = one.behind[0] if one.behind else one
        leaving = self._sending.leaving(one, packet)
        if isinstance(leaving, Verdict):
            return leaving
        near = leaving.address(packet.target.version)
        on_link = near is None or packet.target in near.network
        sent = Hop(node=one.node, act=f"sends by {leaving.device}")
        every = [self._enter(end, leaving, other, packet, on_link=on_link) for end in leaving.ends]
        return after(sent, every_way(every))

    def _enter(
        self, end: End, one: Station, other: Station, packet: Packet, *, on_link: bool
    ) -> Verdict:
        """Let a packet into a port of a leaf."""
        switch = self._switches[end.switch]
        port = switch.ports.get(end.port)
        stopped = _barred(switch, port, end)
        if stopped is not None or port is None:
            return stopped or stops(f"{end.switch} has no port {end.port}")
        stopped = _filtered(port, packet, routed=not port.vlans)
        if stopped is not None:
            return stopped
        if port.vlans:
            return self._tagged(switch, port, one, other, packet, on_link=on_link)
        own = one.address(packet.target.version)
        if own is None or not any(own.ip in each.network for each in port.addresses):
            return stops(f"{end.switch} {end.port} is in no VLAN and has no such address")
        return self._forward(switch, port.vrf, other, packet)

    def _tagged(
        self,
        switch: Tables,
        port: Port,
        one: Station,
        other: Station,
        packet: Packet,
        *,
        on_link: bool,
    ) -> Verdict:
        """Let a packet into a VLAN: to a station in it, or to the gateway."""
        vlan = one.tag or port.untagged
        if not carries(port, vlan, one.tag):
            return stops(f"{switch.name} {port.name} does not carry {_vlan(one.tag)}")
        if on_link:
            return self._bridge(switch, vlan, other)
        gateway = switch.gateways.get(vlan)
        mine = one.address(packet.target.version)
        if gateway is None or mine is None or not is_in(gateway, mine.network):
            return stops(f"{switch.name} is no gateway in VLAN {vlan}")
        stopped = _barred(switch, gateway, End(switch.name, gateway.name))
        stopped = stopped or self._answered(switch, vlan)
        stopped = stopped or _filtered(gateway, packet, routed=True)
        return stopped or self._forward(switch, gateway.vrf, other, packet)

    def _answered(self, switch: Tables, vlan: int) -> Verdict | None:
        """Return the difference of a gateway from the same gateway on another leaf."""
        if (switch.name, vlan) not in self._macs:
            fault = other_mac(switch, vlan, self._switches.values())
            self._macs[switch.name, vlan] = stops(fault) if fault else None
        return self._macs[switch.name, vlan]

    def _bridge(self, switch: Tables, vlan: int, other: Station) -> Verdict:
        """Deliver a packet to a station in a VLAN: on a port of this leaf, or of another."""
        act = Hop(node=switch.name, act=f"bridges in VLAN {vlan}", keys=_vlan_keys(switch, vlan))
        here = [end for end in other.ends if end.switch == switch.name]
        if here:
            return after(act, self._hand_over(switch, here, vlan, other))
        beside = self._switches.get(self._exchange.partners.get(switch.name, ""))
        there = [end for end in other.ends if beside is not None and end.switch == beside.name]
        if beside is not None and there:
            return after(act, self._beside(beside, there, vlan, other))
        bridge = switch.bridges.get(vlan)
        if bridge is None or not bridge.vni:
            return stops(f"VLAN {vlan} of {switch.name} is local: it has no VNI")
        far = self._endpoints(switch, vlan, other)
        return after(act, every_way([self._to_leaf(switch, vlan, leaf, other) for leaf in far]))

    def _endpoints(self, switch: Tables, vlan: int, other: Station) -> list[Tables]:
        """Return the leafs of a station; of a pair with one endpoint a leaf with a received route.

        Both leafs of a pair share learned addresses, and advertise them with the same endpoint.
        """
        leafs = [self._switches[name] for name in dict.fromkeys(end.switch for end in other.ends)]
        kept: list[Tables] = []
        for leaf in sorted(leafs, key=lambda each: not self._hears(switch, vlan, each)):
            if not any(leaf in self._landings(each) for each in kept):
                kept.append(leaf)
        return kept

    def _hears(self, switch: Tables, vlan: int, far: Tables) -> bool:
        """Return whether a switch has routes of a leaf, in its own domain or beyond gateways."""
        near = switch.name in self._exchange.evpn.get(far.name, {})
        return near or bool(self._domains.towards(switch, vlan, far))

    def _hand_over(self, switch: Tables, ends: list[End], vlan: int, other: Station) -> Verdict:
        every = []
        for end in ends:
            port = switch.ports.get(end.port)
            stopped = _barred(switch, port, end)
            if stopped is None and port is not None and not carries(port, vlan, other.tag):
                stopped = stops(f"{end.switch} {end.port} does not carry {_vlan(other.tag)}")
            every.append(stopped or taken(other))
        return every_way(every)

    def _beside(self, beside: Tables, ends: list[End], vlan: int, other: Station) -> Verdict:
        """Forward a packet over the peer link to the other leaf of a pair, which has every VLAN."""
        if not crosses(beside, vlan):
            return stops(f"{beside.name} does not accept VLAN {vlan} from its peer link")
        hop = Hop(node=beside.name, act=f"bridges in VLAN {vlan}", keys=_vlan_keys(beside, vlan))
        return after(hop, self._hand_over(beside, ends, vlan, other))

    def _to_leaf(self, switch: Tables, vlan: int, far: Tables, other: Station) -> Verdict:
        """Bridge to a station on another leaf, by the VNI of a VLAN."""
        if switch.name not in self._exchange.evpn.get(far.name, {}):
            gates = self._domains.towards(switch, vlan, far)
            if gates:
                return every_way([self._to_gateway(switch, vlan, each, other) for each in gates])
        ends = [end for end in other.ends if end.switch == far.name]
        port = far.ports.get(ends[0].port)
        there = other.tag or (port.untagged if port is not None else 0)
        ours, theirs = switch.bridges[vlan], far.bridges.get(there)
        if theirs is None or not theirs.exports & ours.imports:
            return stops(f"{switch.name} imports no route of VLAN {there or '?'} of {far.name}")
        if ours.strange or theirs.strange:
            return unknown(ours.strange or theirs.strange)
        if theirs.vni != ours.vni:
            return unknown(f"VLAN {vlan} has VNI {ours.vni} here, but {theirs.vni} on {far.name}")
        tunnel = self._tunnel(switch, far)
        if tunnel.outcome is not Outcome.REACHES:
            return tunnel
        return joined(
            tunnel,
            every_way(
                [
                    self._bridge(each, each.vlan_of.get(theirs.vni, 0), other)
                    for each in self._landings(far)
                ]
            ),
        )

    def _to_gateway(self, switch: Tables, vlan: int, gate: Tables, other: Station) -> Verdict:
        """Bridge to a gateway of this or the other site, which bridges further."""
        tunnel, vni = self._tunnel(switch, gate), switch.bridges[vlan].vni
        if tunnel.outcome is not Outcome.REACHES:
            return tunnel
        landed = self._landings(gate)
        return joined(
            tunnel,
            every_way([self._bridge(each, each.vlan_of.get(vni, 0), other) for each in landed]),
        )

    def _landings(self, far: Tables) -> list[Tables]:
        """Return the leafs where a tunnel may end: both of a pair with one endpoint."""
        beside = self._switches.get(self._exchange.partners.get(far.name, ""))
        shared = beside is not None and beside.vtep == far.vtep
        return [far, beside] if beside is not None and shared else [far]

    def _tunnel(self, switch: Tables, far: Tables) -> Verdict:
        """Forward a packet from one tunnel endpoint to another, over every path."""
        if switch.name in self._exchange.unsure:
            return unknown(self._exchange.unsure[switch.name])
        if switch.udp != far.udp:
            ports = switch.udp or "none", far.udp or "none"
            ends = f"{switch.name} sends VXLAN to port {ports[0]}, {far.name}"
            return stops(f"{ends} expects {ports[1]}")
        if self._domains.beside(switch, far):
            return self._under(switch, far, far.vtep, ())
        heard = self._exchange.evpn.get(far.name, {}).get(switch.name)
        if heard is None or heard.endpoint != far.vtep or not switch.vtep:
            return stops(f"{switch.name} receives no EVPN route of {far.name}")
        return self._under(switch, far, far.vtep, ())

    def _under(self, switch: Tables, far: Tables, target: str, seen: tuple[str, ...]) -> Verdict:
        key = (switch.name, far.name, target, "")
        if key in self._known:
            return self._known[key]
        verdict = self._under_once(switch, far, target, seen)
        if not seen or verdict.outcome is Outcome.REACHES:
            self._known[key] = verdict
        return verdict

    def _under_once(
        self, switch: Tables, far: Tables, target: str, seen: tuple[str, ...]
    ) -> Verdict:
        if switch.name in seen:
            return stops(f"packets to {target} loop at {switch.name}")
        strange = switch.strange or self._exchange.unsure.get(switch.name)
        if strange:
            return unknown(f"{switch.name}: {strange}")
        address = ip_address(target)
        if self._exchange.has_address(switch.name, target):
            ends = switch in self._landings(far)
            return (
                Verdict(outcome=Outcome.REACHES, rule="")
                if ends
                else stops(f"{target} is on {switch.name} as well as on {far.name}")
            )
        learned = self._exchange.learned(switch.name, address)
        if learned is None:
            return stops(f"{switch.name} has no route to {target}")
        if not switch.tables[GLOBAL].routes:
            return stops(f"{switch.name} does not route")
        hop = Hop(node=switch.name, act=f"forwards to {target} by {learned[0]}")
        every = [
            self._under(self._switches[name], far, target, (*seen, switch.name))
            for _, name in learned[1].hops
        ]
        return after(hop, every_way(every)) if seen else every_way(every)

    def _forward(
        self,
        switch: Tables,
        vrf: str,
        other: Station,
        packet: Packet,
        seen: tuple[tuple[str, str], ...] = (),
    ) -> Verdict:
        """Look up a packet's target in a VRF, and follow every equal path."""
        whole = packet if self._ways.judged else packet.target
        key = (switch.name, vrf, other.network, other.name, other.ends, whole)
        if key not in self._known:
            if (switch.name, vrf) in seen:
                return stops(f"{packet.target} loops at {switch.name}")
            again = (*seen, (switch.name, vrf))
            verdict = self._forwarded(switch, vrf, other, packet, again)
            if seen and verdict.outcome is not Outcome.REACHES:
                return verdict  # at its start, a loop looks different
            self._known[key] = verdict
        return self._known[key]

    def _forwarded(
        self,
        switch: Tables,
        vrf: str,
        other: Station,
        packet: Packet,
        seen: tuple[tuple[str, str], ...],
    ) -> Verdict:
        table = switch.tables.get(vrf)
        if table is None or not table.routes:
            return stops(f"{switch.name} does not route in VRF {vrf}")
        strange = switch.strange or table.strange or self._exchange.unsure.get(switch.name)
        if strange:
            return unknown(f"{switch.name}: {strange}")
        if vrf == GLOBAL and any(each.vrf == vrf for each in switch.statics):
            return unknown(f"{switch.name} has static routes outside VRFs")
        place = "" if vrf == GLOBAL else f" in VRF {vrf}"
        entries = self._ways.entries(switch, vrf, table, packet.target, other)
        if not entries:
            return stops(f"{switch.name} has no route to {packet.target}{place}")
        best = max((each.length, -each.rank) for each in entries)
        ways = [each for each in entries if (each.length, -each.rank) == best]
        prefix = network(packet.target, ways[0].length)
        hop = Hop(node=switch.name, act=f"routes to {prefix}{place}", keys=(("vrf", vrf),))
        return after(
            hop, every_way([self._follow(switch, vrf, e, other, packet, seen) for e in ways])
        )

    def _follow(
        self,
        switch: Tables,
        vrf: str,
        entry: Entry,
        other: Station,
        packet: Packet,
        seen: tuple[tuple[str, str], ...],
    ) -> Verdict:
        """Follow one path of a table."""
        if entry.strange:
            return unknown(entry.strange)
        if entry.vrf or (entry.tunnel and vrf == GLOBAL):
            there = self._switches.get(entry.tunnel, switch)
            return self._forward(there, entry.vrf or vrf, other, packet, seen)
        if entry.tunnel:
            return self._through(switch, vrf, self._switches[entry.tunnel], other, packet, seen)
        if entry.beside:
            return self._forward(self._switches[entry.beside], vrf, other, packet, seen)
        if entry.outside:
            return self._out(switch, entry, other, packet, seen)
        return self._next(switch, entry, other, packet)

    def _next(self, switch: Tables, entry: Entry, other: Station, packet: Packet) -> Verdict:
        """Deliver a packet to its target, or to the next hop of a static route to it."""
        port = switch.ports[entry.port]
        if not entry.via:
            return self._local(switch, port, other, packet)
        via = ip_address(entry.via)
        for host in other.behind:
            own = host.address(via.version)
            if own is not None and own.ip == via:
                return self._local(switch, port, host, packet._replace(target=via))
        return stops(f"{packet.target} is not behind {entry.via}")

    def _out(
        self,
        switch: Tables,
        entry: Entry,
        other: Station,
        packet: Packet,
        seen: tuple[tuple[str, str], ...],
    ) -> Verdict:
        """Send a packet out of the site; at another site it enters the remote port's VRF."""
        if entry.far is None:
            if any(share(switch, end) is switch.ports[entry.port] for end, _ in other.also):
                return taken(other)
            return stops(f"{packet.target} leaves the site by {switch.name} {entry.port}")
        there, port = entry.far.switch, entry.far.port
        assert port is not None
        stopped = _barred(there, port, End(there.name, port.name))
        stopped = stopped or _filtered(port, packet, routed=True)
        hop = Hop(node=switch.name, act=f"sends it to {there.name} by {entry.port}")
        return after(hop, stopped or self._forward(there, port.vrf, other, packet, seen))

    def _through(
        self,
        switch: Tables,
        vrf: str,
        far: Tables,
        other: Station,
        packet: Packet,
        seen: tuple[tuple[str, str], ...],
    ) -> Verdict:
        """Send a packet through a tunnel, by the VNI of a VRF."""
        vni, under = switch.tables[vrf].vni, self._tunnel(switch, far)
        if under.outcome is not Outcome.REACHES:
            return under
        every = [
            self._forward(each, each.vrf_of[vni], other, packet, seen)
            if vni in each.vrf_of
            else stops(f"{each.name} has no VRF of VNI {vni}")
            for each in self._landings(far)
        ]
        return joined(under, every_way(every))

    def _local(self, switch: Tables, port: Port, other: Station, packet: Packet) -> Verdict:
        """Deliver a packet to a station in one of a switch's own subnets."""
        stopped = _barred(switch, port, End(switch.name, port.name))
        if stopped is not None:
            return stopped
        vlan = next((v for v, each in switch.gateways.items() if each is port), 0)
        theirs = other.address(packet.target.version)
        if theirs is None or theirs.ip != packet.target:
            return stops(f"no station has {packet.target}")
        if vlan:
            return self._bridge(switch, vlan, other)
        if any(share(switch, end) is port for end in other.ends):
            return taken(other)
        return stops(f"{packet.target} is not behind {switch.name} {port.name}")

    def _inward(self, end: End, one: Station, other: Station, packet: Packet) -> Verdict:
        """Let an external router send, if it receives a route to the target."""
        switch = self._switches[end.switch]
        port = share(switch, end)
        stopped = _barred(switch, port, end)
        if stopped is None and port is not None:
            stopped = _filtered(port, packet, routed=True)
        if stopped is not None or port is None:
            return stopped or stops(f"{end.switch} has no port {end.port}")
        asns = {asn for each, asn in one.also if each == end} or {one.asn}
        mine = [
            session
            for session, near in outside(switch, port.vrf)
            if near is port and session.asn in (*asns, "external")
        ]
        told = [
            prefix
            for session in mine
            for prefix in self._ways.told(switch, port.vrf, session, packet.target, other)
        ]
        if not mine and any(by_hand(switch, port)):
            told += self._ways.subnets(switch, port.vrf, packet.target)
        if not told:
            return stops(f"{one.node} receives no route to {packet.target}")
        sent = Hop(node=one.node, act=f"sends to {told[0]}")
        return after(sent, self._forward(switch, port.vrf, other, packet))


def _barred(switch: Tables, port: Port | None, end: End) -> Verdict | None:
    """Return why nothing passes a port."""
    if port is None:
        return stops(f"{end.switch} has no port {end.port}")
    strange = switch.strange or port.strange
    if strange:
        return unknown(f"{end.switch}: {strange}")
    return None if port.up else stops(f"{end.switch} {end.port} is shut")


def _filtered(port: Port, packet: Packet, *, routed: bool) -> Verdict | None:
    """Return why a packet does not pass the ingress lists of a port or gateway."""
    for each in port.filters:
        if not routed and not each.bridged:
            continue
        if each.strange:
            return unknown(each.strange)
        passed, rule = each.passes(packet)
        if not passed:
            return stops(f"{rule} drops it")
    return None


def _vlan(tag: int | None) -> str:
    return f"VLAN {tag}" if tag else "a VLAN without a tag"


def _vlan_keys(switch: Tables, vlan: int) -> tuple[Key, ...]:
    """Return the possible keys of a VLAN in a file: its VNI first."""
    bridge = switch.bridges.get(vlan)
    own = (("vni", str(bridge.vni)),) if bridge is not None and bridge.vni else ()
    return (*own, ("vlan", str(vlan)))

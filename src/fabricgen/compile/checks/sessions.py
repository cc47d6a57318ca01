"""Check that both ends of every BGP session agree."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.gateway_ends import GatewayEnds
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.addressing import Ip, host_text
from fabricgen.model.fabric.applications import Application
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Session, Site, SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.model.fabric.zones import NO_ZONES

_BITS = 128  # one end of a session: an address, or the port that names it
_MASK = (1 << _BITS) - 1


class Waits(NamedTuple):
    """One end that waits until the other end has the same key."""

    switch: Switch
    peer: Switch
    asn: int
    peer_asn: int
    up: bool


class SessionPairs:
    """Session ends without a partner; both names and both ends are packed into a number.

    A fabric of 4,000 switches has 200,000 sessions that wait at once, so an end is kept small.
    """

    def __init__(self) -> None:
        self._waiting: dict[int, Waits] = {}
        self._numbers: dict[str, int] = {}

    def add(self, switch_slice: SwitchSlice, session: Session) -> Waits | None:
        """Return the waiting end of the same session, or add this one."""
        here, there = self._number(switch_slice.switch.name), self._number(session.peer.name)
        kind, near, far = _ends(session)
        if here > there:
            here, there, near, far = there, here, far, near
        key = (((here << 24 | there) << _BITS | near) << _BITS | far) << 4 | kind
        first = self._waiting.get(key)
        if first is None:
            self._waiting[key] = Waits(
                switch_slice.switch, session.peer, switch_slice.asn, session.peer_asn, session.up
            )
        elif first.switch.name != switch_slice.switch.name:
            del self._waiting[key]
        return first

    def waiting(self) -> Iterator[tuple[str, Waits]]:
        """Yield each end without a partner, with the session as text."""
        for key, waits in self._waiting.items():
            near, far, kind = key >> 4 + _BITS & _MASK, key >> 4 & _MASK, key & 15
            if self._number(waits.switch.name) > self._number(waits.peer.name):
                near, far = far, near
            version, sort = kind >> 1, "overlay" if kind & 1 else "underlay"
            over = f"on port {ends.label(near)}"
            if version:
                over = f"from {host_text(near, version)} to {host_text(far, version)}"
            yield f"{sort} session {waits.switch.name} to {waits.peer.name} {over}", waits

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))


def _ends(session: Session) -> tuple[int, int, int]:
    """Return (kind, local end, remote end): addresses, or the ports of an unnumbered session."""
    interface = session.interface
    if session.local is not None and session.remote is not None:
        kind = session.local.version << 1 | session.overlay
        return kind, session.local.value, session.remote.value
    if interface is None:
        return int(session.overlay), 0, 0
    far = interface.peer_port
    return 0, ends.key(interface.port), ends.key(far) if isinstance(far, Port) else 0


def wrongs(
    fabric: Fabric,
    switch_slice: SwitchSlice,
    peer: ExternalPeer,
    applications: Iterable[Application] = (),
) -> Iterator[str]:
    """Yield each fault, to be written after the name of the session."""
    port = peer.interface
    use = Use.NIC if peer.inside else Use.EXTERNAL
    shares = switch_slice.tunnels if port.tunnel is not None else switch_slice.tagged
    own = switch_slice.interfaces if port.tag is None else shares
    if not any(item is port for item in own) or port.use is not use:
        yield "crosses no external port of the switch"
    for other in shares if port.tag is not None else ():
        if other is not port and _told_apart(other) == _told_apart(port):
            what = "key" if port.tunnel is not None else "tag"
            yield f"has the {what} {port.tag} of VRF {other.vrf} on the same cable"
    if peer.local not in port.addresses:
        yield f"uses the address {peer.local}, which its port does not have"
    if port.vrf != peer.vrf or all(vrf.name != peer.vrf for vrf in switch_slice.vrfs):
        yield "is not in the VRF of its port, or that VRF is not on the switch"
    if peer.local.network != peer.remote.network or peer.local.version != peer.remote.version:
        yield f"goes to {peer.remote.host}, which is not in {peer.local.prefix}"
    elif peer.local.value == peer.remote.value:
        yield f"goes to its own address {peer.remote.host}"
    if peer.peer_asn == switch_slice.asn:
        yield f"stays inside the ASN {switch_slice.asn}, so it is not eBGP"
    if not peer.inside:
        yield from _subnets(fabric, peer, applications)
    yield from _policy(peer)


def _told_apart(port: Interface) -> tuple[object, ...]:
    """Return the tag that separates a VRF's frames, or a tunnel's packets, on a shared cable."""
    ends = (port.tunnel.local, port.tunnel.remote) if port.tunnel is not None else ()
    return (port.port, port.tag, *ends)


def _subnets(
    fabric: Fabric, peer: ExternalPeer, applications: Iterable[Application]
) -> Iterator[str]:
    """Compare the advertised prefixes with the VRF's subnets and its routes through the peer.

    Another site also receives the address of each application with servers at this site.
    """
    vlans = fabric.overlay.vlans.values() if fabric.overlay is not None else ()
    routes = fabric.overlay.routes if fabric.overlay is not None else ()
    own = {
        gateway
        for vlan in vlans
        if vlan.vrf == peer.vrf and (gateway := vlan.gateway(peer.version)) is not None
    }
    own |= {
        route.prefix
        for route in routes
        if route.announce
        and not peer.joins
        and (route.vrf, route.prefix.version) == (peer.vrf, peer.version)
    }
    own |= {
        each.address
        for each in applications
        if peer.joins and each.vrf == peer.vrf and fabric.name in each.sites
        if each.address.version == peer.version
    }
    wanted = {prefix.prefix for prefix in own if not _past_firewall(fabric, peer, prefix)}
    told = {rule.prefix.prefix for rule in peer.announce}
    if told != wanted:
        other = min(told ^ wanted)
        yield f"advertises other subnets than its VRF has: {other}"


def _past_firewall(fabric: Fabric, peer: ExternalPeer, prefix: Ip) -> bool:
    """Return whether a prefix is reached through a zone that this router is not in."""
    zones = fabric.overlay.zones if fabric.overlay is not None else NO_ZONES
    guard, home = zones.peers.get(peer.label), zones.zone_of(peer.vrf, prefix)
    promises = [each.through for each in zones.behind if each.zone == home]
    return guard is not None and bool(promises) and guard.zone not in promises


def _policy(peer: ExternalPeer) -> Iterator[str]:
    """Check the sequence numbers of the prefix lists."""
    for what, rules in (("accepts", peer.accept), ("announces", peer.announce)):
        if not rules:
            yield f"{what} no prefix"
        if len({rule.sequence for rule in rules}) != len(rules):
            yield f"{what} two prefixes with one sequence number"


# A session that one end does not know, or that uses an address its switch does not have, never
# comes up; the other links hide it. Each session must find exactly one session of its kind at the
# other end. Each cable between switches has one, and with an overlay each neighbor has one more
# between loopbacks. A switch without sessions counts as examined: its cables need none. A session
# with an external peer must cross its own port, in a VRF of the switch, towards another host of
# that subnet, in another ASN, and advertise the subnets of that VRF only. Gateways of two sites
# name each other, and join the same VRFs and VLANs.


class Sessions(Tallied):
    """Comparison of each session with its interface, then with the other end."""

    name, code, noun = "sessions", Code.SESSION_ENDS_DISAGREE, "switches and sessions"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.places = {fabric.name: fabric.place for fabric in site.fabrics}
        self.applications = site.applications
        self.pairs, self.gateways = SessionPairs(), GatewayEnds()

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Check the sessions of one switch and the cables that need a session."""
        self.tally.objects += 1 + len(switch_slice.sessions) + len(switch_slice.peers)
        uncrossed = {id(i): i for i in switch_slice.interfaces if i.use is Use.FABRIC}
        for session in switch_slice.sessions:
            if session.overlay:
                self.overlay(switch_slice, session)
            else:
                self.underlay(switch_slice, session, uncrossed.pop(id(session.interface), None))
            first = self.pairs.add(switch_slice, session)
            if first is not None:
                self.agree(switch_slice, session, first)
        for interface in uncrossed.values():
            end = ends.text(switch_slice.switch, interface.port)
            self.tally.add(
                "cables without a session", f"{end}: no session crosses it", interface.because
            )
        self.neighbors(fabric, switch_slice)
        self.gateways.see(switch_slice)
        for peer in switch_slice.peers:
            for what in wrongs(fabric, switch_slice, peer, self.applications):
                text = (
                    f"the external session {switch_slice.switch.name} to {peer.name} of "
                    f"VRF {peer.vrf}"
                )
                self.tally.add("external sessions", f"{text} {what}", peer.because)

    def underlay(self, switch_slice: SwitchSlice, session: Session, over: Interface | None) -> None:
        """Compare an underlay session with its interface, which has no other session."""
        if over is None:
            self.say(
                "sessions over no cable",
                switch_slice,
                session,
                "crosses no free port of the switch",
            )
        elif over.peer is None or over.peer.name != session.peer.name:
            self.say(
                "sessions over the cable of another",
                switch_slice,
                session,
                "uses the cable of another session",
            )
        elif session.local != over.address:
            what = f"uses the address {session.local}, which its interface does not have"
            self.say("sessions from a foreign address", switch_slice, session, what)

    def overlay(self, switch_slice: SwitchSlice, session: Session) -> None:
        """Compare an overlay session with the loopback; the end at the peer proves the rest."""
        if session.local != switch_slice.loopback:
            what = (
                f"uses the address {session.local} instead of its loopback {switch_slice.loopback}"
            )
            self.say("overlay sessions from a foreign address", switch_slice, session, what)

    def neighbors(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Compare the peers of both kinds: with an overlay they are the same."""
        over = {session.peer.name for session in switch_slice.sessions if session.overlay}
        under = {session.peer.name for session in switch_slice.sessions if not session.overlay}
        wanted = under if fabric.routing.overlay else set()
        for name in sorted(over ^ wanted):
            what = "no" if name in wanted else "an unwanted"
            self.tally.add(
                "overlay sessions that do not follow the underlay",
                f"{switch_slice.switch.name} has {what} overlay session to {name}",
                (*fabric.place, "overlay"),
            )

    def agree(self, switch_slice: SwitchSlice, session: Session, first: Waits) -> None:
        """Compare the two ends of a session."""
        if first.switch.name == switch_slice.switch.name:
            self.say("sessions configured twice", switch_slice, session, "is configured twice")
            return
        for expects, of, has in (
            (session.peer_asn, first.switch.name, first.asn),
            (first.peer_asn, switch_slice.switch.name, switch_slice.asn),
        ):
            if expects != has:
                what = f"expects the ASN {expects} of {of}, but it has {has}"
                self.say("sessions with a wrong ASN", switch_slice, session, what)
        if session.up == first.up:
            what = f"goes {'up' if session.up else 'down'} from both ends"
            self.say("sessions without a slope", switch_slice, session, what)

    def say(self, kind: str, switch_slice: SwitchSlice, session: Session, what: str) -> None:
        """Add a finding about one session."""
        sort = "overlay" if session.overlay else "underlay"
        text = f"the {sort} session {switch_slice.switch.name} to {session.peer.name} {what}"
        self.tally.add(kind, text, session.because)

    def result(self) -> Examined:
        """Report sessions without the other end, and gateways whose ends differ."""
        for text, because in self.gateways.wrongs():
            self.tally.add("gateways that disagree", text, because)
        for text, waits in self.pairs.waiting():
            message = f"the {text}: {waits.peer.name} has no session back"
            sort = "overlay" if text.startswith("overlay") else "underlay"
            path = (*self.places[waits.switch.fabric], sort)
            self.tally.add("sessions without a session back", message, path)
        return self.tally.result()

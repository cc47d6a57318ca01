"""Each BGP session is told to both ends, with the same addresses and ASNs, and crosses its cable.

A session that one end does not know, or that uses an address its switch does not own, never comes
up; the other links hide it. Fix the design or the pools: no intent speaks for one session. Each
session must find exactly one session of its kind back; each cable between switches has one, and
with an overlay each neighbour one more, between loopbacks. A switch without sessions counts as
examined: its cables were seen to need none. Of a session with an external peer one end alone is
known: it must cross its own port, in a VRF of the switch, towards another host of that subnet, in
another ASN, and be told the subnets of that VRF only. Gateways of two sites name each other, and
make the same VRFs and VLANs one.
"""

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.external_sessions import wrongs
from fabricgen.compile.checks.gateway_ends import GatewayEnds
from fabricgen.compile.checks.session_pairs import SessionPairs, Waits
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Session, Site, SwitchSlice


class Sessions(Tallied):
    """Compares each session with its interface, then with the session of the other end."""

    name, code, noun = "sessions", Code.SESSION_ENDS_DISAGREE, "switches and sessions"

    def __init__(self, site: Site) -> None:
        """Start with no session."""
        super().__init__(site)
        self.places = {fabric.name: fabric.place for fabric in site.fabrics}
        self.pairs, self.gateways = SessionPairs(), GatewayEnds()

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Look at the sessions of one switch, and at the cables that ask for them."""
        self.tally.objects += 1 + len(piece.sessions) + len(piece.peers)
        uncrossed = {id(i): i for i in piece.interfaces if i.use is Use.FABRIC}
        for session in piece.sessions:
            if session.overlay:
                self.overlay(piece, session)
            else:
                self.underlay(piece, session, uncrossed.pop(id(session.interface), None))
            first = self.pairs.add(piece, session)
            if first is not None:
                self.agree(piece, session, first)
        for interface in uncrossed.values():
            end = ends.text(piece.switch, interface.port)
            self.tally.add(
                "cables without a session", f"{end}: no session crosses it", interface.because
            )
        self.neighbours(fabric, piece)
        self.gateways.see(piece)
        for peer in piece.peers:
            for what in wrongs(fabric, piece, peer):
                text = f"the external session {piece.switch.name} to {peer.name} of VRF {peer.vrf}"
                self.tally.add("external sessions", f"{text} {what}", peer.because)

    def underlay(self, piece: SwitchSlice, session: Session, over: Interface | None) -> None:
        """Compare an underlay session with the interface it crosses, which has no other one."""
        if over is None:
            self.say("sessions over no cable", piece, session, "crosses no free port of it")
        elif over.peer is None or over.peer.name != session.peer.name:
            self.say("sessions over another's cable", piece, session, "uses another's cable")
        elif session.local != over.address:
            what = f"speaks from {session.local}, which its interface does not own"
            self.say("sessions from a foreign address", piece, session, what)

    def overlay(self, piece: SwitchSlice, session: Session) -> None:
        """Compare an overlay session with the loopback; the peer's own end proves the other."""
        if session.local != piece.loopback:
            what = f"speaks from {session.local}, not from its loopback {piece.loopback}"
            self.say("overlay sessions from a foreign address", piece, session, what)

    def neighbours(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Compare the peers of both kinds: with an overlay they are the same, without it none."""
        over = {session.peer.name for session in piece.sessions if session.overlay}
        under = {session.peer.name for session in piece.sessions if not session.overlay}
        wanted = under if fabric.routing.overlay else set()
        for name in sorted(over ^ wanted):
            what = "no" if name in wanted else "an unwanted"
            self.tally.add(
                "overlay sessions that do not follow the underlay",
                f"{piece.switch.name} has {what} overlay session to {name}",
                (*fabric.place, "overlay"),
            )

    def agree(self, piece: SwitchSlice, session: Session, first: Waits) -> None:
        """Compare what the two ends say."""
        if first.switch.name == piece.switch.name:
            self.say("sessions told twice", piece, session, "is told twice")
            return
        for expects, of, has in (
            (session.peer_asn, first.switch.name, first.asn),
            (first.peer_asn, piece.switch.name, piece.asn),
        ):
            if expects != has:
                what = f"expects the ASN {expects} of {of}, which has {has}"
                self.say("sessions with a wrong ASN", piece, session, what)
        if session.up == first.up:
            what = f"goes {'up' if session.up else 'down'} from both ends"
            self.say("sessions without a slope", piece, session, what)

    def say(self, kind: str, piece: SwitchSlice, session: Session, what: str) -> None:
        """Add a finding about one session."""
        sort = "overlay" if session.overlay else "underlay"
        text = f"the {sort} session {piece.switch.name} to {session.peer.name} {what}"
        self.tally.add(kind, text, session.because)

    def result(self) -> Examined:
        """Report the sessions that waited in vain, and gateways whose ends differ."""
        for text, because in self.gateways.wrongs():
            self.tally.add("gateways that disagree", text, because)
        for text, waits in self.pairs.waiting():
            message = f"the {text}: {waits.peer.name} has no session back"
            sort = "overlay" if text.startswith("overlay") else "underlay"
            path = (*self.places[waits.switch.fabric], sort)
            self.tally.add("sessions without a session back", message, path)
        return self.tally.result()

"""Check that every cable end has exactly one interface in use, and every such interface a cable.

A port that is missing in a configuration causes no error: the plan shows the cable, but the switch
has the port shut. Fix the design, because the intent names no single interface. Cable ends are
counted in the topology and again in the slices, and both counts must be equal. The members of a
bundle must be cabled to the bundle's server. A port to an external peer must have no cable of the
site and belongs to exactly one peer.
"""

from collections import Counter

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.pair import PEER_BUNDLE
from fabricgen.model.fabric.switch import Fabric, Lag, Site, SwitchSlice
from fabricgen.model.fabric.topology import Switch


class Cables(Tallied):
    """Comparison of the cables of a switch with its interfaces."""

    name, code, noun = "cables", Code.CABLE_WITHOUT_INTERFACE, "interfaces"

    def __init__(self, site: Site) -> None:
        """Count the cable ends of each fabric."""
        super().__init__(site)
        self.told: Counter[str] = Counter()

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Compare the interfaces of one switch with its cables."""
        self.tally.objects += len(switch_slice.interfaces)
        name = switch_slice.switch.name
        stanzas = [ends.key(i.port) for i in switch_slice.interfaces]
        used = {
            ends.key(i.port): i
            for i in switch_slice.interfaces
            if i.use not in (Use.UNUSED, Use.EXTERNAL)
        }
        cabled = {
            ends.key(port): link
            for link in fabric.topology.links_at.get(name, ())
            if (port := ends.port_at(link, name)) is not None
        }
        self.told[fabric.name] += len(used)
        for number in cabled.keys() - used.keys():
            text = f"{name} port {ends.label(number)} has the cable {ends.cable(cabled[number])}"
            self.say(
                "cable ends without an interface", f"{text}, but no interface in use", switch_slice
            )
        for number in used.keys() - cabled.keys():
            text = f"{name} port {ends.label(number)} has an interface in use, but no cable"
            self.say("interfaces without a cable", text, switch_slice)
        if len(set(stanzas)) != len(stanzas):
            for number, times in Counter(stanzas).items():
                if times > 1:
                    text = f"{name} port {ends.label(number)} is configured {times} times"
                    self.say("interfaces configured twice", text, switch_slice)
        for lag in switch_slice.lags:
            self.lag(switch_slice, lag)
        self.bundled(switch_slice)
        self.outside(switch_slice)

    def lag(self, switch_slice: SwitchSlice, lag: Lag) -> None:
        """Compare a LAG with the cables of its members."""
        own = {id(interface) for interface in switch_slice.interfaces}
        for member in lag.members:
            peer = member.peer
            outside = bool(lag.outside) and member.outside == lag.outside
            if not (outside or (peer and peer.name == lag.far)) or id(member) not in own:
                text = f"{ends.text(switch_slice.switch, member.port)} is in the LAG of"
                there = peer.name if peer is not None else "nothing"
                self.say(
                    "LAGs across servers",
                    f"{text} {lag.far}, but its cable goes to {there}",
                    switch_slice,
                )

    def bundled(self, switch_slice: SwitchSlice) -> None:
        """Require that interfaces and LAGs name each other."""
        members = {(lag.number, ends.key(i.port)) for lag in switch_slice.lags for i in lag.members}
        if switch_slice.pair is not None:
            members |= {(PEER_BUNDLE, ends.key(i.port)) for i in switch_slice.pair.members}
        numbered = {(i.lag, ends.key(i.port)) for i in switch_slice.interfaces if i.lag is not None}
        for number, port in sorted(members ^ numbered):
            text = f"{switch_slice.switch.name} port {ends.label(port)} and LAG {number}"
            self.say("LAGs that miss a member", f"{text} do not name each other", switch_slice)

    def outside(self, switch_slice: SwitchSlice) -> None:
        """Compare the external peers with the external ports."""
        told = Counter(
            ends.key(peer.interface.port)
            for peer in switch_slice.external
            if peer.interface.tag is None and not _second(peer)
        )
        ports = {
            ends.key(i.port): i.vrf is None
            for i in switch_slice.interfaces
            if i.use is Use.EXTERNAL
        }
        shares = {ends.key(own.port) for own in switch_slice.tagged}
        for number in sorted(told.keys() | ports.keys() | shares):
            one = int(not ports.get(number, False))
            if told[number] != one or number not in ports or (number in shares and one):
                text = f"{switch_slice.switch.name} port {ends.label(number)} has {told[number]}"
                use = "" if number in ports else ", but is not an external port"
                kind = "external ports without one peer"
                self.say(kind, f"{text} external peer(s){use}", switch_slice)

    def say(self, kind: str, message: str, switch_slice: SwitchSlice) -> None:
        """Add a finding about one switch."""
        self.tally.add(kind, message, switch_slice.switch.because)

    def result(self) -> Examined:
        """Compare the numbers of cable ends and interfaces."""
        for fabric in self.site.fabrics:
            links = fabric.topology.links
            into = sum(
                isinstance(end, Switch) for link in links for end in (link.lower, link.upper)
            )
            told = self.told[fabric.name]
            if into != told:
                self.tally.add(
                    "fabrics that lose cables",
                    f"the switches of the {fabric.name} have {into:,} cable ends, but {told:,} "
                    "interfaces in use",
                    fabric.place,
                )
        return self.tally.result()


def _second(peer: ExternalPeer) -> bool:
    """Return whether a session is the IPv6 session of a peer that also has one over IPv4."""
    return peer.version == 6 and len(peer.interface.addresses) > 1

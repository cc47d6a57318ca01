"""Both ends of each cable are told the same: speed, MTU, state, and addresses that meet.

A link whose ends disagree comes up and drops large frames, or stays down on one side only. Fix the
design: nothing in the intent speaks for one end alone, except a platform exception. Each end is
taken from the slice of its own switch and held against the cable and against the other end.
"""

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link


class Links(Tallied):
    """Keeps the first end of a cable until the slice with the second one comes."""

    name, code, noun = "links", Code.LINK_ENDS_DISAGREE, "link ends"

    def __init__(self, site: Site) -> None:
        """Start with no open cable."""
        super().__init__(site)
        self.open: dict[int, tuple[Link, Interface | None]] = {}

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Look at this switch's end of each of its cables."""
        name = piece.switch.name
        up = {ends.key(i.port): i for i in piece.interfaces if i.use is not Use.UNUSED}
        for link in fabric.topology.links_at.get(name, ()):
            self.tally.objects += 1
            port = ends.port_at(link, name)
            mine = up.get(ends.key(port)) if port is not None else None
            if mine is None:
                self.say("link ends that are down", link, f"{name} has no interface in use there")
            else:
                self.end(name, link, mine)
            if not link.to_server:
                other = self.open.pop(id(link), None)
                if other is None:
                    self.open[id(link)] = (link, mine)
                elif mine is not None and other[1] is not None:
                    self.both(link, other[1], mine)

    def end(self, name: str, link: Link, mine: Interface) -> None:
        """Compare one end with its cable."""
        upper = link.upper.name == name
        peer, port = (link.lower, link.lower_port) if upper else (link.upper, link.upper_port)
        if mine.port.speed != link.speed:
            self.say(
                "speeds that disagree",
                link,
                f"{name} runs it at {mine.port.speed}, the cable is {link.speed}",
            )
        if (
            mine.peer is None
            or mine.peer.name != peer.name
            or (mine.peer_port is not port and mine.peer_port != port)
        ):
            told = (
                "nothing"
                if mine.peer is None or mine.peer_port is None
                else ends.text(mine.peer, mine.peer_port)
            )
            self.say("ends told another peer", link, f"{name} is told that {told} is there")

    def both(self, link: Link, one: Interface, other: Interface) -> None:
        """Compare the two ends of a cable between switches."""
        if one.mtu != other.mtu:
            self.say(
                "MTUs that disagree", link, f"one end has MTU {one.mtu}, the other {other.mtu}"
            )
        if link.of_pair:
            if one.address or other.address or one.link_local or other.link_local:
                self.say("bridged links with addresses", link, "it is bridged, an end is routed")
            return
        if one.link_local or other.link_local:
            if not (one.link_local and other.link_local) or one.address or other.address:
                self.say("addressing that disagrees", link, "one end is link-local, the other not")
            return
        here, there = one.address, other.address
        if here is None or there is None:
            self.say("ends without an address", link, "an end has neither address nor link-local")
        elif here.length != (31 if here.version == 4 else 127):
            self.say("links that are not point to point", link, f"its subnet is {here.prefix}")
        elif here[1:] != there[1:] or here.value ^ there.value != 1:
            self.say(
                "ends that do not meet",
                link,
                f"{here} and {there} are not the two hosts of one subnet",
            )

    def say(self, kind: str, link: Link, what: str) -> None:
        self.tally.add(kind, f"cable {ends.cable(link)}: {what}", link.because)

    def result(self) -> Examined:
        """Report cables of which only one end was told."""
        for link, _ in self.open.values():
            self.say("cables told to one end only", link, "no slice came for its other end")
        return self.tally.result()

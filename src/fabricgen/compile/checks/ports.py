"""Check that a port has one cable and that a switch's list of ports names each lane once.

Two cables in one port look fine in two half-right configurations. To fix it, use fewer servers or
spines per switch: a full design claims a used port. The check examines both ends of every link, and
the cages of every switch. A cage has one breakout mode, and no two of its interfaces have the same
number or lanes.
"""

from collections.abc import Iterable

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link, Port, Switch


class Ports(Tallied):
    """Check of the cables of each switch and of each distinct faceplate."""

    name, code, noun = "ports", Code.PORT_USED_TWICE, "link ends and switches"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.faceplates: dict[int, tuple[Port, ...]] = {}
        self.walked: set[tuple[str, str]] = set()

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Check the cables and ports of one switch; switches of a role share one faceplate."""
        name, ports = switch_slice.switch.name, switch_slice.switch.ports
        self.tally.objects += 1
        self.walked.add((fabric.name, name))
        self.cables(name, fabric.topology.links_at.get(name, ()))
        self.pinned(switch_slice)
        if id(ports) not in self.faceplates:
            self.faceplates[id(ports)] = ports  # kept, so that no other tuple can get the same id
            self.faceplate(switch_slice.switch)

    def pinned(self, switch_slice: SwitchSlice) -> None:
        """Report objects on a port that the intent keeps empty and that could not be moved."""
        for item in switch_slice.interfaces:
            if item.note is not None and item.note.state and item.use is not Use.UNUSED:
                what = item.outside or (item.peer.name if item.peer is not None else "its use")
                self.tally.add(
                    "pinned ports in use",
                    f"{switch_slice.switch.name} port {item.port.label} is {item.note.state}, but "
                    f"another key of the intent assigns {what} to it",
                    item.note.because,
                    "choose another port in that key",
                )

    def result(self) -> Examined:
        """Check the cables of devices without a slice."""
        for fabric in self.site.fabrics:
            for name, links in fabric.topology.links_at.items():
                if (fabric.name, name) not in self.walked:
                    self.cables(name, links)
        return self.tally.result()

    def cables(self, name: str, links: Iterable[Link]) -> None:
        """Take the port of each cable of one switch or server."""
        used: dict[int | str, Link] = {}
        for link in links:
            self.tally.objects += 1
            port = link.upper_port if link.upper.name == name else link.lower_port
            other = used.setdefault(ends.key(port) if isinstance(port, Port) else port.name, link)
            if other is not link:
                text = f"{name} port {port.label} is used twice: by the cable {ends.cable(other)}"
                self.tally.add(
                    "ports used twice", f"{text} and by {ends.cable(link)}", link.because
                )

    def faceplate(self, switch: Switch) -> None:
        """Compare the interfaces of each cage: one way to break it out, each lane once."""
        lanes: dict[tuple[int, int], Port] = {}
        ways: dict[int, int] = {}
        for port in switch.ports:
            if ways.setdefault(port.cage, port.subs) != port.subs:
                text = f"{switch.name} cage {port.cage} is split into {ways[port.cage]}"
                kind = "cages with two breakout modes"
                self.tally.add(kind, f"{text} and into {port.subs}", switch.because)
            mine = [(port.cage, lane) for lane in range(port.lane, port.lane + port.lanes)]
            taken = [lanes[lane] for lane in mine if lane in lanes]
            lanes.update(dict.fromkeys(mine, port))
            if taken:
                text = f"{ends.text(switch, port)} is listed twice"
                if taken[0] != port:
                    text = f"{ends.text(switch, port)} shares a lane with port {taken[0].label}"
                self.tally.add("lanes that two ports have", text, switch.because)

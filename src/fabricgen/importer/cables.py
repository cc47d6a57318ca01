"""Matches the cables that were read to the links of the designed fabric.

A link and a cable match by address first, then by the ports that both have, then by their switches.
For a server, the port of the server decides.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabricgen.core.tree.facts import TRUE, Attributes
from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.plugs import Plugs, speed_of
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Port, Server, Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import UNUSED
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text, words

End = tuple[str, str]
"""A switch and a printed port, or a server and the name of its port."""
Ends = tuple[End, End]
"""A cable or link. The end nearer to the servers is first."""
Key = tuple[str, str, str]
"""A designed link regardless of its ports: both devices and the index of their link."""


def key_of(link: Link) -> Key:
    """Return the identity of a link."""
    which = link.lower_port.label if isinstance(link.lower, Server) else str(link.slot)
    return link.lower.name, link.upper.name, which


def ends_of(link: Link) -> Ends:
    """Return both ends of a link."""
    return (
        (link.lower.name, link.lower_port.label),
        (link.upper.name, link.upper_port.label),
    )


class Cables:
    """The cables of one fabric, with the names of its design."""

    def __init__(
        self, fabric: Fabric, plugs: Plugs, facing: Sequence[tuple[Switch, Judged]]
    ) -> None:
        """Read the cables of designed switches, each with its switch from the files."""
        self.fabric = fabric
        self._ports: dict[str, Mapping[str, Port]] = {}
        self.switches = {switch.name: (switch, read) for switch, read in facing}
        self.tiers = {switch.name: switch.role.tier for switch, _ in facing}
        self.far: dict[End, End] = dict(self._found(plugs))
        for near, far in list(self.far.items()):
            self.far.setdefault(far, near)

    def _found(self, plugs: Plugs) -> Iterator[tuple[End, End]]:
        names = {read: switch.name for switch, read in self.switches.values()}
        for name, (_, read) in self.switches.items():
            for plug in plugs.of[read]:
                far = plug.far, plug.far_port
                if plug.to is not None:
                    there = plugs.ports[plug.to].get(plug.far_port)
                    if there is None or plug.to not in names:
                        continue
                    far = names[plug.to], there.label
                yield (name, plugs.ports[read][plug.port].label), far

    def said(self, end: End) -> Attributes:
        """Return the settings of a port in the files. None if the files lack the port."""
        switch, read = self.switches.get(end[0], (None, None))
        if switch is None or read is None:
            return {}
        if end[0] not in self._ports:
            self._ports[end[0]] = {port.label: port for port in reversed(switch.ports)}
        port = self._ports[end[0]].get(end[1])
        return read.own(("interface", spell(switch, port))) if port is not None else {}

    def shut(self, end: End) -> bool:
        """Check whether a port is shut."""
        return self.said(end).get("shut") == TRUE

    def speed(self, end: End) -> BitsPerSecond | None:
        """Return the speed of a used port in the files."""
        said = self.said(end)
        return None if said.get("shut") == TRUE else speed_of(text(said.get("speed")))

    def note(self, end: End) -> str:
        """Return the description of a port that is shut and has no cable, or an empty text."""
        told = text(self.said(end).get("description")) if self.shut(end) else ""
        return told if end not in self.far and told != UNUSED else ""

    def goals(self, links: Iterable[Link]) -> dict[Key, Ends | None]:
        """Return the place of each link that differs from the design. None for a missing link."""
        goals: dict[Key, Ends | None] = {}
        off: list[Link] = []
        for link in links:
            lower, upper = ends_of(link)
            if self.far.get(upper) == lower or upper[0] not in self.switches:
                continue
            if not isinstance(link.lower, Server):
                off += [] if link.of_pair else [link]
            elif self.far.get(lower, ("", ""))[0] == upper[0]:
                goals[key_of(link)] = lower, self.far[lower]
        return goals | self._between(off, [ends_of(link) for link in links])

    def _between(self, off: list[Link], design: list[Ends]) -> dict[Key, Ends | None]:
        """Match links between switches, the most similar first."""
        known = set(design)
        rest = {each: None for each in self._upwards() if each not in known}
        near: dict[str, list[Ends]] = defaultdict(list)
        for cable in rest:
            near[cable[0][0]].append(cable)
        pairs = [
            (self._alike(link, cable), link, cable)
            for link in off
            for cable in near.get(link.lower.name, ())
        ]
        goals: dict[Key, Ends | None] = {}
        for _, link, cable in sorted(pairs, key=lambda each: each[0], reverse=True):
            if key_of(link) not in goals and cable in rest:
                goals[key_of(link)] = cable
                del rest[cable]
        gone = (link for link in off if key_of(link) not in goals and self._gone(link))
        return goals | dict.fromkeys(map(key_of, gone))

    def _upwards(self) -> Iterator[Ends]:
        for near, far in self.far.items():
            tiers = self.tiers
            if near[0] in tiers and far[0] in tiers and tiers[near[0]] < tiers[far[0]]:
                yield near, far

    def _alike(self, link: Link, cable: Ends) -> tuple[bool, int, bool]:
        lower, upper = ends_of(link)
        both = self.fabric.addresses.link(link)
        has = words(self.said(cable[0]).get("address"))
        same = (lower == cable[0]) + (upper == cable[1])
        return both is not None and str(both[0]) in has, same, upper[0] == cable[1][0]

    def _gone(self, link: Link) -> bool:
        """Check whether both ports of a link are unused, so that the link is missing."""
        return not any(
            self.said(end).get("address") or self.said(end).get("link-local")
            for end in ends_of(link)
            if end not in self.far
        )

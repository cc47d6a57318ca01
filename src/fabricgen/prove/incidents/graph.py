"""Joins the expected states of switches to a graph of cables, sessions and routes."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Link, Server
from fabricgen.nos.lowering import spell
from fabricgen.prove.runs import Expected

End = tuple[str, str]
"""A switch or server, and its port."""
_LONG, _SHORT = "/128", "/32"


@record(eq=False)
class Cable:
    """One cable with its two ends, as the switches name their ports."""

    ends: tuple[End, End]
    link: Link

    @property
    def name(self) -> str:
        """Return both ends as text."""
        return " -- ".join(map(":".join, self.ends))

    @property
    def server(self) -> str:
        """Return the name of its server; empty if it joins two switches."""
        return self.link.lower.name if isinstance(self.link.lower, Server) else ""

    def far(self, end: End) -> End:
        """Return the other end."""
        return self.ends[1] if end == self.ends[0] else self.ends[0]


class Graph:
    """The cables of a site, and the sessions, routes and tunnels that the model expects.

    Attributes:
        cables: Cables by each end.
        switches: Names of all switches.
        tunnels: Switches by the address at which their tunnels start.
        origins: Switches by the prefix that they advertise.
        sessions: Underlay sessions by the port that they need.
    """

    def __init__(self, site: Site, expected: Mapping[str, Expected]) -> None:
        """Build the graph. `expected`: of as many switches as possible, by name."""
        self.expected = expected
        self.cables: dict[End, Cable] = {}
        for link in (link for fabric in site.fabrics for link in fabric.topology.links):
            low = link.lower.name, spell(link.lower, link.lower_port)
            cable = Cable((low, (link.upper.name, spell(link.upper, link.upper_port))), link)
            self.cables.update(dict.fromkeys(cable.ends, cable))
        self.switches = {it.name for fabric in site.fabrics for it in fabric.topology.switches}
        self.origins: dict[str, set[str]] = defaultdict(set)
        self.tunnels: dict[str, set[str]] = defaultdict(set)
        self._members: dict[End, list[str]] = defaultdict(list)
        for name, each in expected.items():
            self._add(name, each)
        self.sessions: dict[End, list[Key]] = defaultdict(list)
        for name, each in expected.items():
            for key in each.ports:
                self.sessions[name, self.session_port(name, key)].append(key)
        self.at: dict[str, list[Cable]] = defaultdict(list)
        for (name, _), cable in self.cables.items():
            self.at[name].append(cable)

    def _add(self, name: str, expected: Expected) -> None:
        for key, own in expected.facts.items():
            if key[0] == "route" and expected.role(key) in self.switches:
                self.origins[key[2]].add(expected.role(key))
            elif key[0] in {"vni", "vtep"} and isinstance(own.get("source"), str):
                self.tunnels[str(own["source"])].add(name)
            elif key[0] == "interface" and "bundle" in own:
                self._members[name, str(own["bundle"])].append(key[1])

    def ports(self, switch: str, interface: str) -> list[str]:
        """Return the cabled ports of an interface: itself, its members, or the port of a share."""
        base = interface.partition(".")[0]
        found = [each for each in (interface, base) if (switch, each) in self.cables]
        return found[:1] or self._members.get((switch, base), [])

    def between(self, switch: str) -> list[Cable]:
        """Return the cables of a switch to other switches."""
        return [each for each in self.at[switch] if not each.server]

    def peer(self, switch: str, session: Key) -> str:
        """Return the switch at the other end of a session; empty for other peers."""
        expected = self.expected.get(switch)
        role = expected.role(session) if expected is not None else ""
        return role if role in self.switches else ""

    def session_port(self, switch: str, session: Key) -> str:
        """Return the port of an underlay session; empty for a session of loopbacks."""
        expected = self.expected.get(switch)
        port = expected.ports.get(("session", *session[1:]), "") if expected is not None else ""
        found = self.ports(switch, port)
        return found[0] if found else ""

    def ways(self, switch: str, prefix: str) -> tuple[str, ...]:
        """Return the expected egress ports of a switch to a prefix."""
        expected = self.expected.get(switch)
        own = expected.facts.get(("route", GLOBAL, prefix), {}) if expected is not None else {}
        ports = own.get("ports", ())
        return tuple(map(str, ports)) if isinstance(ports, tuple) else ()

    def prefix_of(self, switch: str, address: str) -> str:
        """Return the expected route to an address of another switch; empty without one."""
        each = address + (_LONG if ":" in address else _SHORT)
        return each if self.ways(switch, each) else ""

    def edges(self, end: End, prefix: str) -> Iterator[End]:
        """Yield each port that a packet to a prefix may leave by, from a port on."""
        seen, waiting = {end}, [end]
        while waiting:
            here = waiting.pop()
            yield here
            fresh = [each for each in self._next(here, prefix) if each not in seen]
            seen.update(fresh)
            waiting += fresh

    def _next(self, end: End, prefix: str) -> list[End]:
        cable = self.cables.get(end)
        there = cable.far(end)[0] if cable is not None else ""
        if there in self.origins[prefix]:
            return []
        return [(there, port) for port in self.ways(there, prefix)]

    def is_cut(self, end: End, prefix: str, dead: Callable[[End], bool]) -> bool:
        """Return whether each expected way to a prefix from a port on has a dead port."""
        known: dict[End, bool] = {}

        def cut(here: End) -> bool:
            if here not in known:
                known[here] = True  # a loop leads nowhere
                onward = self._next(here, prefix)
                known[here] = dead(here) or (bool(onward) and all(map(cut, onward)))
            return known[here]

        return cut(end)

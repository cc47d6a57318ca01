"""Assigns a finding to the first cause that explains it, by the parts of the model's graph."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL
from fabricgen.prove.incidents.graph import End
from fabricgen.prove.incidents.model import Cause, Found, Thing
from fabricgen.prove.incidents.parts import (
    FORWARDING,
    ROUTING,
    edge_parts,
    is_tunneled,
    missing_addresses,
    parts,
)
from fabricgen.prove.incidents.view import View


def lost_ports(view: View, found: Found) -> list[str]:
    """Return the egress ports that a route has in the model and not on its switch."""
    wanted = view.graph.ways(found.switch, found.key[-1])
    shown = view.seen[found.switch].observed.facts.get(found.key, {}).get("ports", ())
    return [port for port in wanted if port not in shown]


class Explainer:
    """Finds the cause of a finding among the known causes of a view."""

    def __init__(self, view: View) -> None:
        """Set the view; later causes are not known."""
        self._view = view
        self._edges: dict[End, list[Cause]] = {}
        self._cuts: dict[tuple[End, str], Cause | None] = {}

    def cause_of(self, found: Found) -> Cause | None:
        """Return the first cause that explains a finding; None if there is none."""
        causes = [*self._view.explaining(parts(self._view.graph, found))]
        causes += self._over_paths(found)
        return min(causes, key=lambda cause: cause.rank, default=None)

    def _over_paths(self, found: Found) -> Iterator[Cause]:
        """Yield causes on the paths to other switches that a finding depends on."""
        graph, switch, key = self._view.graph, found.switch, found.key
        if key[:1] in {("route",), ("hardware",)}:
            ports = lost_ports(self._view, found)
            for port in ports:
                yield from self._cut((switch, port), key[-1])
            if ports and len(ports) == len(graph.ways(switch, key[-1])):
                yield from self._at_origin(key[-1])
        elif key[:1] == ("session",) and not graph.session_port(switch, key):
            yield from self._unreachable(switch, key[-1])
        elif is_tunneled(key):
            for address in missing_addresses(found):
                yield from self._unreachable(switch, address)
                for owner in graph.tunnels.get(address, ()):
                    yield from self._view.explaining(_tunnel_parts(owner, found))

    def _at_origin(self, prefix: str) -> Iterator[Cause]:
        for origin in self._view.graph.origins.get(prefix, ()):
            away: tuple[Thing, ...] = (
                ("switch", origin),
                ("loopback", origin),
                ("daemon", origin, ROUTING),
                ("daemon", origin, FORWARDING),
            )
            yield from self._view.explaining(away)

    def _unreachable(self, switch: str, address: str) -> Iterator[Cause]:
        """Yield a cause if every path to an address is cut."""
        prefix = self._view.graph.prefix_of(switch, address)
        found = [
            self._cut((switch, port), prefix) for port in self._view.graph.ways(switch, prefix)
        ]
        causes = [next(each, None) for each in found]
        if causes and None not in causes:
            yield from (cause for cause in causes if cause is not None)

    def _cut(self, end: End, prefix: str) -> Iterator[Cause]:
        """Yield the first cause that cuts all ways from a port on, alone or with the others."""
        key = end, prefix
        if key not in self._cuts:
            self._cuts[key] = self._first_cut(end, prefix)
        cause = self._cuts[key]
        if cause is not None:
            yield cause

    def _first_cut(self, end: End, prefix: str) -> Cause | None:
        graph = self._view.graph
        causes = {id(cause): cause for edge in graph.edges(end, prefix) for cause in self._at(edge)}
        order = sorted(causes.values(), key=lambda cause: cause.rank)
        for cause in order:
            if graph.is_cut(end, prefix, lambda edge, one=cause: one in self._at(edge)):  # type: ignore[misc]
                return cause
        if graph.is_cut(end, prefix, lambda edge: bool(self._at(edge))):
            return order[0] if order else None
        return None

    def _at(self, edge: End) -> list[Cause]:
        if edge not in self._edges:
            self._edges[edge] = [*self._view.explaining(edge_parts(self._view.graph, edge))]
        return self._edges[edge]


def _tunnel_parts(owner: str, found: Found) -> Iterator[Thing]:
    """Yield what a tunnel to a switch needs there."""
    yield "switch", owner
    yield "tunnel", owner
    yield "loopback", owner
    yield "daemon", owner, ROUTING
    yield "daemon", owner, FORWARDING
    name = found.key[1] if len(found.key) > 1 else GLOBAL
    for sort in ("vlan", "vni", "vrf"):
        yield "network", owner, sort, name

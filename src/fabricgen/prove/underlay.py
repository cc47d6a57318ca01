"""Computes the ports by which each switch of a fabric sends packets to every other switch.

The routes are those of the deadlock check, which follows BGP with the configured policies. Prefixes
that one switch advertises take the same paths, and ECMP paths share the load. Parallel cables are
one path there, and each is a next hop here. Only IPv4 is computed, because every underlay
advertises it.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from fabricgen.compile.checks.deadlock.network import network
from fabricgen.compile.checks.deadlock.routes import Destination, hops
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex, without_drained_links
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.switch import SwitchSlice

Keys = tuple[int, ...]
"""Local ports of a switch, as `checks.ends.key` numbers them."""


@record()
class Underlay:
    """Routes by switch, then by destination switch. `prefixes`: advertised by each switch.

    `links`: prefixes of links that OSPF advertises, too.
    """

    routes: Mapping[str, Mapping[str, Keys]]
    prefixes: Mapping[str, tuple[str, ...]]
    links: frozenset[str] = frozenset()


class Ways:
    """Routes of one fabric without failures, to one switch at a time, so that few are cheap.

    `names`: its switches.
    """

    def __init__(self, pieces: Iterable[SwitchSlice]) -> None:
        """Set the slices of the running switches."""
        self._told = RoutingIndex()
        for switch_slice in pieces:
            self._told.add(without_drained_links(switch_slice))
        self._net = network(self._told)
        self.names = {self._told.names[origin]: origin for origin in self._told.places}

    def to(self, name: str) -> dict[str, Keys]:
        """Return the local ports of each other switch for packets to a switch."""
        found: dict[str, Keys] = {}
        for here, ways in hops(self._net, Destination(self.names[name]), frozenset()).items():
            ports = (own for number in ways for own, _ in self._net.ways[number].ports)
            found[self._told.names[here]] = tuple(sorted(ports))
        return found

    def prefixes(self, name: str) -> tuple[str, ...]:
        """Return the prefixes that a switch advertises."""
        own = self._told.prefixes_of(self.names[name])
        return tuple(sorted({Ip(*prefix).prefix for prefix in own}))


def underlay(pieces: Iterable[SwitchSlice]) -> Underlay:
    """Compute the routes of one fabric without failures."""
    every = tuple(pieces)
    ways = Ways(every)
    routes: dict[str, dict[str, Keys]] = defaultdict(dict)
    for origin in ways.names:
        for here, ports in ways.to(origin).items():
            routes[here][origin] = ports
    links = frozenset(
        it.local.prefix for piece in every for it in piece.adjacencies if it.local is not None
    )
    return Underlay(dict(routes), {name: ways.prefixes(name) for name in ways.names}, links)

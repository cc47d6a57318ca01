"""The slices of a fabric in; by which ports packets to every other switch leave each one out.

The routes are those of the deadlock check, which follows BGP as the switches are told: prefixes
that one switch announces travel alike, and equal paths share the load. Parallel cables are one way
there, and each of them is a next hop here. It knows IPv4, in which every underlay announces.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from fabricgen.checks.deadlock.network import network
from fabricgen.checks.deadlock.routes import Destination, hops
from fabricgen.checks.deadlock.told import Told
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.switch import SwitchSlice
from fabricgen.record import record

Keys = tuple[int, ...]
"""Own ports of a switch, as `checks.ends.key` numbers them."""


@record()
class Underlay:
    """Routes by switch, then by the switch they lead to. prefixes: what each switch announces."""

    routes: Mapping[str, Mapping[str, Keys]]
    prefixes: Mapping[str, tuple[str, ...]]


def underlay(pieces: Iterable[SwitchSlice]) -> Underlay:
    """Compute the routes of one fabric with everything up."""
    told = Told()
    for piece in pieces:
        told.add(piece)
    net = network(told)
    routes: dict[str, dict[str, Keys]] = defaultdict(dict)
    for origin in told.places:
        for here, ways in hops(net, Destination(origin), frozenset()).items():
            ports = (own for number in ways for own, _ in net.ways[number].ports)
            routes[told.names[here]][told.names[origin]] = tuple(sorted(ports))
    prefixes = {
        told.names[origin]: tuple(
            sorted({Ip(*prefix).prefix for prefix in told.prefixes_of(origin)})
        )
        for origin in told.places
    }
    return Underlay(dict(routes), prefixes)

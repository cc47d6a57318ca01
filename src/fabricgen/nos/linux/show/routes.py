"""States which routes the tables of a Linux switch have beside what protocols bring and take."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import GLOBAL, Attributes, Key
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.show.kernel import STATIC


def own(piece: SwitchSlice) -> Iterator[tuple[Key, Attributes]]:
    """Yield the static routes of VRFs, and of each table the routing daemons that own the rest.

    BGP owns the underlay, hosts and subnets of EVPN, what is leaked and what routers outside tell;
    OSPF owns what those tell of it. How many routes they have is theirs.
    """
    for key in {(route.vrf, route.prefix.prefix) for route in piece.routes}:
        yield ("kernel-route", *key), {"way": (STATIC,)}
    flooding = {peer.vrf for peer in piece.flooding}
    for name in (GLOBAL, *(vrf.name for vrf in piece.vrfs)):
        protocols = ("bgp", "ospf") if name in flooding else ("bgp",)
        yield ("fib", name), {"protocols": protocols}

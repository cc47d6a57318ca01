"""Check redundancy: switch pairs, single points of failure and drained links."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex, without_drained_links
from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Examined, IntentPath, Severity
from fabricgen.core.units import spans
from fabricgen.model.fabric.pair import Pair
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Port, Role, Switch

if TYPE_CHECKING:
    from fabricgen.compile.checks.deadlock.network import Network
    from fabricgen.compile.checks.deadlock.routes import Hops
    from fabricgen.model.fabric.topology import Link


# Two pairs with one domain are one LACP system wherever they are connected. A leaf with a wrong
# peer, or a wrong peer address, never forms the pair: its servers are on one leaf. With another ASN
# or tunnel endpoint, or without one of the VLANs or VRFs, traffic to the pair ends on the leaf that
# drops it. Fix a domain in the intent; the rest is a defect of the design. A switch without a pair
# counts as examined.


class _End(NamedTuple):
    """A leaf and its pair. `alike` has the values that both leafs must share, by name."""

    switch: str
    pair: Pair
    alike: dict[str, str]


class Pairs(Tallied):
    """Leafs of every MLAG domain."""

    name, code, noun = "MLAG pairs", Code.PAIR_DISAGREES, "switches and pairs"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.domains: dict[str, list[_End]] = defaultdict(list)

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record one leaf."""
        del fabric
        self.tally.objects += 1 + (switch_slice.pair is not None)
        if switch_slice.pair is not None:
            alike = {
                "network OS": switch_slice.switch.platform,
                "ASN": str(switch_slice.asn),
                "tunnel endpoint": str(switch_slice.vtep),
                "links": str(len(switch_slice.pair.members)),
                "MTU": str(switch_slice.pair.mtu),
                "VLANs": spans(vlan.id for vlan in switch_slice.vlans) or "none",
                "VRF ids": spans(vrf.id for vrf in switch_slice.vrfs) or "none",
                "VLANs of VRFs": spans(vrf.vlan for vrf in switch_slice.pair.vrfs) or "none",
            }
            self.domains[switch_slice.pair.domain].append(
                _End(switch_slice.switch.name, switch_slice.pair, alike)
            )

    def result(self) -> Examined:
        """Compare the leafs of each domain."""
        for domain, leafs in self.domains.items():
            for kind, what in _wrongs(leafs):
                text = f"the MLAG domain {domain} {what}"
                self.tally.add(kind, text, leafs[-1].pair.because)
        return self.tally.result()


def _wrongs(ends: list[_End]) -> Iterator[tuple[str, str]]:
    """Yield the faults of the leafs with one domain, by kind."""
    names = listing([end.switch for end in ends])
    if len(ends) != 2:
        yield (
            "domains that are not of two leafs",
            f"is used by {names}, but a domain belongs to one pair",
        )
        return
    one, other = ends
    peers = {one.pair.peer.name: one.switch, other.pair.peer.name: other.switch}
    if peers != {other.switch: one.switch, one.switch: other.switch}:
        yield "leafs that do not name each other", f"is used by {names}, which are not a pair"
        return
    for what, mine in one.alike.items():
        theirs = other.alike[what]
        if mine != theirs:
            text = f"differs in its {what}: {mine} on {one.switch}, {theirs} on {other.switch}"
            yield "pairs whose leafs differ", text
    near, far = (one.pair.local, one.pair.remote), (other.pair.remote, other.pair.local)
    if near != far or near[0] == near[1]:
        yield (
            "pairs whose addresses do not meet",
            f"has addresses on {names} that are not in one subnet",
        )


# When the switch reboots, every rack is isolated, or a VRF has no exit. Its upgrade is an outage,
# and a push cannot avoid losing two of a group. A backend is not examined: its jobs stop with any
# leaf of a rail.


class SinglePoint(Tallied):
    """Number of spines of each pod, and leafs with an exit of each VRF."""

    name, code, noun = "single points of failure", Code.SINGLE_POINT, "switches"

    def __init__(self, site: Site) -> None:
        """Check the shape of each fabric with an overlay."""
        super().__init__(site)
        for fabric in site.fabrics:
            if fabric.overlay is not None:
                self.spines(fabric)
                self.borders(fabric)

    def see(self, _fabric: Fabric, _piece: SwitchSlice) -> None:
        """Count the switch as examined: the shape of its fabric was checked."""
        self.tally.objects += 1

    def spines(self, fabric: Fabric) -> None:
        """Report a single spine that connects several leafs of a pod."""
        count = Counter((switch.pod, switch.role) for switch in fabric.topology.switches)
        for switch in fabric.topology.switches:
            leafs = count[switch.pod, Role.LEAF]
            if switch.role is Role.SPINE and leafs > 1 and count[switch.pod, Role.SPINE] == 1:
                text = f"{switch.name} is the only spine of {leafs} leafs"
                self.say(text, (*fabric.place, "spine"), "add a second spine")

    def borders(self, fabric: Fabric) -> None:
        """Report a VRF with all external peers on one leaf."""
        assert fabric.overlay is not None
        ways = [
            (peer.vrf, leaf, peer.because.main)
            for leaf, peers in fabric.overlay.external.items()
            for peer in peers
        ]
        leafs = Counter(vrf for vrf, _ in {(vrf, leaf) for vrf, leaf, _ in ways})
        for vrf, leaf, path in ways:
            if leafs[vrf] == 1:
                text = f"{leaf} is the only leaf with an external peer of VRF {vrf}"
                self.say(text, path, "add an external peer on a second leaf")

    def say(self, text: str, path: IntentPath, hint: str) -> None:
        """Add a warning."""
        self.tally.add("single points of failure", text, path, hint, Severity.WARNING)


# The two ends make every path over a drained link longer, so the link is still used where no other
# is left: by the last link of a leaf, or where two leafs have only drained links in common. Traffic
# is lost when the cable is unplugged.

_HINT = "drain links one after the other; instead of the last link, drain its switch"


class DrainedLinks(Tallied):
    """Computation of the paths below a drained link."""

    name, code, noun = "drained links", Code.NO_OTHER_LINK, "switches"

    def __init__(self, site: Site) -> None:
        """Find the fabrics with a drained link."""
        super().__init__(site)
        self.told = {
            fabric.name: (fabric, RoutingIndex())
            for fabric in site.fabrics
            if any(link.drained for link in fabric.topology.links)
        }

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record a slice of a fabric with a drained link."""
        self.tally.objects += 1
        if fabric.name in self.told and switch_slice.switch.name not in fabric.absent:
            self.told[fabric.name][1].add(without_drained_links(switch_slice))

    def result(self) -> Examined:
        """Follow the packets to each leaf below a drained link."""
        for fabric, told in self.told.values():
            for link, leaf in _used(fabric, told):
                assert link.standing is not None
                text = f"{ends.cable(link)} cannot be drained: {leaf} is not reachable without it"
                self.tally.add("links that are still used", text, link.standing.because, _HINT)
        return self.tally.result()


def _used(fabric: Fabric, told: RoutingIndex) -> Iterator[tuple[Link, str]]:
    """Yield each drained link that packets between leafs take, and one that they go to."""
    from fabricgen.compile.checks.deadlock.network import network  # noqa: PLC0415  # rarely needed
    from fabricgen.compile.checks.deadlock.routes import Destination, hops  # noqa: PLC0415

    net, links = network(told), [it for it in fabric.topology.links if it.drained]
    leafs = [it.name for it in fabric.topology.switches if it.is_leaf and it.name in told]
    below = dict.fromkeys(leaf for link in links for leaf in _leafs(fabric, link.lower.name))
    for leaf in filter(leafs.__contains__, below):
        to = hops(net, Destination(told.number(leaf)), frozenset())
        sent = _sent(net, to, [told.number(each) for each in leafs if each != leaf])
        used = [link for link in links if not sent.isdisjoint(_ends(told, link))]
        yield from ((link, leaf) for link in used)
        links = [link for link in links if link not in used]


def _leafs(fabric: Fabric, name: str) -> Iterator[str]:
    """Yield the leafs at or below a switch."""
    links = [it for it in fabric.topology.links_at[name] if it.upper.name == name]
    lower = [it.lower for it in links if isinstance(it.lower, Switch) and not it.of_pair]
    if not lower:
        yield name
    for switch in lower:
        yield from _leafs(fabric, switch.name)


def _sent(net: Network, to: Hops, begin: list[int]) -> set[tuple[int, int]]:
    """Return the ports through which packets from some switches go, by switch."""
    seen, left, sent = set(begin), begin, set[tuple[int, int]]()
    while left:
        here = left.pop()
        for way in map(net.ways.__getitem__, to.get(here, ())):
            sent.update((here, own) for own, _ in way.ports)
            if way.there not in seen:
                seen.add(way.there)
                left.append(way.there)
    return sent


def _ends(told: RoutingIndex, link: Link) -> set[tuple[int, int]]:
    """Return both ends of a link, as they are packed."""
    assert isinstance(link.lower_port, Port)
    return {
        (told.number(link.lower.name), ends.key(link.lower_port)),
        (told.number(link.upper.name), ends.key(link.upper_port)),
    }

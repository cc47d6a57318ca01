"""Find networks that would lose another site by a batch and by unreachable switches.

It is the second check of the connections between two sites. It shares no code with the planner: it
follows the sessions of both ends by their addresses, and the cables of gateways.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from fabricgen.model.fabric.switch import Fabric, Site

Network = tuple[str, str, str]
"""Both fabrics in the order of the site, and the network: a VRF, or a VLAN by its target."""
Ends = tuple[str, str]


def judge_crossing(site: Site, names: Sequence[str], gone: Collection[str]) -> tuple[str, ...]:
    """Return the networks that lose their last path by a batch and unreachable switches.

    The unreachable switches are in `gone`. An interruption by only one of the two is not reported.
    A single border leaf has to change at some time.
    """
    said = []
    for (one, other, network), ways in sorted(_ways(site).items()):
        batch = _left(ways, names)
        before, both = _left(ways, gone), _left(ways, {*names, *gone})
        if batch and before and not both:
            lost = ", ".join(sorted({end for way in ways for end in way} & {*gone}))
            what = f"no path for {network} between {one} and {other}"
            said.append(f"{what} during this batch, because {lost} did not answer")
    return tuple(said)


def _left(ways: set[Ends], without: Collection[str]) -> list[Ends]:
    return [way for way in ways if way[0] not in without and way[1] not in without]


def _ways(site: Site) -> dict[Network, set[Ends]]:
    """Return the pairs of leafs that connect each network with another fabric."""
    found: dict[Network, set[Ends]] = defaultdict(set)
    sessions: dict[tuple[str, str, str], tuple[str, str]] = {}
    for fabric in site.fabrics:
        for leaf, vrf, ours, theirs in _sessions(fabric):
            near = sessions.get((vrf, theirs, ours))
            if near is not None and near[0] != fabric.name:
                found[near[0], fabric.name, f"VRF {vrf}"].add((near[1], leaf))
            sessions[vrf, ours, theirs] = fabric.name, leaf
    order = [fabric.name for fabric in site.fabrics]
    for fabric in site.fabrics:
        for leaf, beyond, far, network in _gates(fabric):
            if order.index(fabric.name) < order.index(beyond):
                found[fabric.name, beyond, network].add((leaf, far))
    return found


def _sessions(fabric: Fabric) -> Iterator[tuple[str, str, str, str]]:
    """Yield leaf, VRF and both addresses of each session over a link between sites."""
    for leaf, peers in fabric.overlay.external.items() if fabric.overlay is not None else ():
        for peer in peers:
            if peer.because.main[:1] == ("dci",):
                yield leaf, peer.vrf, str(peer.local.host), str(peer.remote.host)


def _gates(fabric: Fabric) -> Iterator[tuple[str, str, str, str]]:
    """Yield leaf, the other fabric, the gateway there and a network, of each cable of gateways."""
    for leaf, gateway in fabric.overlay.gateways.items() if fabric.overlay is not None else ():
        networks = [
            *(f"VRF {vrf}" for vrf in gateway.vrfs),
            *(f"VLAN {target}" for target in gateway.vlans.values()),
        ]
        for link in gateway.links:
            yield from ((leaf, link.peer.fabric, link.peer.name, each) for each in networks)

"""Many flows from each leaf to the next one in; that every uplink carries some of them out.

Tunnels are not asked: the kernel remembers the route of a tunnel (vxlan's dst_cache), so all that
goes from one VTEP to another takes one uplink whatever is inside. Their underlay is asked instead,
between the switches' loopbacks. Spines are not asked either: the switches of a lab share a kernel,
and with it the seed of the hash, so a spine sees only flows that the leafs' hash sent there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.switch import Fabric
from fabricgen.operate.lab.traffic.bench import Bench, Spot, watched
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked

FLOWS_PER_UPLINK = 32
"""With so many even flows an uplink of n stays without one in 1 of e^32 runs."""
SIZE = 2000
"""Bytes: two dozen times what BFD and BGP send meanwhile, so that counted bytes tell the flows."""


def ecmp(bench: Bench) -> Iterator[Proof]:
    """Send flows from each leaf to the next and count them on its uplinks."""
    for fabric in bench.fabrics:
        yield _one(bench, fabric)


def _one(bench: Bench, fabric: Fabric) -> Proof:
    name = f"{fabric.name}: ECMP"
    leafs = bench.leafs(fabric.name)
    ways = list(zip(leafs, leafs[1:] + leafs[:1], strict=True))
    uplinks = {leaf: bench.leaving(leaf, other) for leaf, other in ways if leaf != other}
    uplinks = {leaf: spots for leaf, spots in uplinks.items() if len(spots) > 1}
    if not uplinks:
        return not_asked(name, "no leaf has more than one way to another in this lab")
    tunnels = fabric.overlay is not None
    asked = [
        _between_switches(bench, way) if tunnels else _between_hosts(bench, fabric.name, way)
        for way in ways
        if way[0] in uplinks
    ]
    flows = FLOWS_PER_UPLINK * max(map(len, uplinks.values()))
    spots = [spot for each in uplinks.values() for spot in each]
    size = bench.fitting(fabric.name, SIZE)
    seen = bench.probe("spray", ways=asked, flows=flows, size=size, wait=2, watch=watched(spots))
    return judge(name, uplinks, flows, seen, tunnels=tunnels, size=size)


def _between_switches(bench: Bench, way: tuple[str, str]) -> list[tuple[str, str]]:
    loopbacks = {piece.switch.name: piece.loopback.host for _, piece in slices(bench.site)}
    return [(leaf, loopbacks[leaf]) for leaf in way]


def _between_hosts(bench: Bench, fabric: str, way: tuple[str, str]) -> list[tuple[str, str]]:
    pair = bench.between(fabric, *way)[0]
    ends = (bench.endpoint(pair.source), bench.endpoint(pair.target))
    return [(end.host, end.address) for end in ends]


def judge(
    name: str,
    uplinks: Mapping[str, Sequence[Spot]],
    flows: int,
    seen: Mapping[str, Any],
    *,
    tunnels: bool,
    size: int = SIZE,
) -> Proof:
    """Count the flows of each uplink by its bytes; each must have some, and all must arrive."""
    carried = {
        f"{switch}:{port}": seen["counted"][switch][port]["bytes"] // size
        for spots in uplinks.values()
        for switch, port in spots
    }
    faults = [f"{spot} carries none of {flows} flows" for spot, n in carried.items() if n == 0]
    faults += [
        f"{leaf}: {count} of {flows} flows arrive"
        for leaf, count in zip(uplinks, seen["answer"], strict=True)
        if count != flows
    ]
    used = sum(count > 0 for count in carried.values())
    spread = f"{min(carried.values())} to {max(carried.values())} of {flows} flows each"
    sentence = f"{used} of {len(carried)} uplinks of the leafs carry traffic, {spread}"
    if tunnels:
        sentence += "; between loopbacks, as Linux sends all of a tunnel by one uplink"
    return judged(name, sentence, faults, flows=flows, carried=carried)

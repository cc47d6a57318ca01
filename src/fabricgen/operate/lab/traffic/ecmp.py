"""Prove that flows use every uplink, and that the largest packets pass unfragmented.

Tunnels are not measured. The kernel caches the route of a tunnel (vxlan's dst_cache), so all
traffic from one VTEP to another takes one uplink. Their underlay is measured instead, between the
switches' loopbacks. Spines are not measured either. The switches of a lab share a kernel and its
hash seed, so a spine sees only flows that the leafs' hash sent there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.compile.compiler import slices
from fabricgen.model.fabric.routing import VXLAN_OVERHEAD
from fabricgen.model.fabric.switch import Fabric
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.bench import Bench, Spot, watched
from fabricgen.operate.lab.traffic.pairs import Pair
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked


def jumbo(bench: Bench) -> Iterator[Proof]:
    """Send the largest packet without fragmentation between every two leafs of each fabric."""
    for fabric in bench.fabrics:
        pairs = sample(bench.plan, list(bench.reachable(fabric.name)))
        if not pairs:
            why = "no two hosts of this lab may reach each other"
            yield not_asked(f"{fabric.name}: largest packet", why)
            continue
        ends = [(pair.source, pair.target) for pair in pairs]
        sizes = [bench.endpoint(pair.source).mtu for pair in pairs]
        heard = bench.probe("matrix", pairs=ends, rounds=2, wait=1, size=sizes, dscp=0)
        tunnel = VXLAN_OVERHEAD if fabric.routing.overlay else 0
        yield judge_largest(bench.plan, fabric.name, pairs, heard, tunnel)
        checked = [pair for pair in pairs if refusable(bench.plan, pair)]
        ends = [(pair.source, pair.target) for pair in checked]
        answers = bench.probe("oversize", pairs=ends, wait=0.3)
        yield judge_oversize(bench.plan, fabric.name, checked, answers)


def sample(plan: LabPlan, pairs: Sequence[Pair]) -> list[Pair]:
    """Choose pairs of every two leafs, for each combination of bridged, routed, IPv4 and IPv6."""
    chosen: dict[tuple[str, str, bool, int], Pair] = {}
    for pair in pairs:
        one, other = plan.endpoints[pair.source], plan.endpoints[pair.target]
        chosen.setdefault((one.leaf, other.leaf, bool(pair.routers), one.version), pair)
    return list(chosen.values())


def refusable(plan: LabPlan, pair: Pair) -> bool:
    """Check whether a device on the path knows the MTU: a router, or the end of a tunnel.

    A Linux bridge leaves room for a VLAN tag (net/bridge, is_skb_forwardable) and forwards up to
    four bytes more from port to port.
    """
    leafs = {plan.endpoints[end].leaf for end in (pair.source, pair.target)}
    return bool(pair.routers) or len(leafs) > 1


def judge_largest(
    plan: LabPlan,
    fabric: str,
    pairs: Sequence[Pair],
    heard: Mapping[str, Mapping[str, Any]],
    tunnel: int,
) -> Proof:
    """Compare the sizes that arrived with the senders' MTU."""
    faults = []
    for place, pair in enumerate(pairs):
        size, got = plan.endpoints[pair.source].mtu, heard.get(str(place))
        if got is None:
            faults.append(f"{_ways(plan, pair)}: a packet of {size} bytes does not arrive")
        elif got["size"] != size:
            faults.append(f"{_ways(plan, pair)}: {got['size']} of {size} bytes arrive")
    sizes = sorted({plan.endpoints[pair.source].mtu for pair in pairs})
    sentence = (
        f"{len(heard)} of {len(pairs)} packets of {' or '.join(map(str, sizes))} bytes pass "
        "unfragmented between every two leafs"
    )
    if tunnel:
        largest = " or ".join(str(size + tunnel) for size in sizes)
        sentence += f"; with {tunnel} bytes of tunnel header they have {largest} bytes"
    return judged(f"{fabric}: largest packet", sentence, faults, sizes=sizes, arrived=len(heard))


def judge_oversize(
    plan: LabPlan, fabric: str, pairs: Sequence[Pair], answers: Sequence[Mapping[str, Any]]
) -> Proof:
    """Find oversize packets that passed, and routers that report another MTU."""
    faults = []
    for pair, got in zip(pairs, answers, strict=True):
        mtu = plan.endpoints[pair.source].mtu
        if got["heard"]:
            faults.append(
                f"{_ways(plan, pair)}: a packet of {mtu + 1} bytes arrives, which exceeds the MTU"
            )
        elif got["by"] and got["mtu"] != mtu:
            faults.append(
                f"{_ways(plan, pair)}: {got['by']} accepts up to {got['mtu']} bytes, expected {mtu}"
            )
    told = sum(bool(got["by"]) for got in answers)
    refused = sum(not got["heard"] for got in answers)
    sentence = f"{refused} of {len(answers)} packets with one more byte are rejected"
    sentence += f"; {told} of the senders learn the MTU" if told else ""
    return judged(f"{fabric}: one byte more", sentence, faults, refused=refused, told=told)


def _ways(plan: LabPlan, pair: Pair) -> str:
    return f"{plan.endpoints[pair.source].name} → {plan.endpoints[pair.target].name}"


FLOWS_PER_UPLINK = 32
"""With so many even flows, one of n uplinks has no flow in 1 of e^32 runs."""
SIZE = 2000
"""Bytes: two dozen times those of BFD and BGP meanwhile, so that counted bytes identify the flows.
"""


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
        return not_asked(name, "no leaf has more than one path to another in this lab")
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
    loopbacks = {
        switch_slice.switch.name: switch_slice.loopback.host
        for _, switch_slice in slices(bench.site)
    }
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
    faults = [f"{spot} has none of {flows} flows" for spot, n in carried.items() if n == 0]
    faults += [
        f"{leaf}: {count} of {flows} flows arrive"
        for leaf, count in zip(uplinks, seen["answer"], strict=True)
        if count != flows
    ]
    used = sum(count > 0 for count in carried.values())
    spread = f"{min(carried.values())} to {max(carried.values())} of {flows} flows each"
    sentence = f"{used} of {len(carried)} uplinks of the leafs carry traffic, {spread}"
    if tunnels:
        sentence += (
            "; between loopbacks, because Linux sends all traffic of a tunnel over one uplink"
        )
    return judged(name, sentence, faults, flows=flows, carried=carried)

"""The largest packets of each fabric in; that they pass whole, and one byte more does not, out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.model.fabric.routing import VXLAN_OVERHEAD
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.pairs import Pair
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked


def jumbo(bench: Bench) -> Iterator[Proof]:
    """Send the largest packet, never to be fragmented, between every two leafs of each fabric."""
    for fabric in bench.fabrics:
        pairs = sample(bench.plan, list(bench.reachable(fabric.name)))
        if not pairs:
            why = "no two hosts of this lab may hear each other"
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
    """Choose pairs that cover every two leafs, in all there are of bridged, routed, IPv4, IPv6."""
    chosen: dict[tuple[str, str, bool, int], Pair] = {}
    for pair in pairs:
        one, other = plan.endpoints[pair.source], plan.endpoints[pair.target]
        chosen.setdefault((one.leaf, other.leaf, bool(pair.routers), one.version), pair)
    return list(chosen.values())


def refusable(plan: LabPlan, pair: Pair) -> bool:
    """Tell whether something on the way knows the MTU: a router, or the end of a tunnel.

    A bridge of Linux leaves room for a VLAN tag (net/bridge, is_skb_forwardable) and sends up to
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
            faults.append(f"{_ways(plan, pair)}: {got['size']} bytes arrive of {size}")
    sizes = sorted({plan.endpoints[pair.source].mtu for pair in pairs})
    sentence = (
        f"{len(heard)} of {len(pairs)} packets of {' or '.join(map(str, sizes))} bytes pass "
        "between every two leafs, unfragmented"
    )
    if tunnel:
        largest = " or ".join(str(size + tunnel) for size in sizes)
        sentence += f"; with {tunnel} bytes of tunnel they are {largest} on the way"
    return judged(f"{fabric}: largest packet", sentence, faults, sizes=sizes, arrived=len(heard))


def judge_oversize(
    plan: LabPlan, fabric: str, pairs: Sequence[Pair], answers: Sequence[Mapping[str, Any]]
) -> Proof:
    """Find what passed though it is a byte too large, and routers that name another MTU."""
    faults = []
    for pair, got in zip(pairs, answers, strict=True):
        mtu = plan.endpoints[pair.source].mtu
        if got["heard"]:
            faults.append(f"{_ways(plan, pair)}: {mtu + 1} bytes arrive, and must not")
        elif got["by"] and got["mtu"] != mtu:
            faults.append(
                f"{_ways(plan, pair)}: {got['by']} takes up to {got['mtu']} bytes, "
                f"the model says {mtu}"
            )
    told = sum(bool(got["by"]) for got in answers)
    refused = sum(not got["heard"] for got in answers)
    sentence = f"{refused} of {len(answers)} packets of one byte more are refused"
    sentence += f"; {told} of the senders are told the MTU" if told else ""
    return judged(f"{fabric}: one byte more", sentence, faults, refused=refused, told=told)


def _ways(plan: LabPlan, pair: Pair) -> str:
    return f"{plan.endpoints[pair.source].name} → {plan.endpoints[pair.target].name}"

"""Describes a designed fabric in sentences that distinguish it from the others of its site.

The questions are scale, traffic, protocols, loss, buffers, latency and redundancy. They distinguish
a frontend from a backend. Every answer follows from the design; nothing is measured.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.core.units import BitsPerSecond, counted
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Role, Server
from fabricgen.plan.sizing.counts import Counts


def traits(fabric: Fabric, counts: Counts, kept: str) -> dict[str, str]:
    """Return a sentence for each question.

    Args:
        fabric: A designed fabric.
        counts: Its parts, counted.
        kept: Remaining bandwidth without the worst switch; empty if unknown.
    """
    return {
        "scale": ", ".join(_scale(fabric, counts)),
        "traffic": ", ".join(_traffic(fabric)),
        "protocols": ", ".join(_protocols(fabric)),
        "loss": ", ".join(_loss(fabric)),
        "buffers": ", ".join(_buffers(fabric)),
        "latency": ", ".join(_latency(counts)),
        "redundancy": ", ".join(_redundancy(fabric, kept)),
    }


def server_bits(fabric: Fabric) -> int:
    """Return the bits per second of the server with the most bandwidth."""
    each: Counter[str] = Counter()
    for link in fabric.topology.links:
        if isinstance(link.lower, Server):
            each[link.lower.name] += link.speed
    return max(each.values(), default=0)


def _scale(fabric: Fabric, counts: Counts) -> Iterator[str]:
    yield counted(counts.servers, "server")
    if counts.gpus:
        yield counted(counts.gpus, "GPU")
    yield counted(counts.links.get("to servers", 0), "port")
    yield counted(counts.switch_count, "switch")
    yield f"up to {BitsPerSecond(server_bits(fabric))}b/s per server"


def _traffic(fabric: Fabric) -> Iterator[str]:
    """Yield the traffic classes; a single class is named as well."""
    if fabric.qos is None:
        yield "one class for all traffic"
        return
    for each in fabric.qos.classes:
        yield f"{each.name or each.kind} (queue {each.number})"


def _protocols(fabric: Fabric) -> Iterator[str]:
    routing = fabric.routing
    yield f"eBGP, links {routing.links}"
    yield "VXLAN with EVPN" if routing.overlay else "routed, no overlay"
    if routing.bfd is not None:
        spent = routing.bfd.interval * routing.bfd.multiplier
        yield f"BFD ends a session after {spent} ms"
    yield f"MTU {routing.mtu}"


def _loss(fabric: Fabric) -> Iterator[str]:
    qos = fabric.qos
    if qos is None or not qos.paused:
        yield "full queues drop packets"
    else:
        yield f"priorities {', '.join(map(str, qos.paused))} lose no packets: PFC pauses them"
    if qos is not None and qos.marked:
        yield "ECN marks packets before queues are full"


def _buffers(fabric: Fabric) -> Iterator[str]:
    """Yield the packet memory of each tier: deep buffers above absorb bursts from below."""
    for role in Role:
        chips = {
            each.model.name: each.model.chip
            for each in fabric.topology.switches
            if each.role is role
        }
        for name, chip in sorted(chips.items()):
            size = chip.packet_buffer if chip is not None else None
            told = "virtual output queues" if chip is not None and chip.voq else "not known"
            yield f"{role} {name} {f'{size / 1e6:,.0f} MB' if size else told}"


def _latency(counts: Counts) -> Iterator[str]:
    far = counts.far
    if far is None:
        yield "-"
        return
    most = counted(far.hops, "switch")
    yield f"at most {most} on a path" if far.joined else f"{most} on a path in a rail"
    nanoseconds = far.nanoseconds
    yield f"{nanoseconds:,} ns idle" if nanoseconds is not None else "nanoseconds unknown"


def _redundancy(fabric: Fabric, kept: str) -> Iterator[str]:
    leafs: dict[str, set[str]] = defaultdict(set)
    by_nic: dict[tuple[str, str], set[str]] = defaultdict(set)
    for link in fabric.topology.links:
        if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic):
            leafs[link.lower.name].add(link.upper.name)
            by_nic[link.lower.name, link.lower_port.network].add(link.upper.name)
    if leafs:
        yield f"each server is on at least {counted(min(map(len, leafs.values())), 'leaf')}"
    spines = sum(switch.role is Role.SPINE for switch in fabric.topology.switches)
    if spines:
        yield counted(spines, "spine")
    if kept:
        yield f"{kept} of the bandwidth without the worst switch"

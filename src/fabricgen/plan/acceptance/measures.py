"""Derive the measurements of an acceptance test, each with its limit and the arithmetic behind it.

A limit is a number of the design: speeds, cable lengths, latencies of models, ratios and timers. A
measurement without a derivable limit is only recorded.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.balancing import Field, LoadBalancing, Mode
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Link, Nic, Role, Server
from fabricgen.plan.acceptance.recovery import recoveries, without_row
from fabricgen.plan.acceptance.row import Measure, Pair, Tool
from fabricgen.plan.sizing.counts import LIGHT, farthest
from fabricgen.plan.sizing.networks import server_bits

ROCE_MTU = 4096
"""Bytes of payload of a RoCEv2 packet: the largest InfiniBand MTU (IBTA 1.7, annex A17)."""
ROCE_OVERHEAD = 82
"""Bytes on the wire beside the payload: preamble and gap 20, Ethernet 18, IPv4 20, UDP 8, BTH 12,
ICRC 4 (IEEE 802.3 clause 4; IBTA annex A17)."""
SHARE = 0.95
"""Share of the computed maximum that a throughput test must reach. The rest is left to PCIe, the
software and clocks, for which the model has no number."""
SLACK = 1.2
"""Factor on computed delays and loads of links that a measurement may reach."""


NEAR, FAR = "-delay-near", "-delay-more"
"""Ends of the names of two rows; the value of the second is a difference to the first."""


@record(kw_only=True)
class Berth:
    """A NIC port of a server: its address, speed and leaf."""

    server: str
    rail: int
    plane: int
    address: Ip
    speed: BitsPerSecond
    leaf: str
    meters: int


def measures(site: Site) -> list[Measure]:
    """Return the rows of the sheet, fabric by fabric."""
    told = site.failures.promises
    return [each for fabric in site.fabrics for each in (*_of(fabric), *recoveries(fabric, told))]


def unmeasured(site: Site) -> list[str]:
    """Return the fabrics without run files and the promises without a row, with the reason."""
    silent = [
        f"{fabric.name}: the design has no address of its servers' NICs, so no run file is written"
        for fabric in site.fabrics
        if fabric.topology.servers and fabric.addresses.nics is None
    ]
    return [*silent, *without_row(site)]


def berths(fabric: Fabric) -> list[Berth]:
    """Return the NIC ports with an address, by rail, plane and server, without absent servers."""
    plan = fabric.addresses.nics
    if plan is None:
        return []
    found = [
        Berth(
            server=link.lower.name,
            rail=link.lower_port.rail,
            plane=link.upper.plane,
            address=plan.ends(link)[0],
            speed=link.speed,
            leaf=link.upper.name,
            meters=link.length,
        )
        for link in fabric.topology.links
        if _measurable(link)
        if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic)
    ]
    return sorted(found, key=lambda each: (each.rail, each.plane, each.server))


def _measurable(link: Link) -> bool:
    return link.to_server and link.standing is None and _present(link)


def _present(link: Link) -> bool:
    return not isinstance(link.lower, Server) or link.lower.standing is None


def _of(fabric: Fabric) -> Iterator[Measure]:
    every = berths(fabric)
    rails: dict[tuple[int, int], list[Berth]] = {}
    for each in every:
        rails.setdefault((each.rail, each.plane), []).append(each)
    if every:
        yield from _delays(fabric, rails)
        yield from _rails(fabric, rails)
        together = list(_together(fabric, rails))
        yield from together
        yield from _counted(fabric, crossing=bool(together))
    yield from _collectives(fabric)


Rails = Mapping[tuple[int, int], Sequence[Berth]]


def _delays(fabric: Fabric, rails: Rails) -> Iterator[Measure]:
    """Yield the delay between servers of one leaf, and how much more the longest path takes."""
    first = next(iter(rails.values()))
    near = next((other for other in first[1:] if other.leaf == first[0].leaf), None)
    far = next((other for other in reversed(first) if other.leaf != first[0].leaf), None)
    if near is not None:
        yield Measure(
            name=f"{fabric.name}{NEAR}",
            fabric=fabric.name,
            what=f"half the round trip between two servers of {near.leaf}, typical",
            tool=Tool.LATENCY,
            unit="us",
            basis="recorded: the model has no latency of NICs and hosts",
            pairs=(_pair(first[0], near, 0),),
        )
    walk = farthest(fabric.topology)
    if near is None or far is None or walk is None or not walk.joined:
        return
    leaf = next(each for each in fabric.topology.switches if each.name == near.leaf).model.latency
    limit, basis = None, "recorded: a switch model has no known latency"
    if walk.nanoseconds is not None and leaf is not None:
        close = leaf.nanoseconds + LIGHT * (first[0].meters + near.meters)
        more = walk.nanoseconds - close
        limit = more * SLACK / 1000
        basis = (
            f"{walk.hops} switches and {walk.meters} m take {walk.nanoseconds} ns, one switch and "
            f"{first[0].meters + near.meters} m take {close} ns; {more} ns x {SLACK}"
        )
    yield Measure(
        name=f"{fabric.name}{FAR}",
        fabric=fabric.name,
        what=f"the same to {far.server}, minus {fabric.name}{NEAR}",
        tool=Tool.LATENCY,
        unit="us",
        most=limit,
        basis=basis,
        pairs=(_pair(first[0], far, 0),),
    )
    yield Measure(
        name=f"{fabric.name}-delay-tail",
        fabric=fabric.name,
        what=f"99th percentile of {fabric.name}{FAR}, minus its typical value",
        tool=Tool.LATENCY,
        unit="us",
        basis="recorded: no source gives a limit for hosts",
        of=f"{fabric.name}{FAR}",
    )


def _pair(one: Berth, other: Berth, number: int) -> Pair:
    return Pair(
        client=one.server,
        server=other.server,
        source=one.address,
        target=other.address,
        port=FIRST_PORT + number,
    )


FIRST_PORT = 18_515
"""TCP port of perftest's first test (linux-rdma/perftest, perftest_parameters.h, DEF_PORT)."""


def payload(speed: BitsPerSecond) -> float:
    """Return Gbit/s of payload at full speed."""
    return speed / 1e9 * ROCE_MTU / (ROCE_MTU + ROCE_OVERHEAD)


def _halves(berths: Sequence[Berth]) -> list[tuple[Berth, Berth]]:
    """Pair each NIC of the first half with one of the second; with an odd number one is left."""
    half = len(berths) // 2
    return list(zip(berths[:half], berths[half : 2 * half], strict=True))


def _rails(fabric: Fabric, rails: Rails) -> Iterator[Measure]:
    """Yield the bandwidth of each rail between servers of one leaf, where no hash decides."""
    planes = len({plane for _, plane in rails}) > 1
    for (rail, plane), some in rails.items():
        leafs: dict[str, list[Berth]] = {}
        for each in some:
            leafs.setdefault(each.leaf, []).append(each)
        pairs = [pair for own in leafs.values() for pair in _halves(own)]
        if pairs:
            name = f"{fabric.name}-rail{rail}" + (f"-plane{plane}" if planes else "")
            what = (
                f"bandwidth of the slowest of {len(pairs)} pairs on rail {rail}, each of one leaf"
            )
            yield _bandwidth(fabric, name, what, pairs, Part(1.0, ""))


def _together(fabric: Fabric, rails: Rails) -> Iterator[Measure]:
    """Yield the bandwidth when all rails send over the spines at the same time."""
    pairs = [pair for some in rails.values() for pair in _halves(some)]
    crossing = [(one, other) for one, other in pairs if one.leaf != other.leaf]
    if crossing:
        what = f"bandwidth of the slowest of {len(crossing)} pairs between leafs, at the same time"
        yield _bandwidth(fabric, f"{fabric.name}-bisection", what, crossing, _above(fabric))


class Part(NamedTuple):
    """The part of a NIC's speed that remains on a path, None if not known, and its arithmetic."""

    share: float | None
    words: str


def _above(fabric: Fabric) -> Part:
    """Return what the uplinks leave to each NIC when all NICs send over them."""
    ratio, told = max(1.0, fabric.oversubscription), _balancing(fabric)
    words = f", / {ratio:g} of the uplinks" if ratio > 1 else ""
    if told is None or told.mode is Mode.SPRAY:
        return Part(1 / ratio, words)
    if told.mode is not Mode.ECMP or told.flows is None:
        return Part(None, f"recorded: no formula for the mode {told.mode}")
    busy = max(1.0, told.flows.shares(queue_pairs=Field.QUEUE_PAIR in told.fields))
    return Part(1 / ratio / busy, f"{words}, / {busy:.1f} on the busiest uplink of a hash")


def _balancing(fabric: Fabric) -> LoadBalancing | None:
    return fabric.balancing.get(Role.LEAF) if fabric.balancing else None


def _bandwidth(
    fabric: Fabric, name: str, what: str, pairs: Sequence[tuple[Berth, Berth]], part: Part
) -> Measure:
    speed = min(one.speed for one, _ in pairs)
    most = payload(speed)
    basis = f"{speed}b/s x {ROCE_MTU}/{ROCE_MTU + ROCE_OVERHEAD} is {most:.1f} Gb/s"
    return Measure(
        name=name,
        fabric=fabric.name,
        what=what,
        tool=Tool.BANDWIDTH,
        unit="Gb/s",
        least=None if part.share is None else most * part.share * SHARE,
        basis=part.words if part.share is None else f"{basis}{part.words}, x {SHARE}",
        pairs=tuple(_pair(one, other, at) for at, (one, other) in enumerate(pairs)),
    )


def _collectives(fabric: Fabric) -> Iterator[Measure]:
    """Yield the bus bandwidth of two collectives over all GPU servers of a fabric."""
    servers = gpu_servers(fabric)
    walk = farthest(fabric.topology)
    gpus = {gpus_of(fabric, each) for each in servers}
    if len(servers) < 2 or walk is None or len(gpus) != 1:
        return
    each_has, total = min(gpus), len(servers) * min(gpus)
    nics = payload(BitsPerSecond(server_bits(fabric))) / 8
    yield Measure(
        name=f"{fabric.name}-all-reduce",
        fabric=fabric.name,
        what=f"bus bandwidth of all-reduce over {len(servers)} servers, 8 GB",
        tool=Tool.ALL_REDUCE,
        unit="GB/s",
        least=nics * SHARE,
        basis=f"a ring leaves each server once over all its NICs: {nics:.1f} GB/s, x {SHARE} "
        "(nccl-tests doc/PERFORMANCE.md)",
    )
    if not walk.joined:
        return
    part, others = _above(fabric), total - each_has
    each = None if part.share is None else nics / each_has * part.share * (total - 1) / others
    yield Measure(
        name=f"{fabric.name}-all-to-all",
        fabric=fabric.name,
        what=f"bus bandwidth of all-to-all over {len(servers)} servers, 8 GB",
        tool=Tool.ALL_TO_ALL,
        unit="GB/s",
        least=None if each is None else each * SHARE,
        basis=part.words
        if each is None
        else f"{nics:.1f} GB/s / {each_has} GPUs{part.words}, "
        f"x {total - 1}/{others} GPUs of other servers, x {SHARE}",
    )


def gpu_servers(fabric: Fabric) -> list[Server]:
    """Return the present servers with GPUs whose rails are in this fabric."""
    if not any(plan.railed for plan in fabric.hosts.values()):
        return []
    every = (each for each in fabric.topology.servers if each.standing is None)
    return [each for each in every if gpus_of(fabric, each)]


def gpus_of(fabric: Fabric, server: Server) -> int:
    """Return the GPUs of a server. Without a kind, all servers of its fabric have the same."""
    if server.equipment is not None:
        return server.equipment.gpus
    return fabric.gpus // len(fabric.topology.servers)


def _counted(fabric: Fabric, *, crossing: bool) -> Iterator[Measure]:
    """Yield what counters of switches must show during the bandwidth tests."""
    test = f"{fabric.name}-bisection" if crossing else "the tests of rails"
    if crossing:
        yield from _hashed(fabric, test)
    lossless = fabric.qos is not None and bool(fabric.qos.lossless)
    yield Measure(
        name=f"{fabric.name}-loss",
        fabric=fabric.name,
        what=f"packets that switches drop in the class of RoCE during {test}",
        tool=Tool.COUNTERS,
        unit="packets",
        most=0 if lossless else None,
        basis="the class is lossless: PFC pauses the sender before a buffer is full"
        if lossless
        else "recorded: the fabric has no lossless class",
    )
    yield Measure(
        name=f"{fabric.name}-pause",
        fabric=fabric.name,
        what=f"share of {test} in which a NIC is paused, in the worst port",
        tool=Tool.COUNTERS,
        unit="%",
        basis="recorded: pairs of NICs need no pause, but ECN and PFC act on bursts of any length",
    )


def _hashed(fabric: Fabric, test: str) -> Iterator[Measure]:
    told = _balancing(fabric)
    if told is None:
        return
    most, basis = None, f"recorded: no formula for the mode {told.mode}"
    if told.mode is Mode.ECMP and told.flows is not None:
        queue_pairs = Field.QUEUE_PAIR in told.fields
        most = told.flows.shares(queue_pairs=queue_pairs) * SLACK
        basis = f"{told.flows.sentence(queue_pairs=queue_pairs)}, x {SLACK}"
    yield Measure(
        name=f"{fabric.name}-hash",
        fabric=fabric.name,
        what=f"bytes of the busiest uplink of a leaf / mean of its uplinks, during {test}",
        tool=Tool.COUNTERS,
        unit="times",
        most=most,
        basis=basis,
    )

"""Prove that packets to and from external networks take the preferred path.

Several routers may lead to one address, such as those that announce a default route. The receiver
of a packet shows the path.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.compile.attached.host import Endpoint
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import address_of
from fabricgen.operate.lab.outside.routers import Router, Table, routers
from fabricgen.operate.lab.traffic.advertised_routes import judge_told, present, told
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.gates import Gates
from fabricgen.operate.lab.traffic.proof import Proof, judged
from fabricgen.operate.lab.traffic.reachability import ROUNDS

_USUAL = 100  # default local preference (RFC 4271)


@record(kw_only=True)
class Packet:
    """A packet of a measurement. target: one endpoint with the destination address.

    hearers: the allowed receivers among the endpoints with the address; empty if no endpoint may
    receive it.
    """

    source: int
    target: int
    hearers: frozenset[int]


def outside(bench: Bench) -> Iterator[Proof]:
    """Check the routes of external routers, and send packets in both directions."""
    every = routers(bench.site, bench.plan.names)
    if every:
        yield judge_told(every, told(bench.client, every), present(bench))
        yield from packets(bench, every)


def packets(bench: Bench, every: Sequence[Router], when: str = "") -> Iterator[Proof]:
    """Send packets in both directions, with these external routers only."""
    for name, wanted in (
        (f"{when}to outside", leaving(bench, every)),
        (f"{when}from outside", entering(bench, every)),
    ):
        ends = [(each.source, each.target) for each in wanted]
        heard = bench.probe("matrix", pairs=ends, rounds=ROUNDS, wait=1, size=100, dscp=0)
        yield judge(bench, name, wanted, heard)


def leaving(bench: Bench, every: Sequence[Router]) -> list[Packet]:
    """Return a packet from every server to each address outside its fabric.

    A VRF that imports external routes of another VRF is skipped: its path is that of the other VRF.
    """
    behind, gates = range(len(bench.plan.endpoints), len(bench.ends)), Gates(bench.site, bench.plan)
    wanted = []
    for source, one in enumerate(bench.plan.endpoints):
        if _vrf(one) in _taking(bench, one.fabric):
            continue
        there = [n for n in behind if bench.ends[n].fabric == one.fabric and _alike(bench, n, one)]
        for address, numbers in _by_address(bench, there).items():
            hosts = _preferred(every, one.fabric, _vrf(one), address)
            hearers = frozenset(
                n
                for n in numbers
                if bench.ends[n].host in hosts and not gates.shut(one, bench.ends[n])
            )
            wanted.append(Packet(source=source, target=numbers[0], hearers=hearers))
    return wanted


def entering(bench: Bench, every: Sequence[Router]) -> list[Packet]:
    """Return a packet from each external host to each address of a server."""
    tables = {table.host: table for router in every for table in router.tables}
    wanted, gates = [], Gates(bench.site, bench.plan)
    for source in range(len(bench.plan.endpoints), len(bench.ends)):
        one = bench.ends[source]
        if one.host not in tables:
            continue
        inside = range(len(bench.plan.endpoints))
        there = [number for number in inside if _alike(bench, number, one)]
        for address, numbers in _by_address(bench, there).items():
            may = _announced(tables[one.host], address)
            hearers = frozenset(
                n
                for n in numbers
                if may
                and (bench.ends[n].fabric, _vrf(bench.ends[n])) == (one.fabric, one.group)
                and not gates.shut(one, bench.ends[n])
            )
            wanted.append(Packet(source=source, target=numbers[0], hearers=hearers))
    return wanted


def _vrf(end: Endpoint) -> str:
    return end.vrf or end.group


def _taking(bench: Bench, fabric: str) -> set[str]:
    return {
        vrf.name
        for each in bench.site.fabrics
        if each.name == fabric and each.overlay is not None
        for vrf in each.overlay.vrfs.values()
        for taken in vrf.takes
        if any(rule.outside for rule in taken.prefixes)
    }


def _alike(bench: Bench, number: int, end: Endpoint) -> bool:
    return bench.ends[number].version == end.version


def _by_address(bench: Bench, numbers: Iterable[int]) -> Mapping[str, list[int]]:
    """Return the endpoints of each address; several VRFs may have the same."""
    having: dict[str, list[int]] = {}
    for number in numbers:
        having.setdefault(bench.ends[number].address, []).append(number)
    return having


def _preferred(every: Iterable[Router], fabric: str, vrf: str, address: str) -> set[str]:
    """Return the hosts behind the best paths of a VRF: longest prefix, then highest preference."""
    ways = [
        (offer.prefix.length, _preference(table, offer.prefix.version), table.host)
        for router in every
        for table in router.tables
        if (table.fabric.name, table.vrf) == (fabric, vrf)
        for offer in table.offers
        if offer.prefix.holds(address_of(address))
    ]
    best = max((way[:2] for way in ways), default=None)
    return {host for *rank, host in ways if tuple(rank) == best}


def _preference(table: Table, version: int) -> int:
    border = next(each.border for each in table.sessions if each.version == version)
    return border.preference or _USUAL


def _announced(table: Table, address: str) -> bool:
    """Check whether a router learns the subnet of an address."""
    rules = (rule for session in table.sessions for rule in session.announce)
    return any(rule.prefix.subnet.holds(address_of(address)) for rule in rules)


def judge(
    bench: Bench, name: str, wanted: Sequence[Packet], heard: Mapping[str, Mapping[str, Any]]
) -> Proof:
    """Find packets without the required receiver, and packets with a wrong receiver."""
    faults, ways, arrived = [], Counter[str](), 0
    for place, packet in enumerate(wanted):
        by = frozenset((heard.get(str(place)) or {"by": ()})["by"])
        one, address = bench.endpoint(packet.source), bench.endpoint(packet.target).address
        way = f"{one.name} ({one.address}) → {address}"
        if packet.hearers and not by:
            names = " or ".join(sorted({bench.endpoint(n).name for n in packet.hearers}))
            faults.append(f"{way}: no packet arrives, expected at {names}")
        elif by - packet.hearers:
            names = " and ".join(sorted({bench.endpoint(n).name for n in by - packet.hearers}))
            faults.append(f"{way}: arrives at {names}, but must not")
        arrived += bool(by and by <= packet.hearers)
        ways.update(bench.endpoint(number).name for number in by)
    due = sum(bool(packet.hearers) for packet in wanted)
    sentence = f"{arrived} of {due} packets arrive"
    if ways and name.endswith("to outside"):
        sentence += f", at {', '.join(f'{host} {count}' for host, count in sorted(ways.items()))}"
    silent = len(wanted) - due
    sentence += f"; {silent} packets to addresses of others do not" if silent else ""
    return judged(name, sentence, faults, arrived=arrived, ways=dict(ways))

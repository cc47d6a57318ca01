"""Checks from a server's files that its rail and storage ports are isolated from all other traffic.

Traffic from a rail address leaves by that rail, to NICs that it may reach, or nowhere. Traffic from
any other address never leaves by a rail. The ports of a storage fabric follow the same rule, and
replace each other if a program chose no address. A server whose files differ from those of a
checked one only in its own addresses is not read again.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, shortened
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import host_text
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.hosts.readback.network import ELSEWHERE, UNREACHABLE, Lookup, number
from fabricgen.nos.hosts.routed import RoutedPort, RoutedSide
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.prove import bridged
from fabricgen.prove.server_files import differences

_ANOTHER, _NONE = "traffic from another address", "traffic without a chosen address"
CHECK, NOUN = "host-isolation", "paths of servers"
_ADDRESS = re.compile(r"\d+\.\d+\.\d+\.\d+(?:/\d+)?")


@record()
class Apart:
    """One checked server: number of checked paths, and errors."""

    ways: int
    findings: tuple[Diagnostic, ...] = ()


class ServerJudge:
    """Checks the servers of one site."""

    def __init__(self) -> None:
        """Start without results."""
        self._alike: dict[tuple[Hashable, str], Apart] = {}

    def judge(self, host_slice: HostSlice, files: Mapping[str, str]) -> Apart:
        """Check every path in the network of the files, by their paths on the server."""
        odd = tuple(_finding(host_slice, each) for each in differences(host_slice, files))
        if odd:
            return Apart(0, odd)
        network = "\n".join(text for path, text in files.items() if path.startswith(_NETWORK))
        own = dict(_own(host_slice))
        form = _ADDRESS.sub(lambda match: own.get(match[0], match[0]), network)
        key = (_shape(host_slice), form.replace(host_slice.server.name, "SERVER"))
        known = self._alike.get(key)
        if known is None or known.findings:
            known = self._alike[key] = _judge(host_slice, files)
        return known


_NETWORK = ("etc/netplan/", "etc/systemd/network/", "etc/NetworkManager/")


def _shape(host_slice: HostSlice) -> Hashable:
    """Return the design of a server, without its name and addresses."""
    sides = [
        (
            *(side.mtu, side.ports, side.bond, *(link.metric for link in side.links)),
            *((m.vlan, m.below, m.told, m.reached) for m in side.members),
        )
        for side in host_slice.bridged
    ]
    routed = [(side.share, *(port.metric for port in side.ports)) for side in host_slice.routed]
    return (*routed, *sides)


def _own(host_slice: HostSlice) -> Iterator[tuple[str, str]]:
    for member in host_slice.members:
        for own in member.addresses:
            word = f"{member.device}-{own.version}"
            yield own.host, f"{word}-host"
            yield f"{own.host}/{128 if own.version == 6 else 32}", f"{word}-source"
            yield str(own), f"{word}-address"
    for link in host_slice.links:
        yield str(link.address), f"{link.port}-address"
        yield link.gateway.host, f"{link.port}-leaf"
    for rail in (port for side in host_slice.routed for port in side.ports):
        name = rail.plan.nic.name
        yield rail.gateway.host, f"{name}-leaf"
        yield rail.address.prefix, f"{name}-subnet"
        yield rail.address.host, f"{name}-host"
        yield f"{rail.address.host}/32", f"{name}-source"
        yield str(rail.address), f"{name}-address"


def _judge(host_slice: HostSlice, files: Mapping[str, str]) -> Apart:
    """Return the errors of one server's interfaces and paths."""
    try:
        network = read(files)
        lookup = Lookup(network)
    except ValueError as fault:
        return Apart(0, (_finding(host_slice, f"the network files cannot be read back: {fault}"),))
    faults, ways = list(bridged.faults(host_slice, network)), len(host_slice.members)
    for side in host_slice.routed:
        for source, targets, wanted, who, seen in _wanted(host_slice, side, lookup):
            ways += 1
            for target in targets:
                way = seen.way(source, target)
                if way not in wanted:
                    where = {UNREACHABLE: "nowhere", ELSEWHERE: ELSEWHERE}.get(way, f"by {way}")
                    to = host_text(target, 4)
                    faults.append(f"{who} to {to} goes {where}, but must go {_text(wanted)}")
    return Apart(ways, tuple(_finding(host_slice, fault) for fault in faults))


def _finding(host_slice: HostSlice, fault: str) -> Diagnostic:
    return Diagnostic(
        Code.HOST_NOT_APART,
        f"{host_slice.server.name}: {fault}",
        path=host_slice.server.because.main,
    )


Way = tuple[int, list[int], tuple[str, ...], str, Lookup]
"""Traffic: source, targets, permitted interfaces, description, and expected path."""


def _wanted(host_slice: HostSlice, side: RoutedSide, lookup: Lookup) -> Iterator[Way]:
    if not side.share.plan.railed:
        yield from _over_any(host_slice, side, lookup)
        return
    for port in side.ports:
        yield from _by_rail(side, port, lookup)


def _by_rail(side: RoutedSide, rail: RoutedPort, lookup: Lookup) -> Iterator[Way]:
    """Yield traffic over a rail, where the rail of the source decides."""
    name, refused = rail.plan.nic.name, (UNREACHABLE,)
    own, outside = number(rail.address.host), side.share.pool.network[1] + 1
    mine = {number(each.address.host) for each in side.ports}
    who = f"traffic from {name}"
    yield own, [outside], refused, who, lookup
    for other in side.ports:
        block = other.plan.block.network
        targets = sorted(lookup.edges(range(block[0], block[1] + 1)) - mine)
        reached = block == rail.plan.block.network or rail.plan.everywhere is not None
        yield own, targets, (name,) if reached else refused, who, lookup
        if other is rail:
            ports = [each.plan for each in side.ports if each.plan.block.network == block]
            names = tuple(plan.nic.name for plan in ports)
            yield outside, targets, refused, _ANOTHER, lookup
            yield 0, targets, names, _NONE, lookup


def _over_any(host_slice: HostSlice, side: RoutedSide, lookup: Lookup) -> Iterator[Way]:
    """Yield traffic to a fabric by any port: without an address by the preferred port.

    If one port is down, another one of its fabric is used. A single port takes its routes along, so
    the fabric then has no path.
    """
    like = [each for each in host_slice.routed if each.share.fabric == side.share.fabric]
    every = [port for each in like for port in each.ports]
    names = tuple(port.plan.nic.name for port in every)
    first, last = side.share.pool.network
    mine = {number(port.address.host) for port in every}
    targets, refused = sorted(lookup.edges(range(first, last + 1)) - mine), (UNREACHABLE,)
    yield last + 1, targets, refused, _ANOTHER, lookup
    yield 0, targets, (names[(host_slice.server.number - 1) % len(names)],), _NONE, lookup
    for port in side.ports:
        name, own = port.plan.nic.name, number(port.address.host)
        yield own, [last + 1], refused, f"traffic from {name}", lookup
        yield own, targets, (name,), f"traffic from {name}", lookup
        others = tuple(each for each in names if each != name) or (*refused, ELSEWHERE)
        yield 0, targets, others, f"with {name} down, {_NONE}", lookup.without(name)


def _text(ways: tuple[str, ...]) -> str:
    return "nowhere" if UNREACHABLE in ways else f"by {' or '.join(ways)}"


def examined(judged: Iterable[Apart]) -> Examined:
    """Combine all servers; findings beyond the first ones are counted."""
    ways = 0
    every: list[Diagnostic] = []
    for each in judged:
        ways += each.ways
        every.extend(each.findings)
    findings = shortened(every, "paths of servers that differ from the design")
    return Examined(check=CHECK, objects=ways, noun=NOUN, findings=findings)

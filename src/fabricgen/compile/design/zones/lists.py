"""Build the access list of each entry of a fabric from zones and flows.

A packet is checked where it enters a VRF. The longest prefix that contains its source gives its
zone, and the longest prefix that contains its destination gives the other zone. So longer prefixes
come first, and each that a shorter one would permit ends in a drop of its own.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.zones import (
    ALL,
    ANY_PORT,
    ICMP,
    IP,
    TCP,
    UDP,
    AccessList,
    Member,
    Ports,
    Rule,
)

# ICMP types, IANA: icmp-parameters and icmpv6-parameters. A path's MTU is learned from these.
_ERRORS = {4: (3,), 6: (1, 2)}
_NEIGHBORS = (133, 135, 136)  # router solicitation, neighbor solicitation and advertisement


@record(kw_only=True)
class Allowed:
    """One permitted service between two zones. path: the flow that permits it.

    ends: the places of client and server.
    """

    client: str
    server: str
    protocol: str
    ports: Ports
    path: IntentPath
    ends: tuple[IntentPath, IntentPath]


@record(kw_only=True)
class Writer:
    """Writer of the lists of entry points, by the flows."""

    allowed: Sequence[Allowed]

    def lists(
        self,
        way: str,
        first: Callable[[int], Iterator[Rule]],
        sources: Sequence[Member],
        targets: Sequence[Member],
        because: Provenance,
    ) -> Iterator[AccessList]:
        """Yield the list of an entry point for each IP version.

        first: the rules before all others. sources: prefixes behind it, longest first.
        """
        for version, mine in _by_version(sources):
            name = f"ZONE-{way}" if version == 4 else f"ZONE6-{way}"
            rules = _lean((*first(version), *self._blocks(mine, targets, because)))
            yield AccessList(name=name, version=version, rules=rules, because=because)

    def _blocks(
        self, sources: Sequence[Member], targets: Sequence[Member], because: Provenance
    ) -> Iterator[Rule]:
        """Yield the rules of each source; each source inside another ends with a drop."""
        for place, source in enumerate(sources):
            fitting = [each for each in targets if each.prefix.version == source.prefix.version]
            yield from _fenced(
                [list(self._pair(source, target, because)) for target in fitting],
                [target.prefix for target in fitting],
                source.prefix,
                because,
            )
            if any(later.prefix.holds(source.prefix) for later in sources[place + 1 :]):
                yield _drop(source.prefix, ALL[source.prefix.version], because)

    def _pair(self, source: Member, target: Member, because: Provenance) -> Iterator[Rule]:
        """Yield the permitted traffic from one prefix to another."""
        if source.zone == target.zone:
            if not (source.outside and target.outside):
                yield Rule(
                    permit=True,
                    protocol=IP,
                    source=source.prefix,
                    target=target.prefix,
                    because=replace(
                        because, rule=f"all traffic inside zone {source.zone} is permitted"
                    ),
                )
            return
        asked = [each for each in self.allowed if each.client == source.zone]
        asked = [each for each in asked if each.server == target.zone]
        answered = [each for each in self.allowed if each.server == source.zone]
        answered = [each for each in answered if each.client == target.zone]
        plain = Rule(
            permit=True,
            protocol=IP,
            source=source.prefix,
            target=target.prefix,
            because=because,
        )
        yield from (_opening(each, plain) for each in asked)
        yield from (_answer(each, plain) for each in answered)
        for message in _ERRORS[source.prefix.version] if asked or answered else ():
            paths = tuple(each.path for each in (*asked, *answered))
            why = Provenance(paths, "errors about these flows, such as MTU errors, are permitted")
            yield replace(plain, protocol=ICMP, message=message, answers=True, because=why)


def _by_version(members: Iterable[Member]) -> Iterator[tuple[int, list[Member]]]:
    """Yield the members of each IP version, in their order."""
    ordered = sorted(members, key=lambda each: each.prefix.version)
    for version, some in groupby(ordered, key=lambda each: each.prefix.version):
        yield version, list(some)


def open_gateway(dhcp: Sequence[Rule], because: Provenance, version: int) -> Iterator[Rule]:
    """Yield the first rules of a gateway: DHCP of its VLAN, and neighbor discovery."""
    yield from (rule for rule in dhcp if rule.source.version == version)
    yield from _neighbors(version, Provenance(because.paths, "a host finds its neighbors"))


def _neighbors(version: int, because: Provenance) -> Iterator[Rule]:
    """Yield by which messages neighbors find each other, of IPv6 alone."""
    for message in _NEIGHBORS if version == 6 else ():
        yield Rule(
            permit=True,
            protocol=ICMP,
            source=ALL[6],
            target=ALL[6],
            message=message,
            answers=True,
            because=because,
        )


def open_hosts(first: Sequence[Rule], version: int) -> Iterator[Rule]:
    """Yield the first rules of ports to servers; their BGP and BFD stay inside the zone."""
    yield from (rule for rule in first if rule.source.version == version)


def open_router(peer: ExternalPeer, more: Sequence[Rule], version: int) -> Iterator[Rule]:
    """Yield the rules for packets of the router to its end of the link. more: rules before."""
    yield from (rule for rule in more if rule.source.version == version)
    if peer.local.version != version:
        return
    bits = 32 if version == 4 else 128
    yield from _neighbors(version, replace(peer.because, rule="IPv6 neighbors find each other"))
    yield Rule(
        permit=True,
        protocol=IP,
        source=Ip(peer.remote.value, bits, version),
        target=Ip(peer.local.value, bits, version),
        because=replace(peer.because, rule="the external router runs BGP and BFD with the leaf"),
        answers=True,
    )


def _fenced(
    pairs: Sequence[list[Rule]], targets: Sequence[Ip], source: Ip, because: Provenance
) -> Iterator[Rule]:
    """Yield the rules of each target, and a drop where a shorter one would let more through."""
    for place, (rules, target) in enumerate(zip(pairs, targets, strict=True)):
        yield from rules
        whole = any(rule.protocol == IP for rule in rules)
        later = (rule for some in pairs[place + 1 :] for rule in some)
        if not whole and any(rule.target.holds(target) for rule in later):
            yield _drop(source, target, because)


def _drop(source: Ip, target: Ip, because: Provenance) -> Rule:
    why = Provenance(because.paths, "between zones only configured flows are permitted")
    return Rule(permit=False, protocol=IP, source=source, target=target, because=why)


def _opening(each: Allowed, plain: Rule) -> Rule:
    rule = f"{each.client} may reach {each.server} on {spelled(each)}"
    why = Provenance((each.path, *each.ends), rule)
    return replace(plain, protocol=each.protocol, target_ports=each.ports, because=why)


def _answer(each: Allowed, plain: Rule) -> Rule:
    """Return the rule of answers; for ICMP it is the echo reply."""
    rule = f"answers of {each.server} to {each.client}, {spelled(each)}"
    why = Provenance((each.path, *reversed(each.ends)), rule)
    reply = 0 if plain.source.version == 4 else 129
    return replace(
        plain,
        protocol=each.protocol,
        source_ports=each.ports,
        message=reply if each.protocol == ICMP else None,
        answers=True,
        because=why,
    )


def spelled(each: Allowed) -> str:
    """Return a service as text."""
    first, last = each.ports
    if each.protocol not in (TCP, UDP) or each.ports == ANY_PORT:
        return each.protocol
    return f"{each.protocol}/{first}" if first == last else f"{each.protocol}/{first}-{last}"


def _lean(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Leave out answers that an earlier rule lets through anyway; the rest is for a check."""
    kept: list[Rule] = []
    for rule in rules:
        if not (rule.answers and any(one.permit and one.covers(rule) for one in kept)):
            kept.append(rule)
    return tuple(kept)

"""Defines the access lists between zones and their decision about a packet.

A list is checked from its top. The first matching rule decides, and a packet without a match is
dropped. Lists are stateless, so replies have rules of their own.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vrfs import NUMBER

Ports = tuple[int, int]
"""First and last port."""
ANY_PORT: Ports = (0, 65_535)
ALL = {4: Ip(0, 0, 4), 6: Ip(0, 0, 6)}
"""Every address of an IP version."""
IP, TCP, UDP, ICMP = "ip", "tcp", "udp", "icmp"
"""Protocols; `ip` is every protocol, `icmp` the one of the list's IP version."""
MESSAGES = {
    (4, 0): "echo-reply",
    (4, 3): "unreachable",
    (6, 1): "unreachable",
    (6, 2): "packet-too-big",
    (6, 129): "echo-reply",
    (6, 133): "router-solicitation",
    (6, 135): "neighbor-solicitation",
    (6, 136): "neighbor-advertisement",
}
"""ICMP messages for rules, by IP version and type (IANA's icmp-parameters)."""


class Packet(NamedTuple):
    """Packet fields that a list checks. `message`: an ICMP type. `answer`: TCP with ACK or RST."""

    source: Ip
    target: Ip
    protocol: str = IP
    source_port: int = 0
    target_port: int = 0
    answer: bool = False
    message: int = 0


@record(kw_only=True)
class Rule:
    """One rule. `answers`: it permits replies, and for TCP no new connection.

    `message`: the only ICMP message that it matches; None matches all. `number`: its stable number
    in a list, so that a neighboring rule does not change it; without one the list numbers it.
    """

    permit: bool
    protocol: str
    source: Ip
    target: Ip
    because: Provenance
    source_ports: Ports = ANY_PORT
    target_ports: Ports = ANY_PORT
    message: int | None = None
    answers: bool = False
    number: int | None = None

    @property
    def established(self) -> bool:
        """Return whether it matches only established TCP connections."""
        return self.answers and self.protocol == TCP

    @property
    def only(self) -> str:
        """Its restriction within the protocol: `established`, or a message; empty for none."""
        if self.message is not None:
            return MESSAGES[self.source.version, self.message]
        return "established" if self.established else ""

    def fits(self, packet: Packet) -> bool:
        """Return whether it matches a packet."""
        return (
            self.protocol in (IP, packet.protocol)
            and self.source.holds(packet.source)
            and self.target.holds(packet.target)
            and self.source_ports[0] <= packet.source_port <= self.source_ports[1]
            and self.target_ports[0] <= packet.target_port <= self.target_ports[1]
            and self.message in (None, packet.message)
            and (packet.answer or not self.established)
        )

    def covers(self, other: "Rule") -> bool:
        """Return whether it matches every packet that another rule matches."""
        return (
            self.protocol in (IP, other.protocol)
            and self.source.holds(other.source)
            and self.target.holds(other.target)
            and _within(other.source_ports, self.source_ports)
            and _within(other.target_ports, self.target_ports)
            and self.message in (None, other.message)
            and (other.established or not self.established)
        )


def _within(inner: Ports, outer: Ports) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def numbers(rules: Sequence[Rule], *, apart: int) -> Iterator[int]:
    """Yield the number of each rule. Rules without a fixed number follow all others."""
    last = NUMBER if any(rule.number is not None for rule in rules) else 0
    for rule in rules:
        if rule.number is None:
            last += apart
        yield last if rule.number is None else rule.number


@record(eq=False, kw_only=True)
class AccessList:
    """The rules of one place for IPv4 or IPv6; packets without a match are dropped."""

    name: str
    version: int
    rules: tuple[Rule, ...]
    because: Provenance

    def decides(self, packet: Packet) -> Rule | None:
        """Return the first matching rule; None is the end of the list, which drops."""
        return next((rule for rule in self.rules if rule.fits(packet)), None)

    def numbered(self) -> Iterator[tuple[int, Rule]]:
        """Yield the rules with their numbers: fixed ones, then steps of ten above them."""
        yield from zip(numbers(self.rules, apart=10), self.rules, strict=True)


@record(eq=False, kw_only=True)
class Guard:
    """Access lists of one entry point: the gateway of a VLAN, or the port to an external router.

    `vlan`: None for a port. `peer`: label of the external router, or of servers on routed ports;
    empty for a gateway. `zone`: empty for an external router whose VRF has no zones. `isolated`:
    the lists also filter packets inside the VLAN, at its ports.
    """

    zone: str
    vlan: int | None
    peer: str
    lists: tuple[AccessList, ...]
    isolated: bool = False

    def of(self, version: int) -> AccessList | None:
        """Return the list of an IP version; without one its packets are dropped."""
        return next((each for each in self.lists if each.version == version), None)

    def allows(self, packet: Packet) -> tuple[bool, Rule | None]:
        """Return whether a packet may enter, and the matching rule; None is the end of the list."""
        judge = self.of(packet.source.version)
        rule = judge.decides(packet) if judge is not None else None
        return rule is not None and rule.permit, rule


@record(kw_only=True)
class FirewallRequirement:
    """Requirement of a zone that all external traffic to it crosses another zone."""

    zone: str
    through: str
    path: IntentPath


class Asked(NamedTuple):
    """A pair of zones of a flow; every rule for it names these three places."""

    path: IntentPath
    client: IntentPath
    server: IntentPath


class Member(NamedTuple):
    """A prefix of a zone in one VRF. `outside`: it is behind an external router."""

    prefix: Ip
    zone: str
    outside: bool


@record(kw_only=True)
class Zones:
    """The zones of a fabric: their members, and the access lists of each entry point.

    `vlans`, `peers`: guards by VLAN, and by the label of a session. `members`: by VRF. The
    longest matching prefix decides the zone of an address, so it comes first. `asked`: pairs
    of zones of all flows of the site.
    """

    vlans: Mapping[int, Guard] = field(default_factory=dict)
    peers: Mapping[str, Guard] = field(default_factory=dict)
    members: Mapping[str, tuple[Member, ...]] = field(default_factory=dict)
    behind: tuple[FirewallRequirement, ...] = ()
    asked: tuple[Asked, ...] = ()

    def joined(self, other: "Zones") -> "Zones":
        """Return these zones with the zones of other VRFs of the fabric."""
        return Zones(
            vlans={**self.vlans, **other.vlans},
            peers={**self.peers, **other.peers},
            members={**self.members, **other.members},
            behind=(*self.behind, *other.behind),
            asked=tuple(dict.fromkeys((*self.asked, *other.asked))),
        )

    def zone_of(self, vrf: str, prefix: Ip) -> str:
        """Return the zone of a prefix in a VRF by its longest matching prefix, or none."""
        members = self.members.get(vrf, ())
        return next((each.zone for each in members if each.prefix.holds(prefix)), "")

    def guards(self, vlans: Iterable[int], peers: Iterable[str]) -> tuple[Guard, ...]:
        """Return the guards of a switch with these VLANs and external routers."""
        gates = [self.vlans[vlan] for vlan in vlans if vlan in self.vlans]
        return (*gates, *(self.peers[peer] for peer in peers if peer in self.peers))


NO_ZONES = Zones()

"""Checks the laws of external routers: several statements about one router agree."""

from collections.abc import Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, NamedTuple

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.prove.invariants.law import (
    SURE,
    Breach,
    Law,
    Member,
    Spot,
    at_port,
    breach,
    grouped,
    unlike,
)
from fabricgen.prove.invariants.network import AnyNetwork, parsed
from fabricgen.prove.invariants.switch import Port, Session, Switch, one, several

_OF_FAMILY = frozenset({"families", "ipv6-next-hop", "prefixes", "far-end", "peer"})
"""Attributes of sessions and policies that differ between IPv4 and IPv6, or are texts."""
_PRESENT = frozenset({"most", "maximum-routes", "password", "source"})
"""Attributes of which only the presence is compared."""
_ALWAYS = ("bfd", "timers", "in", "out")
"""Attributes that either all or no sessions to external routers have."""
Subnet = IPv4Network | IPv6Network


class Outside(NamedTuple):
    """A session to a router without files here, and the port that leads to it."""

    switch: Switch
    session: Session
    port: Port
    version: int

    def member(self, value: str, word: str) -> Member:
        """Return the session with the value of one of its attributes."""
        spot = Spot(self.switch, self.session.key, (word, "asn"))
        return Member(f"{self.switch.name} to {self.session.peer}", value, spot)


def _outside(network: AnyNetwork) -> Iterator[Outside]:
    """Yield the sessions whose peer is on a subnet of a port, and is not a switch here."""
    for switch in network.switches:
        for session in switch.sessions:
            peer = parsed(session.peer)
            if peer is None or peer in network.holders:
                continue
            routed = (each for each in switch.ports.values() if each.up and not each.vlan)
            for port in routed:
                near = any(peer in each.network for each in port.addresses)
                if near and port.vrf == session.vrf:
                    yield Outside(switch, session, port, peer.version)
                    break


def _words(session: Session) -> Mapping[str, str]:
    """Return the statements of a session and its policies, for any IP version."""
    said: dict[str, str] = {}
    for name, value in session.own.items():
        if name in _OF_FAMILY:
            continue
        shown = "present" if name in _PRESENT else one(value) or repr(value)
        said[name] = "present" if name in ("in", "out") else shown
        for number, clause in _clauses(session, name):
            for word, inner in clause:
                for each in several(inner) if word == "strip" else [word]:
                    key = f"{name} {number} {word} {each}"
                    said[key] = "present" if word in ("strip", *_OF_FAMILY) else repr(inner)
                if word == "communities":  # received communities are replaced
                    said[f"{name} {number} strip community"] = "present"
    return said


def _clauses(session: Session, way: str) -> Iterator[tuple[int, tuple[tuple[str, Any], ...]]]:
    """Yield the clauses of a policy with their numbers."""
    policy = session.own.get(way) if way in ("in", "out") else None
    yield from enumerate(policy) if isinstance(policy, tuple) else ()


def _twice(network: AnyNetwork) -> Iterator[Breach]:
    """Yield routers whose IPv4 and IPv6 sessions differ in an attribute that others share."""
    ends = grouped(
        ((each.switch, each.session.vrf, each.port.name, each.session.asn), each)
        for each in _outside(network)
    )
    routers = [each for each in ends.values() if sorted(e.version for e in each) == [4, 6]]
    found = grouped(each for sessions in routers for each in _differences(sessions))
    for breaches in found.values():
        if len(breaches) < len(routers) or len(routers) == 1:
            yield from breaches


def _differences(sessions: list[Outside]) -> Iterator[tuple[str, Breach]]:
    """Yield the attributes in which two sessions differ."""
    said = [_words(each.session) for each in sessions]
    for word in dict.fromkeys((*said[0], *said[1])):
        values = zip(sessions, said, strict=True)
        members = [each.member(own.get(word, ""), word.split()[0]) for each, own in values]
        found = unlike(word, "the same router", members, severity=Severity.NOTE)
        yield from ((word, each) for each in found)


def _all(network: AnyNetwork) -> Iterator[Breach]:
    """Yield sessions to external routers that lack an attribute of all the others."""
    parts = grouped((network.parts[each.switch], each) for each in _outside(network))
    for sessions in parts.values():
        said = [_words(each.session) for each in sessions]
        for word in dict.fromkeys(word for own in said for word in own):
            has = ["present" if word in own else "" for own in said]
            if (word in _ALWAYS or " strip " in word) and has.count("present") >= SURE:
                values = zip(sessions, has, strict=True)
                members = [each.member(value, word.split()[0]) for each, value in values]
                group = "the sessions to external routers"
                yield from unlike(word, group, members, sure=SURE, severity=Severity.NOTE)


def _exits(network: AnyNetwork) -> Iterator[Breach]:
    """Yield external ports with another MTU, trust or number of lists than the others."""
    ports = {(each.switch, each.port.name): each.port for each in _outside(network)}
    parts = grouped((network.parts[end[0]], (end, port)) for end, port in ports.items())
    for exits in parts.values():
        lists, sizes, texts, trusts = [], [], [], []
        for (switch, name), port in exits:
            own = switch.own(("interface", name))
            lack = len({each.version for each in port.addresses}) - len(several(own.get("guarded")))
            lists.append(at_port(switch, name, "no list" if lack > 0 else "lists", "guarded"))
            sizes.append(at_port(switch, name, one(own.get("mtu")), "mtu"))
            is_described = own.get("description") or own.get("note")
            texts.append(at_port(switch, name, "a description" if is_described else ""))
            whole = name.rpartition(".")[0] or name
            trust = switch.own(("interface", whole)).get("trust")
            trusts.append(at_port(switch, whole, one(trust), "trust"))
        group = "the ports to external routers"
        alike = ("for its IP versions", lists), ("MTU", sizes), ("as description", texts)
        for what, members in alike:
            yield from unlike(what, group, members, sure=SURE, severity=Severity.NOTE)
        trusts = list(dict.fromkeys(trusts))
        yield from unlike("DSCP trust", group, trusts, severity=Severity.NOTE)


def _forged(network: AnyNetwork) -> Iterator[Breach]:
    """Yield anti-spoofing lists that deny most subnets of the VRF, but not all."""
    own = grouped(
        ((network.parts[switch], port.vrf), each.network)
        for switch in network.switches
        for port in switch.gateways.values()
        for each in port.addresses
        if not each.is_link_local
    )
    ports = {(each.switch, each.port.name): each.port for each in _outside(network)}
    for (switch, name), port in ports.items():
        subnets = dict.fromkeys(own.get((network.parts[switch], port.vrf), ()))
        for guard in several(switch.own(("interface", name)).get("guarded")):
            denied = list(_denied(switch, guard))
            versions = {each.version for each in denied}
            every = [each for each in subnets if each.version in versions]
            bare = [each for each in every if not any(_is_inside(each, two) for two in denied)]
            if bare and 2 * len(bare) <= len(every):
                said = f"{switch.name}:{name}: list {guard} denies other subnets of VRF {port.vrf}"
                spot = Spot(switch, ("interface", name), ("guarded",))
                yield breach(f"{said}, but not {bare[0]}", spot, severity=Severity.WARNING)


def _denied(switch: Switch, guard: str) -> Iterator[Subnet]:
    """Yield the sources that a list denies for every packet."""
    for key, own in switch.each("rule"):
        whole = own.get("target") == "any" and own.get("protocol") == "ip"
        source = _prefix(one(own.get("source"))) if key[1] == guard else None
        if source is not None and whole and own.get("action") == "deny":
            yield source


def _is_inside(subnet: Subnet, whole: Subnet) -> bool:
    return (
        subnet.version == whole.version
        and subnet.prefixlen >= whole.prefixlen
        and subnet.network_address in whole
    )


def _prefix(text: str, *, strict: bool = False) -> Subnet | None:
    try:
        return ip_network(text, strict=strict)
    except ValueError:
        return None


def _masked(network: AnyNetwork) -> Iterator[Breach]:
    """Yield policies with a prefix that has host bits."""
    for switch in network.switches:
        for session in switch.sessions:
            for way in ("in", "out"):
                for prefix in _prefixes(session, way):
                    if _prefix(prefix) is not None and _prefix(prefix, strict=True) is None:
                        said = f"{switch.name}: a policy names {prefix}, which has host bits"
                        spot = Spot(switch, session.key, (way,))
                        yield breach(said, spot, severity=Severity.WARNING)


def _prefixes(session: Session, way: str) -> Iterator[str]:
    """Yield the prefixes that the clauses of a policy match."""
    for _, clause in _clauses(session, way):
        entries = dict(clause).get("prefixes")
        for entry in (
            entries if isinstance(entries, tuple) else ()
        ):  # otherwise no list has that name
            yield from (str(value).partition(",")[0] for _, value in entry)


_SESSIONS = frozenset({("session", "in"), ("session", "out")})
LAWS = (
    Law(
        name="IPv4 and IPv6 sessions to one external router are equal",
        code=Code.UNLIKE_ITS_CLASS,
        source="RFC 4760: one policy of a neighbor may cover both families",
        needs=_SESSIONS,
        breaches=_twice,
    ),
    Law(
        name="sessions to external routers have the same kinds of policies",
        code=Code.UNLIKE_ITS_CLASS,
        source="RFC 7454 section 5 and 11: filters and communities at every external session",
        needs=_SESSIONS,
        breaches=_all,
    ),
    Law(
        name="ports to external routers have equal lists, MTU and trust",
        code=Code.UNLIKE_ITS_CLASS,
        source="RFC 3704 section 2 and RFC 2474 section 3: filters and DSCP marking at each "
        "boundary",
        needs=frozenset({("interface", "guarded"), ("interface", "trust")}),
        breaches=_exits,
    ),
    Law(
        name="anti-spoofing lists deny every subnet of their VRF",
        code=Code.UNLIKE_ITS_CLASS,
        source="RFC 2827 section 4 and RFC 3704 section 2: no external packet has an internal "
        "source",
        needs=frozenset({("rule", "source")}),
        breaches=_forged,
    ),
    Law(
        name="prefixes of policies have no host bits",
        code=Code.JUDGED_VALUE,
        source="FRR lib/plist.c and EOS store the masked prefix, so no saved line has such bits",
        needs=_SESSIONS,
        breaches=_masked,
        alone=True,
    ),
)

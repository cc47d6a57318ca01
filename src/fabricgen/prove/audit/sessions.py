"""Finds BGP sessions whose ends do not match."""

from collections.abc import Iterator
from ipaddress import ip_address, ip_network

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.core.record import record
from fabricgen.core.tree.facts import FALSE, GLOBAL, Key
from fabricgen.prove.foreign.network import Network, pair_of
from fabricgen.prove.foreign.switch import Judged, finding, number
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.packet import Address
from fabricgen.prove.walk.tables import Session
from fabricgen.prove.walk.values import text

NAME, NOUN = "sessions", "ends of BGP sessions"
_DYNAMIC = {"external", "internal"}


@record(eq=False, kw_only=True)
class Side:
    """One end of a session as configured. `peer`: None for a port.

    `here`: the addresses that the other end must name: of its source, or near the peer.
    """

    switch: Judged
    session: Session
    peer: Address | None
    here: frozenset[Address]

    @property
    def key(self) -> Key:
        """The object in the facts."""
        return "session", self.session.vrf, self.session.peer

    @property
    def asn(self) -> int | None:
        """The ASN that it uses; a VRF of FRR may have its own."""
        own = self.switch.own(("bgp", self.session.vrf)).get("asn")
        return number(self.session.local_asn or text(own)) or self.switch.asn

    @property
    def families(self) -> frozenset[str]:
        """Its address families; IPv4 with an IPv4 peer unless deactivated."""
        bgp = self.switch.own(("bgp", self.session.vrf)) or self.switch.own(("bgp", GLOBAL))
        asked = self.session.vrf == GLOBAL and bgp.get("ipv4-by-default") != FALSE
        given = {"ipv4"} if asked and self.peer is not None and self.peer.version == 4 else set()
        return self.session.families | given

    @property
    def tells(self) -> bool:
        """Return whether its families are configured: CONFIG_DB leaves them to templates."""
        outside = self.session.vrf != GLOBAL and not self.session.families
        return not outside and "table" not in self.switch.own(self.key)

    @property
    def name(self) -> str:
        """The end as text."""
        where = "" if self.session.vrf == GLOBAL else f" in VRF {self.session.vrf}"
        return f"{self.switch.name} to {self.session.peer}{where}"


def judge(network: Network) -> Examined:
    """Check the sessions of all switches."""
    sides = [side for switch in network.switches for side in _sides(switch)]
    ends = _Ends(network, sides)
    findings = [each for switch in network.switches for each in _two_asns(switch)]
    findings += dict.fromkeys(each for side in sides for each in ends.judge(side))
    return Examined(
        check=NAME,
        objects=len(sides),
        noun=NOUN,
        findings=shortened(findings, "faults of sessions"),
    )


def _two_asns(switch: Judged) -> Iterator[Diagnostic]:
    """Yield a SONiC switch whose database and frr.conf have different ASNs."""
    database, routing = (("switch",), "asn"), (("bgp", GLOBAL), "asn")
    said = [number(text(switch.own(key).get(name))) for key, name in (database, routing)]
    if None not in said and said[0] != said[1]:
        sentence = f"{switch.name} is AS {said[0]} in CONFIG_DB, but AS {said[1]} in FRR"
        yield finding(
            Code.JUDGED_ASN,
            sentence,
            switch.place(*database),
            switch.place(*routing),
            severity=Severity.WARNING,
            hint="docker_routing_config_mode decides which of them FRR starts with",
        )


def _sides(switch: Judged) -> Iterator[Side]:
    """Yield the sessions of a switch that are up, without OSPF neighbors."""
    for session in switch.tables.sessions:
        own = switch.own(("session", session.vrf, session.peer))
        if not session.asn or own.get("shut") or own.get("template"):
            continue
        try:
            peer = ip_address(session.peer)
        except ValueError:
            peer = None
        here = _here(switch, session, peer)
        yield Side(switch=switch, session=session, peer=peer, here=here)


def _here(switch: Judged, session: Session, peer: Address | None) -> frozenset[Address]:
    ports = switch.tables.ports
    source = ports.get(session.source)
    every = [source] if source is not None else list(ports.values())
    mine = [each for port in every if port.vrf == session.vrf for each in port.addresses]
    near = [each for each in mine if peer is not None and peer in each.network]
    return frozenset(each.ip for each in near or mine)


class _Ends:
    """Finds the other end of a session, and compares both."""

    def __init__(self, network: Network, sides: list[Side]) -> None:
        self.network = network
        self.naming: dict[tuple[Judged, Address | str], list[Side]] = {}
        for side in sides:
            key = side.switch, side.peer or side.session.peer
            self.naming.setdefault(key, []).append(side)
        self.asns = {each.asn for each in network.switches if each.tables.subnets}

    def judge(self, side: Side) -> Iterator[Diagnostic]:
        """Check one end."""
        peers = self.peers(side)
        if not peers:
            yield from self.nobody(side)
            return
        others = [other for peer in peers for other in self.others(side, peer)]
        if others:
            yield from self.unlike(side, others[0])
        elif not any(self.takes(side, peer) for peer in peers):
            peer = peers[0]
            at = side.switch.place(side.key, "asn")
            there = peer.place(("bgp", GLOBAL), "asn")
            said = f"{side.name} is configured, but {peer.name} has no such session"
            yield finding(Code.JUDGED_ONE_SIDED, said, at, there)

    def peers(self, side: Side) -> list[Judged]:
        """Return the switches at the other end; in its own pair, since pairs repeat addresses."""
        if side.peer is None:
            far = self.network.links.get((side.switch, side.session.peer))
            return [far[0]] if far is not None else []
        held = self.network.having.get(side.peer, [])
        mine = [each for each in held if each.vrf == plain(side.session.vrf)]
        others = [each for each in mine or held if each.switch is not side.switch]
        own = [each for each in others if each.pair and each.pair == pair_of(side.switch)]
        return list(dict.fromkeys(each.switch for each in own or others))

    def others(self, side: Side, peer: Judged) -> Iterator[Side]:
        """Yield the ends at a peer that refer to this one."""
        if side.peer is None:
            far = self.network.links.get((side.switch, side.session.peer))
            yield from self.naming.get((peer, far[1]), ()) if far is not None else ()
            return
        for address in side.here:
            for other in self.naming.get((peer, address), ()):
                if side.peer in other.here:
                    yield other

    def takes(self, side: Side, peer: Judged) -> bool:
        """Return whether a peer accepts sessions from a prefix that contains this end."""
        ranges = [ip_network(prefix, strict=False) for prefix, _ in peer.listens()]
        return any(each in prefix for each in side.here for prefix in ranges)

    def nobody(self, side: Side) -> Iterator[Diagnostic]:
        """Report an address without a switch: an error if the peer must be here."""
        if side.peer is None:
            yield from self.no_port(side)
            return
        named, wanted = self.named(side), number(side.session.asn)
        said, severity = f"{side.name}: no switch here has that address", Severity.NOTE
        hint = "its files are missing here, so this cannot be checked"
        if named is not None:
            said, severity, hint = f"{said}, but the session names {named.name}", Severity.ERROR, ""
        elif wanted in self.asns and wanted != side.switch.asn:
            said, severity = f"{said}, but a switch here has AS {wanted}", Severity.WARNING
        at = side.switch.place(side.key, "asn")
        yield finding(Code.JUDGED_NOBODY, said, at, severity=severity, hint=hint)

    def no_port(self, side: Side) -> Iterator[Diagnostic]:
        """Report that the switch with the ASN expects another ASN at each of its ports."""
        wanted, mine = number(side.session.asn), side.asn
        holders = [each for each in self.network.switches if each.asn == wanted is not None]
        theirs = [
            other
            for (switch, peer), others in self.naming.items()
            if switch in holders and isinstance(peer, str)
            for other in others
        ]
        expected = {number(each.session.asn) for each in theirs}
        if not theirs or mine is None or expected & {None, mine}:
            return
        who = ", ".join(sorted({each.switch.name for each in theirs}))
        said = (
            f"{side.name} expects AS {wanted}, but {who} expects AS "
            f"{', '.join(map(str, sorted(filter(None, expected))))} at its ports, not {mine}"
        )
        at = side.switch.place(("bgp", GLOBAL), "asn")
        there = theirs[0].switch.place(theirs[0].key, "asn")
        yield finding(Code.JUDGED_ASN, said, at, there, severity=Severity.WARNING)

    def named(self, side: Side) -> Judged | None:
        """Return the switch that the description of a session or its port names."""
        switch, network = side.switch, self.network
        own = switch.own(side.key)
        words = [text(own.get(name)) for name in ("far-end", "peer")]
        near = (
            name
            for name, port in switch.tables.ports.items()
            if any(side.peer in each.network for each in port.addresses)
        )
        words += [text(switch.own(("interface", name)).get("description")) for name in near]
        return network.mentioned(switch, " | ".join(words))

    def unlike(self, side: Side, other: Side) -> Iterator[Diagnostic]:
        """Compare two ends; only the first end reports a common difference."""
        wanted, has = side.session.asn, other.asn
        same = {"external": has != side.asn, "internal": has == side.asn}.get(
            wanted, number(wanted) in (None, has)
        )
        at = side.switch.place
        if has is not None and not same:
            said = f"{side.name} expects AS {wanted}, but {other.switch.name} is AS {has}"
            there = other.switch.place(("bgp", GLOBAL), "asn")
            yield finding(Code.JUDGED_ASN, said, at(side.key, "asn"), there)
        if (side.switch.name, side.name) > (other.switch.name, other.name):
            return
        if bool(side.session.password) != bool(other.session.password):
            having = side if side.session.password else other
            said = f"{side.name}: only {having.switch.name} has a password"
            yield self.two(side, other, said, Severity.ERROR)
        alone = side.families ^ other.families
        if alone and side.tells and other.tells:
            dead = not side.families & other.families
            said = f"{side.name}: only one end has {', '.join(sorted(alone))}"
            yield self.two(side, other, said, Severity.ERROR if dead else Severity.WARNING)

    def two(self, side: Side, other: Side, said: str, severity: Severity) -> Diagnostic:
        """Return a diagnostic for a difference at both ends of a session."""
        places = (each.switch.place(each.key, "families", "asn") for each in (side, other))
        return finding(Code.JUDGED_SESSION, said, *places, severity=severity)

"""Checks the laws of the EVPN overlay: router MACs and sessions between loopbacks."""

import re
from collections import defaultdict
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.tree.facts import GLOBAL, TRUE
from fabricgen.prove.invariants.law import Breach, Law, Spot, breach
from fabricgen.prove.invariants.network import AnyNetwork, parsed
from fabricgen.prove.invariants.switch import Session, Switch, one

_OCTET = re.compile(r"[0-9a-f]{1,2}")


def _router_macs(network: AnyNetwork) -> Iterator[Breach]:
    """Yield tunnel endpoints with the router MAC of another one, or with a group MAC."""
    first: dict[str, Switch] = {}
    gateways = {
        one(own.get("mac")).lower()
        for switch in network.switches
        for key, own in switch.each("interface")
        if "mac" in own and key != switch.bridge[0]
    }
    for switch in network.switches:
        key, own = switch.bridge
        mac = one(own.get("mac")).lower()
        if not key or not mac:
            continue
        other = first.setdefault(mac, switch)
        here = Spot(switch, key, ("mac",))
        if other is not switch:
            said = f"{switch.name} and {other.name} share router MAC {mac}"
            yield breach(said, here, Spot(other, other.bridge[0], ("mac",)))
        elif mac in gateways:
            yield breach(f"{switch.name}: the router MAC {mac} is also a gateway MAC", here)
        elif (octet := _OCTET.match(mac)) and int(octet[0], 16) & 1:
            yield breach(f"{switch.name}: the router MAC {mac} is a group address", here)


def _evpn(switch: Switch) -> Iterator[Session]:
    """Yield the EVPN sessions whose peer is not on a link of the switch."""
    links = [
        each.network
        for port in switch.ports.values()
        for each in port.addresses
        if each.network.prefixlen != each.max_prefixlen
    ]
    for session in switch.sessions if links else ():  # otherwise its addresses are not here
        peer = parsed(session.peer)
        distant = peer is not None and not any(peer in each for each in links)
        if "evpn" in session.families and session.vrf == GLOBAL and distant:
            yield session


def _is_external(switch: Switch, session: Session) -> bool:
    return session.asn == "external" or (
        session.asn not in ("internal", switch.local_as) and bool(switch.local_as)
    )


def _is_short(session: Session) -> bool:
    """Return whether a session lacks ebgp-multihop and FRR's exception for one hop."""
    return session.own.get("multihop", "1") == "1" and "unchecked" not in session.own


def _distant(network: AnyNetwork) -> Iterator[Breach]:
    """Yield EVPN sessions to loopbacks that cannot come up."""
    for switch in network.switches:
        for session in _evpn(switch):
            here = Spot(switch, session.key, ("asn",))
            name = f"{switch.name} to {session.peer}"
            if _is_external(switch, session) and _is_short(session):
                why = "its peer is more than one hop away, and ebgp-multihop is absent"
                yield breach(f"{name}: {why}", here)
            if not session.own.get("source"):
                why = "its peer is not on a link, and update-source is absent"
                yield breach(f"{name}: {why}", here)


def _transit(network: AnyNetwork) -> Iterator[Breach]:
    """Yield eBGP sessions of switches without a tunnel that would become the next hop."""
    for switch in network.switches:
        tunnel = switch.own(("vtep",))
        if tunnel or switch.is_frr or "next-hop-unchanged" not in _words(switch):
            continue
        whole = switch.own(("bgp", GLOBAL)).get("next-hop-unchanged") == TRUE
        sessions = [] if whole else list(_evpn(switch))
        for session in sessions if len(sessions) > 1 else ():
            here, name = Spot(switch, session.key, ("asn",)), f"{switch.name} to {session.peer}"
            if _is_external(switch, session) and session.own.get("next-hop-unchanged") != TRUE:
                why = "it has no tunnel, but sets itself as next hop of EVPN routes"
                yield breach(f"{name}: {why}", here)


def _communities(network: AnyNetwork) -> Iterator[Breach]:
    """Yield EVPN sessions that lose the route targets."""
    for switch in network.switches:
        if switch.is_frr or "communities" not in _words(switch):
            continue
        for session in switch.sessions:
            if "evpn" in session.families and session.own.get("communities") != TRUE:
                why = "route targets are communities, and send-community is absent"
                here = Spot(switch, session.key, ("asn",))
                yield breach(f"{switch.name} to {session.peer}: {why}", here)


def _words(switch: Switch) -> set[str]:
    """Return the possible session attributes of a switch's grammars."""
    return {attribute for kind, attribute in switch.about if kind == "session"}


def _watched(network: AnyNetwork) -> Iterator[Breach]:
    """Yield sessions with BFD at only one end."""
    seen: dict[frozenset[int], None] = defaultdict(None)
    for switch in network.switches:
        for session in switch.sessions:
            other = network.far_session(switch, session)
            if other is None or frozenset({id(session), id(other[1])}) in seen:
                continue
            seen[frozenset({id(session), id(other[1])})] = None
            here, there = (_bfd(each) for each in (session, other[1]))
            if here != there:
                alone = switch if here else other[0]
                said = f"{switch.name} to {session.peer}: only {alone.name} runs BFD"
                keys = (Spot(switch, session.key, ("bfd", "asn")),)
                yield breach(said, *keys, Spot(other[0], other[1].key, ("bfd", "asn")))


def _profiles(network: AnyNetwork) -> Iterator[Breach]:
    """Yield sessions with an absent BFD profile; the reader replaces the name of a known one."""
    for switch in network.switches:
        for session in switch.sessions:
            profile = one(session.own.get("timers"))
            if profile and switch.is_frr:
                said = f"{switch.name} to {session.peer}: BFD profile {profile} is absent"
                here = Spot(switch, session.key, ("timers", "bfd"))
                yield breach(said, here, severity=Severity.WARNING)


def _bfd(session: Session) -> bool:
    return "bfd" in session.own or "timers" in session.own


LAWS = (
    Law(
        name="one router MAC per tunnel endpoint",
        code=Code.LAW_ROUTER_MAC,
        source="RFC 9135 section 8.1, the Router's MAC; IEEE 802, group bit",
        needs=frozenset({("interface", "vlan-aware")}),
        breaches=_router_macs,
    ),
    Law(
        name="EVPN sessions between loopbacks have hops and a source",
        code=Code.LAW_SESSION,
        source="RFC 4271 section 5.1.3; FRR `ebgp-multihop`, `update-source`; EOS the same",
        needs=frozenset({("session", "multihop"), ("session", "source")}),
        breaches=_distant,
        alone=True,
    ),
    Law(
        name="switches without a tunnel keep the next hop of EVPN routes",
        code=Code.LAW_SESSION,
        source="RFC 8365 section 5.1.3: the next hop is the tunnel endpoint; FRR keeps it "
        "automatically, EOS by `neighbor next-hop-unchanged`",
        needs=frozenset({("session", "next-hop-unchanged")}),
        breaches=_transit,
        alone=True,
    ),
    Law(
        name="EVPN sessions send communities",
        code=Code.LAW_SESSION,
        source="RFC 7432 section 7.10; EOS `neighbor send-community`; FRR sends them automatically",
        needs=frozenset({("session", "communities")}),
        breaches=_communities,
        alone=True,
    ),
    Law(
        name="BFD runs at both ends of a session",
        code=Code.LAW_SESSION,
        source="RFC 5880 section 6.2: a session is up only when both systems agree",
        needs=frozenset({("session", "bfd"), ("session", "timers")}),
        breaches=_watched,
    ),
    Law(
        name="BFD profiles of sessions exist",
        code=Code.LAW_SESSION,
        source="FRR manual, BFD, `neighbor bfd profile`: without the profile the defaults apply",
        needs=frozenset({("session", "timers")}),
        breaches=_profiles,
        alone=True,
    ),
)

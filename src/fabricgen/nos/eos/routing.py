"""Routing facts and sessions of a switch in; policy, peer groups and neighbours of EOS out.

Routes from the tier above are marked on the way in and never sent up again, in the underlay and in
EVPN alike: with an ASN per spine, AS paths alone would let every leaf offer itself as transit.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.routing import FROM_ABOVE, AllowedPrefix
from fabricgen.fabric.routing import Routing as Design
from fabricgen.nos.eos.view import routing as view
from fabricgen.nos.eos.view.entries import entries

if TYPE_CHECKING:
    from fabricgen.fabric.switch import Session, SwitchSlice
    from fabricgen.nos.nos import Spell

_ABOVE, _BELOW = "ABOVE", "BELOW"


def routing_of(piece: SwitchSlice, spell: Spell) -> view.Routing:
    """Return BGP of a switch; one without sessions routes between its own ports only."""
    if not piece.sessions:
        return view.Routing(sides=view.NO_SIDES, speaker=None, neighbors=(), links=())
    kinds = {(session.overlay, session.up) for session in piece.sessions}
    sides = sides_of(piece.routing, frozenset(kinds), leaf=piece.switch.is_leaf)
    first = piece.sessions[0].because
    addressed = sorted((item for item in piece.sessions if item.remote is not None), key=_order)
    return view.Routing(
        sides=sides,
        speaker=view.Speaker(
            because=first, asn=piece.asn, router_id=piece.loopback.host, paths=piece.routing.ecmp
        ),
        neighbors=tuple(_neighbor(session, spell) for session in addressed),
        links=tuple(
            _link(piece, session, spell)
            for session in piece.sessions
            if session.remote is None and session.interface is not None
        ),
    )


def _order(session: Session) -> tuple[int, int]:
    return (session.remote.version, session.remote.value) if session.remote else (0, 0)


def _group(session: Session) -> str:
    return f"{'EVPN' if session.overlay else 'UNDERLAY'}-{_ABOVE if session.up else _BELOW}"


def _neighbor(session: Session, spell: Spell) -> view.Neighbor:
    peer, at = session.peer, session.interface
    assert session.remote is not None
    text = peer.name
    if at is not None and at.peer_port is not None:
        text = f"{peer.name}:{spell(peer, at.peer_port)}"
    return view.Neighbor(
        because=session.because,
        address=session.remote.host,
        group=_group(session),
        asn=session.peer_asn,
        description=text,
    )


def _link(piece: SwitchSlice, session: Session, spell: Spell) -> view.LinkNeighbor:
    assert session.interface is not None
    return view.LinkNeighbor(
        because=session.because,
        interface=spell(piece.switch, session.interface.port),
        group=_group(session),
        asn=session.peer_asn,
    )


@lru_cache(maxsize=64)
def sides_of(design: Design, kinds: frozenset[tuple[bool, bool]], *, leaf: bool) -> view.Sides:
    """Return policy and groups for the kinds of sessions (overlay, up) that a switch has."""
    why = Because((design.path,), "only pools of this fabric, and no valleys")
    policy = view.Policy(why, FROM_ABOVE, entries(map(_match, design.allowed)))
    bfd = design.bfd
    groups = {
        (overlay, up): view.PeerGroup(
            because=why, side=_ABOVE if up else _BELOW, bfd=bfd is not None, transit=not leaf
        )
        for overlay, up in kinds
    }
    up, down = (False, True), (False, False)
    evpn_up, evpn_down = (True, True), (True, False)
    return view.Sides(
        policy=policy,
        tagged=policy if kinds & {up, evpn_up} else None,
        above=policy if up in kinds else None,
        below=policy if down in kinds else None,
        evpn_above=policy if evpn_up in kinds else None,
        bfd=view.Detection(why, bfd.interval, bfd.multiplier) if bfd else None,
        group_above=groups.get(up),
        group_below=groups.get(down),
        evpn_group_above=groups.get(evpn_up),
        evpn_group_below=groups.get(evpn_down),
        evpn_family=_evpn_family(why, kinds),
        ipv4_family=_ipv4_family(why, kinds, over_ipv6=design.links != "numbered"),
    )


def _match(allowed: AllowedPrefix) -> str:
    """Return one match of the list; `ge` is only said of lengths above that of the prefix."""
    text, length = allowed.prefix.prefix, allowed.prefix.length
    if allowed.shortest == allowed.longest:
        return text if allowed.shortest == length else f"{text} eq {allowed.shortest}"
    least = f" ge {allowed.shortest}" if allowed.shortest > length else ""
    return f"{text}{least} le {allowed.longest}"


def _evpn_family(why: Because, kinds: frozenset[tuple[bool, bool]]) -> view.Family | None:
    lines = []
    if (True, True) in kinds:
        lines += [
            "EVPN-ABOVE activate",
            "EVPN-ABOVE route-map EVPN-FROM-ABOVE in",
            "EVPN-ABOVE route-map EVPN-TO-ABOVE out",
        ]
    if (True, False) in kinds:
        lines.append("EVPN-BELOW activate")
    return view.Family(why, "evpn", tuple(lines)) if lines else None


def _ipv4_family(
    why: Because, kinds: frozenset[tuple[bool, bool]], *, over_ipv6: bool
) -> view.Family | None:
    lines = []
    for side, up in ((_ABOVE, True), (_BELOW, False)):
        if (False, up) in kinds:
            lines.append(f"UNDERLAY-{side} activate")
            if over_ipv6:  # IPv4 routes with IPv6 next hops: RFC 8950
                lines.append(f"UNDERLAY-{side} next-hop address-family ipv6 originate")
    return view.Family(why, "ipv4", tuple(lines)) if lines else None

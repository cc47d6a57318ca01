"""Sessions in; the underlay BGP instance, its groups, neighbours and IPv4 family out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.nos.shared.frr.policy import ABOVE, BELOW, CONNECTED, POLICIES
from fabricgen.nos.shared.frr.view import BfdProfile, Bgp, GroupSetting, Ipv4, Neighbor

if TYPE_CHECKING:
    from fabricgen.fabric.overlay import EvpnRules
    from fabricgen.fabric.routing import Bfd, Routing
    from fabricgen.fabric.switch import Session, SwitchSlice
    from fabricgen.nos.shared.frr.names import FrrNames

BFD_PROFILE = "UNDERLAY"
# FRR's own timers, which it never prints: BFD_DEFDETECTMULT, BFD_DEFDESIREDMINTX in bfdd/bfd.h.
BFD_INTERVAL, BFD_MULTIPLIER = 300, 3
# Loopback to loopback is one hop, which eBGP still counts as more than none; EOS has the same 3.
EVPN_HOPS = 3


def group_of(session: Session) -> str:
    """Return the peer group a session belongs to."""
    tier = ABOVE if session.up else BELOW
    return f"EVPN-{tier}" if session.overlay else tier


def bgp(piece: SwitchSlice, names: FrrNames) -> Bgp:
    """Lower the underlay instance. FRR prints neighbours by group, then by interface or address."""
    because = Because(((*piece.routing.path, "asn"),), "one BGP instance, eBGP everywhere")
    groups = sorted({group_of(session) for session in piece.sessions})
    return Bgp(
        asn=piece.asn,
        router_id=piece.loopback.host,
        groups=tuple(
            line
            for name in groups
            for line in settings(name, piece.routing, piece.overlay, names.loopback)
        ),
        unnumbered=unnumbered(piece, names),
        numbered=numbered(piece),
        because=because,
    )


@lru_cache(maxsize=64)
def settings(
    group: str, routing: Routing, overlay: EvpnRules | None, loopback: str
) -> tuple[GroupSetting, ...]:
    """Return what is set on a peer group: BFD on links, multihop between loopbacks."""
    lines = ["peer-group"]
    if group not in POLICIES:
        lines += [f"ebgp-multihop {EVPN_HOPS}", f"update-source {loopback}"]
        path = overlay.path if overlay is not None else routing.path
        why = Because((path,), "EVPN runs between loopbacks: one of several cables may be lost")
        return tuple(GroupSetting(group, line, why) for line in lines)
    if routing.bfd is not None:
        lines += ["bfd", f"bfd profile {profile_name(routing.bfd)}"]
    if routing.links == "numbered-v6":
        lines.append("capability extended-nexthop")
    cited = ((*routing.path, "links"), (*routing.path, "bfd"))
    why = Because(cited, f"the neighbours {group.lower()} this switch")
    return tuple(GroupSetting(group, line, why) for line in lines)


def unnumbered(piece: SwitchSlice, names: FrrNames) -> tuple[Neighbor, ...]:
    """Return the neighbours behind interfaces, in faceplate order within their group."""
    rank = {interface: number for number, interface in enumerate(piece.interfaces)}
    found = [
        (group_of(session), rank[session.interface], names.port(session.interface.port), session)
        for session in piece.sessions
        if session.remote is None and session.interface is not None
    ]
    return tuple(neighbor(name, session) for _, _, name, session in sorted(found, key=_place))


def _place(found: tuple[str, int, str, Session]) -> tuple[str, int]:
    return found[:2]


def numbered(piece: SwitchSlice) -> tuple[Neighbor, ...]:
    """Return the neighbours that have an address, in its order within their group."""
    found = [(group_of(s), s.remote, s) for s in piece.sessions if s.remote is not None]
    found.sort(key=lambda row: row[:2])
    return tuple(neighbor(remote.host, session) for _, remote, session in found)


def neighbor(name: str, session: Session) -> Neighbor:
    """Return one neighbour."""
    return Neighbor(
        name=name,
        asn=session.peer_asn,
        group=group_of(session),
        description=session.peer.name,
        because=session.because,
    )


def paths(routing: Routing, names: FrrNames) -> int | None:
    """Return `maximum-paths`; None where FRR would not print it, being the default of the build."""
    return routing.ecmp if routing.ecmp != names.multipath else None


@lru_cache(maxsize=64)
def ipv4(routing: Routing, groups: tuple[str, ...], names: FrrNames) -> Ipv4:
    """Return the IPv4 family of a switch with these underlay groups."""
    because = Because((routing.path,), "loopbacks and NICs are announced, through the policy")
    return Ipv4(
        connected=CONNECTED,
        policies=tuple(POLICIES[name] for name in groups),
        paths=paths(routing, names),
        because=because,
    )


def profile_name(bfd: Bfd | None) -> str:
    """Name a profile after its timers.

    FRR 8.4 has no way back to a default within a profile: `no detect-multiplier 4` is no command
    (bfdd/bfdd_cli.c). A change of timers is a change of profile, which can be pushed both ways.
    """
    if bfd is None or (bfd.interval, bfd.multiplier) == (BFD_INTERVAL, BFD_MULTIPLIER):
        return BFD_PROFILE
    return f"{BFD_PROFILE}-{bfd.interval}x{bfd.multiplier}"


@lru_cache(maxsize=8)
def bfd_profile(routing: Routing) -> BfdProfile:
    """Return the BFD profile; timers that are FRR's defaults stay unsaid, as FRR itself does."""
    lines, bfd = [], routing.bfd
    assert bfd is not None
    if bfd.multiplier != BFD_MULTIPLIER:
        lines.append(f"detect-multiplier {bfd.multiplier}")
    if bfd.interval != BFD_INTERVAL:
        lines.append(f"transmit-interval {bfd.interval}")
        lines.append(f"receive-interval {bfd.interval}")
    because = Because(((*routing.path, "bfd"),), "timers as written")
    return BfdProfile(profile_name(bfd), tuple(lines), because)

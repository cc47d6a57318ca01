"""Lowers a slice to the view of frr.conf: sessions, peer groups, address families and timers."""

from functools import lru_cache

from fabricgen.core.because import Because
from fabricgen.model.fabric.overlay import EvpnRules
from fabricgen.model.fabric.routing import Bfd, Routing
from fabricgen.model.fabric.switch import Session, SwitchSlice
from fabricgen.model.settings.setting import placeholder
from fabricgen.nos.shared.border import border_policy, of_link, outward
from fabricgen.nos.shared.frr.evpn import announcing, evpn, segments, vrf_bgp, vrfs
from fabricgen.nos.shared.frr.names import FrrNames
from fabricgen.nos.shared.frr.policy import ABOVE, BELOW, EVPN, policy
from fabricgen.nos.shared.frr.view import (
    BfdProfile,
    Bgp,
    Flooded,
    FrrView,
    Neighbor,
    Ospf,
    Overlay,
    System,
    Underlay,
)

DISTANCE = 15
"""Below 20, eBGP's. With OSPF's own 110 a leaf whose port comes up again goes on by what another
leaf tells of the same prefix, and never by its own port (seen on FRR 8.4.4)."""


def ospf(piece: SwitchSlice, names: FrrNames) -> Ospf | None:
    """Return OSPF of the VRFs that have a neighbour; None without any."""
    if not piece.flooding:
        return None
    made = (
        Flooded(
            vrf=names.vrf(peer.vrf),
            port=names.outward(peer.interface),
            area=peer.area,
            router_id=piece.router_id.host,
            outward=peer.outward,
            distance=DISTANCE,
            because=peer.because,
        )
        for peer in piece.flooding
    )
    return Ospf(tuple(sorted(made, key=lambda each: each.vrf)))


BFD_PROFILE = "UNDERLAY"
# FRR's own timers, which it never prints: BFD_DEFDETECTMULT, BFD_DEFDESIREDMINTX in bfdd/bfd.h.
BFD_INTERVAL, BFD_MULTIPLIER = 300, 3


def lower_frr(piece: SwitchSlice, names: FrrNames) -> FrrView:
    """Return every section of frr.conf; a switch without sessions has no BGP at all."""
    system = System(
        hostname=piece.switch.name,
        version=names.version,
        preamble=names.preamble,
        nexthop_objects=names.nexthop_objects,
        group_keep=names.group_keep,
        because=Because(piece.switch.because.paths, "FRR with its data-centre defaults"),
    )
    if not piece.sessions:
        return FrrView(system=system)
    groups = tuple(sorted({group_of(session) for session in piece.sessions}))
    bfd = piece.routing.bfd
    return FrrView(
        system=system,
        vrfs=vrfs(piece.tunnelled, piece.routes, piece.flooding, names)
        if piece.tunnelled
        else None,
        segments=segments(piece, names),
        announcing=announcing(piece.vlans, names) if piece.vlans else None,
        bgp=bgp(piece, names, groups),
        ospf=ospf(piece, names),
        policy=policy(
            piece.routing,
            groups,
            border_policy((*piece.peers, *piece.flooding), piece.asn)
            if piece.peers or piece.flooding
            else None,
            tuple(vrf for vrf in piece.tunnelled if vrf.takes),
            (outward(piece, up=True), outward(piece, up=False)),
            names.vrf,
            piece.withheld,
        ),
        bfd=bfd_profile(piece.routing, bfd) if bfd is not None else None,
    )


def group_of(session: Session) -> str:
    """Return the peer group a session belongs to."""
    tier = ABOVE if session.up else BELOW
    return EVPN + tier if session.overlay else tier


def bgp(piece: SwitchSlice, names: FrrNames, groups: tuple[str, ...]) -> Bgp:
    """Lower every instance. FRR prints neighbours by group, then by interface or address."""
    underlay, overlay = _groups(groups, piece.routing, piece.overlay, names.loopback)
    return Bgp(
        asn=piece.asn,
        router_id=piece.router_id.host,
        paths=piece.routing.ecmp if piece.routing.ecmp != names.multipath else None,
        underlay=underlay,
        overlay=overlay,
        unnumbered=unnumbered(piece, names),
        numbered=numbered(piece),
        evpn=evpn(piece, groups),
        profile=profile_name(piece.routing.bfd),
        vrfs=vrf_bgp(piece, names),
        because=piece.why(
            Because(((*piece.routing.path, "asn"),), "one BGP instance, eBGP everywhere"),
            "asn",
            "router_id",
        ),
    )


@lru_cache(maxsize=64)
def _groups(
    groups: tuple[str, ...], routing: Routing, rules: EvpnRules | None, loopback: str
) -> tuple[tuple[Underlay, ...], tuple[Overlay, ...]]:
    """Return the peer groups: BFD on links, more than one hop between loopbacks."""
    path = rules.path if rules is not None else routing.path
    between = Because((path,), "EVPN runs between loopbacks: one of several cables may be lost")
    cited = ((*routing.path, "links"), (*routing.path, "bfd"))
    password = placeholder(routing.password) if routing.password else None
    underlay = tuple(
        Underlay(
            name=name,
            password=password,
            bfd=profile_name(routing.bfd) if routing.bfd is not None else None,
            extended=routing.links == "numbered-v6",
            because=Because(cited, f"the neighbours {name.lower()} this switch"),
        )
        for name in groups
        if not name.startswith(EVPN)
    )
    overlay = (
        Overlay(name=name, source=loopback, password=password, because=between)
        for name in groups
        if name.startswith(EVPN)
    )
    return underlay, tuple(overlay)


def unnumbered(piece: SwitchSlice, names: FrrNames) -> tuple[Neighbor, ...]:
    """Return the neighbours behind interfaces, in faceplate order within their group."""
    rank = {interface: number for number, interface in enumerate(piece.interfaces)}
    rows = [
        (group_of(session), rank[session.interface], names.port(session.interface.port), session)
        for session in piece.sessions
        if session.remote is None and session.interface is not None
    ]
    return tuple(neighbor(name, piece, session) for _, _, name, session in sorted(rows, key=_place))


def _place(row: tuple[str, int, str, Session]) -> tuple[str, int]:
    return row[:2]


def numbered(piece: SwitchSlice) -> tuple[Neighbor, ...]:
    """Return the neighbours that have an address, in its order within their group."""
    rows = [(group_of(s), s.remote, s) for s in piece.sessions if s.remote is not None]
    rows.sort(key=lambda row: row[:2])
    return tuple(neighbor(remote.host, piece, session) for _, remote, session in rows)


def neighbor(name: str, piece: SwitchSlice, session: Session) -> Neighbor:
    """Return one neighbour."""
    return Neighbor(
        name=name,
        asn=session.remote_as,
        group=group_of(session),
        description=session.peer.name,
        outward=of_link(piece, session),
        because=session.because,
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
def bfd_profile(routing: Routing, bfd: Bfd) -> BfdProfile:
    """Return the BFD profile; timers that are FRR's defaults stay away, as FRR itself does."""
    return BfdProfile(
        name=profile_name(bfd),
        multiplier=bfd.multiplier if bfd.multiplier != BFD_MULTIPLIER else None,
        interval=int(bfd.interval) if bfd.interval != BFD_INTERVAL else None,
        because=Because(((*routing.path, "bfd"),), "timers as written"),
    )

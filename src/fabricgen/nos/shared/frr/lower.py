"""Lower a slice to the view of frr.conf: sessions, peer groups, address families and timers."""

from functools import lru_cache

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.overlay import EvpnRules
from fabricgen.model.fabric.routing import OSPF_AREA, Bfd, Routing
from fabricgen.model.fabric.switch import Session, SwitchSlice
from fabricgen.model.settings.setting import placeholder
from fabricgen.nos.shared.border import border_policy, of_link, outward
from fabricgen.nos.shared.frr.evpn import announcing, evpn, segments, vrf_bgp, vrfs
from fabricgen.nos.shared.frr.names import FrrNames
from fabricgen.nos.shared.frr.policy import ABOVE, BELOW, EVPN, PEER, policy
from fabricgen.nos.shared.frr.view import (
    BfdProfile,
    Bgp,
    Flooded,
    FrrView,
    Inside,
    Link,
    Neighbor,
    Ospf,
    Overlay,
    Partner,
    System,
    Underlay,
)

DISTANCE = 15
"""Below 20, the distance of eBGP. With OSPF's default of 110, a leaf whose port recovers keeps
another leaf's route to the same prefix and never uses its own port (seen on FRR 8.4.4)."""


def ospf(switch_slice: SwitchSlice, names: FrrNames) -> Ospf | None:
    """Return OSPF between switches, and of VRFs that have an OSPF neighbor; None without both."""
    if not switch_slice.flooding and not switch_slice.adjacencies:
        return None
    made = (
        Flooded(
            vrf=names.vrf(peer.vrf),
            port=names.outward(peer.interface),
            area=peer.area,
            router_id=switch_slice.router_id.host,
            outward=peer.outward,
            distance=DISTANCE,
            because=peer.because,
        )
        for peer in switch_slice.flooding
    )
    return Ospf(_inside(switch_slice, names), tuple(sorted(made, key=lambda each: each.vrf)))


def _inside(switch_slice: SwitchSlice, names: FrrNames) -> Inside | None:
    """Return OSPF between switches, with the links by name, as FRR prints them."""
    routing, links = switch_slice.routing, switch_slice.adjacencies
    if not links:
        return None
    why = routing.why
    made = (
        Link(port=names.port(each.interface.port), cost=each.cost, because=each.drained or why)
        for each in links
        if each.interface is not None
    )
    return Inside(
        loopback=names.loopback,
        area=OSPF_AREA,
        router_id=switch_slice.router_id.host,
        bfd=profile_name(routing.bfd) if routing.bfd is not None else None,
        paths=routing.ecmp if routing.ecmp != names.multipath else None,
        avoided=switch_slice.drained is not None,
        links=tuple(sorted(made, key=lambda each: each.port)),
        because=switch_slice.why(why, "router_id"),
    )


BFD_PROFILE = "UNDERLAY"
# FRR's default timers, which it never prints: BFD_DEFDETECTMULT, BFD_DEFDESIREDMINTX in bfdd/bfd.h.
BFD_INTERVAL, BFD_MULTIPLIER = 300, 3


def lower_frr(switch_slice: SwitchSlice, names: FrrNames) -> FrrView:
    """Return every section of frr.conf; a switch without sessions has no BGP at all."""
    system = System(
        hostname=switch_slice.switch.name,
        version=names.version,
        preamble=names.preamble,
        nexthop_objects=names.nexthop_objects,
        group_keep=names.group_keep,
        because=Provenance(switch_slice.switch.because.paths, "FRR with its data-center defaults"),
    )
    if not switch_slice.sessions:
        return FrrView(system=system)
    partner = (PEER,) if switch_slice.pair is not None else ()
    groups = tuple(sorted({*(group_of(each) for each in switch_slice.bgp_sessions), *partner}))
    bfd = switch_slice.routing.bfd
    return FrrView(
        system=system,
        vrfs=vrfs(switch_slice.tunneled, switch_slice.routes, switch_slice.flooding, names)
        if switch_slice.tunneled
        else None,
        segments=segments(switch_slice, names),
        announcing=announcing(switch_slice.vlans, names) if switch_slice.vlans else None,
        bgp=bgp(switch_slice, names, groups),
        ospf=ospf(switch_slice, names),
        policy=policy(
            switch_slice.routing,
            groups,
            border_policy((*switch_slice.peers, *switch_slice.flooding), switch_slice.asn)
            if switch_slice.peers or switch_slice.flooding
            else None,
            tuple(vrf for vrf in switch_slice.tunneled if vrf.takes),
            (outward(switch_slice, up=True), outward(switch_slice, up=False)),
            names.vrf,
            switch_slice.withheld,
        ),
        bfd=bfd_profile(switch_slice.routing, bfd) if bfd is not None else None,
    )


def group_of(session: Session) -> str:
    """Return the peer group a session belongs to."""
    tier = ABOVE if session.up else BELOW
    return EVPN + tier if session.overlay else tier


def bgp(switch_slice: SwitchSlice, names: FrrNames, groups: tuple[str, ...]) -> Bgp:
    """Lower every instance. FRR prints neighbors by group, then by interface or address."""
    underlay, overlay = _groups(groups, switch_slice.routing, switch_slice.overlay, names.loopback)
    return Bgp(
        asn=switch_slice.asn,
        router_id=switch_slice.router_id.host,
        paths=switch_slice.routing.ecmp if switch_slice.routing.ecmp != names.multipath else None,
        connected=not switch_slice.routing.ospf,
        underlay=underlay,
        overlay=overlay,
        unnumbered=unnumbered(switch_slice, names),
        numbered=numbered(switch_slice),
        partner=_partner(switch_slice),
        evpn=evpn(switch_slice, groups),
        profile=profile_name(switch_slice.routing.bfd),
        vrfs=vrf_bgp(switch_slice, names),
        because=switch_slice.why(
            Provenance(((*switch_slice.routing.path, "asn"),), "one BGP instance, eBGP everywhere"),
            "asn",
            "router_id",
        ),
    )


def _partner(switch_slice: SwitchSlice) -> Partner | None:
    """Return the other leaf of a pair, by which a leaf without uplinks stays reachable."""
    pair, password = switch_slice.pair, switch_slice.routing.password
    if pair is None:
        return None
    return Partner(
        address=pair.remote.host,
        asn=switch_slice.asn,
        description=pair.peer.name,
        password=placeholder(password) if password else None,
        because=pair.because,
    )


@lru_cache(maxsize=64)
def _groups(
    groups: tuple[str, ...], routing: Routing, rules: EvpnRules | None, loopback: str
) -> tuple[tuple[Underlay, ...], tuple[Overlay, ...]]:
    """Return the peer groups: BFD on links, more than one hop between loopbacks."""
    path = rules.path if rules is not None else routing.path
    between = Provenance((path,), "EVPN runs between loopbacks: one of several cables may be lost")
    cited = ((*routing.path, "links"), (*routing.path, "bfd"))
    password = placeholder(routing.password) if routing.password else None
    underlay = tuple(
        Underlay(
            name=name,
            password=password,
            bfd=profile_name(routing.bfd) if routing.bfd is not None else None,
            extended=routing.links == "numbered-v6",
            because=Provenance(cited, f"the neighbors {name.lower()} this switch"),
        )
        for name in groups
        if not name.startswith(EVPN) and name != PEER
    )
    overlay = (
        Overlay(name=name, source=loopback, password=password, because=between)
        for name in groups
        if name.startswith(EVPN)
    )
    return underlay, tuple(overlay)


def unnumbered(switch_slice: SwitchSlice, names: FrrNames) -> tuple[Neighbor, ...]:
    """Return the neighbors behind interfaces, in faceplate order within their group."""
    rank = {interface: number for number, interface in enumerate(switch_slice.interfaces)}
    rows = [
        (group_of(session), rank[session.interface], names.port(session.interface.port), session)
        for session in switch_slice.bgp_sessions
        if session.remote is None and session.interface is not None
    ]
    return tuple(
        neighbor(name, switch_slice, session) for _, _, name, session in sorted(rows, key=_place)
    )


def _place(row: tuple[str, int, str, Session]) -> tuple[str, int]:
    return row[:2]


def numbered(switch_slice: SwitchSlice) -> tuple[Neighbor, ...]:
    """Return the neighbors with an address, in the order of addresses within their group."""
    rows = [(group_of(s), s.remote, s) for s in switch_slice.bgp_sessions if s.remote is not None]
    rows.sort(key=lambda row: row[:2])
    return tuple(neighbor(remote.host, switch_slice, session) for _, remote, session in rows)


def neighbor(name: str, switch_slice: SwitchSlice, session: Session) -> Neighbor:
    return Neighbor(
        name=name,
        asn=session.remote_as,
        group=group_of(session),
        description=session.peer.name,
        outward=of_link(switch_slice, session),
        because=session.because,
    )


def profile_name(bfd: Bfd | None) -> str:
    """Name a profile after its timers.

    FRR 8.4 cannot restore a default within a profile: `no detect-multiplier 4` is no command
    (bfdd/bfdd_cli.c). A change of timers is a change of profile, which works in both directions.
    """
    if bfd is None or (bfd.interval, bfd.multiplier) == (BFD_INTERVAL, BFD_MULTIPLIER):
        return BFD_PROFILE
    return f"{BFD_PROFILE}-{bfd.interval}x{bfd.multiplier}"


@lru_cache(maxsize=8)
def bfd_profile(routing: Routing, bfd: Bfd) -> BfdProfile:
    """Return the BFD profile. Timers with FRR's defaults are omitted, as FRR omits them."""
    return BfdProfile(
        name=profile_name(bfd),
        multiplier=bfd.multiplier if bfd.multiplier != BFD_MULTIPLIER else None,
        interval=int(bfd.interval) if bfd.interval != BFD_INTERVAL else None,
        because=Provenance(((*routing.path, "bfd"),), "timers as written"),
    )

"""Lower the routing of a switch to the BGP policy, peer groups and neighbors of EOS.

Routes from the tier above are marked on import and never sent up again, in the underlay and in
EVPN. With one ASN per spine, AS paths alone would let every leaf become a transit path.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from ipaddress import ip_address

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import spans
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.gateways import GATEWAY_GROUPS
from fabricgen.model.fabric.leaks import taken_by
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.pair import PEER_VLAN
from fabricgen.model.fabric.pinned import Targeted, half_of, whole_of
from fabricgen.model.fabric.routing import FROM_ABOVE, PEER_GROUPS, AllowedPrefix
from fabricgen.model.fabric.routing import Routing as Design
from fabricgen.model.fabric.switch import Session, SwitchSlice
from fabricgen.model.fabric.vlans import Multicast, Vlan, bundles_of
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.model.settings.setting import placeholder
from fabricgen.nos.eos.gateways import (
    ACROSS,
    FAR,
    lists_across,
    neighbors_across,
    policy_of,
    stretched,
    targets_across,
)
from fabricgen.nos.eos.leaks import clauses_of, imports_of, targets_of
from fabricgen.nos.eos.mlag import Beside, joined, own_subnets, peers_in_vrfs
from fabricgen.nos.eos.names import password_of
from fabricgen.nos.eos.ospf import floods_of, ospf_of
from fabricgen.nos.eos.view import routing as view
from fabricgen.nos.eos.view.system import Entry
from fabricgen.nos.nos import Spell
from fabricgen.nos.shared.border import (
    Outward,
    PrefixLine,
    border_policy,
    lengths_of,
    of_link,
    outward,
    taken_lines,
)
from fabricgen.nos.shared.description import behind

_SIDES = {True: "ABOVE", False: "BELOW"}
_INSIDE = "PEER"
"""Side of the other leaf of an MLAG pair."""
_Kind = tuple[bool, bool]
"""Kind of a session: whether it carries EVPN, and whether the peer is nearer to the core."""


def routing_of(switch_slice: SwitchSlice, spell: Spell) -> view.Routing | None:
    """Return BGP of a switch; None without sessions."""
    if not switch_slice.sessions:
        return None
    kinds = frozenset((session.overlay, session.up) for session in switch_slice.bgp_sessions)
    gateway, vlans = switch_slice.gateway, switch_slice.vlans
    addressed = sorted((item for item in switch_slice.bgp_sessions if item.remote), key=_order)
    neighbors = [
        *(_neighbor(switch_slice, session, spell) for session in addressed),
        *_inside(switch_slice),
    ]
    if gateway is not None:
        beside = (*neighbors, *neighbors_across(gateway, spell))
        neighbors = sorted(beside, key=lambda each: ip_address(each.address))
    overlay = switch_slice.overlay if switch_slice.vtep is not None else None
    border = border_policy((*switch_slice.peers, *switch_slice.flooding), switch_slice.asn)
    return view.Routing(
        because=switch_slice.why(switch_slice.routing.why, "asn", "router_id"),
        asn=switch_slice.asn,
        router_id=switch_slice.router_id.host,
        loopback=switch_slice.loopback.host,
        paths=switch_slice.routing.ecmp,
        sides=sides_of(
            switch_slice.routing,
            kinds,
            watched_sides(switch_slice),
            (outward(switch_slice, up=True), outward(switch_slice, up=False)),
            leaf=switch_slice.switch.is_leaf,
            paired=switch_slice.pair is not None,
            far=FAR if gateway is not None else None,
            secret=gateway.password if gateway is not None else None,
        ),
        neighbors=tuple(neighbors),
        links=_links(switch_slice, spell),
        vlans=_mac_vrfs(overlay, vlans, stretched(gateway)) if overlay else (),
        bundles=_bundles(overlay, vlans) if overlay else (),
        vrfs=_vrfs_of(overlay, switch_slice) if overlay else (),
        lists=_lists(switch_slice, border.prefixes),
        lists6=prefix_lists((*border.prefixes6, *taken_lines(switch_slice.tunneled, 6))),
        border=border,
        targets=(
            *targets_across(gateway),
            *(targets_of(overlay, switch_slice.tunneled) if overlay else ()),
        ),
        gateway=policy_of(gateway),
        clauses=clauses_of(switch_slice.tunneled),
        joined=joined(switch_slice.pair),
        ospf=ospf_of(switch_slice),
        connected=not switch_slice.routing.ospf,
    )


def _links(switch_slice: SwitchSlice, spell: Spell) -> tuple[view.LinkNeighbor, ...]:
    return tuple(
        _link(switch_slice, session, spell)
        for session in switch_slice.bgp_sessions
        if session.remote is None and session.interface is not None
    )


def _order(session: Session) -> tuple[int, int]:
    return (session.remote.version, session.remote.value) if session.remote else (0, 0)


def _neighbor(switch_slice: SwitchSlice, session: Session, spell: Spell) -> view.Neighbor:
    peer, at = session.peer, session.interface
    assert session.remote is not None
    text = peer.name
    if at is not None and at.peer_port is not None:
        text = f"{peer.name}:{spell(peer, at.peer_port)}"
    return view.Neighbor(
        because=session.because,
        address=session.remote.host,
        group=session.group,
        asn=session.peer_asn,
        description=text,
        outward=of_link(switch_slice, session),
    )


def _inside(switch_slice: SwitchSlice) -> Iterator[view.Neighbor]:
    """Yield the other leaf of a pair: iBGP, by which a leaf without uplinks stays reachable.

    Its address sorts last, because pools have no link-local addresses.
    """
    pair = switch_slice.pair
    if pair is not None:
        yield view.Neighbor(
            because=pair.because,
            address=pair.remote.host,
            group=f"UNDERLAY-{_INSIDE}",
            asn=switch_slice.asn,
            description=f"{pair.peer.name}:Vlan{PEER_VLAN}",
        )


def _link(switch_slice: SwitchSlice, session: Session, spell: Spell) -> view.LinkNeighbor:
    assert session.interface is not None
    return view.LinkNeighbor(
        because=session.because,
        interface=spell(switch_slice.switch, session.interface.port),
        group=session.group,
        asn=session.peer_asn,
    )


def watched_sides(switch_slice: SwitchSlice) -> frozenset[bool]:
    """Return the sides, as `up`, whose EVPN sessions use BFD, which both ends must run.

    Other built-in platforms run BFD on links alone, and a peer group has BFD for all members. So
    all switches of both tiers must be EOS.
    """
    if switch_slice.routing.bfd is None:
        return frozenset()
    evpn = [session for session in switch_slice.sessions if session.overlay]
    mixed = {session.up for session in evpn if not session.one_platform}
    return frozenset(session.up for session in evpn) - mixed


@lru_cache(maxsize=64)
def sides_of(
    design: Design,
    kinds: frozenset[_Kind],
    watched: frozenset[bool],
    maps: tuple[tuple[Outward, ...], tuple[Outward, ...]],
    *,
    leaf: bool,
    paired: bool,
    far: str | None,
    secret: str | None,
) -> view.Sides:
    """Return policy and groups for the kinds of sessions that a switch has.

    `maps`: export maps towards the tiers above and below. `far`, `secret`: prefix list and password
    of sessions with gateways of another site.
    """
    why = Provenance((design.path,), "only pools of this fabric, and no valleys")
    bfd, inside, across = design.bfd, (_INSIDE,) if paired else (), (ACROSS,) if far else ()
    links = tuple(side for up, side in _SIDES.items() if (False, up) in kinds)
    return view.Sides(
        because=why,
        community=FROM_ABOVE,
        upward=maps[0],
        downward=maps[1],
        entries=tuple(_entries(design)),
        underlay=(*links, *across, *inside),
        inside=inside,
        evpn=(*(side for up, side in _SIDES.items() if (True, up) in kinds), *across),
        watched=(
            *(side for up, side in _SIDES.items() if up in watched),
            *(across if bfd is not None else ()),
        ),
        above=(False, True) in kinds,
        below=(False, False) in kinds,
        evpn_above=(True, True) in kinds,
        evpn_below=(True, False) in kinds,
        transit=not leaf,
        far=far,
        over_ipv6=links if design.links != "numbered" else (),  # RFC 8950
        passwords=_passwords(design.password, secret),
        bfd=view.Bfd(
            because=why,
            interval=bfd.interval,
            multiplier=bfd.multiplier,
            loopbacks=bool(watched) or far is not None,
        )
        if bfd
        else None,
    )


def _entries(design: Design) -> Iterator[Entry]:
    """Yield the entries of the list of advertised prefixes; with OSPF, BGP advertises none."""
    for each in design.allowed if not design.ospf else ():
        yield Entry(each.sequence, _match(each), each.why)


def _passwords(inside: str | None, across: str | None) -> dict[str, str]:
    """Return the placeholders of peer-group passwords, in the fabric and to another site."""
    every = ((PEER_GROUPS, inside), (GATEWAY_GROUPS, across))
    return {
        group: placeholder(password_of(group, password))
        for groups, password in every
        if password is not None
        for group in groups
    }


def _match(allowed: AllowedPrefix) -> str:
    """Return one match of the list. EOS has a word for a single length."""
    if allowed.prefix.length < allowed.shortest == allowed.longest:
        return f"{allowed.prefix.prefix} eq {allowed.shortest}"
    return allowed.prefix.prefix + lengths_of(allowed)


@lru_cache(maxsize=128)
def _mac_vrfs(
    overlay: EvpnRules,
    vlans: tuple[Vlan, ...],
    remote: tuple[tuple[int, tuple[view.Target, ...]], ...],
) -> tuple[view.MacVrf, ...]:
    across = dict(remote)
    return tuple(
        view.MacVrf(
            because=vlan.because,
            vlan=vlan.id,
            rd=whole_of(vlan),
            number=half_of(vlan),
            targets=(*_targets(overlay, vlan, vlan.because), *across.get(vlan.id, ())),
            remote=vlan.id in across,
            joins=vlan.multicast is Multicast.SNOOPED,
        )
        for vlan in vlans
        if vlan.vni is not None and vlan.bundle is None
    )


@lru_cache(maxsize=128)
def _bundles(overlay: EvpnRules, vlans: tuple[Vlan, ...]) -> tuple[view.Bundle, ...]:
    return tuple(
        view.Bundle(
            because=bundle.because,
            name=bundle.name,
            number=half_of(bundle),
            vlans=spans(vlan.id for vlan in members),
            targets=tuple(_targets(overlay, bundle, bundle.because)),
            joins=any(vlan.multicast is Multicast.SNOOPED for vlan in members),
        )
        for bundle, members in bundles_of(vlans).items()
    )


def _targets(overlay: EvpnRules, of: Targeted, why: Provenance) -> Iterator[view.Target]:
    """Yield one line for both directions; in a transition one for each target and direction.

    AVD writes several lines in the same way (aristanetworks/avd eos_cli_config_gen router-bgp.j2,
    vlans.route_targets: a line for each item of a list).
    """
    taken, sent = overlay.imported(of), overlay.exported(of)
    if taken == sent and len(sent) == 1:
        yield view.Target(why, "both", *sent)
        return
    for way, targets in (("import", taken), ("export", sent)):
        for target in targets:
            yield view.Target(why, way, target)


def _lists(
    switch_slice: SwitchSlice, border: tuple[PrefixLine, ...]
) -> tuple[view.PrefixList, ...]:
    """Return the IPv4 prefix lists in addition to the fabric's."""
    taken = prefix_lists(taken_lines(switch_slice.tunneled, 4))
    own = (*own_subnets(switch_slice.pair), *taken)
    return (*lists_across(switch_slice.gateway), *prefix_lists(border), *own)


def _vrfs_of(overlay: EvpnRules, switch_slice: SwitchSlice) -> tuple[view.IpVrf, ...]:
    beside = peers_in_vrfs(switch_slice.pair, switch_slice.asn)
    made = _ip_vrfs(overlay, switch_slice.tunneled, switch_slice.peers, switch_slice.routes, beside)
    return tuple(replace(vrf, floods=floods_of(switch_slice, vrf.name)) for vrf in made)


@lru_cache(maxsize=1024)
def _ip_vrfs(
    overlay: EvpnRules,
    vrfs: tuple[Vrf, ...],
    external: tuple[ExternalPeer, ...],
    routes: tuple[VrfRoute, ...],
    beside: Beside,
) -> tuple[view.IpVrf, ...]:
    inside = dict(beside)
    return tuple(
        view.IpVrf(
            because=vrf.because,
            name=vrf.name,
            rd=whole_of(vrf),
            number=half_of(vrf),
            imports=imports_of(overlay, vrf),
            exports=overlay.exported(vrf),
            taken=taken_by(vrf.name) if vrf.takes else None,
            statics=any(route.vrf == vrf.name for route in routes),
            which=" route-map VRF-CONNECTED" if vrf.name in inside else "",
            floods="",
            external=mine,
            families=_families(mine),
        )
        for vrf in sorted(vrfs, key=lambda vrf: vrf.name)
        for mine in (_all_of(external, inside, vrf.name),)
    )


def _all_of(
    external: tuple[ExternalPeer, ...],
    inside: Mapping[str, tuple[view.ExternalNeighbor, ...]],
    vrf: str,
) -> tuple[view.ExternalNeighbor, ...]:
    """Return all neighbors of a VRF in EOS's order, by address."""
    every = (*neighbors_of(external, vrf), *inside.get(vrf, ()))
    return tuple(sorted(every, key=_place))


def _place(peer: view.ExternalNeighbor) -> tuple[int, int]:
    return peer.version, int(ip_address(peer.address))


def _families(peers: tuple[view.ExternalNeighbor, ...]) -> tuple[view.Family, ...]:
    """Return the families of a VRF's neighbors, each with its active neighbors."""
    return tuple(
        view.Family(f"ipv{version}", tuple(p.address for p in peers if p.version == version))
        for version in sorted({peer.version for peer in peers})
    )


def neighbors_of(peers: tuple[ExternalPeer, ...], vrf: str) -> tuple[view.ExternalNeighbor, ...]:
    """Return the external neighbors in one VRF, by address."""
    return tuple(
        view.ExternalNeighbor(
            because=peer.because,
            address=peer.remote.host,
            version=peer.version,
            asn=peer.peer_asn,
            description=behind(peer),
            bfd=peer.bfd,
            inward=peer.inward,
            outward=peer.outward,
            default=peer.default,
            password=_password(peer),
            border=peer.border,
        )
        for peer in sorted(peers, key=lambda peer: peer.remote)
        if peer.vrf == vrf
    )


def _password(peer: ExternalPeer) -> str | None:
    """Return the placeholder of a password, in EOS's spelling for this neighbor."""
    if peer.border.password is None:
        return None
    return placeholder(password_of(peer.remote.host, peer.border.password))


def prefix_lists(lines: tuple[PrefixLine, ...]) -> tuple[view.PrefixList, ...]:
    """Return prefix lists with their entries; one without `ge` or `le` matches that length."""
    rows: dict[str, list[PrefixLine]] = {}
    for line in lines:
        rows.setdefault(line.name, []).append(line)
    return tuple(
        view.PrefixList(
            mine[0].because, name, tuple(Entry(line.seq, _match(line.allowed)) for line in mine)
        )
        for name, mine in rows.items()
    )

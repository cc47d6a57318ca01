"""The slice of a switch in, the view of its frr.conf out; each section has its own module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.nos.shared.frr import external
from fabricgen.nos.shared.frr.bgp import bfd_profile, bgp, group_of, ipv4
from fabricgen.nos.shared.frr.evpn import evpn, vrf_bgp, vrfs
from fabricgen.nos.shared.frr.policy import communities, in_order, prefixes, route_maps
from fabricgen.nos.shared.frr.view import FrrView, Header, RouteMaps

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.shared.frr.names import FrrNames


def lower_frr(piece: SwitchSlice, names: FrrNames) -> FrrView:
    """Return every section of frr.conf; a switch without sessions has no BGP at all."""
    header = Header(
        hostname=piece.switch.name,
        version=names.version,
        preamble=names.preamble,
        because=Because(piece.switch.because.paths, "FRR with its data-centre defaults"),
    )
    if not piece.sessions:
        return FrrView(
            header=header,
            vrfs=None,
            bgp=None,
            ipv4=None,
            evpn=None,
            vrf_bgp=(),
            prefixes=None,
            external_prefixes=None,
            communities=None,
            route_maps=None,
            bfd=None,
        )
    under = tuple(sorted({group_of(s) for s in piece.sessions if not s.overlay}))
    over = tuple(sorted({group_of(s) for s in piece.sessions if s.overlay}))
    return FrrView(
        header=header,
        vrfs=vrfs(piece.vrfs, names) if piece.vrfs else None,
        bgp=bgp(piece, names),
        ipv4=ipv4(piece.routing, under, names),
        evpn=evpn(piece, over) if over else None,
        vrf_bgp=vrf_bgp(piece, names),
        prefixes=prefixes(piece.routing),
        external_prefixes=external.prefixes(piece.external),
        communities=communities(piece.routing) if "ABOVE" in under else None,
        route_maps=maps_of(piece, (*under, *over)),
        bfd=bfd_profile(piece.routing) if piece.routing.bfd is not None else None,
    )


def maps_of(piece: SwitchSlice, groups: tuple[str, ...]) -> RouteMaps:
    """Return the route maps of a switch; one without external peers shares them with others."""
    common = route_maps(piece.routing, groups)
    if not piece.external:
        return common
    return in_order((*common.rules, *external.route_map_rules(piece.external)))

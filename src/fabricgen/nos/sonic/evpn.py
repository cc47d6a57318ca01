"""VRFs and VNIs in; VRF, the VXLAN tunnel and its map of VLANs to VNIs out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.nos.sonic.names import NVO, VTEP, vlan_name, vrf_name
from fabricgen.nos.sonic.view import Entry, Section, Table, section, shared_section

if TYPE_CHECKING:
    from fabricgen.fabric.overlay import Vlan, Vrf
    from fabricgen.fabric.switch import SwitchSlice

_WHY = Because(("frontend.overlay",), "one VXLAN tunnel per leaf, EVPN fills it")


def vxlan(piece: SwitchSlice) -> Section | None:
    """Return the tunnel of a leaf; a spine only carries the routes and has none."""
    if piece.vtep is None:
        return None
    return section(
        {
            "VXLAN_TUNNEL": {VTEP: Entry(_WHY, {"src_ip": piece.vtep.host})},
            "VXLAN_EVPN_NVO": {NVO: Entry(_WHY, {"source_vtep": VTEP})},
        }
    )


def vrfs(piece: SwitchSlice) -> Section | None:
    """Return the VRFs with their L3VNIs, and which VLAN is which VNI."""
    if piece.overlay is None or piece.vtep is None:
        return None
    return _vrfs(piece.vlans, piece.vrfs)


@lru_cache(maxsize=1024)
def _vrfs(wanted: tuple[Vlan, ...], vrfs: tuple[Vrf, ...]) -> Section | None:
    table: Table = {vrf_name(vrf.name): Entry(vrf.because, {"vni": str(vrf.vni)}) for vrf in vrfs}
    tunnels: Table = {}
    for vlan in wanted:
        if vlan.vni is not None:
            tunnels.update(_map(vlan.id, vlan.vni, vlan.because))
    for vrf in vrfs:
        tunnels.update(_map(vrf.transit_vlan, vrf.vni, vrf.because))
    return shared_section({"VRF": table, "VXLAN_TUNNEL_MAP": tunnels})


def _map(vlan: int, vni: int, because: Because) -> Table:
    # The name is free; `map_<vni>_<vlan>` is what `config vxlan map add` writes.
    name = f"{VTEP}|map_{vni}_{vlan_name(vlan)}"
    return {name: Entry(because, {"vlan": vlan_name(vlan), "vni": str(vni)})}

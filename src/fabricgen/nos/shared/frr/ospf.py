"""Routers outside that speak OSPF in; the ports and instances of ospfd out."""

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.shared.frr.names import FrrNames
from fabricgen.nos.shared.frr.view import Flooded, Ospf

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

"""Lower OSPF to EOS: one instance between switches, and one for each VRF with external routers."""

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.view import routing as view

INSIDE = 1
"""The instance between switches. VLAN 1 is no transit VLAN, so no VRF has this number."""
MOST_PATHS = 128
"""The most ECMP paths of OSPF (pyavd 6.4.0, router_ospf.process_ids.maximum_paths)."""


def ospf_of(switch_slice: SwitchSlice) -> view.Ospf | None:
    """Return every instance of OSPF; None without any."""
    if not switch_slice.flooding and not switch_slice.adjacencies:
        return None
    return view.Ospf(_inside(switch_slice), _flooded(switch_slice))


def _inside(switch_slice: SwitchSlice) -> view.Inside | None:
    routing = switch_slice.routing
    if not switch_slice.adjacencies:
        return None
    return view.Inside(
        because=switch_slice.why(routing.why, "router_id"),
        number=INSIDE,
        router_id=switch_slice.router_id.host,
        paths=min(routing.ecmp, MOST_PATHS),
        avoided=switch_slice.drained is not None,
    )


def _flooded(switch_slice: SwitchSlice) -> tuple[view.Flooded, ...]:
    """Return OSPF of each VRF, numbered by the VLAN of the L3VNI, which is unique to a VRF.

    No distance is written. The defaults are BGP 200 and OSPF 110, so a leaf prefers its own port
    (aristanetworks, `show running-config all` in the tests of goeapi: `distance bgp 200 200 200`).
    """
    numbers = {vrf.name: vrf.transit_vlan for vrf in switch_slice.tunneled}
    made = (
        view.Flooded(
            because=peer.because,
            number=numbers[peer.vrf],
            vrf=peer.vrf,
            router_id=switch_slice.router_id.host,
            inward=peer.inward,
            outward=peer.outward,
        )
        for peer in switch_slice.flooding
    )
    return tuple(sorted(made, key=lambda each: each.number))


def floods_of(switch_slice: SwitchSlice, vrf: str) -> str:
    """Return the route map of a VRF's imports from OSPF into BGP; empty without OSPF."""
    return next((peer.inward for peer in switch_slice.flooding if peer.vrf == vrf), "")

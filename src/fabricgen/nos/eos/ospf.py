"""Lower OSPF with external routers to EOS: one instance for each VRF."""

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.view import routing as view


def ospf_of(switch_slice: SwitchSlice) -> tuple[view.Ospf, ...]:
    """Return OSPF of each VRF, numbered by the VLAN of the L3VNI, which is unique to a VRF.

    No distance is written. The defaults are BGP 200 and OSPF 110, so a leaf prefers its own port
    (aristanetworks, `show running-config all` in the tests of goeapi: `distance bgp 200 200 200`).
    """
    numbers = {vrf.name: vrf.transit_vlan for vrf in switch_slice.tunneled}
    made = (
        view.Ospf(
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

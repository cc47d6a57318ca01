"""Lower OSPF with external routers to EOS: one instance for each VRF."""

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.view import routing as view


def ospf_of(switch_slice: SwitchSlice) -> tuple[view.Ospf, ...]:
    """Return OSPF of each VRF by its number: the VLAN of the L3VNI, which no two VRFs share.

    No distance is said: BGP has 200 of itself, OSPF 110, so a leaf goes by its own port first
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
    """Return the route map of what a VRF's BGP takes of OSPF; empty where it has none."""
    return next((peer.inward for peer in switch_slice.flooding if peer.vrf == vrf), "")

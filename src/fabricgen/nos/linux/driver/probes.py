"""Decide how a Linux switch probes each end, from its tables."""

from collections.abc import Collection
from typing import Any

from fabricgen.nos.linux.names import tunnel_name, vlan_name
from fabricgen.nos.traffic import End, Kind, Probe, Traffic

PROBES = {
    Kind.VLAN: Probe("ARP probe in a VXLAN packet"),
    Kind.VRF: Probe("ARP probe in a VXLAN packet of the transit VLAN"),
    Kind.VTEP: Probe("ping, where a VLAN has no IPv4 gateway"),
    Kind.SERVER: Probe("neighbor probe of the kernel"),
    Kind.ROUTED: Probe("ping"),
    Kind.APART: Probe("ping"),
}
_ALL = "ff:ff:ff:ff:ff:ff"  # of a server that the switch no longer knows


def asked(ends: Collection[End], seen: Traffic) -> dict[End, dict[str, Any]]:
    """Return the probe of each end, without ends that are no longer in the tables."""
    ways = {end: _way(end, seen) for end in ends}
    return {end: way for end, way in ways.items() if way}


def _way(end: End, seen: Traffic) -> dict[str, Any]:
    if end.kind is Kind.VTEP:
        return {"way": "ping", "source": seen.vtep, "far": end.far}
    if end.kind is Kind.VRF:
        vrf = seen.vrfs.get(end.of)
        mac = vrf.hops.get(end.far) if vrf is not None else None
        return (
            {"way": "vrf", "vrf": end.of, "tunnel": tunnel_name(vrf.vni), "mac": mac}
            if vrf and mac
            else {}
        )
    if end.kind in (Kind.ROUTED, Kind.APART):
        return {"way": "echo", "vrf": end.of, "source": end.source, "far": end.far}
    vlan = seen.vlans.get(int(end.of))
    if vlan is None or not vlan.gateway:
        return {}
    address, _, mac = vlan.gateway.partition(" ")
    if end.kind is Kind.SERVER:
        device, its = vlan_name(int(end.of)), vlan.servers.get(end.far, _ALL)
        return {
            "way": "server",
            "device": device,
            "source": address,
            "own": mac,
            "mac": its,
            "far": end.far,
        }
    tunnel = {"tunnel": tunnel_name(vlan.vni), "vni": vlan.vni, "source": seen.vtep}
    return {"way": "vlan", **tunnel, "address": address, "mac": mac, "far": end.far}

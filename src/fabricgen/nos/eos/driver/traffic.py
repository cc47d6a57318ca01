"""Answers of EOS about its overlay and its bundles in; what carries traffic out.

Shapes: ANTA (anta/tests/vxlan.py, anta/tests/interfaces.py and their unit tests) for `show vxlan
vni` and `show lacp interface`; for `show interfaces vxlan 1` public clients of eAPI, which read
srcIpAddr and vlanToVtepList of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.nos.traffic import Bridged, Routed

if TYPE_CHECKING:
    from collections.abc import Mapping

_VXLAN = "Vxlan1"
UNREAD = (
    "MACs, EVPN routes by VNI and routes of VRFs: no answer is known that counts them",
    "what the hardware forwards, and VLANs and PFC of ports: no source shows the JSON",
)


def bindings(answer: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what VXLAN has of VLANs and VRFs; empty on a switch without."""
    found: Mapping[str, Any] = answer["vxlanIntfs"].get(_VXLAN, {})
    return found


def vrfs(bound: Mapping[str, Any]) -> dict[str, Routed]:
    """Return every VRF with its VNI."""
    return {
        str(own["vrfName"]): Routed(vni=int(vni))
        for vni, own in bound.get("vniBindingsToVrf", {}).items()
    }


def source(answer: Mapping[str, Any]) -> str:
    """Return the address that the tunnels start at."""
    return str(answer["interfaces"][_VXLAN]["srcIpAddr"])


def flooding(answer: Mapping[str, Any]) -> dict[int, frozenset[str]]:
    """Return the VTEPs that each VLAN is flooded to."""
    lists = answer["interfaces"][_VXLAN].get("vlanToVtepList", {})
    return {int(vlan): frozenset(own["remoteVtepAddr"]) for vlan, own in lists.items()}


def vlans(bound: Mapping[str, Any], far: Mapping[int, frozenset[str]]) -> dict[int, Bridged]:
    """Return every VLAN that has a VNI."""
    return {
        int(own["vlan"]): Bridged(vni=int(vni), far=far.get(int(own["vlan"]), frozenset()))
        for vni, own in bound.get("vniBindings", {}).items()
    }


def bundles(answer: Mapping[str, Any]) -> dict[str, bool]:
    """Return the members of bundles, and whether they are bundled."""
    return {
        f"{name} {port}": own.get("actorPortStatus") == "bundled"
        for name, shown in answer["portChannels"].items()
        for port, own in shown.get("interfaces", {}).items()
    }

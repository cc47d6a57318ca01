"""Answers of EOS about its overlay and its bundles in; what carries traffic out.

Shapes: ANTA (anta/tests/vxlan.py, anta/tests/interfaces.py and their unit tests) for `show vxlan
vni` and `show lacp interface`, and for `ping` (anta/tests/connectivity.py: VerifyReachability); for
`show interfaces vxlan 1` public clients of eAPI, which read srcIpAddr and vlanToVtepList of it.
"""

from collections.abc import ItemsView, Mapping
from typing import Any

from fabricgen.nos.traffic import Bridged, Routed

_VXLAN = "Vxlan1"
_REPEAT = 2
UNREAD = (
    "MACs, EVPN routes by VNI and routes of VRFs: no answer is known that counts them",
    "what the hardware forwards, and VLANs and PFC of ports: no source shows the JSON",
    "packets through VLANs and VRFs: no command is known that sends one to another leaf's end",
)
PINGED = 8
"""VTEPs that are pinged at a look, one by one: EOS takes seconds for one that is silent."""


def vnis(answer: Mapping[str, Any]) -> dict[int, int]:
    """Return the VNI of every VLAN that has one."""
    return {int(own["vlan"]): int(vni) for vni, own in _of(answer, "vniBindings")}


def vrfs(answer: Mapping[str, Any]) -> dict[str, Routed]:
    """Return every VRF with its VNI."""
    bound = _of(answer, "vniBindingsToVrf")
    return {str(own["vrfName"]): Routed(vni=int(vni)) for vni, own in bound}


def _of(answer: Mapping[str, Any], what: str) -> ItemsView[str, Any]:
    """Return what VXLAN binds to VNIs; nothing on a switch without VXLAN."""
    bound: Mapping[str, Any] = answer["vxlanIntfs"].get(_VXLAN, {}).get(what, {})
    return bound.items()


def source(answer: Mapping[str, Any]) -> str:
    """Return the address that the tunnels start at."""
    return str(answer["interfaces"][_VXLAN]["srcIpAddr"])


def flooding(answer: Mapping[str, Any]) -> dict[int, frozenset[str]]:
    """Return the VTEPs that each VLAN is flooded to."""
    lists = answer["interfaces"][_VXLAN].get("vlanToVtepList", {})
    return {int(vlan): frozenset(map(str, own["remoteVtepAddr"])) for vlan, own in lists.items()}


def vlans(own: Mapping[int, int], far: Mapping[int, frozenset[str]]) -> dict[int, Bridged]:
    """Return every VLAN that has a VNI, and whom it reaches."""
    return {vlan: Bridged(vni=vni, far=far.get(vlan, frozenset())) for vlan, vni in own.items()}


def ping(far: str, source: str) -> dict[str, Any]:
    """Return the command that asks a VTEP of the underlay."""
    command = f"ping vrf default {far} source {source} size 100 repeat {_REPEAT}"
    return {"cmd": command, "revision": 1}


def answers(answer: Mapping[str, Any]) -> bool:
    """Tell whether each packet was answered."""
    return f"{_REPEAT} received" in answer["messages"][0]


def bundles(answer: Mapping[str, Any]) -> dict[str, bool]:
    """Return the members of bundles, and whether they are bundled."""
    return {
        f"{name} {port}": own.get("actorPortStatus") == "bundled"
        for name, shown in answer["portChannels"].items()
        for port, own in shown.get("interfaces", {}).items()
    }

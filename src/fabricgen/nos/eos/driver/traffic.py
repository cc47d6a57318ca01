"""Read the overlay and LAG state of an EOS switch that shows whether traffic passes.

Sources of the shapes: ANTA (anta/tests/vxlan.py, anta/tests/interfaces.py and their unit tests) for
`show vxlan vni` and `show lacp interface`, and anta/tests/connectivity.py (VerifyReachability) for
`ping`. Public eAPI clients read srcIpAddr and vlanToVtepList of `show interfaces vxlan 1`. `show
arp vrf all` follows napalm/eos/eos.py (get_arp_table) and suzieq's answers of a VXLAN fabric. There
`Vlan10, Port-Channel3` is a local interface, and `Vlan10, Vxlan1` is behind a tunnel.
"""

import re
from collections.abc import ItemsView, Mapping
from typing import Any

from fabricgen.nos.traffic import SERVERS, Bridged, Routed

_VXLAN = "Vxlan1"
_VLAN, _PORTS = "Vlan", ("Ethernet", "Port-Channel")
_REPEAT = 2
_RECEIVED = re.compile(r"\b(\d+) received")
UNREAD = (
    "MACs, EVPN routes by VNI and routes of VRFs: no known command counts them",
    "forwarding in hardware, and VLANs and PFC of ports: no source shows the JSON",
    "packets through VLANs: no known command sends one to the end on another leaf",
)
PINGED = 8
"""Maximum number of VTEPs to ping in one snapshot. A silent VTEP takes seconds."""
ROUTED = 16
"""Maximum number of servers to ping in one snapshot."""


def vnis(answer: Mapping[str, Any]) -> dict[int, int]:
    """Return the VNI of each VLAN."""
    return {int(own["vlan"]): int(vni) for vni, own in _of(answer, "vniBindings")}


def vrfs(answer: Mapping[str, Any]) -> dict[str, Routed]:
    """Return the VNI of each VRF."""
    bound = _of(answer, "vniBindingsToVrf")
    return {str(own["vrfName"]): Routed(vni=int(vni)) for vni, own in bound}


def _of(answer: Mapping[str, Any], what: str) -> ItemsView[str, Any]:
    """Return the VXLAN bindings to VNIs; none on a switch without VXLAN."""
    bound: Mapping[str, Any] = answer["vxlanIntfs"].get(_VXLAN, {}).get(what, {})
    return bound.items()


def source(answer: Mapping[str, Any]) -> str:
    """Return the source address of the tunnels."""
    return str(answer["interfaces"][_VXLAN]["srcIpAddr"])


def flooding(answer: Mapping[str, Any]) -> dict[int, frozenset[str]]:
    """Return the VTEPs in the flood list of each VLAN."""
    lists = answer["interfaces"][_VXLAN].get("vlanToVtepList", {})
    return {int(vlan): frozenset(map(str, own["remoteVtepAddr"])) for vlan, own in lists.items()}


def servers(answer: Mapping[str, Any]) -> dict[int, dict[str, tuple[str, str]]]:
    """Return MAC and port of a few local servers of each VLAN, by address."""
    known: dict[int, dict[str, tuple[str, str]]] = {}
    for shown in answer["vrfs"].values():
        for each in shown.get("ipV4Neighbors", ()):
            vlan, _, port = str(each["interface"]).partition(", ")
            if vlan.startswith(_VLAN) and port.startswith(_PORTS):
                own = known.setdefault(int(vlan.removeprefix(_VLAN)), {})
                if len(own) < SERVERS:
                    own[str(each["address"])] = str(each["hwAddress"]), port
    return known


def vlans(
    own: Mapping[int, int],
    far: Mapping[int, frozenset[str]],
    servers: Mapping[int, Mapping[str, tuple[str, str]]],
) -> dict[int, Bridged]:
    """Return every VLAN with a VNI, its remote VTEPs, and a few of its local servers."""
    return {
        vlan: Bridged(
            vni=vni,
            far=far.get(vlan, frozenset()),
            servers={address: mac for address, (mac, _) in servers.get(vlan, {}).items()},
            ports={address: port for address, (_, port) in servers.get(vlan, {}).items()},
        )
        for vlan, vni in own.items()
    }


def ping(far: str, source: str, vrf: str = "default") -> dict[str, Any]:
    """Return the ping command for an address in a VRF. VTEPs are in the underlay's VRF."""
    command = f"ping vrf {vrf} {far} source {source} size 100 repeat {_REPEAT}"
    return {"cmd": command, "revision": 1}


def answers(answer: Mapping[str, Any]) -> bool:
    return f"{_REPEAT} received" in answer["messages"][0]


def answers_any(answer: Mapping[str, Any]) -> bool:
    """Return whether any packet was answered, as ARP may lose the first."""
    found = _RECEIVED.search(answer["messages"][0])
    if found is None:
        raise LookupError("the packet count is missing")
    return int(found[1]) > 0


def bundles(answer: Mapping[str, Any]) -> dict[str, bool]:
    return {
        f"{name} {port}": own.get("actorPortStatus") == "bundled"
        for name, shown in answer["portChannels"].items()
        for port, own in shown.get("interfaces", {}).items()
    }

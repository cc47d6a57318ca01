"""Ping from an EOS switch, and read its known servers.

Sources of the shapes: ANTA (anta/tests/connectivity.py, VerifyReachability) for `ping`. `show arp
vrf all` follows napalm/eos/eos.py (get_arp_table) and suzieq's answers of a VXLAN fabric. There
`Vlan10, Port-Channel3` is a local interface, and `Vlan10, Vxlan1` is behind a tunnel.
"""

import re
from collections.abc import Mapping
from typing import Any

from fabricgen.nos.shared.traffic import KnownServer
from fabricgen.nos.traffic import SERVERS, Kind, Probe

ODD = (AttributeError, LookupError, OverflowError, RecursionError, TypeError, ValueError)
"""Errors of an answer with an unexpected shape."""
_VLAN, _PORTS = "Vlan", ("Ethernet", "Port-Channel")
_REPEAT = 2
_RECEIVED = re.compile(r"\b(\d+) received")
PINGED = 8
"""Maximum number of VTEPs to ping in one snapshot. A silent VTEP takes seconds."""
ROUTED = 16
"""Maximum number of servers to ping in one snapshot."""
TUNNELS = "no known command sends a packet through a VLAN to another leaf"
PROBES = {
    Kind.VLAN: Probe(lacks=TUNNELS),
    Kind.VRF: Probe(lacks=TUNNELS),
    Kind.VTEP: Probe(f"ping, {PINGED} at most"),
    Kind.SERVER: Probe(lacks="servers are pinged through their VRF alone"),
    Kind.ROUTED: Probe(f"ping, {ROUTED} at most"),
    Kind.APART: Probe(f"ping, {ROUTED} at most"),
}


def servers(answer: Mapping[str, Any]) -> dict[int, dict[str, KnownServer]]:
    """Return MAC and port of a few local servers of each VLAN, by address."""
    known: dict[int, dict[str, KnownServer]] = {}
    for shown in answer["vrfs"].values():
        for each in shown.get("ipV4Neighbors", ()):
            vlan, _, port = str(each["interface"]).partition(", ")
            if vlan.startswith(_VLAN) and port.startswith(_PORTS):
                own = known.setdefault(int(vlan.removeprefix(_VLAN)), {})
                if len(own) < SERVERS:
                    own[str(each["address"])] = KnownServer(str(each["hwAddress"]), port)
    return known


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

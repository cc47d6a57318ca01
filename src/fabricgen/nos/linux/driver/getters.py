"""A look at a switch in; NAPALM's answers about it out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.fabric.facts import DEFAULT, Link
from fabricgen.fabric.observed import ESTABLISHED

if TYPE_CHECKING:
    from fabricgen.fabric.observed import Observed

_UNKNOWN = -1
_FAMILIES = {"ipv4 unicast": "ipv4", "ipv6 unicast": "ipv6", "l2vpn evpn": "l2vpn_evpn"}


def interfaces(seen: Observed) -> dict[str, dict[str, Any]]:
    """Return NAPALM's get_interfaces; what the look does not have is unknown there."""
    return {
        name: {
            "is_up": item.link is Link.UP,
            "is_enabled": item.link is not Link.SHUT,
            "description": "",
            "last_flapped": float(_UNKNOWN),
            "speed": float(_UNKNOWN),
            "mtu": item.mtu or _UNKNOWN,
            "mac_address": item.mac or "",
        }
        for name, item in seen.interfaces.items()
    }


def neighbours(seen: Observed) -> dict[str, list[dict[str, str]]]:
    """Return NAPALM's get_lldp_neighbors."""
    by_port: dict[str, list[dict[str, str]]] = {}
    for item in seen.neighbours:
        port = item.ports[0] if item.ports else ""
        by_port.setdefault(item.port, []).append({"hostname": item.name, "port": port})
    return by_port


def sessions(seen: Observed) -> dict[str, dict[str, Any]]:
    """Return NAPALM's get_bgp_neighbors; it calls the VRF that is none `global`."""
    by_vrf: dict[str, dict[str, Any]] = {}
    for item in seen.sessions.values():
        session = item.session
        vrf = "global" if session.vrf == DEFAULT else session.vrf
        peers = by_vrf.setdefault(vrf, {"router_id": "", "peers": {}})["peers"]
        up = item.state == ESTABLISHED
        peers[session.peer] = {
            "local_as": _UNKNOWN,
            "remote_as": session.asn,
            "remote_id": "",
            "is_up": up,
            "is_enabled": True,
            "description": "",
            "uptime": item.pulse.up // 1000 if up else _UNKNOWN,
            "address_family": {
                _FAMILIES.get(family, family): {
                    "received_prefixes": _UNKNOWN,
                    "accepted_prefixes": accepted,
                    "sent_prefixes": sent,
                }
                for family, accepted, sent in item.pulse.prefixes
            },
        }
    return by_vrf

"""A look at a switch in; NAPALM's answers about it out."""

from typing import Any

from fabricgen.nos.show import ESTABLISHED, SHUT, UP, Observed
from fabricgen.tree.facts import GLOBAL

_UNKNOWN = -1
_FAMILIES = {"evpn": "l2vpn_evpn"}


def interfaces(seen: Observed) -> dict[str, dict[str, Any]]:
    """Return NAPALM's get_interfaces; what the look does not have is unknown there."""
    return {
        name: {
            "is_up": own["link"] == UP,
            "is_enabled": own["link"] != SHUT,
            "description": "",
            "last_flapped": float(_UNKNOWN),
            "speed": float(_UNKNOWN),
            "mtu": int(str(own.get("mtu", _UNKNOWN))),
            "mac_address": own.get("mac", ""),
        }
        for (_, name), own in seen.of("interface").items()
    }


def neighbours(seen: Observed) -> dict[str, list[dict[str, str]]]:
    """Return NAPALM's get_lldp_neighbors."""
    return {
        port: [{"hostname": end[0], "port": end[1] if end[1:] else ""} for end in own["far"]]
        for (_, port), own in seen.of("cable").items()
    }


def sessions(seen: Observed) -> dict[str, dict[str, Any]]:
    """Return NAPALM's get_bgp_neighbors; it calls the VRF that is none `global`."""
    by_vrf: dict[str, dict[str, Any]] = {}
    for key, session in seen.of("session").items():
        _, vrf, peer = key
        up, pulse = session["state"] == ESTABLISHED, seen.pulses[key]
        name = "global" if vrf == GLOBAL else vrf
        peers = by_vrf.setdefault(name, {"router_id": "", "peers": {}})["peers"]
        peers[peer] = {
            "local_as": _UNKNOWN,
            "remote_as": int(str(session["asn"])),
            "remote_id": "",
            "is_up": up,
            "is_enabled": True,
            "description": "",
            "uptime": pulse.up // 1000 if up else _UNKNOWN,
            "address_family": {
                _FAMILIES.get(family, family): {
                    "received_prefixes": _UNKNOWN,
                    "accepted_prefixes": accepted,
                    "sent_prefixes": sent,
                }
                for family, accepted, sent in pulse.prefixes
            },
        }
    return by_vrf

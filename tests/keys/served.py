"""Two sites with an application at both, over a primary and a backup line."""

from copy import deepcopy
from typing import Any

_SPARE = {
    "ends": {
        "east": {"leaf": 2, "cages": "20", "asn": 64_801},
        "west": {"leaf": 1, "cages": "22", "asn": 64_802},
    },
    "vrfs": {"red": 102},
    "pool": "10.250.32.0/19",
    "mtu": 9000,
    "kilometers": 110,
    "amplified": True,
    "equipment": 50,
    "prefer": "backup",
}
_CLASSES = {
    "inference": {"queue": 4, "dscps": [34], "share": 60},
    "bulk": {"queue": 1, "dscps": [8], "share": 20},
}
_HOSTS = {
    "asn": 65_101,
    "accept": ["10.99.0.0/24"],
    "max_prefixes": {"count": 100, "action": "end"},
}
_INFERENCE = {
    "vrf": "red",
    "replicas": {"east": {"hosts": "nodes"}, "west": {"hosts": "nodes", "backup": True}},
    "address": "10.99.0.1",
    "clients": ["west"],
    "round_trip": 2,
}
_WEIGHTS = {
    "terabytes": 2,
    "source": "east",
    "sites": ["west"],
    "vrf": "red",
    "hours": 1,
    "qos": "bulk",
}


def served(joined: dict[str, Any]) -> dict[str, Any]:
    """Return two joined halls with servers that advertise the address of the application."""
    site = deepcopy(joined)
    wan = site["dci"]["wan"]
    del wan["pool6"], wan["transfers"]
    wan |= {"kilometers": 60, "circuit": "NET 4711", "equipment": 50}
    site["dci"]["spare"] = deepcopy(_SPARE)
    site["servers"] = {}
    for number, hall in enumerate(("east", "west")):
        words = site["fabrics"][hall]
        words["leaf_groups"] = {"racks": {"leafs": "1-2"}}
        words["classes"] = deepcopy(_CLASSES)
        kind = {"fabric": hall, "ports": 2, "leafs": 2, "speed": "25G", "per_leaf": 8}
        site["servers"][f"{hall}-node"] = {"count": 4, "ports": {"front": kind}}
        tenant = site["tenants"][f"red-{hall}"]
        del tenant["vrfs"]["red"]["vlans"]["web"]["subnet6"]
        tenant["vrfs"]["red"]["hosts"] = {"nodes": deepcopy(_HOSTS)}
        routed = {"vrf": "red", "links": f"10.{195 + number}.0.0/24", "bgp": "nodes"}
        tenant["attachments"] = [
            {"servers": f"{hall}-node", "numbers": "1-2", **routed},
            {"servers": f"{hall}-node", "numbers": "3-4", "access": "web"},
        ]
    site["applications"] = {"inference": deepcopy(_INFERENCE)}
    site["distribution"] = {"weights": deepcopy(_WEIGHTS)}
    return site

"""Small sites that between them set what the intent has; as data, so that a test changes a key."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.keys.job_site import JOB_SITE
from tests.keys.served import served
from yaml import safe_load

Site = dict[str, Any]

_MANAGEMENT: Site = {
    "subnet": "10.255.0.0/20",
    "admitted": ["10.0.0.0/8"],
    "ntp": ["10.255.15.250", "10.255.15.251"],
    "syslog": ["10.255.15.252"],
    "dns": ["10.255.15.253"],
    "domain": "lab.example.net",
    "snmp": {
        "community": "env:COMMUNITY",
        "location": "hall 4",
        "contact": "noc",
        "users": [
            {"name": name, "auth": f"env:{name}A", "privacy": f"env:{name}P"}
            for name in ("monitor", "other")
        ],
        "traps": {"targets": ["10.255.15.245"], "user": "monitor"},
    },
    "sflow": {"collectors": ["10.255.15.246"], "rate": 50_000},
    "queue_monitor": True,
    "cloudvision": {"servers": ["10.255.15.247"]},
    "gnmi": {"port": 6030, "collectors": ["10.255.15.254"]},
    "netconf": {"port": 830},
    "restconf": {"port": 6040},
    "aaa": {"tacacs": {"servers": ["10.255.15.240", "10.255.15.241"], "key": "env:TACACS"}},
    "tls": {"certificate": "switch.crt", "key": "switch.key"},
    "users": [{"name": "admin", "password_hash": "env:HASH", "ssh_key": "ssh-ed25519 AAAA a"}],
    "banner": "keep out",
}
_SITE: Site = {
    "name": "lab",
    "management": _MANAGEMENT,
    "accept_unsupported": [
        "local-users",
        "pfc-watchdog",
        "gnmi",
        "gnmi-collectors",
        "netconf",
        "restconf",
        "tls",
        "tacacs",
        "radius",
        "snmp-traps",
        "sflow",
        "queue-monitor",
        "cloudvision",
        "management-access",
    ],
}
_BIG = {"model": "7060X6-64PE", "platform": "eos"}
_SMALL = {"model": "7050CX3-32S", "platform": "eos"}

_RAILS: Site = {
    "design": "rail-optimized",
    "servers": {"count": 8, "gpus": 2, "nic_speed": "400G"},
    "scalable_unit": {"servers": 4},
    "oversubscription": 4.0,
    "links": {"speed": "400G", "length": 30},
    "leaf": _BIG,
    "spine": {**_BIG, "count": 2},
    "roce": {"storage": {"share": 20}, "over_subscription": 8},
}
_TIERS: Site = {
    **_RAILS,
    "design": "three-tier",
    "superspine": _BIG,
    "roce": {},
    "links": {"speed": "400G", "length": 5},
    "servers": {"count": 8, "gpus": 2, "nic_speed": "400G", "cable_length": 3},
}
_BORDER: Site = {
    "accept": ["0.0.0.0/0", {"prefix": "198.51.100.0/22", "ge": 23, "le": 25}],
    "origins": [64496],
    "communities": {
        "require": ["64496:1"],
        "mark": ["64500:1"],
        "send": ["64496:2"],
    },
    "max_prefixes": {"count": 100, "action": "end"},
    "prefer": "backup",
    "local_asn": 64500,
    "private_asns": "remove",
    "password": "env:PEER",
}
"""What a peer may say beside its place, in tenants' VRFs and out of band."""
_TENANTS: Site = {
    "red": {
        "description": "serving team",
        "vrfs": {
            "red": {
                "id": 1,
                "vlans": {
                    "web": {"id": 110, "subnet": "10.110.0.0/24"},
                    "models": {"id": 111, "subnet": "10.111.0.0/24"},
                },
                "external": {
                    "isp": {
                        "leaf": 2,
                        "cage": 10,
                        "address": "192.0.2.1/31",
                        "peer": "192.0.2.0",
                        "asn": 64496,
                        **_BORDER,
                    },
                    "core": {
                        "link": "core",
                        "vlan": 30,
                        "address": "203.0.113.1/31",
                        "peer": "203.0.113.0",
                        "asn": 64497,
                    },
                },
            }
        },
        "vlans": {"heartbeat": {"id": 130}},
        "attachments": [
            {"group": "racks", "servers": "1-2", "access": "web"},
            {"group": "racks", "servers": "3-4", "trunk": ["web", "models"], "native": "web"},
            {"group": "bonded", "trunk": ["models", "heartbeat"]},
        ],
    }
}
JOBS: Site = {
    "training": {
        "slots": 4,
        "vrf_ids": 200,
        "vlan_ids": 2000,
        "subnets": "10.96.0.0/16",
        "jobs": {
            "llama": {
                "slot": 1,
                "description": "night run",
                "attachments": [
                    {"group": "racks", "servers": "1", "trunk": ["llama"], "addresses": "none"}
                ],
            },
        },
    }
}
FRONTEND: Site = {
    "leaf": _SMALL,
    "spine": {**_SMALL, "count": 2},
    "leaf_groups": {
        "racks": {"leafs": "1-2", "servers": {"per_leaf": 4, "speed": "25G"}},
        "bonded": {
            "leafs": "3-4",
            "servers": {"per_leaf": 2, "speed": "25G", "links": 2, "lag": True},
            "hardware": _SMALL,
        },
    },
    "edge": {
        "core": {"leaf": 2, "cages": "23"},
        "other": {"leaf": 1, "cages": "23-24"},
    },
}
_PODS: Site = {
    **FRONTEND,
    "design": "superspine",
    "superspine": _SMALL,
    "leafs_per_pod": 2,
}

_STORAGE: Site = {
    "kind": "routed",
    "leaf": _BIG,
    "spine": _BIG,
    "sides": {
        "compute": {"servers": {"count": 8, "speed": "400G"}, "ratio": 2.0},
        "storage": {"servers": {"count": 4, "speed": "400G"}, "leaf": _BIG},
    },
    "demand": {"rate": 10.0},
    "links": {"speed": "400G", "length": 30},
    "roce": {"storage": {"share": 20}, "over_subscription": 8},
}
_ACCESS: Site = {
    "servers": {
        "cpu": {
            "count": 4,
            "ports": {"bmc": {"fabric": "oob", "speed": "40G"}},
        },
    },
    "frontend": FRONTEND,
    "racks": {
        "compute": {
            "count": 2,
            "per_row": 1,
            "position": 2,
            "contents": [
                {"switches": "fe-leaf*{rack}"},
                {"pdus": 2},
                {"servers": "cpu", "count": 2},
            ],
        },
        "network": {"contents": [{"switches": "fe-spine*"}]},
    },
    "fabrics": {
        "oob": {
            "kind": "access",
            "leaf": _SMALL,
            "spine": _SMALL,
            "speed": "40G",
            "zones": {"compute": {"switch": 1}, "network": {"switch": 3}},
            "vlans": {
                "switches": {"id": 20},
                "bmc": {"id": 10, "subnet": "10.250.0.0/20", "isolated": False},
                "pdu": {"id": 30, "subnet": "10.250.32.0/22", "isolated": False},
                "others": {"license": {"id": 40, "subnet": "10.250.48.0/22", "isolated": False}},
            },
            "external": {
                "office": {
                    "leaf": 1,
                    "cage": 31,
                    "address": "192.0.2.1/31",
                    "peer": "192.0.2.0",
                    "asn": 64496,
                    **_BORDER,
                }
            },
        }
    },
}
_SHARING: Site = {
    "servers": {
        "cpu": {"count": 4, "ports": {"bmc": {"fabric": "frontend", "speed": "40G", "vlan": "bmc"}}}
    },
    "frontend": {
        **FRONTEND,
        "oob": {
            "cages": {"racks": "10-19"},
            "speed": "40G",
            "zones": {"compute": {"switch": 1, "ports": 5}},
            "vlans": _ACCESS["fabrics"]["oob"]["vlans"],
            "external": {"office": {**_ACCESS["fabrics"]["oob"]["external"]["office"], "cage": 21}},
        },
    },
    "racks": {"compute": {"count": 2, "contents": _ACCESS["racks"]["compute"]["contents"]}},
}
_KINDS: Site = {
    "gpu": {
        "count": 8,
        "gpus": 2,
        "ports": {
            "rail": {"fabric": "backend", "speed": "400G"},
            "front": {
                "fabric": "frontend",
                "group": "racks",
                "ports": 2,
                "speed": "25G",
                "per_leaf": 4,
                "bond": "lacp",
            },
        },
    },
}
EDGE: Site = {**FRONTEND, "kind": "evpn", "number": 1}
DELL: Site = {key: {"model": "Z9864F-ON"} for key in ("leaf", "spine")}
GROUPS: Site = {"racks": {"leafs": "1-4"}, "more": {"leafs": "5-8"}}
_SHARED: Site = {
    **FRONTEND,
    "leaf_groups": GROUPS,
}
_ATTACHED: Site = {
    "red": {
        **_TENANTS["red"],
        "attachments": [
            {"servers": "gpu", "port": "front", "numbers": "1-4", "trunk": ["web", "heartbeat"]},
            {"servers": "gpu", "port": "front", "numbers": "5-8", "access": "models"},
        ],
    }
}

_TUNNELED: Site = {
    **_RAILS,  # on leafs of which a document says that a class goes through a tunnel
    "leaf": _SMALL,
    "spine": {**_SMALL, "count": 2},
    "servers": {**_RAILS["servers"], "nic_speed": "100G"},
    "links": {"speed": "100G", "length": 30},
}
_SHARED_RAILS: Site = {
    name: {
        "fabric": "backend",
        "vrfs": {name: {"id": number}},
        "attachments": [{"numbers": numbers, "vrf": name}],
    }
    for name, number, numbers in (("red", 1, "1-2,5-6"), ("blue", 2, "3-4,7-8"))
}

_SPEAKING: Site = {
    "red": {
        "vrfs": {
            "red": {
                "id": 1,
                "hosts": {
                    "nodes": {
                        "asn": 65101,
                        "accept": ["10.112.0.0/14"],
                        "max_prefixes": {"count": 100, "action": "end"},
                    },
                    "others": {"asn": 65102, "accept": ["10.120.0.0/14"]},
                },
            }
        },
        "attachments": [
            {
                "servers": "node",
                "port": "front",
                "vrf": "red",
                "links": "10.96.0.0/24",
                "bgp": "nodes",
            },
        ],
    }
}
_PROFILED: Site = {
    "plain": {"storm_control": {"broadcast": 1}},
    "bridge": {"inherits": "plain", "storm_control": {"multicast": 2.5}},
}
_ALONE: Site = {key: words for key, words in FRONTEND.items() if key not in {"leaf_groups", "edge"}}
_NODES: Site = {
    "node": {
        "count": 4,
        "ports": {"front": {"fabric": "frontend", "speed": "25G", "ports": 2, "leafs": 2}},
    }
}
_HALLS: Site = {
    site: {
        "kind": "evpn",
        "number": number,
        "leaf": _SMALL,
        "spine": {**_SMALL, "count": 2},
        "leaf_groups": {"racks": {"leafs": "1-2", "servers": {"per_leaf": 2, "speed": "25G"}}},
    }
    for number, site in enumerate(("east", "west"), 1)
}
_FENCED: Site = {
    "frontend": {
        **FRONTEND,
        "firewalls": {
            "fw": {
                "asn": 65_010,
                "units": [{"links": ["core"]}, {"links": ["other"]}],
                "password": "env:FW",
            }
        },
    },
    "tenants": {
        "red": {
            "vrfs": {
                "red": {
                    "id": 1,
                    "vlans": {
                        "web": {"id": 110, "subnet": "10.110.0.0/24", "subnet6": "fd00:1::/64"}
                    },
                    "firewalls": {
                        "fw": {
                            "vlan": 30,
                            "pool": "192.0.2.0/30",
                            "pool6": "fd00:2::/126",
                            "accept": [*_BORDER["accept"], "::/0"],
                        }
                    },
                }
            },
            "attachments": [{"group": "racks", "access": "web"}],
        }
    },
}
_JOINED: Site = {
    "fabrics": _HALLS,
    "dci": {
        "wan": {
            "ends": {
                "east": {"leaf": 1, "cages": "20-21", "asn": 64_801},
                "west": {"leaf": 2, "cages": "22-23", "asn": 64_802},
            },
            "vrfs": {"red": 101},
            "pool": "10.250.0.0/19",
            "pool6": "2001:db8:ffff::/112",
            "mtu": 9000,
            "rate": "200G",
            "transfers": {"backup": {"terabytes": 50, "hours": 2, "efficiency": 0.8}},
        }
    },
    "tenants": {
        f"red-{site}": {
            "fabric": site,
            "vrfs": {"red": {"id": 1, "vlans": {"web": {"id": 100, **subnets}}}},
            "attachments": [{"group": "racks", "access": "web"}],
        }
        for site, subnets in (
            ("east", {"subnet": "172.20.0.0/24", "subnet6": "2001:db8:1::/64"}),
            ("west", {"subnet": "172.21.0.0/24", "subnet6": "2001:db8:2::/64"}),
        )
    },
}


def _tunneled() -> Site:
    """Return the joined halls with a way out each, through which tunnels join them."""
    site = deepcopy(_JOINED)
    for number, hall in enumerate(("east", "west"), 1):
        words = site["fabrics"][hall]
        words |= {tier: {**words[tier], "platform": "linux"} for tier in ("leaf", "spine")}
        words["edge"] = {
            name: {"leaf": number, "cages": cage, "mtu": 9000}
            for name, cage in (("isp", "19"), ("other", "18"))
        }
        for vrf, base in (("transport", 100), ("spare", 200)):
            site["tenants"][f"red-{hall}"]["vrfs"][vrf] = {
                "id": base // 100 + 1,
                "vlans": {vrf: {"id": 90 + base, "subnet": f"198.51.{base + number}.128/26"}},
                "external": {
                    f"{name}{number}": {
                        "link": name,
                        "vlan": base + tag,
                        "address": f"198.51.{base + number}.{tag}/31",
                        "peer": f"198.51.{base + number}.{tag ^ 1}",
                        "asn": 64_496,
                    }
                    for name, tag in (("isp", 31), ("other", 41))
                },
            }
    site["dci"]["wan"] |= {
        "gre": {"vrf": "transport"},
        "ends": {
            "east": {"peer": "isp1", "asn": 64_801},
            "west": {"peer": "isp2", "asn": 64_802},
        },
    }
    return site


_GATED = Path(__file__).parents[1].joinpath("nos", "gateways.yaml").read_text()

REFUSED = {"gated, on what runs everything": (None, "eos")}
"""Sites that a platform refuses as they are: there, gateways want a model that Arista names."""
SITES: dict[str, Site] = {
    "profiled": {
        "site": _SITE,
        "port_profiles": _PROFILED,
        "servers": _NODES,
        "frontend": {
            **_ALONE,
            "errdisable": {"recover": ["bpduguard"]},
        },
        "tenants": {
            "red": {
                "vlans": {"web": {"id": 110}},
                "attachments": [{"servers": "node", "access": "web", "profile": "bridge"}],
            }
        },
    },
    "speaking": {
        "site": _SITE,
        "servers": _NODES,
        "frontend": _ALONE,
        "tenants": _SPEAKING,
    },
    "jobs": {"site": _SITE, **JOB_SITE},
    "rails": {"site": _SITE, "backend": _RAILS},
    "shared": {"site": _SITE, "backend": _TUNNELED, "tenants": _SHARED_RAILS},
    "tiers": {"site": _SITE, "backend": _TIERS},
    "tenants": {"site": _SITE, "frontend": FRONTEND, "tenants": _TENANTS, "jobs": JOBS},
    "pods": {"site": _SITE, "frontend": _PODS, "tenants": _TENANTS},
    "storage": {"site": _SITE, "fabrics": {"storage": _STORAGE}},
    "access": {"site": _SITE, **_ACCESS},
    "joined": {"site": _SITE, **_JOINED},
    "tunneled": {"site": _SITE, **_tunneled()},
    "served": {
        "site": {
            **_SITE,
            "accept_unsupported": [*_SITE["accept_unsupported"], "tunneled-class"],
        },
        **served(_JOINED),
    },
    "gated": safe_load(_GATED),
    "gated, on what runs everything": safe_load(_GATED.replace("7280SR3-48YC8", "7050CX3-32S")),
    "sharing": {"site": _SITE, **_SHARING},
    "fenced": {"site": _SITE, **_FENCED},
    "kinds": {
        "site": _SITE,
        "servers": _KINDS,
        "backend": {key: words for key, words in _RAILS.items() if key != "servers"},
        "frontend": _SHARED,
        "tenants": _ATTACHED,
    },
}

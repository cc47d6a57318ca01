"""Small sites, one for what the examples do not have, on which both engines have to agree."""

import json
from copy import deepcopy
from typing import Any

from tests.keys.sites import SITES
from tests.nos.tenants import FENCES, ONE_SIDED, fenced

_FRONTEND = """site: {name: lab, management: {subnet: 10.255.0.0/22}}
servers:
  pair:
    count: 4
    ports: {front: {fabric: frontend, ports: 2, speed: 25G, bond: BOND, leafs: 2, per_leaf: 4}}
  single:
    count: 4
    ports: {front: {fabric: frontend, ports: 1, speed: 25G, per_leaf: 2, first: 9}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  underlay: {password: "env:BGP"}
  oversubscription: 8
"""
_DUAL = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}
          app: {id: 11, subnet: 10.1.1.0/24, subnet6: "2001:db8:11::/64"}
          six: {id: 12, subnet: "2001:db8:12::/64"}
    attachments:
      - {servers: pair, numbers: 1-2, trunk: [web, app], native: web, addresses: static}
      - servers: single
        numbers: 1-2
        trunk: [app, six]
        addresses: static
        default_route: app
        first_host: 50
  blue:
    vrfs: {blue: {id: 2, vlans: {web: {id: 20, subnet: 10.2.0.0/24, subnet6: "2001:db8:20::/64"}}}}
    attachments:
      - {servers: pair, numbers: 3-4, access: web, addresses: dhcp}
      - {servers: single, numbers: 3-4, access: web, addresses: static}
"""
_PLAIN = """tenants:
  red:
    vrfs:
      red: {id: 1, vlans: {web: {id: 10, subnet: 10.1.0.0/24}, app: {id: 11, subnet: 10.1.1.0/24}}}
    attachments:
      - {servers: single, numbers: 1-1, access: web, addresses: static}
      - {servers: single, numbers: 3-3, access: app, addresses: static}
  blue:
    vrfs: {blue: {id: 2, vlans: {own: {id: 20, subnet: 10.2.0.0/24}}}}
    attachments: [{servers: single, numbers: 2-2, access: own, addresses: static}]
"""
_ROUTED = """tenants:
  pods:
    vrfs:
      pods:
        id: 7
        hosts:
          nodes:
            asn: 65101
            speaker: frr
            accept: [10.112.0.0/14]
            max_prefixes: {count: 200, action: end}
        vlans: {web: {id: 10, subnet: 10.1.0.0/24}}
      other: {id: 8, vlans: {web2: {id: 11, subnet: 10.2.0.0/24}}}
    attachments:
      - {servers: pair, numbers: 1-4, vrf: pods, links: 10.96.0.0/22, bgp: nodes}
      - {servers: single, numbers: 1-2, access: web, addresses: static}
      - {servers: single, numbers: 3-4, access: web2, addresses: dhcp}
"""
_LEAKS = """tenants:
  web:
    vrfs:
      web:
        id: 1
        vlans:
          web: {id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}
          own: {id: 11, subnet: 10.1.1.0/24}
        import_routes: {files: [10.3.0.0/24, "2001:db8:30::/64"]}
    attachments:
      - {servers: pair, numbers: 1-2, access: web, addresses: static}
      - {servers: single, numbers: 1-1, access: own, addresses: static}
  batch:
    vrfs:
      batch:
        id: 2
        vlans: {batch: {id: 20, subnet: 10.2.0.0/24, subnet6: "2001:db8:20::/64"}}
    attachments: [{servers: single, numbers: 2-3, access: batch, addresses: static}]
  files:
    vrfs:
      files:
        id: 3
        vlans:
          files: {id: 30, subnet: 10.3.0.0/24, subnet6: "2001:db8:30::/64"}
          more: {id: 31, subnet: 10.4.0.0/24, subnet6: "2001:db8:31::/64"}
        share_routes: [batch]
    attachments:
      - {servers: pair, numbers: 3-4, access: files, addresses: static}
      - {servers: single, numbers: 4-4, access: more, addresses: static}
"""
_EDGE = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}}
        external:
          isp1:
            link: isp1
            vlan: 101
            address: 192.0.2.1/31
            peer: 192.0.2.0
            address6: "2001:db8:0:1::1/127"
            peer6: "2001:db8:0:1::"
            asn: 64496
            prefer: primary
            communities: {require: ["64496:1"]}
          isp2:
            link: isp2
            vlan: 101
            address: 192.0.2.3/31
            peer: 192.0.2.2
            asn: 64497
            accept: [0.0.0.0/0, {prefix: 203.0.112.0/22, le: 24}]
            origins: [64497]
    attachments: [{servers: single, numbers: 1-2, access: web, addresses: static}]
  blue:
    vrfs:
      blue:
        id: 2
        vlans: {web: {id: 20, subnet: 10.2.0.0/24}}
        external:
          isp1:
            link: isp1
            vlan: 102
            address: 192.0.2.5/31
            peer: 192.0.2.4
            asn: 64496
            prefer: backup
    attachments: [{servers: single, numbers: 3-4, access: web, addresses: static}]
"""
_STATIC = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}
          far: {id: 11, subnet: 10.1.1.0/24, subnet6: "2001:db8:11::/64"}
        routes:
          - {to: 10.50.0.0/16, by: 10.1.0.200}
          - {to: 10.50.0.0/16, by: 10.1.0.11, announce: true}
          - {to: 10.0.0.0/8, by: 10.1.1.9}
          - {to: "2001:db8:50::/48", by: "2001:db8:10::7", announce: true}
          - {to: 198.51.100.0/25, by: 10.1.0.12}
          - {to: 192.0.2.128/25, by: 192.0.2.0}
        external:
          isp1:
            link: isp1
            vlan: 101
            address: 192.0.2.1/31
            peer: 192.0.2.0
            address6: "2001:db8:0:1::1/127"
            peer6: "2001:db8:0:1::"
            asn: 64496
    attachments:
      - {servers: single, numbers: 1-2, access: web, addresses: static}
      - {servers: single, numbers: 3-4, access: far, addresses: static}
  blue:
    vrfs:
      blue:
        id: 2
        vlans: {app: {id: 20, subnet: 10.2.0.0/24}}
        routes: [{to: 0.0.0.0/0, by: 10.2.0.9}]
    attachments: [{servers: pair, numbers: 1-4, access: app, addresses: static}]
"""
_BY_HAND = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}}
        external:
          isp1:
            link: isp1
            vlan: 101
            address: 192.0.2.1/31
            peer: 192.0.2.0
            address6: "2001:db8:0:1::1/127"
            peer6: "2001:db8:0:1::"
            protocol: static
          isp2:
            link: isp2
            vlan: 101
            address: 192.0.2.3/31
            peer: 192.0.2.2
            protocol: static
            accept: [0.0.0.0/0, 203.0.113.0/24]
    attachments: [{servers: single, numbers: 1-2, access: web, addresses: static}]
  blue:
    vrfs:
      blue:
        id: 2
        vlans: {web: {id: 20, subnet: 10.2.0.0/24}}
        external:
          isp1: {link: isp1, vlan: 102, address: 192.0.2.5/31, peer: 192.0.2.4, protocol: static}
          isp2:
            link: isp2
            vlan: 102
            address: 192.0.2.7/31
            peer: 192.0.2.6
            asn: 64497
            accept: [203.0.113.0/24]
    attachments: [{servers: pair, numbers: 1-2, access: web, addresses: static}]
"""
_FLOODED = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 10, subnet: 10.1.0.0/24}
          app: {id: 11, subnet: 10.3.0.0/24}
        external:
          isp1: {link: isp1, vlan: 101, address: 192.0.2.1/31, peer: 192.0.2.0, protocol: ospf}
          isp2:
            link: isp2
            vlan: 101
            address: 192.0.2.9/29
            peer: 192.0.2.10
            protocol: ospf
            area: 0.0.0.5
            accept: [0.0.0.0/0, {prefix: 203.0.113.0/24, le: 26}]
          isp3:
            link: isp2
            vlan: 103
            address: 198.18.0.1/31
            peer: 198.18.0.0
            asn: 64497
            accept: [198.51.100.0/24]
    attachments: [{servers: single, numbers: 1-2, access: web, addresses: static}]
  blue:
    vrfs:
      blue:
        id: 2
        vlans: {web: {id: 20, subnet: 10.2.0.0/24}}
        external:
          far: {link: isp2, vlan: 102, address: 192.0.2.7/31, peer: 192.0.2.6, protocol: ospf}
    attachments: [{servers: pair, numbers: 1-2, access: web, addresses: static}]
"""
_TAKEN = _STATIC.replace(
    "        vlans: {app", "        import_routes: {red: [10.50.0.0/16]}\n        vlans: {app"
).replace("routes: [{to: 0.0.0.0/0,", "routes: [{to: 172.16.0.0/12,")
_EDGES = """  edge:
    isp1: {leaf: 1, cages: 25-26}
    isp2: {leaf: 2, cages: "25"}
"""
BY_HAND = "routers outside without a session"
CARRIED = "two sites, joined by tunnels over ways out without a session"
FLOODED = "routers outside that speak OSPF"
FLAT = "OSPF between the switches"
SERVED = "an application at two sites"
JOINED, TUNNELED = "two sites, joined by two links", "two sites, joined by tunnels"


def _joined() -> str:
    """Return the halls of tests/keys with a second link, a way out each, and another VRF."""
    site = json.loads(json.dumps(SITES["joined"]))
    site["dci"]["more"] = {
        "ends": {
            "east": {"leaf": 2, "cages": "22", "asn": 64_801},
            "west": {"leaf": 1, "cages": "23", "asn": 64_802},
        },
        "vrfs": {"red": 101},
        "pool": "10.250.32.0/19",
        "mtu": 9000,
    }
    for link in site["dci"].values():
        link |= {"password": "env:WAN"}
    for number, hall in enumerate(("east", "west")):
        site["tenants"][f"red-{hall}"]["vrfs"]["red"]["external"] = {
            "isp": {
                "leaf": 1,
                "cage": 19,
                "address": f"192.0.2.{2 * number}/31",
                "peer": f"192.0.2.{2 * number + 1}",
                "asn": 64_500 + number,
            }
        }
    blue = {
        "id": 2,
        "vlans": {"db": {"id": 120, "subnet": "172.22.0.0/24"}},
        "import_routes": {"red": ["172.21.0.0/24"]},
    }
    site["tenants"]["blue"] = {
        "fabric": "east",
        "vrfs": {"blue": blue},
        "attachments": [{"group": "racks", "servers": "2", "access": "db"}],
    }
    site["tenants"]["red-east"]["attachments"][0]["servers"] = "1"
    return json.dumps(site)


def _joined_pairs() -> str:
    """Return them with the leafs of each hall as an MLAG pair; each has one of the links."""
    site = json.loads(_joined())
    for hall in site["fabrics"].values():
        hall["leaf_groups"]["racks"]["multihoming"] = {"kind": "mlag"}
    return json.dumps(site)


FENCED = "firewalls"


def _guarded() -> str:
    """Return the joined halls with zones: the east sends two services, the west lets one in."""
    site = json.loads(json.dumps(SITES["joined"]))
    del site["dci"]["wan"]["pool6"]
    site["zones"], site["flows"] = {}, []
    for hall in ("east", "west"):
        del site["tenants"][f"red-{hall}"]["vrfs"]["red"]["vlans"]["web"]["subnet6"]
        site["zones"][f"web-{hall}"] = {"vlans": [f"red-{hall}/web"]}
        site["zones"][f"beyond-{hall}"] = {"outside": [f"red-{hall}/red/wan"]}
    for client, server, services in (
        ("web-east", "beyond-east", ["tcp/443", "tcp/80"]),
        ("beyond-west", "web-west", ["tcp/443"]),
    ):
        flow = {"clients": [client], "servers": [server], "services": services}
        site["flows"].append(flow)
    return json.dumps(site)


ZONES, GUARDED = "zones", "zones of two sites"
_ZONES = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 10, subnet: 10.1.0.0/24, subnet6: "2001:db8:10::/64"}
          api: {id: 11, subnet: 10.1.1.0/24, subnet6: "2001:db8:11::/64"}
          data: {id: 12, subnet: 10.1.2.0/24}
    attachments:
      - {servers: pair, numbers: 1-2, access: web, addresses: static}
      - {servers: pair, numbers: 3-4, access: api, addresses: static}
      - {servers: single, numbers: 1-2, access: data, addresses: static}
      - {servers: single, numbers: 3-4, access: web, addresses: static, first_host: 50}
zones:
  web: {vlans: [red/web]}
  api: {vlans: [red/api]}
  data: {vlans: [red/data]}
services:
  https: [tcp/443]
flows:
  - {clients: [web], servers: [api], services: [https, icmp]}
  - {clients: [api], servers: [data], services: [tcp/5432, udp/53]}
"""
SERVICES = (("", 0), ("tcp", 443), ("tcp", 5432), ("udp", 53), ("icmp", 0))
ALONE = "MLAG pairs, each leaf with ways out and routed ports of its own"
GATED = "two sites, made one by gateways"


def _two_pairs() -> dict[str, Any]:
    """Return the sites with an MLAG pair of gateways at both, and a server on that of the second.

    Each leaf of a pair hears one leaf of the other alone.
    """
    site = deepcopy(SITES["gated"])
    pci = {"fabric": "dc2", "group": "gates", "ports": 2, "leafs": 2, "bond": "lacp"}
    pci |= {"speed": "25G", "per_leaf": 1}
    site["servers"] = {"twin": {"count": 1, "ports": {"pci": pci}}}
    site["fabrics"]["dc2"]["leaf_groups"]["gates"] = {
        "leafs": "2-3",
        "multihoming": {"kind": "mlag"},
    }
    site["gateways"]["wan"]["links"][1]["dc2"] = {"leaf": 3, "cage": 20}
    words = {"servers": "twin", "trunk": ["pages", "wire"], "addresses": "none"}
    site["tenants"]["two"]["attachments"][1] = words
    return site


def _carried() -> str:
    """Return the tunnels of tests/keys over ways out that speak no BGP."""
    site = json.loads(json.dumps(SITES["tunneled"]))
    for hall in ("east", "west"):
        vrfs = site["tenants"][f"red-{hall}"]["vrfs"]
        for name in ("transport", "spare"):
            for peer in vrfs[name]["external"].values():
                del peer["asn"]
                peer["protocol"] = "static"
    return json.dumps(site)


def _pods() -> str:
    """Return the three tiers of tests/keys with two pods, so that superspines carry packets."""
    site = json.loads(json.dumps(SITES["tiers"]))
    site["backend"]["pod"] = {"units": 1}
    return json.dumps(site)


THREE_TIERS = "three tiers"
FEATURES: dict[str, tuple[str, tuple[str | None, ...]]] = {
    THREE_TIERS: (_pods(), (None,)),
    GATED: (json.dumps(SITES["gated"]), (None,)),
    "two sites, made one by two pairs of gateways": (json.dumps(_two_pairs()), (None,)),
    "IPv4 and IPv6, on Ethernet segments": (
        _FRONTEND.replace("BOND", "lacp") + _DUAL,
        (None, "linux"),
    ),
    "IPv4 and IPv6, on bonds of one port at a time": (
        _FRONTEND.replace("BOND", "active-backup") + _DUAL,
        (None, "linux", "sonic"),
    ),
    "MLAG pairs": (
        _FRONTEND.replace("BOND", "lacp").replace(
            "frontend:\n",
            "frontend:\n  leaf_groups: {web: {leafs: 1-4, multihoming: {kind: mlag}}}\n",
        )
        + _DUAL,
        (None,),
    ),
    ALONE: (ONE_SIDED, (None,)),
    "routes between VRFs": (
        _FRONTEND.replace("BOND", "active-backup") + _LEAKS,
        (None, "linux"),
    ),
    "static routes": (
        _FRONTEND.replace("BOND", "active-backup") + _EDGES + _STATIC,
        (None, "linux", "sonic"),
    ),
    BY_HAND: (
        _FRONTEND.replace("BOND", "active-backup") + _EDGES + _BY_HAND,
        (None, "linux", "sonic"),
    ),
    FLAT: (
        _FRONTEND.replace("BOND", "active-backup").replace('password: "env:BGP"', "protocol: ospf")
        + _PLAIN,
        (None, "linux"),
    ),
    FLOODED: (
        _FRONTEND.replace("BOND", "active-backup") + _EDGES + _FLOODED,
        (None, "linux"),
    ),
    "static routes that another VRF takes": (
        _FRONTEND.replace("BOND", "active-backup") + _EDGES + _TAKEN,
        (None, "linux"),
    ),
    "tags to the outside, one of them on a bundle": (
        _FRONTEND.replace("BOND", "active-backup") + _EDGES + _EDGE,
        (None, "linux", "sonic"),
    ),
    ZONES: (_FRONTEND.replace("BOND", "active-backup") + _ZONES, (None, "linux", "sonic")),
    JOINED: (_joined(), (None, "linux")),
    SERVED: (json.dumps(SITES["served"]), (None, "linux", "sonic")),
    "two sites, joined by links of MLAG pairs": (_joined_pairs(), (None,)),
    GUARDED: (_guarded(), (None, "linux")),
    FENCED: (fenced("7050CX3-32S", "eos"), (None, "sonic")),
    "firewalls and zones": (fenced("7050CX3-32S", "eos") + FENCES, (None, "linux")),
    TUNNELED: (json.dumps(SITES["tunneled"]), (None,)),
    CARRIED: (_carried(), (None,)),
    "a way out by hand that another VRF takes": (
        _FRONTEND.replace("BOND", "active-backup")
        + _EDGES
        + _BY_HAND.replace("        external:", "        import_routes: {}\n        external:", 1)
        .replace("import_routes: {}", "import_routes: {blue: [192.88.99.0/24]}")
        .replace(
            "peer: 192.0.2.4, protocol: static",
            "peer: 192.0.2.4, protocol: static, accept: [192.88.99.0/24]",
        ),
        (None, "linux"),
    ),
    "routed ports of servers": (
        _FRONTEND.replace(", bond: BOND", "") + _ROUTED,
        (None, "linux", "sonic"),
    ),
}
"""By name the site, and the platforms that its switches run: None is what it says."""

"""Small sites, one for what the examples do not have, on which both engines have to agree."""

from __future__ import annotations

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
_ROUTED = """tenants:
  pods:
    vrfs:
      pods:
        id: 7
        hosts: {nodes: {asn: 65101, speaker: frr, accept: [10.112.0.0/14], most: 200}}
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
        vlans: {web: {id: 10, subnet: 10.1.0.0/24}, own: {id: 11, subnet: 10.1.1.0/24}}
        takes: {files: [10.3.0.0/24]}
    attachments:
      - {servers: pair, numbers: 1-2, access: web, addresses: static}
      - {servers: single, numbers: 1-1, access: own, addresses: static}
  batch:
    vrfs: {batch: {id: 2, vlans: {batch: {id: 20, subnet: 10.2.0.0/24}}}}
    attachments: [{servers: single, numbers: 2-3, access: batch, addresses: static}]
  files:
    vrfs:
      files:
        id: 3
        vlans: {files: {id: 30, subnet: 10.3.0.0/24}, more: {id: 31, subnet: 10.4.0.0/24}}
        serves: [batch]
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
_EDGES = """  edge:
    isp1: {leaf: 1, cages: 25-26}
    isp2: {leaf: 2, cages: "25"}
"""
ZONES = "zones"
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
FEATURES: dict[str, tuple[str, tuple[str | None, ...]]] = {
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
    "routes between VRFs": (
        _FRONTEND.replace("BOND", "active-backup") + _LEAKS,
        (None, "linux"),
    ),
    "tags to the outside, one of them on a bundle": (
        _FRONTEND.replace("BOND", "active-backup") + _EDGES + _EDGE,
        (None, "linux", "sonic"),
    ),
    ZONES: (_FRONTEND.replace("BOND", "active-backup") + _ZONES, (None, "linux", "sonic")),
    "routed ports of servers": (
        _FRONTEND.replace(", bond: BOND", "") + _ROUTED,
        (None, "linux", "sonic"),
    ),
}
"""By name the site, and the platforms that its switches run: None is what it says."""

"""The tenants of the frontends that are rendered for each platform, one text for all."""

TENANTS = """
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          db: {id: 111, subnet: 10.111.0.0/24, subnet6: "2001:db8:111::/64"}
          six: {id: 112, subnet: "2001:db8:112::/64"}
    attachments:
      - {group: cpu, servers: 1-4, access: web}
      - {group: cpu, servers: 5-6, trunk: [web, db, six], native: web}
      - {group: bond, trunk: [web, db]}
  blue:
    vrfs:
      blue: {id: 2, vlans: {app: {id: 120, subnet: 10.120.0.0/24}}}
    vlans: {heart: {id: 130}}
    attachments:
      - {group: cpu, servers: 7-7, trunk: [app, heart]}
"""
_LAST = '          six: {id: 112, subnet: "2001:db8:112::/64"}\n'


def announcing(text: str) -> str:
    """Return these tenants where gateways announce themselves, in each way that there is."""
    asked = text.replace('"2001:db8:111::/64"}', '"2001:db8:111::/64", announce: dhcp}')
    return asked.replace('"2001:db8:112::/64"}', '"2001:db8:112::/64", announce: slaac}')


def snooping(text: str) -> str:
    """Return these tenants where a VLAN gives packets to groups to those alone that joined."""
    return text.replace("subnet: 10.110.0.0/24}", "subnet: 10.110.0.0/24, multicast: snooped}")


_EXTERNAL = """\
        external:
          isp: {leaf: 4, cage: 20, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}
          dmz: {leaf: 4, cage: 9, address: 192.0.2.9/29, peer: 192.0.2.10, asn: 65501,
                accept: [0.0.0.0/0, 203.0.113.0/24], bfd: false, mtu: 9000}
          alt: {leaf: 2, cage: 20, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 65500}
"""
ROUTES = """\
        routes:
          - {to: 10.50.0.0/16, by: 10.110.0.7}
          - {to: 10.50.0.0/16, by: 10.110.0.5, announce: true}
"""
_PAIRED = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
servers:
  db:
    count: 5
    ports:
      front: {fabric: frontend, ports: 4, leafs: 2, bond: lacp, speed: 25G, per_leaf: 3}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 2}
  oversubscription: 8
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          db: {id: 111, subnet: 10.111.0.0/24}
    attachments:
      - {servers: db, numbers: 1-3, trunk: [web, db], native: db}
"""


_SPOKEN = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
servers:
  node:
    count: 3
    ports: {front: {fabric: frontend, ports: 2, leafs: 2, speed: 25G, per_leaf: 2}}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 2}
  oversubscription: 8
tenants:
  k8s:
    vrfs:
      red:
        id: 7
        hosts:
          nodes:
            asn: 65101
            accept: [10.200.1.1/32, 10.112.0.0/14]
            max_prefixes: {count: 200, action: end}
    attachments: [{servers: node, vrf: red, links: 10.96.0.0/28, bgp: nodes}]
"""


_PROFILED = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
port_profiles:
  server: {portfast: CHOSEN, storm_control: {broadcast: 1, multicast: 5}}
  bridge: {inherits: server, bpdu_guard: false, storm_control: {broadcast: 2.5}}
servers:
  db: {count: 2, ports: {front: {fabric: frontend, ports: 2, bond: lacp, speed: 25G, per_leaf: 2}}}
  vm: {count: 1, ports: {front: {fabric: frontend, speed: 25G, per_leaf: 1, first: 9}}}
frontend:
  leaf_groups: {leafs: {leafs: 1-1}}
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 1}
  oversubscription: 8
tenants:
  red:
    vlans: {web: {id: 110}, db: {id: 111}}
    attachments:
      - {servers: db, access: db, profile: server}
      - {servers: vm, trunk: [web, db], profile: bridge}
"""


_CLASSED = """
site:
  name: lab
  accept_unsupported: [ACCEPTED]
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}
servers:
  db: {count: 2, ports: {front: {fabric: frontend, ports: 2, bond: lacp, speed: 25G, per_leaf: 2}}}
  vm: {count: 4, ports: {front: {fabric: frontend, speed: 25G, per_leaf: 2, first: 9}}}
  node: {count: 2, ports: {front: {fabric: frontend, speed: 25G, per_leaf: 1, first: 13}}}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 1}
  oversubscription: 8
  classes:
    gold: {queue: 4, dscps: [36, 34], share: 40}
    bulk: {queue: 1, dscps: [8], share: 10}
tenants:
  red:
    vrfs:
      red:
        id: 1
        qos: gold
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          old: {id: 111, subnet: 10.111.0.0/24, qos: bulk}
    vlans: {plain: {id: 112}}
    attachments:
      - {servers: db, access: web}
      - {servers: vm, numbers: "1", access: old}
      - {servers: vm, numbers: "2", trunk: [web, old], native: webMIXED}
      - {servers: vm, numbers: "3", access: plain}
      - {servers: vm, numbers: "4", access: web, trust: true}
      - {servers: node, vrf: red, links: 10.96.0.0/28}
"""


def classed(model: str, platform: str, *, mixed: bool = False, trust: bool = False) -> str:
    """Return a frontend with two classes. mixed: a port has VLANs of both. trust: every port does.

    Ports: a bundle and a routed port in gold, VLANs in each class and in none, and one that trusts.
    """
    text = _CLASSED.replace("MODEL", model).replace("PLATFORM", platform)
    text = text.replace("MIXED", "" if mixed or trust else ", qos: bulk")
    if trust:
        text = text.replace("ACCEPTED", "tunneled-class")
        text = text.replace(", trust: true}", "}").replace(
            "}\n      - {s", ", trust: true}\n      - {s"
        )
        return text.replace("10.96.0.0/28}", "10.96.0.0/28, trust: true}")
    return text.replace("ACCEPTED", "")


def profiled(model: str, platform: str, *, portfast: bool) -> str:
    """Return a frontend with two profiles of ports, the second of which inherits from the first."""
    text = _PROFILED.replace("MODEL", model).replace("PLATFORM", platform)
    return text.replace("CHOSEN", str(portfast).lower())


def spoken(model: str, platform: str) -> str:
    """Return a frontend whose servers have routed ports to two leafs each, and speak BGP there."""
    return _SPOKEN.replace("MODEL", model).replace("PLATFORM", platform)


def paired(model: str, platform: str) -> str:
    """Return a frontend whose servers are on two leafs each, by LACP; two of them carry nothing."""
    return _PAIRED.replace("MODEL", model).replace("PLATFORM", platform)


def leaking(text: str) -> str:
    """Return a frontend with these tenants, where red shares what blue has, and says so, too."""
    takes = "      red:\n        id: 1\n        import_routes: {blue: [10.120.0.0/24]}\n"
    return text.replace("      red:\n        id: 1\n", takes).replace(
        "blue: {id: 2, ", "blue: {id: 2, share_routes: [red], "
    )


def bordered(text: str) -> str:
    """Return it with a border leaf, three external peers of red, and networks behind its hosts."""
    return text.replace(_LAST, _LAST + _EXTERNAL + ROUTES).replace(
        "  leaf_groups:\n", "  leaf_groups:\n    border: {leafs: 4-4}\n"
    )


ZONES = """
zones:
  web: {vlans: [red/web, red/six]}
  db: {vlans: [red/db], prefixes: [10.200.0.0/16, "2001:db8:200::/48"]}
  outside: {outside: [red/red/isp, red/red/dmz, red/red/alt]}
  partner: {prefixes: [198.51.100.0/24]}
services:
  https: [tcp/443, tcp/8443]
flows:
  - {clients: [web], servers: [db], services: [tcp/8000-8100, udp/53, icmp]}
  - {clients: [outside], servers: [web], services: [https]}
  - {clients: [web], servers: [outside], services: [tcp, udp/123]}
  - {clients: [partner], servers: [db], services: [tcp/22]}
"""


def between_zones(text: str) -> str:
    """Return a bordered frontend with these tenants, and zones in red."""
    return bordered(text) + ZONES


EDGE = """
site: {name: edge, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 2}
  leaf_groups: {hosts: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
  edge:
    isp1: {leaf: 1, cages: 19-20}
    isp2: {leaf: 2, cages: "20", mtu: 9000, rate: 2.5G}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          six: {id: 111, subnet: "2001:db8:110::/64"}
        external:
          isp1:
            link: isp1
            vlan: 101
            address: 192.0.2.1/31
            peer: 192.0.2.0
            address6: 2001:db8:ff::1/127
            peer6: "2001:db8:ff::"
            asn: 64496
            accept: [0.0.0.0/0, "::/0", {prefix: 198.51.100.0/24, ge: 25, le: 28}]
            origins: [64496, 64499]
            communities: {require: ["64496:100"], mark: ["64500:1"], send: ["64496:80", "64496:9"]}
            max_prefixes: {count: 1000, action: end}
            password: env:ISP1
            local_asn: 64500
            private_asns: remove
            prefer: primary
          isp2:
            link: isp2
            vlan: 4001
            address: 192.0.2.3/31
            peer: 192.0.2.2
            asn: 64497
            max_prefixes: {count: 500, action: warn}
            prefer: backup
          direct:
            leaf: 2
            cage: 22
            address: 192.0.2.5/31
            peer: 192.0.2.4
            address6: 2001:db8:fe::1/127
            peer6: "2001:db8:fe::"
            asn: 64498
          old1:
            link: isp1
            vlan: 103
            address: 198.18.0.1/31
            peer: 198.18.0.0
            address6: 2001:db8:fd::1/127
            peer6: "2001:db8:fd::"
            protocol: static
            accept: [203.0.113.0/24, "2001:db8:cafe::/48"]
          old2: {link: isp2, vlan: 103, address: 198.18.0.3/31, peer: 198.18.0.2,
                 protocol: static, accept: [203.0.113.0/24, 203.0.112.0/24]}
          old3: {leaf: 2, cage: 23, address: 198.18.0.5/31, peer: 198.18.0.4,
                 protocol: static, accept: [203.0.113.0/24]}
    attachments: [{group: hosts, servers: 1-1, trunk: [web, six]}]
  blue:
    vrfs:
      blue:
        id: 2
        vlans: {app: {id: 120, subnet: 10.120.0.0/24}}
        external:
          isp1: {link: isp1, vlan: 102, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}
    attachments: [{group: hosts, servers: 2-2, access: app}]
"""


def edged(model: str, platform: str) -> str:
    """Return a frontend whose VRFs share cables to the outside, with all that a peer may say."""
    return EDGE.replace("MODEL", model).replace("PLATFORM", platform)


FLOODED = """
site: {name: flooded, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 2}
  leaf_groups: {hosts: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
  edge:
    isp1: {leaf: 1, cages: 19-20}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}}
        external:
          isp1: {link: isp1, vlan: 101, address: 192.0.2.1/31, peer: 192.0.2.0, protocol: ospf}
          isp2: {leaf: 2, cage: 22, address: 192.0.2.3/31, peer: 192.0.2.2, protocol: ospf,
                 area: 0.0.0.5, accept: [{prefix: 203.0.113.0/24, le: 26}]}
    attachments: [{group: hosts, servers: 1-1, access: web}]
"""
"""Routers outside that speak OSPF: by a tag on a bundle, and on a port of its own."""


def flooded(platform: str) -> str:
    """Return a frontend whose VRF is told routes by OSPF."""
    return FLOODED.replace("PLATFORM", platform)


FENCED = """
site: {name: dmz, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 2}
  leaf_groups: {hosts: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
  edge:
    fw1: {leaf: 1, cages: 19-20}
    fw2: {leaf: 2, cages: "20"}
  firewalls:
    fw:
      asn: 65010
      units: [{links: [fw1]}, {links: [fw2]}]
      password: env:FW
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24, subnet6: "2001:db8:110::/64"}}
        firewalls: {fw: {vlan: 201, pool: 192.0.2.0/30, pool6: "2001:db8:ff::/126"}}
    attachments: [{group: hosts, servers: 1-1, access: web}]
  blue:
    vrfs:
      blue:
        id: 2
        vlans: {app: {id: 120, subnet: 10.120.0.0/24}}
        firewalls: {fw: {vlan: 202, pool: 192.0.2.8/30, accept: [10.0.0.0/8]}}
    attachments: [{group: hosts, servers: 2-2, access: app}]
"""
FENCES = """
zones: {web: {vlans: [red/web], through: fence}, fence: {outside: [red/red/fw]}}
flows:
  - {clients: [fence], servers: [web], services: [tcp/443]}
  - {clients: [web], servers: [fence], services: [tcp]}
"""


def fenced(model: str, platform: str) -> str:
    """Return a frontend whose VRFs have legs on a pair of firewalls, on two leafs."""
    return FENCED.replace("MODEL", model).replace("PLATFORM", platform)


ONE_SIDED = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
servers:
  db:
    count: 3
    ports:
      front: {fabric: frontend, group: pair, ports: 4, leafs: 2, bond: lacp, speed: 25G,
              per_leaf: 3}
  node:
    count: 2
    ports:
      front: {fabric: frontend, speed: 25G, group: pair, per_leaf: 1, first: 9}
  far:
    count: 1
    ports: {front: {fabric: frontend, speed: 25G, group: alone, per_leaf: 1}}
frontend:
  leaf_groups:
    pair: {leafs: 1-2, multihoming: {kind: mlag}}
    alone: {leafs: 3-3}
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
  underlay: {password: "env:BGP"}
  edge:
    isp1: {leaf: 1, cages: "20"}
    isp2: {leaf: 2, cages: 20-21}
tenants:
  red:
    vrfs:
      red:
        id: 1
        share_routes: [blue]
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24, subnet6: "2001:db8:110::/64"}
          db: {id: 111, subnet: 10.111.0.0/24}
        external:
          isp1: {link: isp1, vlan: 101, address: 192.0.2.1/31, peer: 192.0.2.0,
                 address6: "2001:db8:f::1/127", peer6: "2001:db8:f::", asn: 64496, prefer: primary}
          isp2: {link: isp2, vlan: 101, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64497,
                 prefer: backup}
    attachments:
      - {servers: db, numbers: 1-3, trunk: [web, db], native: db}
  blue:
    vrfs:
      blue:
        id: 2
        import_routes: {red: [10.111.0.0/24]}
        hosts:
          nodes: {asn: 65101, speaker: frr, accept: [10.112.0.0/14]}
        vlans:
          app: {id: 210, subnet: 10.210.0.0/24}
        routes:
          - {to: 10.99.0.0/16, by: 10.96.0.3}
    attachments:
      - {servers: node, vrf: blue, links: 10.96.0.0/22, bgp: nodes}
      - {servers: far, access: app}
"""
"""An MLAG pair whose leafs have a way out and a routed port of their own each, and a lone leaf."""

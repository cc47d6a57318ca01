"""Sites that need, together, every feature there is; whether a section is in their files."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING

from tests.keys.sites import SITES as KEYS

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.tree.settings import sections, tables
from fabricgen.intent.load import load_texts
from fabricgen.nos.features import Feature

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import SwitchSlice

MANAGEMENT = """
site:
  name: claims
  accept_unsupported: [{features}]
  management:
    subnet: 10.255.0.0/22
    admitted: [10.255.0.0/22, 10.1.2.3/32]
    ntp: [10.255.3.1]
    syslog: [10.255.3.2]
    dns: [10.255.3.3]
    snmp:
      community: "env:COMMUNITY"
      users: [{{name: monitor, auth: "env:AUTH", privacy: "env:PRIVACY"}}]
      traps: {{targets: [10.255.3.7], user: monitor}}
    sflow: {{collectors: [10.255.3.8], rate: 50000, drops: 100}}
    queue_monitor: true
    cloudvision: {{servers: [10.255.3.9]}}
    ptp: {{domain: 24, fabrics: [FABRIC]}}
    gnmi: {{collectors: [10.255.3.4]}}
    netconf: {{}}
    restconf: {{}}
    tls: {{certificate: switch.crt, key: switch.key}}
    aaa: {{LOGIN: {{servers: [10.255.3.5, 10.255.3.6], key: "env:LOGIN"}}}}
    users: [{{name: admin, password_hash: "env:HASH"}}]
    banner: authorized use only
    domain: example.net
"""
BACKEND = """
backend:
  design: rail-optimized
  servers: {{count: 4, gpus: 2, nic_speed: 400G}}
  scalable_unit: {{servers: 2}}
  links: {{speed: 400G}}
  leaf: {{model: 7060X6-64PE, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos}}
  underlay: {{links: {links}}}
  nic_addressing: {{mode: {mode}}}
  addressing: {{{addressing}}}
  load_balancing: {{{balancing}}}
  roce: {{{roce}}}
"""
FRONTEND = """
frontend:
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  links: {speed: 400G}
  leaf_groups:
    a: {leafs: 1-1, servers: {per_leaf: 2, speed: 100G}}
    b: {leafs: 2-2, servers: {per_leaf: 1, speed: 100G, links: 2, lag: true}}
    c: {leafs: 3-3, servers: {per_leaf: 1, speed: 100G}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        import_routes: {blue: [10.120.0.0/24]}
        dhcp_relay:
          {servers: [10.110.0.5, "fd02::5"], sources: 10.98.1.0/24, sources6: "fd98::/64"}
        diagnostics: {subnet: 10.97.1.0/24}
        routes: [{to: 10.50.0.0/16, by: 10.110.0.7}]
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24, multicast: snooped}
          asked: {id: 111, subnet: "fd01::/64", announce: dhcp}
          own: {id: 112, subnet: "fd02::/64", announce: slaac}
        external: {isp: {leaf: 2, cage: 30, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}}
    attachments:
      - {group: a, trunk: [web, asked, own], native: web}
      - {group: b, trunk: [web]}
      - {group: c, access: web}
  blue:
    vrfs: {blue: {id: 2, vlans: {app: {id: 120, subnet: 10.120.0.0/24, multicast: routed}}}}
    attachments: [{group: a, trunk: [app], addresses: none}]
"""
ZONES = """
zones: {web: {vlans: [red/web]}, outside: {outside: [red/red/isp]}}
flows: [{clients: [web], servers: [outside], services: [tcp/443]}]
"""
OOB = """
racks: {pod: {contents: [{pdus: 2}, {switches: "oob-*"}]}}
fabrics:
  oob:
    kind: access
    speed: 400G
    links: {speed: 400G}
    leaf: {model: 7060X6-64PE, platform: eos}
    spine: {model: 7060X6-64PE, platform: eos}
    zones: {pod: {switch: 1}}
    vlans: {switches: {id: 20}, pdu: {id: 30, subnet: 10.250.32.0/22}}
"""
EDGE = """
frontend:
  overlay: {service: vlan-aware}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  links: {speed: 400G}
  leaf_groups: {a: {leafs: 1-1, servers: {per_leaf: 1, speed: 100G}}}
  edge: {core: {leaf: 1, cages: "31"}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}, six: {id: 111, subnet: "fd01::/64"}}
        external:
          isp:
            {link: core, vlan: 30, address: 192.0.2.1/31, peer: 192.0.2.0, address6: "fd00::1/127",
             peer6: "fd00::", asn: 1, prefer: backup}
    attachments: [{group: a, trunk: [web, six]}]
"""
SHARED = """
tenants:
  red:
    fabric: backend
    vrfs: {red: {id: 1}}
    attachments: [{numbers: 1-2, vrf: red}]
  blue:
    fabric: backend
    vrfs: {blue: {id: 2, local: true}}
    attachments: [{numbers: 3-4, vrf: blue}]
"""
BARE = """
site: {name: bare, management: {subnet: 10.255.0.0/22}}
frontend:
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  underlay: {bfd: {enabled: false}}
  links: {speed: 800G}
  leaf_groups: {a: {leafs: 1-1, servers: {per_leaf: 2, speed: 800G}}}
"""
PAIR = """
servers:
  db: {count: 1, ports: {front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 100G}}}
frontend:
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  links: {speed: 400G}
tenants:
  red: {vlans: {web: {id: 110}}, attachments: [{servers: db, access: web}]}
"""
BOOTED = PAIR.replace("bond: lacp", "bond: lacp, lacp_fallback: {timeout: 30}, lacp_rate: fast")
MLAG = PAIR.replace(
    "frontend:\n  leaf:",
    'frontend:\n  underlay: {password: "env:BGP"}\n'
    "  leaf_groups: {leafs: {leafs: 1-2, multihoming: {kind: mlag}}}\n  leaf:",
)
SPEAKING = """
servers:
  node: {count: 1, ports: {front: {fabric: frontend, ports: 2, leafs: 2, speed: 100G}}}
frontend:
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  links: {speed: 400G}
tenants:
  red:
    vrfs: {red: {id: 1, hosts: {nodes: {asn: 65101, accept: [10.112.0.0/14]}}}}
    attachments: [{servers: node, vrf: red, links: 10.96.0.0/24, bgp: nodes}]
"""
PROFILED = """
port_profiles: {full: {portfast: true, bpdu_guard: true, storm_control: {broadcast: 1}}}
servers:
  db: {count: 1, ports: {front: {fabric: frontend, speed: 100G, profile: full}}}
frontend:
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 1}
  links: {speed: 400G}
  errdisable: {recover: [bpduguard]}
tenants:
  red: {vlans: {web: {id: 110}}, attachments: [{servers: db, access: web}]}
"""
CLASSES = FRONTEND.replace(
    "  leaf_groups", "  classes: {gold: {queue: 4, dscps: [34], share: 40}}\n  leaf_groups"
).replace("        id: 1\n", "        id: 1\n        qos: gold\n", 1)
_CENTER = """
  {name}:
    kind: evpn
    number: {number}
    leaf: {{model: 7060X6-64PE, platform: eos}}
    spine: {{model: 7060X6-64PE, platform: eos, count: 1}}
    links: {{speed: 400G}}
    leaf_groups: {{a: {{leafs: 1-1, servers: {{per_leaf: 1, speed: 100G}}}}}}
"""
GATEWAYS = f"""
fabrics:{"".join(_CENTER.format(name=f"dc{n}", number=n) for n in (1, 2))}
gateways:
  wan:
    number: 7
    links: [{{dc1: {{leaf: 1, cage: 30}}, dc2: {{leaf: 1, cage: 30}}}}]
    vrfs: {{red: []}}
    pool: 10.250.0.0/31
tenants:
  one:
    fabric: dc1
    vrfs: {{red: {{id: 1, vni: 5001, vlans: {{web: {{id: 110, subnet: 10.110.0.0/24}}}}}}}}
    attachments: [{{group: a, access: web}}]
  two:
    fabric: dc2
    vrfs: {{red: {{id: 1, vni: 5001, vlans: {{web: {{id: 110, subnet: 10.111.0.0/24}}}}}}}}
    attachments: [{{group: a, access: web}}]
"""
MODELS = {"eos": "7060X6-64PE", "sonic": "7060X6-64PE", "linux": "SN5600"}
"""A switch on which the platform can do all that it claims: Linux splits cages by a driver."""


def _backend(links: str = "unnumbered", mode: str = "p2p", **words: str) -> str:
    rest = {word: words.get(word, "") for word in ("balancing", "roce", "addressing")}
    return BACKEND.format(links=links, mode=mode, **rest)


FIVE = "source-ip, destination-ip, protocol, source-port, destination-port"


TUNNELS = "tunnels between two sites"


def _tunnels() -> str:
    """Return the halls of tests/keys that tunnels join, without servers, and ways out preferred."""
    words = {key: value for key, value in deepcopy(KEYS["tunneled"]).items() if key != "site"}
    for hall in words["fabrics"].values():
        hall["leaf_groups"] = {"racks": {"leafs": "1-2"}}
    for tenant in words["tenants"].values():
        del tenant["attachments"]
        for peer in tenant["vrfs"]["transport"]["external"].values():
            peer["prefer"] = "primary"
    text = "\n".join(f"{key}: {json.dumps(value)}" for key, value in words.items()) + "\n"
    return text.replace("7050CX3-32S", "7060X6-64PE")


OSPF = EDGE.replace(
    """peer: 192.0.2.0, address6: "fd00::1/127",
             peer6: "fd00::", asn: 1, prefer: backup}""",
    "peer: 192.0.2.0, protocol: ospf, accept: [10.99.0.0/16]}",
)
DRAINED = PAIR.replace("count: 1}", "count: 2}\n  switches: {fe-spine1: {state: drained}}")
LINK = DRAINED.replace("fe-spine1: {state", "fe-leaf01: {links: {fe-spine1: {state").replace(
    "drained}}", "drained}}}}"
)
# Without a driver: Linux holds ports only where its kernel forwards. It shows nothing else there.
SLOWER = "a way slower than its port"
HELD = EDGE.replace('cages: "31"', 'cages: "31", rate: 10G').replace("7060X6-64PE", "7060DX5-64S")
EXCHANGE = _backend(roce="profile: nvidia-roce").replace(
    "  servers: {count: 4, gpus: 2, nic_speed: 400G}\n", ""
)
EXCHANGE += """servers:
  gpu: {count: 4, gpus: 2, ports: {rdma: {fabric: backend, speed: 400G, dcbx: ieee}}}
"""
SITES = {
    "nothing but two switches": "",
    "unnumbered backend with RoCE": _backend(roce="profile: nvidia-roce"),
    "RoCE without PFC": _backend(roce="profile: nvidia-lossy-multi-tc"),
    "a NIC with DCBX": EXCHANGE,
    "numbered-v6 backend with subnets": _backend(
        "numbered-v6", "subnet", roce="enabled: false", addressing='links: "fd00::/96"'
    ),
    "flowlets": _backend(balancing="mode: flowlet"),
    "spraying": _backend(balancing="mode: spray"),
    "clusters": _backend(balancing="mode: cluster"),
    "addresses hashed": _backend(balancing="hash: [source-ip, destination-ip]"),
    "queue pairs hashed": _backend(balancing=f"hash: [{FIVE}, queue-pair]"),
    "seeds": _backend(balancing="seeds: {leaf: 25, spine: 10}"),
    "frontend with tenants": FRONTEND,
    "frontend with an edge": EDGE,
    "an edge that speaks OSPF": OSPF,
    SLOWER: HELD,
    "OSPF between switches": FRONTEND.replace(
        "  leaf_groups", "  underlay: {protocol: ospf}\n  leaf_groups"
    ),
    "frontend with RoCE": FRONTEND.replace("  leaf_groups", "  roce: {}\n  leaf_groups"),
    "zones": FRONTEND + ZONES,
    "a management network": OOB,
    "frontend with classes": CLASSES,
    "backend with tenants": _backend() + SHARED,
    "radius": FRONTEND,
    "ldap": FRONTEND,
    "a server on two leafs": PAIR,
    "a server that boots by one of two ports": BOOTED,
    "a server on an MLAG pair": MLAG,
    "a drained spine": DRAINED,
    "a drained link": LINK,
    "a drained link without addresses": LINK.replace(
        "  switches", "  underlay: {links: unnumbered}\n  switches"
    ),
    "a server that speaks BGP": SPEAKING,
    "ports with profiles": PROFILED,
    TUNNELS: _tunnels(),
    "gateways": GATEWAYS,
}


@cache
def pieces(platform: str) -> list[tuple[str, SwitchSlice, dict[str, str]]]:
    """Return every switch of every site on a platform, with its files by path."""
    rendered = []
    accepted = MANAGEMENT.format(features=", ".join(feature.value for feature in Feature))
    for name, text in SITES.items():
        protocol = name if name in ("radius", "ldap") else "tacacs"
        whole = (accepted + text if text else BARE).replace("7060X6-64PE", MODELS[platform])
        more = ", base_dn: 'dc=example,dc=net', bind_dn: cn=a" if name == "ldap" else ""
        whole = whole.replace('env:LOGIN"', f'env:LOGIN"{more}')
        whole = whole.replace("LOGIN: ", f"{protocol}: ")
        fabrics = (
            each
            for each in ("backend", "frontend", "  dc1", "  oob")
            if f"\n{each}:" in f"\n{text}"
        )
        whole = whole.replace("[FABRIC]", f"[{next(fabrics, 'east').strip()}]")
        result = compile_site(load_texts({"site.yaml": whole}), platform)
        assert result.site is not None, (name, result.findings)
        assert result.site.fabrics, (name, result.findings)
        renderer = Renderer()
        for _, switch_slice in slices(result.site):
            files = files_of(switch_slice, renderer)
            texts = {file.path.split("/", 2)[2]: file.text for file in files}
            rendered.append((name, switch_slice, texts))
    return rendered


def printed(section: str, files: dict[str, str]) -> bool:
    """Tell whether a section, as `file: line > line below`, is in the files; `…` is any text."""
    file, _, path = section.partition(": ")
    text = files.get(file)
    if text is None:
        return False
    settings = tables(text) if file.endswith(".json") else sections(text)
    pattern = re.compile(".*".join(map(re.escape, path.split("…"))), re.DOTALL)
    return any(pattern.fullmatch(" > ".join(each)) for each in settings)

"""Small sites that bring every shape of switch, rendered once: what the SONiC tests look at."""

import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.nos.tenants import ROUTES, ZONES

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Severity
from fabricgen.intent.lift import lift
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.sonic.nos import NOS

SONIC = NOS
HEAD = """
site:
  name: lab
  management:
    subnet: 10.255.0.0/22
    ntp: [10.255.3.1]
    syslog: [10.255.3.3]
    dns: [10.255.3.4]
    domain: lab.example
    snmp:
      community: "env:SNMP"
      location: "row 1"
      contact: ops
      users: [{name: monitor, auth: "env:AUTH", privacy: "env:PRIVACY"}]
    sflow: {collectors: [10.255.3.12, "fd00::13"], rate: 50000}
    gnmi: {port: 8080}
    aaa: {tacacs: {servers: [10.255.3.5, 10.255.3.6], key: "env:TACACS"}}
    banner: authorized use only
"""
BACKEND = """
backend:
  design: rail-optimized
  servers: {{count: 16, gpus: 8, nic_speed: {speed}}}
  leaf: {{model: {model}, platform: sonic}}
  spine: {{model: {model}, platform: sonic}}
{more}
"""
RAIL_ONLY = """
backend:
  design: rail-only
  servers: {{count: 8, gpus: 4, nic_speed: {speed}}}
  leaf: {{model: {model}, platform: sonic}}
{more}
"""
FRONTEND = """
frontend:
  leaf_groups:
    cpu: {{leafs: 1-1, servers: {{per_leaf: 8, speed: {speed}}}}}
    bond: {{leafs: 2-2, servers: {{per_leaf: 4, speed: {speed}, links: 2, lag: true}}}}
  leaf: {{model: {model}, platform: sonic}}
  spine: {{model: {model}, platform: sonic, count: 2}}
{more}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {{id: 110, subnet: 10.110.0.0/24}}
          db: {{id: 111, subnet: 10.111.0.0/24}}
    vlans: {{heart: {{id: 130}}}}
    attachments:
      - {{group: cpu, servers: 1-4, access: web}}
      - {{group: cpu, servers: 5-8, trunk: [web, db, heart], native: web}}
      - {{group: bond, trunk: [web, db]}}
"""
DB = "          db: {{id: 111, subnet: 10.111.0.0/24}}\n"
BORDER = FRONTEND.replace(
    DB,
    DB
    + ROUTES.replace("{", "{{").replace("}", "}}")
    + """        external:
          isp: {{leaf: 3, cage: 20, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}}
          alt: {{leaf: 2, cage: 20, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 65500, mtu: 9000}}
""",
).replace("  leaf_groups:\n", "  leaf_groups:\n    border: {{leafs: 3-3}}\n")
_SIX = '          six: {{id: 112, subnet: "2001:db8:112::/64"}}\n'
ZONED = (
    BORDER.replace(DB, DB + _SIX).replace("db, heart]", "db, six]")
    + ZONES.replace("{", "{{").replace("}", "}}")
).replace(" red/red/dmz,", "")
SUBNETS = "  nic_addressing: {mode: subnet}"
UNNUMBERED = "  underlay: {links: unnumbered, password: 'env:BGP'}"
IPV6 = "  underlay: {links: numbered-v6}\n  addressing: {links: fd00:10::/64}"
LOSSY = "  roce: {pfc: false}"
STORAGE = "  links: {speed: 400G}\n  roce: {over_subscription: 8, storage: {}}"
EQUAL = "  links: {speed: 400G}"
APART = "  roce: {storage: {priority: 5, dscp: 34, share: 20, ecn: {maximum: 290000}}}"
UNWATCHED = "  roce: {watchdog: {enabled: false}}"

SITES: dict[str, tuple[str, str, str, str]] = {
    "rail-only-sn5600": (RAIL_ONLY, "SN5600", "400G", ""),
    "rail-only-subnets-sn4700": (RAIL_ONLY, "SN4700", "400G", SUBNETS),
    "rail-only-7060dx5": (RAIL_ONLY, "7060DX5-64S", "400G", ""),
    "rail-only-vs": (RAIL_ONLY, "SONIC-VS", "100G", ""),
    "backend-7060x6": (BACKEND, "7060X6-64PE", "400G", EQUAL),
    "backend-7060x6-faster": (BACKEND, "7060X6-64PE", "400G", ""),
    "backend-z9864f-subnets": (BACKEND, "Z9864F-ON", "200G", SUBNETS),
    "backend-sn5600-unnumbered": (BACKEND, "SN5600", "400G", UNNUMBERED),
    "backend-7060x6-ipv6": (BACKEND, "7060X6-64PE", "800G", IPV6),
    "backend-sn5600-lossy": (BACKEND, "SN5600", "400G", LOSSY),
    "backend-sn5600-unwatched": (BACKEND, "SN5600", "400G", UNWATCHED),
    "backend-7060x6-storage": (BACKEND, "7060X6-64PE", "400G", STORAGE),
    "rail-only-sn5600-storage": (RAIL_ONLY, "SN5600", "400G", APART),
    "frontend-7060dx5": (FRONTEND, "7060DX5-64S", "100G", ""),
    "frontend-sn5600-unnumbered": (FRONTEND, "SN5600", "100G", UNNUMBERED),
    "frontend-border-7060dx5": (BORDER, "7060DX5-64S", "100G", ""),
    "frontend-border-vs": (BORDER, "SONIC-VS", "100G", ""),
    "frontend-zones-7060dx5": (ZONED, "7060DX5-64S", "100G", ""),
    "frontend-vs": (FRONTEND, "SONIC-VS", "100G", ""),
}

Db = dict[str, dict[str, dict[str, Any]]]


@dataclass(frozen=True)
class Rendered:
    """One switch: what went in, and both files that came out."""

    switch_slice: SwitchSlice
    db: Db
    text: str
    frr: str

    def name(self, item: Interface) -> str:
        return SONIC.port_name(self.switch_slice.switch.model, item.port)

    def used(self) -> list[Interface]:
        return [item for item in self.switch_slice.interfaces if item.use is not Use.UNUSED]


def slices(text: str, platform: str = "sonic") -> list[SwitchSlice]:
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    site, findings = design_site(lift(loaded.intent, platform))
    assert site is not None
    assert not [item for item in findings if item.severity is Severity.ERROR], findings
    return [switch_slice for fabric in site.fabrics for switch_slice in Slicer(fabric).slices()]


@cache
def rendered(site: str) -> tuple[Rendered, ...]:
    frame, model, speed, more = SITES[site]
    renderer = Renderer()
    made = []
    for switch_slice in slices(HEAD + frame.format(model=model, speed=speed, more=more)):
        files = {item.path: renderer.file(item) for item in SONIC.lower(switch_slice, spell)}
        text = files["config_db.json"]
        made.append(Rendered(switch_slice, json.loads(text), text, files["frr.conf"]))
    return tuple(made)

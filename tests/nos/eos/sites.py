"""Small sites for EOS: intent text in, slices with their parsed configurations out."""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from tests.nos.eos.parse import Block, parse
from tests.nos.tenants import (
    FENCES,
    TENANTS,
    announcing,
    between_zones,
    bordered,
    classed,
    edged,
    fenced,
    leaking,
    paired,
    profiled,
    snooping,
    spoken,
)

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.nos import NOS
from fabricgen.nos.lowering import spell

EOS = NOS
FRONT = (
    """
site:
  name: lab
  management:
    subnet: 10.255.0.0/22
    admitted: [10.255.0.0/22, 10.1.2.3/32]
    domain: lab
    banner: "authorized use only"
    ntp: [10.255.3.1, 10.255.3.2]
    syslog: [10.255.3.3]
    dns: [10.255.3.4]
    snmp:
      community: "env:SNMP"
      location: "hall 1"
      users: [{name: monitor, auth: "env:AUTH", privacy: "env:PRIVACY"}]
      traps: {targets: [10.255.3.10, 10.255.3.11], user: monitor}
    sflow: {collectors: [10.255.3.12, 10.255.3.13], rate: 50000}
    queue_monitor: true
    cloudvision: {servers: [10.255.3.14, "fd00::14"]}
    gnmi: {collectors: [10.255.3.9]}
    netconf: {}
    restconf: {}
    tls: {certificate: switch.crt, key: switch.key}
    aaa:
      tacacs: {servers: [10.255.3.5, 10.255.3.6], key: "env:TACACS"}
      radius: {servers: [10.255.3.7, 10.255.3.8], key: "env:RADIUS"}
    users:
      - {name: admin, password_hash: "env:ADMIN", ssh_key: "ssh-ed25519 AAAA admin"}
      - {name: reader, role: operator, ssh_key: "ssh-ed25519 BBBB reader"}
frontend:
  leaf_groups:
    cpu: {leafs: 1-2, servers: {per_leaf: 8, speed: 100G}}
    bond: {leafs: 3-3, servers: {per_leaf: 4, speed: 100G, links: 2, lag: true}}
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
"""
    + TENANTS
)

RAILS = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {count: 64, gpus: 8, nic_speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos}
"""

RAIL_ONLY = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-only
  servers: {count: 8, gpus: 4, nic_speed: 400G}
  leaf: {model: 7060DX5-64S, platform: eos}
"""


@dataclass(frozen=True, slots=True)
class Made:
    """One switch: what it was to be told, and what it is told."""

    switch_slice: SwitchSlice
    text: str
    config: Block

    def interface(self, name: str) -> Block:
        return self.config.block(f"interface {name}")

    @property
    def bgp(self) -> Block:
        return self.config.block(f"router bgp {self.switch_slice.asn}")


@lru_cache(maxsize=32)
def slices(text: str) -> dict[str, SwitchSlice]:
    """Return the slice of every switch of a site, by name."""
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    site, findings = design_site(loaded.intent)
    assert not has_errors(findings), findings
    return {
        switch_slice.switch.name: switch_slice
        for fabric in site.fabrics
        for switch_slice in Slicer(fabric).slices()
    }


@lru_cache(maxsize=32)
def site(text: str) -> dict[str, Made]:
    """Return every switch of a site, rendered."""
    renderer, made = Renderer(), {}
    for name, switch_slice in slices(text).items():
        (wanted,) = EOS.lower(switch_slice, spell)
        config = renderer.file(wanted)
        made[name] = Made(switch_slice, config, parse(config))
    return made


def with_words(text: str, fabric: str, words: str) -> str:
    """Return the site with more words in one of its fabrics."""
    return text.replace(f"\n{fabric}:\n", f"\n{fabric}:\n  {words}\n")


UNNUMBERED = with_words(FRONT, "frontend", "underlay: {links: unnumbered, password: 'env:BGP'}")
BUNDLED = with_words(FRONT, "frontend", "overlay: {service: vlan-aware}")
OVER_IPV6 = with_words(
    with_words(FRONT, "frontend", "underlay: {links: numbered-v6}"),
    "frontend",
    'addressing: {links: "2001:db8:ff::/64"}',
)
BORDER = bordered(with_words(FRONT, "frontend", "underlay: {bfd: {interval: 200}}"))
SUBNETS = with_words(RAILS, "backend", "nic_addressing: {mode: subnet}")
DESCRIBED = FRONT.replace(
    "  red:\n    vrfs:", "  red:\n    description: of reds\n    vrfs:"
).replace("10.110.0.0/24}", '10.110.0.0/24, description: "the web, in words"}')
RELAYED = announcing(snooping(FRONT)).replace(
    "        id: 1\n",
    "        id: 1\n"
    "        diagnostics: {subnet: 10.97.1.0/24}\n"
    "        dhcp_relay:\n"
    '          servers: [10.110.0.5, "2001:db8:112::5", 10.110.0.6]\n'
    "          sources: 10.98.1.0/24\n"
    '          sources6: "2001:db8:98::/64"\n',
)
STORAGE = with_words(RAIL_ONLY, "backend", "roce: {storage: {share: 20}, over_subscription: 8}")
BESIDE = with_words(FRONT, "frontend", "roce: {}")
PLANES = with_words(RAILS, "backend", "planes: 2").replace(
    "nic_speed: 400G", "nic_speed: 400G, nic_ports: 2"
)
PAIRED = paired("7050CX3-32S", "eos")
GATEWAYS = Path(__file__).parents[1].joinpath("gateways.yaml").read_text()
COLLAPSED = PAIRED.replace("count: 5", "count: 3").replace(
    "  spine: {model: 7050CX3-32S, platform: eos, count: 2}\n", "  design: collapsed\n"
)
MLAG = PAIRED.replace(
    "frontend:\n", "frontend:\n  leaf_groups: {leafs: {leafs: 1-2, multihoming: {kind: mlag}}}\n"
).replace("count: 5", "count: 3")
BOOTED = PAIRED.replace("bond: lacp", "bond: lacp, lacp_fallback: {timeout: 30}")
SITES = {
    "booted": BOOTED,
    "bundled": BUNDLED,
    "mlag": MLAG,
    "gateways": GATEWAYS,
    "zones": between_zones(FRONT),
    "planes": PLANES,
    "storage": STORAGE,
    "front": FRONT,
    "rails": RAILS,
    "rail-only": RAIL_ONLY,
    "unnumbered": UNNUMBERED,
    "numbered-v6": OVER_IPV6,
    "rail-subnets": SUBNETS,
    "border": BORDER,
    "described": DESCRIBED,
    "leaking": leaking(BORDER),
    "relayed": RELAYED,
    "paired": PAIRED,
    "collapsed": COLLAPSED,
    "spoken": spoken("7050CX3-32S", "eos"),
    "classed": classed("7050CX3-32S", "eos"),
    "profiled": profiled("7050CX3-32S", "eos", portfast=True).replace(
        "  oversubscription", "  errdisable: {recover: [link-flap, bpduguard]}\n  oversubscription"
    ),
}

EDGE = edged("7050CX3-32S", "eos")
BEHIND = fenced("7050CX3-32S", "eos").replace("env:FW", "env:ISP1") + FENCES
every_site = pytest.mark.parametrize("text", SITES.values(), ids=SITES.keys())


def switches(text: str) -> list[Made]:
    """Return every switch of a site, rendered."""
    return list(site(text).values())

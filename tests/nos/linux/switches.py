"""Small sites on plain Linux: intent text in, slices with their rendered files out."""

from dataclasses import dataclass
from functools import cache

from tests.nos.tenants import (
    TENANTS,
    announcing,
    between_zones,
    bordered,
    classed,
    leaking,
    paired,
    snooping,
    spoken,
)

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.nos import NOS
from fabricgen.nos.lowering import spell

LINUX = NOS
FRONT = (
    """
site:
  name: lab
  management:
    subnet: 10.255.0.0/22
    domain: lab
    banner: authorized use only
    ntp: [10.255.3.1, 10.255.3.2]
    syslog: [10.255.3.3]
    dns: [10.255.3.4, "fd00::53"]
    snmp:
      community: "env:SNMP"
      location: hall 1
      users: [{name: monitor, auth: "env:AUTH", privacy: "env:PRIVACY"}]
      traps: {targets: [10.255.3.10, 10.255.3.4], user: monitor}
    users:
      - {name: admin, password_hash: "env:ADMIN", ssh_key: ssh-ed25519 AAAA admin}
      - {name: reader, role: operator, password_hash: "env:READER"}
frontend:
  leaf_groups:
    cpu: {leafs: 1-2, servers: {per_leaf: 8, speed: 100G}}
    bond: {leafs: 3-3, servers: {per_leaf: 4, speed: 100G, links: 2, lag: true}}
  leaf: {model: MODEL, platform: linux}
  spine: {model: MODEL, platform: linux, count: 2}
"""
    + TENANTS
)
BACK = """
site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 4, nic_speed: SPEED}
  leaf: {model: MODEL, platform: linux}
  spine: {model: MODEL, platform: linux}
"""
BORDER = bordered(FRONT)
RAIL = """
site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}
backend:
  design: rail-only
  servers: {count: 8, gpus: 4, nic_speed: 100G}
  leaf: {model: LAB-64, platform: linux}
"""


def back(extra: str = "", model: str = "LAB-64", speed: str = "100G") -> str:
    """Return a backend, with more lines below `backend:`."""
    return BACK.replace("MODEL", model).replace("SPEED", speed) + extra


SITES = {
    "front": FRONT.replace("MODEL", "LAB-64"),
    "border": BORDER.replace("MODEL", "LAB-64"),
    "zones": between_zones(FRONT).replace("MODEL", "LAB-64"),
    "leaking": announcing(snooping(leaking(BORDER))).replace("MODEL", "LAB-64"),
    "paired": paired("7050CX3-32S", "linux"),
    "spoken": spoken("7050CX3-32S", "linux"),
    "classed": classed("7050CX3-32S", "linux", mixed=True),
    "classed-asic": classed("SN3700", "linux", trust=True),
    "front-asic": FRONT.replace("MODEL", "SN3700"),
    "numbered": back(),
    "numbered-v6": back('  underlay: {links: numbered-v6}\n  addressing: {links: "fd00:1::/64"}\n'),
    "unnumbered": back(
        "  underlay: {links: unnumbered, password: 'env:B', bfd: {interval: 200, multiplier: 4}}\n"
    ),
    "no-bfd": back("  underlay: {bfd: {enabled: false}}\n"),
    "asic": back(model="SN5600", speed="400G"),
    "storage": back("  roce: {storage: {share: 20}}\n"),
    "asic-storage": back(
        "  roce: {storage: {dscp: 34, priority: 5}}\n", model="SN4700", speed="400G"
    ),
    "rail-p2p": RAIL,
    "rail-subnet": RAIL + "  nic_addressing: {mode: subnet}\n",
}


@dataclass(frozen=True)
class Rendered:
    """One switch: what it was told, and what it says."""

    switch_slice: SwitchSlice
    files: dict[str, str]

    @property
    def frr(self) -> str:
        return self.files["etc/frr/frr.conf"]


@cache
def rendered(site: str) -> tuple[Rendered, ...]:
    """Return every switch of one site."""
    return render(SITES[site])


def render(text: str) -> tuple[Rendered, ...]:
    """Return every switch of a site that is given as text."""
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    designed, findings = design_site(loaded.intent)
    assert designed is not None, findings
    renderer = Renderer()
    return tuple(
        Rendered(
            switch_slice,
            {item.path: renderer.file(item) for item in LINUX.lower(switch_slice, spell)},
        )
        for fabric in designed.fabrics
        for switch_slice in Slicer(fabric).slices()
    )


def switch(site: str, name: str) -> Rendered:
    """Return one switch of a site."""
    return next(item for item in rendered(site) if item.switch_slice.switch.name == name)


def one_of_each(site: str) -> tuple[Rendered, ...]:
    """Return the first leaf of each group and the first spine."""
    found: dict[tuple[str, str], Rendered] = {}
    for item in rendered(site):
        found.setdefault(
            (item.switch_slice.switch.role.value, item.switch_slice.switch.group), item
        )
    return tuple(found.values())

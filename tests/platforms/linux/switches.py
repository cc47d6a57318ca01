"""Small sites on plain Linux: intent text in, slices with their rendered files out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from tests.platforms.tenants import TENANTS

from fabricgen.design.site import design_site
from fabricgen.design.slices import Slicer
from fabricgen.fabric.topology import Nic, Port, Server, Switch
from fabricgen.intent.load import load_texts
from fabricgen.platforms.linux.platform import Linux
from fabricgen.render import Renderer

if TYPE_CHECKING:
    from fabricgen.fabric.switch import SwitchSlice

LINUX = Linux()

FRONT = (
    """
site:
  name: lab
  management:
    subnet: 10.255.0.0/22
    domain: lab
    banner: authorised use only
    ntp: [10.255.3.1, 10.255.3.2]
    syslog: [10.255.3.3]
    dns: [10.255.3.4, "fd00::53"]
    snmp: {community: "env:SNMP", location: hall 1}
    users:
      - {name: admin, password_hash: "env:ADMIN", ssh_key: ssh-ed25519 AAAA admin}
      - {name: reader, role: operator}
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
  design: rail-optimised
  servers: {count: 8, gpus: 4, nic_speed: SPEED}
  leaf: {model: MODEL, platform: linux}
  spine: {model: MODEL, platform: linux}
"""
SIX = '          six: {id: 112, subnet: "2001:db8:112::/64"}\n'
BORDER = FRONT.replace(
    SIX,
    SIX
    + """        external:
          isp: {leaf: 4, cage: 20, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}
          dmz: {leaf: 4, cage: 9, address: 192.0.2.9/29, peer: 192.0.2.10, asn: 65501,
                accept: [0.0.0.0/0, 203.0.113.0/24], bfd: false, mtu: 9000}
          alt: {leaf: 2, cage: 20, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 65500}
""",
).replace("  leaf_groups:\n", "  leaf_groups:\n    border: {leafs: 4-4}\n")
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
    "front-asic": FRONT.replace("MODEL", "SN3700"),
    "numbered": back(),
    "numbered-v6": back('  underlay: {links: numbered-v6}\n  addressing: {links: "fd00:1::/64"}\n'),
    "unnumbered": back("  underlay: {links: unnumbered, bfd: {interval: 200, multiplier: 4}}\n"),
    "no-bfd": back("  underlay: {bfd: {enabled: false}}\n"),
    "asic": back(model="SN5600", speed="400G"),
    "rail-p2p": RAIL,
    "rail-subnet": RAIL + "  nic_addressing: {mode: subnet}\n",
}


@dataclass(frozen=True)
class Rendered:
    """One switch: what it was told, and what it says."""

    piece: SwitchSlice
    files: dict[str, str]

    @property
    def frr(self) -> str:
        return self.files["etc/frr/frr.conf"]


def spell(owner: Switch | Server, port: Port | Nic) -> str:
    """Spell the far end: every switch of these sites runs Linux."""
    if isinstance(owner, Switch) and isinstance(port, Port):
        return LINUX.port_name(owner.model, port)
    return port.label


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
            piece,
            {item.path: renderer.file(item) for item in LINUX.lower(piece, spell)},
        )
        for fabric in designed.fabrics
        for piece in Slicer(fabric).slices()
    )


def switch(site: str, name: str) -> Rendered:
    """Return one switch of a site."""
    return next(item for item in rendered(site) if item.piece.switch.name == name)


def one_of_each(site: str) -> tuple[Rendered, ...]:
    """Return the first leaf of each group and the first spine."""
    found: dict[tuple[str, str], Rendered] = {}
    for item in rendered(site):
        found.setdefault((item.piece.switch.role.value, item.piece.switch.group), item)
    return tuple(found.values())

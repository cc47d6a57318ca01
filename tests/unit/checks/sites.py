"""Small designed sites for the tests of checks, and ways to plant a fault in one of them."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from typing import Any

from fabricgen.compile.checks.registry import Check, Checks
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Examined, has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Fabric, Session, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link

Piece = tuple[Fabric, SwitchSlice]

MANAGEMENT = """
site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}
"""
RAIL_ONLY = """
backend:
  design: rail-only
  servers: {count: 8, gpus: 4, nic_speed: 400G}
  leaf: {model: 7060DX5-64S, platform: eos}
"""
RAIL_OPTIMIZED = """
backend:
  design: rail-optimized
  servers: {count: 6, gpus: 4, nic_speed: 400G}
  scalable_unit: {servers: 4}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
"""
THREE_TIER = """
backend:
  design: three-tier
  servers: {count: 12, gpus: 2, nic_speed: 400G}
  growth: {pods: 3}
  scalable_unit: {servers: 2}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
  superspine: {model: 7060DX5-64S, platform: eos, count: 2}
"""
TWO_PLANES = """
backend:
  design: rail-optimized
  planes: 2
  rails_per_leaf: 2
  servers: {count: 6, gpus: 4, nic_speed: 200G, nic_ports: 2}
  scalable_unit: {servers: 4}
  nic_addressing: {mode: subnet}
  underlay: {links: unnumbered, asn: {scheme: rfc7938}}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos}
"""
FRONTEND = """
frontend:
  leaf_groups:
    cpu: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}
    bond: {leafs: 3-3, servers: {per_leaf: 3, speed: 100G, links: 2, lag: true}}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          db: {id: 111, subnet: 10.111.0.0/24}
    attachments:
      - {group: cpu, servers: 1-2, access: web}
      - {group: bond, trunk: [web, db]}
  blue:
    vrfs:
      blue: {id: 2, vlans: {app: {id: 120, subnet: 10.110.0.0/24}}}
    vlans: {heart: {id: 130}}
    attachments:
      - {group: cpu, servers: 3-4, trunk: [app, heart]}
"""
SUPERSPINES = """
frontend:
  design: superspine
  leafs_per_pod: 2
  underlay: {links: numbered-v6}
  addressing: {links: "2001:db8::/48"}
  leaf_groups:
    cpu: {leafs: 1-4, servers: {per_leaf: 2, speed: 100G}}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
  superspine: {model: 7060DX5-64S, platform: eos, count: 2}
"""
STORAGE = RAIL_OPTIMIZED + "  roce: {storage: {dscp: 34, share: 20}}\n"
BOTH = FRONTEND + RAIL_OPTIMIZED

EVERY = {
    "rail-only": RAIL_ONLY,
    "rail-optimized": RAIL_OPTIMIZED,
    "storage": STORAGE,
    "three-tier": THREE_TIER,
    "two-planes": TWO_PLANES,
    "frontend": FRONTEND,
    "superspines": SUPERSPINES,
    "both": BOTH,
}


@cache
def designed(text: str) -> Site:
    """Design a site; it is frozen, so tests share it."""
    loaded = load_texts({"site.yaml": MANAGEMENT + text})
    assert loaded.intent is not None, loaded.findings
    site, findings = design_site(loaded.intent)
    assert not has_errors(findings), findings
    return site


def cut(site: Site) -> list[Piece]:
    """Cut every slice of a site."""
    return [
        (fabric, switch_slice)
        for fabric in site.fabrics
        for switch_slice in Slicer(fabric).slices()
    ]


def examine(kind: type[Check], site: Site, pieces: Iterable[Piece] | None = None) -> Examined:
    """Run one check over a site, or over slices that were changed after the design."""
    check = kind(site)
    for fabric, switch_slice in cut(site) if pieces is None else pieces:
        check.see(fabric, switch_slice)
    return check.result()


def reds(examined: Examined, code: Code) -> list[str]:
    """Return what a check said; all of it under its code, and with the intent it is about."""
    assert examined.objects > 0
    assert all(item.code is code and item.path for item in examined.findings)
    return [item.message for item in examined.findings]


def first_red(examined: Examined, code: Code) -> str:
    """Return the first thing a check said; there must be one."""
    said = reds(examined, code)
    assert said, "the check stayed green"
    return said[0]


def changed(site: Site, name: str, **facts: Any) -> Site:
    """Return the site with other facts in one fabric."""
    return replace(
        site,
        fabrics=tuple(
            replace(fabric, **facts) if fabric.name == name else fabric for fabric in site.fabrics
        ),
    )


def relinked(site: Site, name: str, links: Iterable[Link]) -> Site:
    """Return the site with other links in one fabric."""
    fabric = fabric_of(site, name)
    return changed(site, name, topology=replace(fabric.topology, links=tuple(links)))


def fabric_of(site: Site, name: str) -> Fabric:
    """Return a fabric by name."""
    return next(fabric for fabric in site.fabrics if fabric.name == name)


def told(
    pieces: Iterable[Piece], name: str, change: Callable[[SwitchSlice], SwitchSlice]
) -> list[Piece]:
    """Return the slices, the one of that switch changed."""
    made = [
        (fabric, change(switch_slice) if switch_slice.switch.name == name else switch_slice)
        for fabric, switch_slice in pieces
    ]
    assert any(switch_slice.switch.name == name for _, switch_slice in made)
    return made


def piece_of(pieces: Iterable[Piece], name: str) -> SwitchSlice:
    """Return the slice of one switch."""
    return next(switch_slice for _, switch_slice in pieces if switch_slice.switch.name == name)


def with_interface(
    switch_slice: SwitchSlice, pick: Callable[[Interface], bool], **facts: Any
) -> SwitchSlice:
    """Change the first interface that is picked, also where a session names it."""
    old = next(interface for interface in switch_slice.interfaces if pick(interface))
    new = replace(old, **facts)
    sessions = tuple(
        replace(session, interface=new) if session.interface is old else session
        for session in switch_slice.sessions
    )
    interfaces = tuple(
        new if interface is old else interface for interface in switch_slice.interfaces
    )
    return replace(switch_slice, interfaces=interfaces, sessions=sessions)


def with_session(
    switch_slice: SwitchSlice, pick: Callable[[Session], bool], **facts: Any
) -> SwitchSlice:
    """Change the first session that is picked."""
    old = next(session for session in switch_slice.sessions if pick(session))
    sessions = tuple(replace(s, **facts) if s is old else s for s in switch_slice.sessions)
    return replace(switch_slice, sessions=sessions)


def run_checks(site: Site, pieces: Iterable[Piece]) -> list[Examined]:
    """Show slices to every check and collect what they say."""
    checks = Checks(site)
    for fabric, switch_slice in pieces:
        checks.see(fabric, switch_slice)
    return checks.results()

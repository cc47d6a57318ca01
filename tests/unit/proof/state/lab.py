"""Real looks at small fabrics of FRR 8.4.4 switches, edited where a test says; and their models.

looks/<switch>.<when>.txt is what the script printed on a running switch. Cut out are keys of
`ip address` and of BGP neighbors that nothing reads. early: just started; settled and later: all
up, 3 s apart; asn, swapped: with that fault made on the switch; varied: of VARIED.
The answers floods, evpn_routes, pfc, system, clock and flaps are written from the model, not
recorded; bench/record_looks.py replaces them by those of a lab.
"""

from functools import cache
from pathlib import Path

from fabricgen.compile.compiler import compile_site, slices
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import Observed
from fabricgen.prove.differences import Difference, compare
from fabricgen.prove.running_overlay import around
from fabricgen.prove.runs import Expected, expected
from fabricgen.prove.underlay import underlay

LOOKS = Path(__file__).parent / "looks"
LEAF, BORDER, SPINE = "fe-leaf02", "fe-leaf01", "fe-spine1"
UNNUMBERED, RAIL = "be-su01-leaf1", "be-leaf1"

_MANAGEMENT = """
site:
  name: lab
  management: {subnet: 10.255.0.0/22}
"""
FRONTEND = (
    _MANAGEMENT
    + """
frontend:
  leaf_groups:
    border: {leafs: 1-1}
    cpu: {leafs: 2-3, servers: {per_leaf: 6, speed: 100G}}
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}, db: {id: 111, subnet: 10.111.0.0/24}}
        external:
          isp1: {leaf: 1, cage: 20, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65500}
    attachments:
      - {group: cpu, servers: 1-2, access: web}
      - {group: cpu, servers: 3-3, leafs: 2-2, access: db}
  blue:
    vrfs:
      blue: {id: 2, vlans: {app: {id: 120, subnet: 10.120.0.0/24}}}
    attachments:
      - {group: cpu, servers: 5-5, access: app}
"""
)
BACKEND = (
    _MANAGEMENT
    + """
backend:
  design: rail-optimized
  servers: {count: 2, gpus: 2, nic_speed: 100G, cable_length: 3}
  scalable_unit: {servers: 2}
  links: {speed: 100G, length: 10}
  underlay: {links: unnumbered}
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  roce: {watchdog: {enabled: false}, pfc: false}
"""
)
RAIL_ONLY = (
    _MANAGEMENT
    + """
backend:
  design: rail-only
  servers: {count: 2, gpus: 2, nic_speed: 100G, cable_length: 3}
  leaf: {model: 7050CX3-32S, platform: linux}
  roce: {watchdog: {enabled: false}, pfc: false}
"""
)

VARIED = """
site:
  name: lab
  accept_unsupported: [pfc-watchdog]
  management: {subnet: 10.255.0.0/22}
frontend:
  oversubscription: 4
  leaf_groups:
    bond: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G, links: 2, lag: true}}
  underlay: {links: numbered-v6}
  addressing: {links: "fd00:72::/64"}
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 1}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}, db: {id: 111, subnet: "fd00:111::/64"}}
    vlans: {l2: {id: 112}}
    attachments:
      - {group: bond, servers: 1-1, access: web}
      - {group: bond, servers: 2-2, trunk: [db, l2]}
backend:
  design: rail-optimized
  nic_addressing: {mode: subnet}
  servers: {count: 2, gpus: 2, nic_speed: 100G, cable_length: 3}
  scalable_unit: {servers: 2}
  links: {speed: 100G, length: 10}
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 1}
  roce: {watchdog: {enabled: false}}
"""
"""IPv6 links, bundles, a trunk, an IPv6 gateway, a VLAN without one; rail subnets and lossless."""


@cache
def models() -> dict[str, Expected]:
    """Return what every switch of the three sites must show."""
    found: dict[str, Expected] = {}
    for site in (FRONTEND, BACKEND, RAIL_ONLY):
        found |= models_of(site)
    return found


@cache
def models_of(site: str) -> dict[str, Expected]:
    """Return what every switch of a site must show."""
    compiled = compile_site(load_texts({"site.yaml": site}))
    assert compiled.ok, compiled.findings
    assert compiled.site is not None
    fabrics: dict[str, list[SwitchSlice]] = {}
    for fabric, switch_slice in slices(compiled.site):
        fabrics.setdefault(fabric.name, []).append(switch_slice)
    return {
        switch_slice.switch.name: expected(switch_slice, ways, LINUX, there=there)
        for pieces in fabrics.values()
        for ways, there in ((underlay(pieces), around(pieces)),)
        for switch_slice in pieces
    }


def text(switch: str, when: str = "settled") -> str:
    """Return what the script printed on a switch."""
    return (LOOKS / f"{switch}.{when}.txt").read_text(encoding="utf-8")


SYSTEM = "hostname {}\ninstalled zebra\ninstalled bgpd\ninstalled bfdd\ninstalled lldpd\n"
RUNNING = "running zebra\nrunning bgpd\nrunning bfdd\nrunning lldpd\nend\n\x1esystem 0\n"


def whole(switch: str) -> str:
    """Return a settled look with a *written* answer of a question that is newer than the look."""
    return text(switch) + SYSTEM.format(switch) + RUNNING


def look(switch: str, when: str = "settled") -> Observed:
    """Return a real look at a switch."""
    return LINUX.read(text(switch, when))


def edited(printed: str, *edits: tuple[str, str]) -> str:
    """Replace what stands in an output exactly once."""
    for old, new in edits:
        assert printed.count(old) == 1, (printed.count(old), old)
        printed = printed.replace(old, new)
    return printed


def planted(switch: str, *edits: tuple[str, str]) -> tuple[Difference, ...]:
    """Return the differences of a switch whose settled look is edited."""
    return compare(models()[switch], LINUX.read(edited(text(switch), *edits)))


def sentences(found: tuple[Difference, ...]) -> list[str]:
    """Return what is said, with its kind, and without the switch, with which each begins."""
    assert all(item.sentence.startswith(f"{item.switch}: ") for item in found)
    return [f"{item.kind}: {item.sentence.removeprefix(f'{item.switch}: ')}" for item in found]

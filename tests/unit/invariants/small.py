"""Small sites whose rendered files the faults of laws are planted in."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.prove.evidence import rendered
from fabricgen.prove.filed import Filed, filed
from fabricgen.prove.invariants.laws import broken
from fabricgen.prove.invariants.network import Network

RAILS = """site: {name: lab, management: {subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {count: 4, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 4}
  oversubscription: 4
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 2}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {cpu: {leafs: 1-2, servers: {per_leaf: 2, speed: 25G}}}
tenants:
  shop:
    vrfs:
      blue: {id: 2, vlans: {web: {id: 20, subnet: 10.2.0.0/24}}}
      red: {id: 3, vlans: {db: {id: 30, subnet: 10.3.0.0/24}}}
    attachments: [{group: cpu, trunk: [web, db], native: web}]
"""
PAIRS = """site: {name: lab, management: {subnet: 10.255.0.0/22}}
servers:
  web:
    count: 4
    ports:
      front: {fabric: frontend, group: cpu, ports: 2, leafs: 2, bond: lacp, speed: 25G, per_leaf: 4}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {cpu: {leafs: 1-2}}
tenants:
  shop:
    vrfs: {blue: {id: 2, vlans: {web: {id: 20, subnet: 10.2.0.0/24}}}}
    attachments: [{servers: web, access: web, addresses: static}]
"""
EDGE = """site: {name: lab, management: {subnet: 10.255.0.0/22}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {cpu: {leafs: 1-2, servers: {per_leaf: 2, speed: 25G}}}
  edge: {one: {leaf: 1, cages: "20"}, two: {leaf: 2, cages: "20"}}
tenants:
  shop:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24, subnet6: "2001:db8:110::/64"}
          db: {id: 111, subnet: 10.111.0.0/24, subnet6: "2001:db8:111::/64"}
        external:
          one: {link: one, vlan: 101, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496,
                address6: "2001:db8:ff::1/127", peer6: "2001:db8:ff::", prefer: primary,
                accept: [0.0.0.0/0, "::/0"]}
          two: {link: two, vlan: 101, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64497,
                address6: "2001:db8:ff::3/127", peer6: "2001:db8:ff::2", prefer: backup,
                accept: [0.0.0.0/0, "::/0"]}
      blue:
        id: 2
        vlans: {app: {id: 120, subnet: 10.120.0.0/24}}
        external:
          one: {link: one, vlan: 102, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}
          two: {link: two, vlan: 102, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64497}
    attachments: [{group: cpu, trunk: [web, db, app], native: web}]
"""
SITES = {"rails": RAILS, "pairs": PAIRS, "edge": EDGE}
Texts = dict[str, dict[str, str]]


@cache
def site_of(name: str, platform: str) -> Site:
    """Return a small site on a platform."""
    site = compile_site(load_texts({"site/site.yaml": SITES[name]}), platform).site
    assert site is not None
    return site


@cache
def _rendered(name: str, platform: str) -> Mapping[str, tuple[Switch, Mapping[str, str]]]:
    pairs = rendered(site_of(name, platform))
    return {owner.name: (owner, own) for owner, own in pairs if isinstance(owner, Switch)}


def texts(name: str, platform: str) -> Texts:
    """Return the files of each switch."""
    return {switch: dict(own) for switch, (_, own) in _rendered(name, platform).items()}


def network(every: Mapping[str, Mapping[str, str]], platform: str) -> Network[Filed]:
    """Read files as one network."""
    read = (filed(switch, platform, own, switch) for switch, own in every.items())
    return Network([each for each in read if each is not None])


def said(every: Mapping[str, Mapping[str, str]], platform: str) -> list[str]:
    """Return what the laws say of files, as `law: sentence`."""
    found = broken(network(every, platform))
    return [f"{law.code.value} {each.said}" for law, each in found]


def tables(own: Mapping[str, str]) -> dict[str, Any]:
    """Return a CONFIG_DB as tables that can be changed."""
    read: dict[str, Any] = json.loads(own["config_db.json"])
    return read


def database(changed: Mapping[str, Any]) -> str:
    """Return tables as a CONFIG_DB that is written as ours."""
    return json.dumps(changed, indent=4) + "\n"

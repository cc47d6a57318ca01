"""Boot right networks one after the other and count the alarms that sound in them.

Each is a small site that differs from the others in what its kernels hold: routes of other kinds,
rules, settings, bridge ports. It is booted as real FRR switches, and `lab up` compares each switch
with the model as `verify` does; a difference is a false alarm.

usage: python -m bench.right_networks [WORD…]
A network is taken when its name has one of the words. Without words all are, for an hour.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FABRICGEN = (sys.executable, "-m", "fabricgen")
CATALOG = ROOT / "tests/lab/catalog"
SITE = "site: {name: right, management: {subnet: 10.255.0.0/24}}\n"
PAIR = """frontend:
  design: collapsed
  leaf: {model: LAB-8, platform: linux}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
"""
ONE = """frontend:
  leaf: {model: LAB-8, platform: linux}
  spine: {model: LAB-8, platform: linux, count: 1}
  leaf_groups: {racks: {leafs: 1-1, servers: {per_leaf: 2, speed: 100G}}}
"""
BACKEND = """backend:
  design: rail-optimized
  servers: {count: 2, gpus: 2, nic_speed: 100G, cable_length: 3}
  scalable_unit: {servers: 2}
  links: {speed: 100G, length: 10}
  leaf: {model: LAB-8, platform: linux}
  spine: {model: LAB-8, platform: linux, count: 1}
  roce: {watchdog: {enabled: false}, pfc: false}
"""
TENANT = """tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          app: {id: 111, subnet: 10.111.0.0/24}
    attachments:
      - {group: racks, servers: "1", access: web, addresses: static}
      - {group: racks, servers: "2", access: app, addresses: static}
"""
VRF = "        id: 1\n"
WEB = "subnet: 10.110.0.0/24"
ISP = "          isp1: {leaf: 1, cage: 3, address: 192.0.2.1/31, peer: 192.0.2.0, "
OWN = """  switches:
    fe-leaf01:
      custom_config:
        frr: |
          vrf red
           ip route 198.51.100.0/24 10.110.0.200
"""
SHARED = """  logs:
    vrfs:
      logs:
        id: 4
        vlans: {l: {id: 140, subnet: 10.140.0.0/24}}
        share_routes: [red]
    attachments: []
"""
RAILS = BACKEND.replace("rail-optimized", "rail-only").replace(
    "  scalable_unit: {servers: 2}\n  links: {speed: 100G, length: 10}\n", ""
)
LOSSLESS = BACKEND.replace(", pfc: false", "")
NETWORKS = {
    "two leafs that route for a tenant": SITE + PAIR + TENANT,
    "a leaf below a spine": SITE + ONE + TENANT,
    "unnumbered links": SITE + ONE + "  underlay: {links: unnumbered}\n" + TENANT,
    "links of IPv6": SITE
    + ONE
    + '  underlay: {links: numbered-v6}\n  addressing: {links: "fd00:72::/64"}\n'
    + TENANT,
    "servers with addresses of IPv6, made by themselves": SITE
    + PAIR
    + TENANT.replace(WEB, f'{WEB}, subnet6: "2001:db8:110::/64", announce: slaac'),
    "a VLAN without a gateway": SITE
    + PAIR
    + TENANT.replace("    attachments", "    vlans: {l2: {id: 112}}\n    attachments").replace(
        "access: app, addresses: static", "access: l2"
    ),
    "bundles and a trunk": SITE
    + PAIR.replace("speed: 100G", "speed: 100G, links: 2, lag: true")
    + TENANT.replace("access: app", "trunk: [web, app]"),
    "a static route of a tenant": SITE
    + PAIR
    + TENANT.replace(VRF, f"{VRF}        routes: [{{to: 203.0.113.0/24, by: 10.110.0.11}}]\n"),
    "routes that VRFs take of one another": SITE + PAIR + TENANT + SHARED,
    "groups that servers join": SITE + PAIR + TENANT.replace(WEB, f"{WEB}, multicast: snooped"),
    "a route of own lines": SITE + PAIR + OWN + TENANT,
    "hosts that management looks up": SITE.replace("24}}", "24, dns: [10.255.0.53]}}")
    + PAIR
    + TENANT,
    "a router outside that speaks BGP": SITE
    + ONE
    + TENANT.replace(VRF, f"{VRF}        external:\n{ISP}asn: 65500}}\n"),
    "a router outside that speaks OSPF": SITE
    + ONE
    + TENANT.replace(VRF, f"{VRF}        external:\n{ISP}protocol: ospf}}\n"),
    "a tenant on one leaf alone": SITE
    + PAIR
    + TENANT.replace('servers: "1"', 'leafs: "1", servers: "1"'),
    "a drained spine": SITE
    + ONE.replace("count: 1", "count: 2")
    + "  switches: {fe-spine2: {state: drained}}\n"
    + TENANT,
    "rails alone": SITE + RAILS,
    "rails with spines": SITE + BACKEND,
    "rails with subnets": SITE + BACKEND + "  nic_addressing: {mode: subnet}\n",
    "rails whose class is lossless": SITE + LOSSLESS,
    "a frontend and rails": SITE + PAIR + BACKEND + TENANT,
}


def call(*words: str, place: str) -> subprocess.CompletedProcess[str]:
    """Run fabricgen with its labs in a folder."""
    environment = os.environ | {"XDG_RUNTIME_DIR": place}
    return subprocess.run(
        [*FABRICGEN, *words], env=environment, capture_output=True, text=True, check=False
    )


def alarms(text: str) -> list[str]:
    """Boot a site, look at its switches and return every difference that is said."""
    with tempfile.TemporaryDirectory(prefix="r-") as place:
        site = Path(place) / "site"
        site.mkdir()
        (site / "site.yaml").write_text(text)
        shutil.copytree(CATALOG, site / "catalog")
        up = call("lab", "up", str(site), "--name", "right", "--health-timeout", "600", place=place)
        try:
            if "as designed" not in up.stdout and up.returncode:
                return [up.stderr.strip()[-300:]]
            status = call("lab", "status", "--lab", "right", "--format", "json", place=place)
            shown: dict[str, Any] = json.loads(status.stdout)
        finally:
            call("lab", "down", "--lab", "right", place=place)
    return [each["said"] for each in shown["differences"]]


def main(words: list[str]) -> int:
    """Print a line for each network; return how many sounded an alarm."""
    chosen = {
        name: text
        for name, text in NETWORKS.items()
        if not words or any(word in name for word in words)
    }
    wrong = 0
    for number, (name, text) in enumerate(chosen.items(), 1):
        said = alarms(text)
        wrong += bool(said)
        print(f"{number} {name}: {len(said)} alarms", *said, sep="\n  ")
        sys.stdout.flush()
    print(f"{len(chosen)} networks, {wrong} with a false alarm")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

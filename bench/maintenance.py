"""Planned work on a spine and on a leaf, each on a small lab of FRR under traffic.

A site of two spines, three leafs and six servers, of which four have a bond to two leafs. The
intent says `state: drained` of one switch and is pushed by plan and gate; then the switch loses
its power (of a leaf the uplinks go dark), comes back, and is pushed as active again. Every ordered
pair of servers sends 10 packets a second all the time, and all lost packets are counted.

usage: python -m bench.maintenance [spine|leaf …]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.drill import Traffic, push, tell
from bench.drills import LAB, PATIENCE, Stage, site_of
from tests.lab.machinery import need_a_lab, new_ground

from fabricgen.compiler import files
from fabricgen.lab.layout import lay_out
from fabricgen.lab.up import Wish, boot
from fabricgen.nos.lowering import spell
from fabricgen.proof.verifier import Verifier, expectations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.fabric.switch import Site

SWITCHES = {"spine": "fe-spine1", "leaf": "fe-leaf02"}
WORK = 10.0  # seconds
SITE = """\
site:
  name: drill
  management: {subnet: 10.255.0.0/24}
servers:
  db:
    count: 4
    ports:
      front: {fabric: frontend, group: a, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 4}
  web:
    count: 2
    ports: {front: {fabric: frontend, group: b, speed: 100G, per_leaf: 4}}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  oversubscription: 8
  leaf_groups: {a: {leafs: 1-2}, b: {leafs: 3-3}}
tenants:
  shop:
    vrfs: {shop: {id: 1, vlans: {pages: {id: 100, subnet: 172.20.0.0/24}}}}
    attachments:
      - {servers: db, access: pages, addresses: static, first_host: 10}
      - {servers: web, access: pages, addresses: static, first_host: 30}
"""


def drained(name: str) -> str:
    """Return the intent with a switch that is drained."""
    words = f"  switches: {{{name}: {{state: drained}}}}\n"
    return SITE.replace("tenants:\n", f"{words}tenants:\n", 1)


def cables(site: Site, name: str) -> Sequence[str]:
    """Return what goes dark: a whole spine, or the uplinks of a leaf."""
    switch = next(it for it in site.fabrics[0].topology.switches if it.name == name)
    if not switch.is_leaf:
        return [name]
    links = site.fabrics[0].topology.links_at[name]
    return [f"{name}:{spell(switch, it.lower_port)}" for it in links if it.lower is switch]  # type: ignore[arg-type]


def worked(kind: str) -> int:
    """Carry out one and print what it cost; the exit code is the worse of its two pushes."""
    name = SWITCHES[kind]
    print(f"--- {name} is drained, worked on, and active again", flush=True)
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        active, site = site_of(Path(folder), "active", SITE)
        idle, without = site_of(Path(folder), "idle", drained(name))
        plan = lay_out(site, name=LAB, lifted=None, files=())
        rendered = [file for _, own in files(site) for file in own]
        client = boot(Wish(plan=plan, intent=active), rendered, lambda _: None, lambda _: None)
        every = frozenset(it.name for it in site.fabrics[0].topology.switches)
        Verifier(client.ask, expectations(site, every)).settle(PATIENCE)
        stage = Stage(client=client, plan=plan, site=site, changed=idle, comes=False)
        try:
            told, pairs = zip(*stage.groups(), strict=True)
            stage.warm(list(pairs))
            with Traffic(client, list(pairs)) as traffic:
                codes = [push(idle, LAB, (), traffic)]
                assert not codes[0], "the switch is not drained"
                for end in cables(site, name):
                    client.call("fail", name=end, silent=False)
                traffic.say(f"{name} is dark")
                time.sleep(WORK)
                client.call("heal", name=None)
                traffic.say(f"{name} is back")
                Verifier(client.ask, expectations(without, every)).settle(PATIENCE)
                codes.append(push(active, LAB, (), traffic))
            tell(traffic, {it: [at for at, own in enumerate(told) if own == it] for it in {*told}})
            verify = (sys.executable, "-m", "fabricgen", "verify", str(active), "--lab", LAB)
            subprocess.run(verify, check=False)
        finally:
            client.call("down")
    return max(codes)


def main(names: list[str]) -> int:
    """Carry out what is named, or both; the exit code is the worst."""
    if unknown := {*names} - {*SWITCHES}:
        sys.exit(f"no drill {', '.join(sorted(unknown))}: {', '.join(SWITCHES)}")
    need_a_lab()
    codes = []
    for kind in names or SWITCHES:
        for ground in new_ground():
            os.environ |= ground.environment
            codes.append(worked(kind))
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

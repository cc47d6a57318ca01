"""Planned work with `fabricgen maintenance` on a spine and on a leaf, on a small lab under traffic.

A site of two spines, three leafs and six servers, of which four have a bond to two leafs. The verb
drains one switch (`begin`), which is dark for a while then, comes back, and is brought back
(`end`). Every ordered pair of servers, those of one leaf too, sends 10 packets a second all the
time, and all lost packets are counted, by phase.

`replace`: the leaf dies. Another box, with nothing but its image, asks by DHCP in its place, boots
with what `fabricgen export bootstrap` makes, and `push --limit` makes it as designed.

usage: python -m bench.maintenance [spine|leaf|replace …]
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bench.drill import Traffic, push, tell, verb
from bench.drills import LAB, PATIENCE, Stage, site_of
from tests.lab.machinery import need_a_lab, new_ground

from fabricgen.compile.compiler import files
from fabricgen.operate.export.bootstrap import image_of
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.place import Place
from fabricgen.operate.lab.plan import BOOT
from fabricgen.operate.lab.traffic.pairs import expected_pairs
from fabricgen.operate.lab.up import LabRequest, boot, know
from fabricgen.prove.verifier import Verifier, expectations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.plan import LabPlan

MAC = "02:00:00:00:02:ff"
"""Of the management port of the box that comes."""
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
    return _with(f"{name}: {{state: drained}}")


def identified(name: str) -> str:
    """Return the intent with the box that is to be in the place of a switch."""
    return _with(f'{name}: {{mac: "{MAC}"}}')


def _with(words: str) -> str:
    return SITE.replace("tenants:\n", f"  switches: {{{words}}}\ntenants:\n", 1)


def groups(plan: LabPlan, site: Site, name: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Yield the pairs that reach each other, those between two servers of the switch apart."""
    ends = {cable.a: {it.b for it in plan.cables if it.a == cable.a} for cable in plan.cables}
    for pair in expected_pairs(site, plan):
        if pair.routers is not None:
            hosts = (plan.endpoints[it].host for it in (pair.source, pair.target))
            both = all(name in ends[host] for host in hosts)
            yield f"between servers of {name}" if both else "others", (pair.source, pair.target)


@contextmanager
def booted(name: str) -> Iterator[tuple[Stage, Traffic]]:
    """Boot the site, let its pairs send, and say at the end what they lost."""
    with tempfile.TemporaryDirectory(prefix="drill-") as folder:
        intent, site = site_of(Path(folder), "site", SITE)
        plan = lay_out(site, name=LAB, lifted=None, files=())
        rendered = [file for _, own in files(site) for file in own]
        client = boot(
            LabRequest(plan=plan, intent=intent), rendered, lambda _: None, lambda _: None
        )
        stage = Stage(client=client, plan=plan, site=site, changed=intent, comes=False)
        try:
            settle(client, site)
            told, pairs = zip(*groups(plan, site, name), strict=True)
            stage.warm(list(pairs))
            with Traffic(client, list(pairs)) as traffic:
                yield stage, traffic
            tell(traffic, {it: [at for at, own in enumerate(told) if own == it] for it in {*told}})
        finally:
            client.call("down")


def settle(client: LabClient, site: Site) -> None:
    """Wait until all switches run as designed."""
    every = frozenset(it.name for it in site.fabrics[0].topology.switches)
    Verifier(client.ask, expectations(site, every)).settle(PATIENCE)


def worked(name: str) -> int:
    """Drain, work and bring back; the exit code is the worse of the two verbs."""
    with booted(name) as (stage, traffic):
        client, folder = stage.client, stage.changed.parent
        words = (str(stage.changed), name, "--lab", LAB, "--yes")
        traffic.phase("begin")
        if code := verb(("maintenance", "begin", *words), traffic):
            return code
        traffic.phase("work")
        client.call("fail", name=name, silent=False)
        traffic.say(f"{name} is dark")
        time.sleep(WORK)
        client.call("restore", name=None)
        traffic.say(f"{name} is back")
        settle(client, site_of(folder, "drained", drained(name))[1])
        traffic.phase("end")
        return verb(("maintenance", "end", *words), traffic)


def replaced(name: str) -> int:
    """Let a switch die, and put another box in its place; the exit code is that of its push."""
    with booted(name) as (stage, traffic):
        client, place = stage.client, Place.of(LAB)
        traffic.phase("dead")
        client.call("fail", name=name, silent=False)
        traffic.say(f"{name} is dead")
        intent, site = site_of(stage.changed.parent, "another", identified(name))
        url = f"http://{site.services.gateway}"
        words = ("export", "bootstrap", str(intent), "-o", str(place.files / BOOT), "--url", url)
        codes = [verb(words, traffic)]
        traffic.phase("another box boots")
        client.call("another", name=name, image=f"{BOOT}/{image_of('linux')}", mac=MAC)
        know(place, client.call("keys", key=place.key.with_suffix(".pub").read_text()))
        said = client.execute(name, ("sh", "-c", "hostname; ip -br address show dev eth0")).stdout
        traffic.say(f"another box booted: {' '.join(said.split())}")
        traffic.phase("push")
        codes.append(push(intent, LAB, ("--limit", name), traffic))
        traffic.phase("after")
        codes.append(verb(("verify", str(intent), "--lab", LAB), traffic))
    return max(codes)


DRILLS = {
    "spine": partial(worked, "fe-spine1"),
    "leaf": partial(worked, "fe-leaf02"),
    "replace": partial(replaced, "fe-leaf02"),
}


def main(names: list[str]) -> int:
    """Carry out what is named, or both; the exit code is the worst."""
    if unknown := {*names} - {*DRILLS}:
        sys.exit(f"no drill {', '.join(sorted(unknown))}: {', '.join(DRILLS)}")
    need_a_lab()
    codes = []
    for kind in names or DRILLS:
        for ground in new_ground():
            os.environ |= ground.environment
            print(f"--- {kind}", flush=True)
            codes.append(DRILLS[kind]())
    return max(codes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What is planned or dead, as exports have it: left out, or by the word that the format has."""

from __future__ import annotations

import csv
import json
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING

import pytest
import yaml

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_texts
from fabricgen.operate.export.batfish import ANNOUNCEMENTS, LAYER1, snapshot
from fabricgen.operate.export.bootstrap import KEA, bootstrap
from fabricgen.operate.export.containerlab.folder import export
from fabricgen.operate.export.containerlab.topology import lay_out
from fabricgen.operate.export.netbox import netbox
from fabricgen.operate.export.scheduler.files import scheduled
from fabricgen.operate.export.telemetry import collected
from fabricgen.plan.documents.plan import neighbors

if TYPE_CHECKING:
    from fabricgen.model.fabric.switch import Site

SITE = """
site:
  name: oslo
  management:
    subnet: 10.255.0.0/24
    snmp: {users: [{name: monitor, auth: "env:A", privacy: "env:B"}]}
servers:
  db:
    count: 8
    states: STATES
    ports: {front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 4}}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 3}
  leaf_groups: {a: {leafs: 1-4}}
  edge: {isp: {leaf: 4, cages: 25-25}}
  switches:
    SWITCHES
tenants:
  shop:
    vrfs:
      shop:
        id: 1
        vlans: {lan: {id: 30, subnet: 10.30.0.0/24}}
        external:
          isp: {link: isp, vlan: 101, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}
    attachments: [{servers: db, access: lan}]
"""
STATES = "{2: dead, 3: planned}"
SWITCHES = """\
fe-spine2: {state: dead}
    fe-leaf04: {state: planned}
    fe-leaf01: {links: {fe-spine1: {state: dead}, fe-spine3: {state: planned}}}"""
GONE = {"fe-spine2", "fe-leaf04", "db0002", "db0003"}


@cache
def site(states: str = STATES, switches: str = SWITCHES, platform: str | None = None) -> Site:
    text = SITE.replace("STATES", states).replace("SWITCHES", switches)
    made = compile_site(load_texts({"site.yaml": text}), platform)
    assert made.site is not None
    assert made.ok, made.findings
    return made.site


def rows(name: str) -> list[dict[str, str]]:
    (text,) = (each.text for each in netbox(site()).files if each.path == f"{name}.csv")
    return [*csv.DictReader(StringIO(text))]


def said(left: tuple[str, ...]) -> list[str]:
    return [each for each in left if each.startswith("omitted because planned or dead: ")]


def test_collectors_ask_no_switch_that_is_not_there() -> None:
    made = collected(site())
    (jobs,) = (yaml.safe_load(it.text) for it in made.files if it.path == "prometheus.yaml")
    asked = jobs["scrape_configs"][1]["static_configs"][0]["targets"]
    fabric = site().fabrics[0]
    there = {fabric.addresses.management_address(it).host for it in fabric.present}
    assert {*asked} == there
    assert made.polled == len(there) == 5
    assert said(made.left) == ["omitted because planned or dead: fe-leaf04, fe-spine2"]
    assert said(collected(site("{}", "{}")).left) == []


def test_batfish_is_told_of_what_is_there_alone() -> None:
    laid = snapshot(site(), files(site()))
    texts = {each.path: each.text for each in laid.files}
    assert laid.switches == len([path for path in texts if path.startswith("configs/")]) == 5
    assert not any(gone in path for path in texts for gone in GONE)
    ends = {it["hostname"] for edge in json.loads(texts[LAYER1])["edges"] for it in edge.values()}
    assert ends.isdisjoint(GONE)
    assert json.loads(texts[ANNOUNCEMENTS]) == {"Announcements": []}
    (sentence,) = said(laid.left)
    assert all(name in sentence for name in GONE)


def test_a_lab_has_the_nodes_and_cables_that_are_there() -> None:
    lab = lay_out(site())
    nodes = lab.topology["topology"]["nodes"]
    assert nodes.keys().isdisjoint(GONE)
    joined = {
        tuple(end.partition(":")[0] for end in link["endpoints"])
        for link in lab.topology["topology"]["links"]
    }
    assert {name for pair in joined for name in pair} <= nodes.keys()
    assert ("fe-leaf01", "fe-spine1") not in joined, "a dead cable"
    assert ("fe-leaf01", "fe-spine3") in joined, "its ports are shut"
    made = export(site(), files(site()))
    (sentence,) = made.summary.absent
    assert sentence in {it.path: it.text for it in made.files}["README.md"]
    assert not any(gone in each.path for each in made.files for gone in GONE)
    assert made.summary.outside == ()


def test_devices_of_a_lab_are_numbered_without_gaps() -> None:
    leaf = lay_out(site(platform="eos")).switches["fe-leaf01"]
    numbers = sorted(int(wire.removeprefix("eth")) for wire in leaf.wires.values())
    assert numbers == [*range(1, len(numbers) + 1)]


def test_netbox_has_its_own_words() -> None:
    status = {row["name"]: row["status"] for row in rows("devices")}
    assert {name: word for name, word in status.items() if word != "active"} == {
        "fe-spine2": "failed",
        "fe-leaf04": "planned",
        "db0002": "failed",
        "db0003": "planned",
    }
    for row in rows("cables"):
        two = {row["side_a_device"], row["side_b_device"]}
        comes = not two.isdisjoint({"fe-leaf04", "db0003"}) or two == {"fe-leaf01", "fe-spine3"}
        assert row["status"] == ("planned" if comes else "connected")


def test_lldp_needs_no_neighbor_that_is_not_there() -> None:
    needed = {
        frozenset((name, far))
        for name, ports in neighbors(site()).items()
        for far, _, required in ports.values()
        if required
    }
    leafs, spines = ("fe-leaf01", "fe-leaf02", "fe-leaf03"), ("fe-spine1", "fe-spine3")
    every = {frozenset((leaf, spine)) for leaf in leafs for spine in spines}
    assert needed == every - {frozenset(("fe-leaf01", spine)) for spine in spines}


def test_first_boots_are_for_all() -> None:
    """Who is planned boots next, and so does what replaces the dead."""
    made = bootstrap(site(), files(site()), "http://10.0.0.1")
    assert made.switches == 7
    assert KEA in {each.path for each in made.files}


RAILS = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
servers:
  gpu:
    count: 8
    gpus: 4
    STATES
    ports: {rdma: {fabric: backend, speed: 100G}}
backend:
  design: rail-optimized
  scalable_unit: {servers: 4}
  links: {speed: 100G}
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  roce: {enabled: false}
"""


def schedulers(states: str) -> dict[str, str]:
    made = compile_site(load_texts({"site.yaml": RAILS.replace("STATES", states)})).site
    assert made is not None
    return {each.path.removeprefix("backend/"): each.text for each in scheduled(made)}


def test_slurm_keeps_every_node_in_its_tree_and_has_the_state_beside_it() -> None:
    """slurm.conf(5): `DownNodes=` takes a node of `NodeName=` out without another place for it."""
    plain, made = schedulers(""), schedulers("states: {2: dead, 5-8: planned}")
    assert made["topology.conf"] == plain["topology.conf"]
    assert made["topology.yaml"] == plain["topology.yaml"]
    assert plain["down-nodes.conf"].splitlines()[1:] == []
    assert made["down-nodes.conf"].splitlines()[1:] == [
        'DownNodes=gpu[0005-0008] State=FUTURE Reason="planned in the intent"',
        'DownNodes=gpu0002 State=DOWN Reason="dead in the intent"',
    ]


@pytest.mark.parametrize("state", ["planned", "dead"])
def test_a_node_that_kubernetes_does_not_have_gets_no_label(state: str) -> None:
    lines = schedulers(f"states: {{2: {state}}}")["labels.sh"].splitlines()[2:]
    plain = schedulers("")["labels.sh"].splitlines()[2:]
    assert lines == [line for line in plain if " gpu0002 " not in line]
    assert len(lines) == 7

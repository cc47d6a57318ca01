"""OSPF between real FRR switches: adjacencies, EVPN between loopbacks, a spine that is passed by.

The boot takes two minutes, so only `make reliability` runs it.
"""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.machinery import PATIENCE, Ground, need_a_lab, new_ground
from tests.longer import longer

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.reachability import reachability
from fabricgen.operate.lab.traffic.registry import gateways

pytestmark = longer
SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  leaf_groups: {a: {leafs: 1-2, servers: {per_leaf: 1, speed: 100G}}}
  underlay: {protocol: ospf}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 10, subnet: 10.1.0.0/24}}}}
    attachments: [{group: a, access: web, addresses: static}]
"""
FAR_VTEP = "10.65.0.2"


@pytest.fixture(scope="module")
def flat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """Boot it; `lab up` compares sessions, BFD and routes with the model."""
    need_a_lab()
    folder: Path = tmp_path_factory.mktemp("flat")
    (folder / "site.yaml").write_text(SITE)
    made = compile_site(load_site(folder)).site
    assert made is not None
    for ground in new_ground():
        up = ground.call("lab", "up", str(folder), "--name", "flat")
        assert up.returncode == 0, up.stdout + up.stderr
        yield _bench(ground, made)
        assert ground.call("lab", "down").returncode == 0


def _bench(ground: Ground, made: Site) -> Bench:
    plan = lay_out(made, name="flat", lifted=None, files=())
    return Bench(ground.client("flat"), made, plan)


def ways(bench: Bench) -> set[str]:
    """Return the ports by which leaf 1 sends to the tunnel endpoint of leaf 2."""
    done = bench.client.execute("fe-leaf01", ("ip", "-j", "route", "get", "fibmatch", FAR_VTEP))
    (route,) = json.loads(done.stdout)
    assert route["protocol"] == "ospf"
    return {hop["dev"] for hop in route.get("nexthops", [route])}


def test_servers_of_both_leafs_reach_each_other(flat: Bench) -> None:
    proofs = [each for ask in (gateways, reachability) for each in ask(flat)]
    assert [fault for each in proofs for fault in each.faults] == []
    assert len(ways(flat)) == 2


def test_a_spine_with_the_highest_metric_is_passed_by(flat: Bench) -> None:
    both = ways(flat)
    words = ("-c", "configure terminal", "-c", "router ospf")
    for no, left in (("", 1), ("no ", 2)):
        line = f"{no}max-metric router-lsa administrative"
        assert flat.client.execute("fe-spine1", ("vtysh", *words, "-c", line)).status == 0
        end = time.monotonic() + PATIENCE
        while len(ways(flat)) != left and time.monotonic() < end:
            time.sleep(1)
        assert len(ways(flat)) == left
    assert ways(flat) == both

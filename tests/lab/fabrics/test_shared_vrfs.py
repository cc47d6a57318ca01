"""Two leafs of real FRR: routes that VRFs take of one another, and no others, lead somewhere.

web is on one leaf, what it is served by on the other, or on both; three boots would take minutes,
so one site has all of it, and only `make reliability` runs it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.machinery import Ground, need_a_lab, new_ground
from tests.longer import longer

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.reachability import reachability
from fabricgen.operate.lab.traffic.registry import gateways

pytestmark = longer
SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/24}}
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: linux}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 25G}}}
tenants:
  web:
    vrfs:
      web:
        id: 1
        vlans:
          a: {id: 110, subnet: 10.110.0.0/24, subnet6: "2001:db8:110::/64"}
          b: {id: 111, subnet: 10.111.0.0/24, subnet6: "2001:db8:111::/64"}
        import_routes: {logs: [10.140.0.0/24, "2001:db8:140::/64"]}
    attachments:
      - {group: racks, leafs: "1", servers: "1", access: a, addresses: static}
      - {group: racks, leafs: "1", servers: "2", access: b, addresses: static}
  files:
    vrfs:
      files:
        id: 2
        vlans: {f: {id: 120, subnet: 10.120.0.0/24, subnet6: "2001:db8:120::/64"}}
        share_routes: [web, other]
    attachments: [{group: racks, leafs: "2", servers: "1", access: f, addresses: static}]
  other:
    vrfs:
      other:
        id: 3
        vlans: {o: {id: 130, subnet: 10.130.0.0/24, subnet6: "2001:db8:130::/64"}}
    attachments: [{group: racks, servers: "3", access: o, addresses: static}]
  logs:
    vrfs:
      logs:
        id: 4
        vlans: {l: {id: 140, subnet: 10.140.0.0/24, subnet6: "2001:db8:140::/64"}}
        import_routes: {web: [10.110.0.0/24, "2001:db8:110::/64"]}
    attachments: [{group: racks, servers: "4", access: l, addresses: static}]
"""


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ground, Bench]]:
    need_a_lab()
    folder: Path = tmp_path_factory.mktemp("shared")
    (folder / "site.yaml").write_text(SITE)
    made = compile_site(load_site(folder)).site
    assert made is not None
    for ground in new_ground():
        up = ground.call("lab", "up", str(folder), "--name", "shared")
        assert up.returncode == 0, up.stdout + up.stderr
        plan = lay_out(made, name="shared", lifted=None, files=())
        yield ground, Bench(ground.client("shared"), made, plan)
        assert ground.call("lab", "down").returncode == 0


def test_what_is_listed_arrives_and_nothing_else(shared: tuple[Ground, Bench]) -> None:
    _, bench = shared
    asked = {each.name: each for ask in (gateways, reachability) for each in ask(bench)}
    proofs = {name: each for name, each in asked.items() if name != "gateway answers once"}
    assert proofs.keys() == {"reachability", "apart: tenants"}
    assert [fault for each in proofs.values() for fault in each.faults] == []
    between = {
        (one.group, other.group)
        for pair in bench.pairs
        if pair.routers is not None
        for one, other in [(bench.endpoint(pair.source), bench.endpoint(pair.target))]
        if one.group != other.group
    }
    both = {("web", "files"), ("other", "files"), ("web", "logs")}
    assert between == both | {(other, one) for one, other in both}


@pytest.mark.parametrize(
    ("host", "peer", "status"),
    [
        ("fe-leaf01-s01", "10.120.0.14", 0),  # the other leaf, in the VNI of files
        ("fe-leaf01-s01", "10.140.0.13", 0),  # this leaf
        ("fe-leaf01-s02", "10.140.0.13", 1),  # logs take no route back to b
        ("fe-leaf01-s01", "10.130.0.12", 1),  # shares files with it, and nothing more
        ("fe-leaf01-s01", "2001:db8:120::e", 0),  # the same in IPv6
        ("fe-leaf01-s01", "2001:db8:140::d", 0),
        ("fe-leaf01-s02", "2001:db8:140::d", 1),
        ("fe-leaf01-s01", "2001:db8:130::c", 1),
    ],
)
def test_answers_come_back_where_both_take(
    shared: tuple[Ground, Bench], host: str, peer: str, status: int
) -> None:
    _, bench = shared
    done = bench.client.execute(host, ("ping", "-c", "2", "-W", "2", peer))
    assert done.status == status, done.stdout


def test_no_leaf_tells_evpn_what_it_took(shared: tuple[Ground, Bench]) -> None:
    _, bench = shared
    own = {
        vrf: tuple(f"{each}:" if ":" in each else f"{each}." for each in nets.split())
        for vrf, nets in {
            1: "10.110 10.111 2001:db8:110 2001:db8:111",
            2: "10.120 2001:db8:120",
            3: "10.130 2001:db8:130",
            4: "10.140 2001:db8:140",
        }.items()
    }
    for leaf in ("fe-leaf01", "fe-leaf02"):
        done = bench.client.execute(leaf, ("vtysh", "-c", "show bgp l2vpn evpn route type prefix"))
        number, told = 0, 0
        for line in done.stdout.splitlines():
            if line.startswith("Route Distinguisher"):
                number = int(line.rpartition(":")[2]) - 3000
            elif "*> [5]:" in line:
                told += 1
                assert line.rpartition("[")[2].startswith(own[number]), line
        assert told >= 10

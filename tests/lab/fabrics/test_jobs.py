"""Two jobs and a VIP on real FRR: no packet between the jobs on three networks.

The balancer runs FRR with its rendered files. Its service is reached through it alone.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.machinery import ROOT, Ground, need_a_lab, new_ground
from tests.unit.jobs.sites import SITE

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.reachability import reachability

NAME, VIP, MODEL = "jobs", "198.51.100.1", "10.111.0.11"
JOBS = ({"gpu0001", "gpu0002"}, {"gpu0003", "gpu0004"})
TRIES = 30
NETWORKS = {"frontend", "backend", "storage"}
DOWN = (
    *("-c", "configure terminal"),
    *("-c", "router bgp 65101"),
    *("-c", "neighbor 10.98.0.0 shutdown"),
    *("-c", "neighbor 10.98.0.2 shutdown"),
)
"""Arguments of vtysh that end both sessions of the balancer."""


@pytest.fixture(scope="module")
def working(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ground, Bench]]:
    """Boot the site of the job tests with switches of eight ports."""
    need_a_lab()
    folder: Path = tmp_path_factory.mktemp("jobs")
    shutil.copytree(ROOT / "tests" / "lab" / "catalog", folder / "catalog")
    (folder / "site.yaml").write_text(SITE.replace("7050CX3-32S", "LAB-8"))
    made = compile_site(load_site(folder)).site
    assert made is not None
    for ground in new_ground():
        up = ground.call("lab", "up", str(folder), "--name", NAME)
        assert up.returncode == 0, up.stdout + up.stderr
        plan = lay_out(made, name=NAME, lifted=None, files=())
        yield ground, Bench(ground.client(NAME), made, plan)
        assert ground.call("lab", "down").returncode == 0


def test_jobs_are_alone_and_a_service_is_behind_its_balancer(
    working: tuple[Ground, Bench],
) -> None:
    _, bench = working
    proofs = {each.name: each for each in reachability(bench)}
    assert proofs.keys() == {"reachability", "apart: tenants", "apart: fabrics"}
    assert [fault for each in proofs.values() for fault in each.faults] == []
    between, inside = set(), set()
    for pair in bench.pairs:
        one, other = bench.endpoint(pair.source), bench.endpoint(pair.target)
        mine = [job for job in JOBS if one.host in job]
        if mine and one.fabric == other.fabric:
            apart = other.host in JOBS[1 - JOBS.index(mine[0])]
            between |= {one.fabric} if apart and pair.routers is None else set()
            inside |= {one.fabric} if other.host in mine[0] and pair.routers is not None else set()
    assert between == inside == NETWORKS
    assert _arrives(bench, "gpu0001", "10.130.0.10")  # the export, without a chosen address
    assert not _arrives(bench, "gpu0001", "10.97.2.12")  # storage of the other job
    assert _arrives(bench, "web0001", VIP)
    assert _arrives(bench, "lb0001", MODEL)
    assert not _arrives(bench, "web0001", MODEL)
    assert bench.client.execute("lb0001", ("vtysh", *DOWN)).status == 0
    assert any(not _arrives(bench, "web0001", VIP) for _ in range(TRIES))  # routes go one by one
    assert not _arrives(bench, "web0001", VIP)


def _arrives(bench: Bench, host: str, address: str) -> bool:
    """Ping an address."""
    done = bench.client.execute(host, ("ping", "-c", "2", "-W", "2", address))
    return bool(done.status == 0)

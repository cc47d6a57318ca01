"""The files of servers with ports on a storage fabric: what NICs are told, and that hosts agree."""

import subprocess
from pathlib import Path

import pytest
from tests.unit.hosts.hosts import NETWORKS, NICS, servers, stored, texts
from tests.unit.hosts.stand_ins import Host, host

from fabricgen.nos.hosts.readback.files import read

GPU, NVME = 0, 2
CHECK, NICS_SH = "etc/fabricgen/check", "etc/fabricgen/nics.sh"
RDMA = {NICS_SH, "etc/systemd/system/fabricgen-nics.service"}


def made(folder: Path, number: int, *, roce: bool = True, nic: str = "") -> Host:
    host_slice = servers(stored(roce=roce, nic=nic))[number]
    here = host(folder, texts(host_slice), host_slice.routed[-1].share.gid_index)
    here.keep()
    return here


@pytest.mark.parametrize("network", NETWORKS)
def test_a_port_has_its_address_a_table_and_a_place_among_the_others(network: str) -> None:
    one, other = (read(texts(host_slice)) for host_slice in servers(stored(network))[:2])
    assert {key: one.addresses[key][0] for key in ("data0", "data1")} == {
        "data0": "10.216.0.1/31",
        "data1": "10.217.0.1/31",
    }
    turns = [
        {route.device: route.metric for route in each.routes if route.table == 10_000}
        for each in (one, other)
    ]
    assert turns == [{"data0": 1, "data1": 2}, {"data0": 2, "data1": 1}]
    assert {route.table for route in one.routes if route.device == "data1"} == {
        9041,
        10_000,
        11_041,
    }


@pytest.mark.parametrize("family", NICS)
@pytest.mark.parametrize("number", [GPU, NVME])
def test_after_applying_the_host_agrees(number: int, family: str, tmp_path: Path) -> None:
    nic = NICS[family] if number == NVME or family != "pollara" else "thor2"
    here = made(tmp_path, number, nic=nic)
    before = here.check()
    done = here.apply()
    assert (done.returncode, done.stderr) == (0, "")
    assert before[0] == 1
    assert here.check() == (0, [])


def test_each_set_of_ports_is_told_its_own_contract(tmp_path: Path) -> None:
    here = made(tmp_path, GPU)
    here.apply()
    told = {call.split()[2] for call in here.calls() if call.startswith("mlnx_qos -i")}
    assert told == {"rail0", "rail1", "data0", "data1"}


def test_without_roce_nobody_touches_nics(tmp_path: Path) -> None:
    files = texts(servers(stored(roce=False))[NVME])
    assert not RDMA & files.keys()
    assert "etc/nccl.conf" not in files
    here = host(tmp_path, files, 3)
    assert here.check() == (0, [])


def test_the_check_sees_a_port_that_is_not_as_designed(tmp_path: Path) -> None:
    here = made(tmp_path, NVME, roce=False)
    route = here.state / "ip/route.10000"
    route.write_text(route.read_text().replace("data1 proto static metric 2", "data1 metric 7"))
    here.put("proc/sys/net/ipv4/conf/data2/ignore_routes_with_linkdown", "0\n")
    rules = here.state / "ip/rules"
    rules.write_text(rules.read_text().replace("lookup 10000", "lookup 9101", 1))
    assert here.check() == (
        1,
        [
            "data0: the rule is missing: 10101: from 0.0.0.0 to 10.216.0.0/13 lookup 10000",
            "data1: the metric in table 10000 is 7, not 2",
            "data2: ignore_routes_with_linkdown is 0, not 1",
        ],
    )


def test_nccl_is_told_of_rails_alone() -> None:
    gpu, nvme = (texts(servers(stored())[number]) for number in (GPU, NVME))
    assert "NCCL_IB_HCA==rail0:1,rail1:1\n" in gpu["etc/nccl.conf"]
    assert "etc/nccl.conf" not in nvme


@pytest.mark.parametrize("script", [CHECK, NICS_SH, "etc/fabricgen/firmware.sh"])
def test_the_scripts_of_two_sets_are_shell(script: str, tmp_path: Path) -> None:
    here = made(tmp_path, GPU)
    done = subprocess.run(
        ["sh", "-n", str(here.root / script)], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")

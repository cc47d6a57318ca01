"""The scripts of a server, run for real against stand-ins for the tools of NICs: no NIC is here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.hosts.hosts import NICS, designed, rails, servers, texts
from tests.unit.hosts.stand_ins import FIRMWARE, Host, host

if TYPE_CHECKING:
    from pathlib import Path

SCRIPTS = ("etc/fabricgen/nics.sh", "etc/fabricgen/check")
ROCE: dict[str, dict[str, object] | None] = {
    "as it is": None,
    "without ECN": {"ecn": {"enabled": False}},
    "without PFC": {"pfc": False, "watchdog": {"enabled": False}},
    "other numbers": {"dscp": 24, "priority": 4, "cnp": {"dscp": 46, "priority": 5}},
    "without RoCE": {"enabled": False},
}
FAMILIES = list(NICS)
FOUND = (shutil.which(shell) for shell in ("sh", "dash", "bash"))
SHELLS = {os.path.realpath(shell) for shell in FOUND if shell}
NET = "sys/class/net/rdma1"
STORAGE: dict[str, dict[str, object]] = {
    "as it is": {"storage": {}},
    "without ECN": {"storage": {"ecn": {"enabled": False}}},
    "alone marked": {"ecn": {"enabled": False}, "storage": {}},
    "other numbers": {"storage": {"dscp": 18, "priority": 2, "share": 20}},
}


def made(folder: Path, family: str, shape: str = "rail-optimized", **words: Any) -> Host:
    """A host of a site whose servers have two NICs of that family: one that is looked at alone."""
    host_slice = servers(designed(shape, nic=NICS[family], gpus=2, **words))[0]
    here = host(folder, texts(host_slice), rails(host_slice).share.gid_index)
    here.keep()
    return here


Applied = Callable[[str], Host]


@pytest.fixture(scope="module")
def patterns(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Host]:
    """Make a host of each family once, and apply what was rendered."""
    found = {}
    for family in FAMILIES:
        found[family] = made(tmp_path_factory.mktemp(family), family)
        found[family].apply()
    return found


@pytest.fixture
def applied(patterns: dict[str, Host], tmp_path: Path) -> Applied:
    """Hand out a copy of an applied host of a family."""

    def copy(family: str) -> Host:
        pattern = patterns[family]
        shutil.copytree(pattern.root.parent, tmp_path, symlinks=True, dirs_exist_ok=True)
        return Host(tmp_path / "root", tmp_path / "state", tmp_path / "tools")

    return copy


@pytest.mark.parametrize("roce", ROCE)
@pytest.mark.parametrize("family", FAMILIES)
def test_the_scripts_are_shell(family: str, roce: str, tmp_path: Path) -> None:
    here = made(tmp_path, family, roce=ROCE[roce])
    there = [script for script in (*SCRIPTS, FIRMWARE) if (here.root / script).exists()]
    assert there
    for shell, script in product(SHELLS, there):
        done = subprocess.run(
            [shell, "-n", str(here.root / script)], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("roce", ROCE)
@pytest.mark.parametrize("family", FAMILIES)
def test_after_applying_the_host_agrees(family: str, roce: str, tmp_path: Path) -> None:
    here = made(tmp_path, family, roce=ROCE[roce])
    before = here.check()
    done = here.apply()
    assert (done.returncode, done.stderr) == (0, "")
    assert before[0] == 1
    assert here.check() == (0, [])


@pytest.mark.parametrize("roce", STORAGE)
@pytest.mark.parametrize("family", ["connectx", "pollara"])
def test_with_a_storage_class_the_host_agrees_after_applying(
    family: str, roce: str, tmp_path: Path
) -> None:
    here = made(tmp_path, family, roce={"over_subscription": 8, **STORAGE[roce]})
    before = here.check()
    done = here.apply()
    assert (done.returncode, done.stderr) == (0, "")
    assert before[0] == 1
    assert here.check() == (0, [])


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (f"{NET}/ecn/roce_np/enable/4", "rdma1: DCQCN of the receiver in priority 4 is 0, not 1"),
        (f"{NET}/ecn/roce_rp/enable/4", "rdma1: DCQCN of the sender in priority 4 is 0, not 1"),
    ],
)
def test_storage_that_does_not_react_is_named(file: str, said: str, tmp_path: Path) -> None:
    here = made(tmp_path, "connectx", roce={"over_subscription": 8, "storage": {}})
    here.apply()
    (here.root / file).write_text("0\n")
    assert here.check() == (1, [said])


def test_no_traffic_class_is_forced_on_storage(tmp_path: Path) -> None:
    """A forced byte would put storage into the class of RoCE data, whatever it asked for."""
    here = made(tmp_path, "connectx", roce={"over_subscription": 8, "storage": {}})
    here.apply()
    file = here.root / "sys/class/infiniband/rdma1/tc/1/traffic_class"
    assert file.read_text() == "-1\n"
    file.write_text("Global tclass=106\n")
    said = "rdma1: the traffic class forced on all is 106, not none"
    assert here.check() == (1, [said])


def test_nicctl_is_told_both_classes(tmp_path: Path) -> None:
    roce = {"over_subscription": 8, "storage": {"share": 20}}
    here = made(tmp_path, "pollara", roce=roce)
    here.apply()
    told = (here.state / "nicctl/scheduling").read_text()
    assert told == "scheduling --priority 3,4,0,6 --dwrr 40,20,40,0 --rate-limit 0,0,0,10\n"
    kept = sorted(path.name for path in (here.state / "nicctl").glob("nodrop.*"))
    assert kept == ["nodrop.3", "nodrop.4"]


@pytest.mark.parametrize("family", FAMILIES)
def test_applying_twice_is_applying_once(family: str, applied: Applied) -> None:
    here = applied(family)
    once = here.snapshot()
    again = here.apply()
    assert (again.returncode, again.stderr) == (0, "")
    assert here.snapshot() == once
    assert here.check() == (0, [])


@pytest.mark.parametrize("family", FAMILIES)
def test_checking_changes_nothing(family: str, tmp_path: Path) -> None:
    here = made(tmp_path, family)
    before = here.snapshot()
    here.check()
    assert here.snapshot() == {
        **before,
        **{p: t for p, t in here.snapshot().items() if "/state/" in p},
    }
    assert not [call for call in here.calls() if " set " in call or " update " in call]


def test_dash_runs_them_too(tmp_path: Path) -> None:
    here = made(tmp_path, "connectx")
    assert here.run(SCRIPTS[0], "dash").returncode == 0


Plant = Callable[[Host], object]


def replaced(path: str, old: str, new: str) -> Plant:
    """Change a word in a file of the host."""

    def plant(here: Host) -> None:
        place = here.root / path if path.startswith(("sys", "etc", "proc")) else here.state / path
        text = place.read_text()
        assert old in text, (path, old, text)
        place.write_text(text.replace(old, new))

    return plant


def told(*words: str) -> Plant:
    """Say something to a NIC by hand, with its tool."""
    return lambda here: subprocess.run(
        [str(here.tools / words[0]), *words[1:]],
        env={**os.environ, "STATE": str(here.state), "FABRICGEN_ROOT": str(here.root)},
        check=True,
        capture_output=True,
    )


CC = "sys/kernel/config/bnxt_re/rdma1/ports/1/cc"
GID = "sys/class/infiniband/rdma1/ports/1"
PLANTED: dict[str, tuple[str, Plant, str]] = {
    "the address": (
        "connectx",
        replaced("ip/address.rdma1", "/31", "/30"),
        "rdma1: the address is 172.24.0.1/30, not 172.24.0.1/31",
    ),
    "the MTU": ("thor", replaced(f"{NET}/mtu", "9214", "1500"), "rdma1: the MTU is 1500, not 9214"),
    "the rule": (
        "connectx",
        replaced("ip/rules", "from 172.24.0.1 lookup 1021", "from 172.24.0.1 lookup main"),
        "rdma1: the rule is missing: 1021: from 172.24.0.1 lookup 1021",
    ),
    "the rule of programs without an address": (
        "connectx",
        replaced("ip/rules", "2021:\tfrom 0.0.0.0 to", "2021:\tfrom 10.0.0.0 to"),
        "rdma1: the rule is missing: 2021: from 0.0.0.0 to 172.24.0.0/13 lookup 1021",
    ),
    "the rule of everyone else": (
        "connectx",
        replaced("ip/rules", "3021:\tfrom all", "40000:\tfrom all"),
        "rdma1: the rule is missing: 3021: from all to 172.24.0.0/13 lookup 3021",
    ),
    "the end of the rail's table": (
        "connectx",
        replaced("ip/route.1021", "unreachable default", "default via 10.0.0.1 dev eth0"),
        "rdma1: in table 1021 the route is missing: unreachable default",
    ),
    "the table without a way": (
        "connectx",
        replaced("ip/route.3021", "unreachable default", "default via 10.0.0.1 dev eth0"),
        "rdma1: in table 3021 the route is missing: unreachable default",
    ),
    "the route to the rail": (
        "pollara",
        replaced("ip/route.1021", "172.24.0.0/13 via 172.24.0.0", "172.24.0.0/13 via 172.24.0.9"),
        "rdma1: in table 1021 the route is missing: 172.24.0.0/13 via 172.24.0.0 dev rdma1",
    ),
    "the route to all NICs": (
        "connectx",
        replaced("ip/route.1021", "172.16.0.0/12 via", "172.16.0.0/11 via"),
        "rdma1: in table 1021 the route is missing: 172.16.0.0/12 via 172.24.0.0 dev rdma1",
    ),
    "the route on the link": (
        "connectx",
        replaced("ip/route.1021", "172.24.0.0/31 dev rdma1", "172.24.0.0/31 dev rdma2"),
        "rdma1: in table 1021 the route is missing: 172.24.0.0/31 dev rdma1",
    ),
    "a filter of the reverse path": (
        "connectx",
        replaced("proc/sys/net/ipv4/conf/rdma1/rp_filter", "2", "1"),
        "rdma1: rp_filter is 1, not 2",
    ),
    "the GID": (
        "connectx",
        replaced(f"{GID}/gids/3", "ac18:0001", "ac18:0002"),
        (
            "rdma1: GID 3 is 0000:0000:0000:0000:0000:ffff:ac18:0002, "
            "not 0000:0000:0000:0000:0000:ffff:ac18:0001"
        ),
    ),
    "the kind of GID": (
        "pollara",
        replaced(f"{GID}/gid_attrs/types/1", "RoCE v2", "IB/RoCE v1"),
        "rdma1: the kind of GID 1 is IB/RoCE v1, not RoCE v2",
    ),
    "NCCL's traffic class": (
        "connectx",
        replaced("etc/nccl.conf", "NCCL_IB_TC=106", "NCCL_IB_TC=0"),
        "nccl.conf: NCCL_IB_TC is 0, not 106",
    ),
    "NCCL's devices": (
        "thor",
        replaced("etc/nccl.conf", ",rdma1:1", ""),
        "nccl.conf: NCCL_IB_HCA is =rdma0:1, not =rdma0:1,rdma1:1",
    ),
    "trust": (
        "connectx",
        told("mlnx_qos", "-i", "rdma1", "--trust", "pcp"),
        "rdma1: trust is pcp, not dscp",
    ),
    "the PFC mask": (
        "connectx",
        told("mlnx_qos", "-i", "rdma1", "--pfc", "0,0,0,0,1,0,0,0", "--cable_len", "5"),
        "rdma1: the PFC mask is 0,0,0,0,1,0,0,0, not 0,0,0,1,0,0,0,0",
    ),
    "the cable length": (
        "connectx",
        told("mlnx_qos", "-i", "rdma1", "--pfc", "0,0,0,1,0,0,0,0", "--cable_len", "7"),
        "rdma1: the cable length is 7, not 5",
    ),
    "the scheduler": (
        "connectx",
        told(
            "mlnx_qos",
            "-i",
            "rdma1",
            "--prio_tc",
            "0,1,2,3,4,5,6,7",
            "--tsa",
            "ets,strict,strict,ets,strict,strict,ets,strict",
            "--tcbw",
            "40,0,0,40,0,0,20,0",
        ),
        (
            "rdma1: the scheduler is 0:ets:40% 1:strict 2:strict 3:ets:40% 4:strict 5:strict "
            "6:ets:20% 7:strict, not 0:ets:50% 1:strict 2:strict 3:ets:50% 4:strict 5:strict "
            "6:strict 7:strict"
        ),
    ),
    "a DSCP": (
        "connectx",
        told("mlnx_qos", "-i", "rdma1", "--dscp2prio", "set,24,3"),
        "rdma1: DSCP 24 goes to priority 3, not 0",
    ),
    "the DSCP of RoCE": (
        "connectx",
        told("mlnx_qos", "-i", "rdma1", "--dscp2prio", "set,26,0"),
        "rdma1: DSCP 26 goes to priority 0, not 3",
    ),
    "the TOS of RDMA-CM": (
        "connectx",
        told("cma_roce_tos", "-d", "rdma1", "-p", "1", "-t", "0"),
        "rdma1: the TOS of RDMA-CM is 0, not 106",
    ),
    "the traffic class": (
        "connectx",
        replaced("sys/class/infiniband/rdma1/tc/1/traffic_class", "106", "96"),
        "rdma1: the traffic class is 96, not 106",
    ),
    "DCQCN of the receiver": (
        "connectx",
        replaced(f"{NET}/ecn/roce_np/enable/3", "1", "0"),
        "rdma1: DCQCN of the receiver in priority 3 is 0, not 1",
    ),
    "DCQCN of the sender": (
        "connectx",
        replaced(f"{NET}/ecn/roce_rp/enable/3", "1", "0"),
        "rdma1: DCQCN of the sender in priority 3 is 0, not 1",
    ),
    "the DSCP of CNPs": (
        "connectx",
        replaced(f"{NET}/ecn/roce_np/cnp_dscp", "48", "46"),
        "rdma1: the DSCP of CNPs is 46, not 48",
    ),
    "the priority of CNPs": (
        "connectx",
        replaced(f"{NET}/ecn/roce_np/cnp_802p_prio", "6", "7"),
        "rdma1: the priority of CNPs is 7, not 6",
    ),
    "PFC on Thor": (
        "thor",
        told("dcb", "pfc", "set", "dev", "rdma1", "prio-pfc", "3:off", "4:on"),
        "rdma1: what PFC pauses is 4, not 3",
    ),
    "a stale DSCP on Thor": (
        "thor",
        told("dcb", "app", "add", "dev", "rdma1", "dscp-prio", "24:3"),
        "rdma1: DSCP 24 goes to priority 3, not 0",
    ),
    "two priorities of a DSCP on Thor": (
        "thor",
        told("dcb", "app", "add", "dev", "rdma1", "dscp-prio", "26:4"),
        "rdma1: DSCP 26 goes to priority 3 and 4, not 3",
    ),
    "DCQCN on Thor": (
        "thor",
        replaced(f"{CC}/ecn_enable", "1", "0"),
        "rdma1: DCQCN is 0, not 1",
    ),
    "the DSCP of CNPs on Thor": (
        "thor",
        replaced(f"{CC}/cnp_dscp", "48", "0x2e"),
        "rdma1: the DSCP of CNPs is 46, not 48",
    ),
    "the TOS of RDMA-CM on Thor": (
        "thor",
        replaced("sys/kernel/config/rdma_cm/rdma1/ports/1/default_roce_tos", "104", "0"),
        "rdma1: the TOS of RDMA-CM is 0, not 104",
    ),
    "trust on Pollara": (
        "pollara",
        told("nicctl", "update", "qos", "--classification-type", "pcp"),
        "all NICs: trust is PCP, not DSCP",
    ),
    "PFC on Pollara": (
        "pollara",
        told("nicctl", "update", "qos", "pfc", "--priority", "3", "--no-drop", "disable"),
        "all NICs: the PFC bitmap is 0x0, not 0x8",
    ),
    "a DSCP on Pollara": (
        "pollara",
        told("nicctl", "update", "qos", "dscp-to-priority", "--dscp", "10", "--priority", "3"),
        "all NICs: DSCP 10 goes to priority 3, not 0",
    ),
    "a rate of DCQCN on Pollara": (
        "pollara",
        told("nicctl", "update", "dcqcn", "-r", "rdma1", "-i", "1", "--ai-rate", "5"),
        "rdma1: DCQCN, Rate increase in AI phase is 5, not 160",
    ),
    "the DSCP of CNPs on Pollara": (
        "pollara",
        told("nicctl", "update", "dcqcn", "-r", "rdma1", "-i", "1", "--cnp-dscp", "46"),
        "rdma1: the DSCP of CNPs is 46, not 48",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_each_disagreement_is_named_alone(planted: str, applied: Applied) -> None:
    family, plant, line = PLANTED[planted]
    here = applied(family)
    plant(here)
    assert here.check() == (1, [line])


@pytest.mark.parametrize("family", FAMILIES)
def test_applying_mends_what_was_changed_by_hand(family: str, applied: Applied) -> None:
    here = applied(family)
    for owner, plant, _ in list(PLANTED.values()):
        if owner == family and plant.__qualname__.startswith("told"):
            plant(here)
    assert here.check()[0] == 1
    assert here.apply().returncode == 0
    assert here.check() == (0, [])


def test_a_missing_interface_is_named_and_the_others_are_done(tmp_path: Path) -> None:
    here = made(tmp_path, "connectx")
    shutil.rmtree(here.root / "sys/class/net/rdma1")
    done = here.apply()
    assert done.returncode == 1
    assert done.stderr.splitlines() == [
        "fabricgen: rdma1: everything, for there is no such interface; it was refused"
    ]
    assert here.check() == (1, ["rdma1: there is no such interface"])


def test_a_tool_that_refuses_is_named(tmp_path: Path) -> None:
    here = made(tmp_path, "connectx")
    done = here.apply(REFUSES="cma_roce_tos")
    assert done.returncode == 1
    assert [line.split(": ", 2)[2] for line in done.stderr.splitlines()] == [
        "the TOS of RDMA-CM was refused"
    ] * 2


def test_thor_takes_eight_classes_where_its_firmware_wants_them(tmp_path: Path) -> None:
    here = made(tmp_path, "thor")
    info = "sys/kernel/debug/bnxt_re/0000:06:00.0/info"
    here.put(info, "fw_service_prof_type_sup : 1\n")
    assert here.apply(EIGHT="1").returncode == 0
    assert here.check() == (0, [])
    assert (here.state / "dcb/rdma0/dscp-prio").read_text().split() == ["26:3", "48:6"]
    ets = (here.state / "dcb/rdma0/ets").read_text()
    assert ets.endswith("prio-tc 0:0 1:0 2:0 3:1 4:0 5:0 6:2 7:0\n")


def test_without_roce_no_nic_is_told_anything(tmp_path: Path) -> None:
    for family in FAMILIES:
        folder = tmp_path / family
        folder.mkdir()
        here = made(folder, family, roce={"enabled": False})
        here.apply()
        assert {call.split()[0] for call in here.calls()} == {"rdma"}
        assert "NCCL_IB_TC" not in (here.root / "etc/nccl.conf").read_text()


def test_dcqcn_off_reaches_the_nic(tmp_path: Path) -> None:
    here = made(tmp_path, "connectx", roce={"ecn": {"enabled": False}})
    here.apply()
    states = {p.read_text() for p in here.root.glob("sys/class/net/*/ecn/*/enable/3")}
    assert states == {"0\n"}
    assert "NCCL_IB_TC=104\n" in (here.root / "etc/nccl.conf").read_text()

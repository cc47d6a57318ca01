"""Servers with ports on several routed fabrics: kept apart, each told its own, or refused."""

from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.unit.hosts.hosts import NETWORKS, SHAPES, servers, texts
from tests.unit.hosts.stand_ins import host

from fabricgen.api.proof import read_back
from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import Meters
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.prove.servers import ServerJudge

_ROLE = {"model": "7060X6-64PE", "platform": "eos"}
_RAILS = {**SHAPES["rail-optimized"], "leaf": _ROLE}
RAIL = {"fabric": "backend", "speed": "400G"}


def compiled(fabrics: dict[str, Any], network: str = "netplan", **ports: Any) -> Compiled:
    """Compile two servers with two GPUs, with rails on a backend and these ports."""
    kind = {"count": 2, "gpus": 2, "network": network, "ports": {"rail": RAIL} | ports}
    words = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": {"gpu": kind},
        "backend": _RAILS,
        "fabrics": fabrics,
    }
    return compile_site(load_texts({"site.yaml": yaml.safe_dump(words)}))


def built(made: Compiled) -> Site:
    assert made.ok, made.findings
    assert made.site is not None
    return made.site


def second(**words: Any) -> dict[str, Any]:
    return {"second": {**_RAILS, "kind": "rails", "number": 2, **words}}


def storage(**roce: Any) -> dict[str, Any]:
    return {"storage": {"kind": "routed", "leaf": _ROLE, "spine": _ROLE, "roce": roce}}


AGAIN = {"fabric": "second", "speed": "400G"}
DATA = {"fabric": "storage", "group": "compute", "ports": 2, "speed": "400G"}


@pytest.mark.parametrize("network", NETWORKS)
def test_rails_of_two_fabrics_are_apart(network: str) -> None:
    site = built(compiled(second(), network, again=AGAIN))
    for host_slice in servers(site):
        apart = ServerJudge().judge(host_slice, texts(host_slice))
        assert (apart.findings, apart.ways) == ((), 2 * 2 * 5)
        tables = [port.plan.table for side in host_slice.routed for port in side.ports]
        assert tables == [1011, 1021, 15_011, 15_021]
    assert not [each.findings for each in read_back(site) if each.findings]


def test_the_scripts_go_through_both_sets_of_rails(tmp_path: Path) -> None:
    host_slice = servers(built(compiled(second(), again=AGAIN)))[0]
    here = host(tmp_path, texts(host_slice), host_slice.routed[0].share.gid_index)
    assert here.check()[0] == 1
    done = here.apply()
    assert (done.returncode, done.stderr) == (0, "")
    assert here.check() == (0, [])
    told = texts(host_slice)["etc/nccl.conf"]
    assert "NCCL_IB_HCA==rail0:1,rail1:1,again0:1,again1:1\n" in told
    assert "NCCL_CROSS_NIC=0\n" in told
    assert "rails reach only 172.16.0.0/12 and 10.104.0.0/13" in told


@pytest.mark.parametrize(
    ("words", "nic", "said"),
    [
        ({}, "thor2", "traffic class 104 on second, traffic class 106 on backend"),
        ({"roce": {"dscp": 24}}, "connectx-7", "traffic class 98 on second"),
        ({"roce": {"enabled": False}}, "connectx-7", "no traffic class on second"),
        ({"load_balancing": {"queue_pairs": 8}}, "connectx-7", "8 queue pairs on second, 4 queue"),
    ],
)
def test_nccl_cannot_be_told_two_things(words: dict[str, Any], nic: str, said: str) -> None:
    found = compiled(second(**words), again={**AGAIN, "nic": nic}).findings
    (error,) = (item for item in found if "NCCL has one setting" in item.message)
    assert (error.code, error.path) == (
        Code.UNSUPPORTED,
        ("servers", "gpu", "ports", "again", "nic"),
    )
    assert said in error.message


def test_amds_nics_of_a_host_have_the_same_classes() -> None:
    ports: dict[str, Any] = {
        "rail": {**RAIL, "nic": "pollara-400"},
        "data": {**DATA, "nic": "pollara-400"},
    }
    other = compiled(storage(dscp=24), **ports)
    (error,) = (item for item in other.findings if "nicctl" in item.message)
    assert error.code is Code.UNSUPPORTED
    assert error.path == ("servers", "gpu", "ports", "data", "nic")
    assert error.message == (
        "nicctl sets all NICs of a host together, but the classes of storage differ from backend"
    )
    built(compiled(storage(), **ports))


def test_nics_of_two_makers_are_told_by_the_tool_of_each() -> None:
    ports: dict[str, Any] = {
        "rail": {**RAIL, "nic": "pollara-400"},
        "data": {**DATA, "nic": "connectx-7"},
    }
    host_slice = servers(built(compiled(storage(dscp=24), **ports)))[0]
    script = texts(host_slice)["etc/fabricgen/nics.sh"]
    rails, data = script.split("etc/fabricgen/rails", 1)
    assert "nicctl" in rails
    assert "mlnx_qos" not in rails
    assert "mlnx_qos" in data
    assert "nicctl" not in data


def test_kinds_of_one_rail_fabric_have_contracts_of_their_own() -> None:
    """NIC, cable and tool differ: each leaf's ports count with the cables of their own kind."""
    rail = {"fabric": "backend", "speed": "400G"}
    kinds = {
        "new": {"count": 2, "gpus": 2, "ports": {"rail": {**rail, "nic": "connectx-8"}}},
        "old": {
            "count": 2,
            "gpus": 2,
            "network": "networkd",
            "ports": {"rail": {**rail, "nic": "thor2", "unit": 3, "cable_length": 40}},
        },
    }
    sonic = {"model": "7060X6-64PE", "platform": "sonic"}
    words = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": kinds,
        "backend": {**_RAILS, "leaf": sonic, "spine": {**sonic, "count": 2}},
    }
    site = built(compile_site(load_texts({"site.yaml": yaml.safe_dump(words)})))
    assert not [each.findings for each in read_back(site) if each.findings]
    new, _, old, _ = servers(site)
    told = [texts(host_slice)["etc/fabricgen/nics.sh"] for host_slice in (new, old)]
    assert ("mlnx_qos" in told[0], "dcb" in told[1]) == (True, True)
    assert "--cable_len 5 " in told[0]
    (fabric,) = site.fabrics
    assert fabric.lossless is not None
    room = {
        name: {int(port.length): port.headroom for port, _ in fabric.lossless.switches[name].ports}
        for name in ("be-su01-leaf1", "be-su03-leaf1")
    }
    assert room["be-su01-leaf1"].keys() == {5, 30}
    assert room["be-su03-leaf1"].keys() == {30, 40}
    fabric.hosts[("servers", "old"), "rail"].length = Meters(5)  # type: ignore[misc]
    found = read_back(site)
    said = [item.message for each in found for item in each.findings]
    assert any("the cable length is 40 m, but 5 m on the NIC" in message for message in said), said


def test_the_ports_of_one_nic_follow_one_another() -> None:
    card = {**DATA, "nic": "connectx-8", "nic_ports": 2, "nic_slots": ["0000:18:00.0"]}
    files = texts(servers(built(compiled(storage(), data=card)))[0])
    for number in (0, 1):
        link = files[f"etc/systemd/network/10-fabricgen-data{number}.link"]
        assert f"Path=pci-0000:18:00.{number}\n" in link
    assert '-v ports="1 2"' in files["etc/fabricgen/firmware.sh"].split("etc/fabricgen/rails")[1]


@pytest.mark.parametrize(
    ("words", "key", "said"),
    [
        ({"nic_ports": 4}, "nic_ports", "2 ports of a server are not a multiple of 4"),
        (
            {"nic_slots": ["0000:18:00.0"]},
            "nic_slots",
            "a server has 2 NICs, but 1 different PCI addresses",
        ),
        ({"nic": "nonesuch"}, "nic", "no NIC 'nonesuch' in the catalog"),
        ({"speed": "800G"}, "speed", "connectx-7 does not run 1 port(s) at 800G"),
    ],
)
def test_a_nic_of_storage_that_cannot_be_is_refused(
    words: dict[str, Any], key: str, said: str
) -> None:
    found = compiled(storage(), data={**DATA, **words}).findings
    (message,) = (
        item.message for item in found if item.path == ("servers", "gpu", "ports", "data", key)
    )
    assert message.startswith(said)


def test_without_roce_any_nic_will_do() -> None:
    fabric = {"storage": {"kind": "routed", "leaf": _ROLE, "spine": _ROLE}}
    assert compiled(fabric, data={**DATA, "speed": "800G"}).ok
    found = compiled(fabric, data={**DATA, "nic": "nonesuch"}).findings
    assert [item.code for item in found if item.path[-1:] == ("nic",)] == [Code.UNKNOWN_REFERENCE]


def test_a_hint_names_the_keys_of_a_kind() -> None:
    found = compiled({}, rail={**RAIL, "speed": "800G"}).findings
    (error,) = (item for item in found if item.code is Code.SPEED_NOT_ON_MODEL)
    assert error.path == ("servers", "gpu", "ports", "rail", "speed")
    assert "`nic_ports: 2` with `speed: 400G`" in error.hint
    found = compiled({}, rail={**RAIL, "nic": "connectx-6-dx"}).findings
    (error,) = (item for item in found if item.code is Code.SPEED_NOT_ON_MODEL)
    assert "set `servers.gpu.ports.rail.nic`" in error.hint

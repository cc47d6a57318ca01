"""From bench/roce, what needs no guest: the job that is asked, and what is told of its counts."""

from pathlib import Path
from typing import Any

import pytest
from bench.roce.ask import asked
from bench.roce.queues import difference
from bench.roce.report import report

from fabricgen.operate.lab.engine.kernel import in_order
from fabricgen.operate.lab.tools import Tools


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    job = tmp_path_factory.mktemp("job")
    return asked(job, Tools(job))


def test_traffic_is_sent_as_the_rendered_host_files_say(ask: dict[str, Any]) -> None:
    tclass = ask["traffic"][0]["tclass"]
    assert f"DSCP {tclass >> 2}" in ask["classes"].values()
    assert tclass & 3  # ECN-capable, or nothing could be marked


def test_the_way_between_the_nics_crosses_a_spine(ask: dict[str, Any]) -> None:
    here, there = ask["ends"]
    assert here["leaf"] != there["leaf"] == ask["last"]["switch"]
    uplinks = {(cable["a"], cable["b"]) for cable in ask["plan"]["cables"]}
    for leaf in (here["leaf"], there["leaf"]):
        assert {(leaf, "be-spine1"), (leaf, "be-spine2")} <= uplinks


def test_modules_come_once_and_after_those_they_need(tmp_path: Path) -> None:
    (tmp_path / "modules.dep").write_text(
        "a/rdma_rxe.ko.xz: b/ib-core.ko.xz c/udp_tunnel.ko.xz\n"
        "b/ib-core.ko.xz: c/udp_tunnel.ko.xz\n"
        "c/udp_tunnel.ko.xz:\n"
    )
    (tmp_path / "modules.builtin").write_text("kernel/lib/crc32.ko\n")
    paths, missing = in_order(tmp_path, ("ib_core", "crc32", "rdma_rxe", "siw"))
    assert [path.name for path in paths] == ["udp_tunnel.ko.xz", "ib-core.ko.xz", "rdma_rxe.ko.xz"]
    assert missing == ["siw"]


def _run(ask: dict[str, Any], marked: int) -> dict[str, Any]:
    """Return counts of one packet in each class of every port; marks only where RED is."""
    names = list(ask["classes"])
    red = next(name for name, title in ask["classes"].items() if title == "DSCP 26")
    port = {name: {"packets": 1, "dropped": 0} for name in names}
    port[red] = {"packets": 1, "dropped": 0, "marked": marked}
    queues = {
        switch["name"]: dict.fromkeys(switch["ports"], port) for switch in ask["plan"]["switches"]
    }
    devices = [end["device"] for end in ask["ends"]]
    packet = {"way": "in", "kind": "data", "dscp": 26, "ecn": 3, "ttl": 61, "packets": 7}
    zeros = dict.fromkeys(
        (
            *("completer_retry_err", "duplicate_request", "out_of_seq_request", "rcvd_seq_err"),
            *("retry_exceeded_err", "retry_rnr_exceeded_err", "send_err"),
        ),
        0,
    )
    return {
        **ask["traffic"][0],
        "took": 1.0,
        "bits_per_second": 1e6,
        "seen": {device: [packet] for device in devices},
        "rxe": dict.fromkeys(devices, zeros),
        "queues": queues,
    }


def test_the_report_sums_ports_by_neighbor_and_names_the_last(ask: dict[str, Any]) -> None:
    words = {"kernel": "6.1", "frr": "FRR", "perftest": "4.5", "rate": "5000000bit"}
    text = report(ask, {**words, "runs": [_run(ask, marked=5)]})
    assert "| be-su01-leaf2 to gpu0002:rdma1, 1 port | 1 | 1 | 1 | 1 | 5 | 0 |" in text
    assert "| be-su01-leaf1 to be-spine1, 2 ports | 2 | 2 | 2 | 2 | 10 | 0 |" in text
    assert "| data reaches rdma1 | 7 | 26 | 61 | CE 7 |" in text
    assert "gpu0003" not in text


def test_counters_are_subtracted_however_deep() -> None:
    assert difference({"a": {"b": 5}}, {"a": {"b": 3}}) == {"a": {"b": 2}}


def test_queues_of_an_asic_are_those_of_its_own_tc_batch(ask: dict[str, Any]) -> None:
    plain, offloaded = ask["traffic"][0]["queues"], ask["traffic"][-1]["queues"]
    assert not plain
    assert " root handle 1: ets " in offloaded[0]
    assert {line.split(" dev ")[1].split()[0] for line in offloaded} == {ask["last"]["port"]}

"""What each proof asks of a running lab, written down by one that answers nothing."""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.traffic import convergence
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.classes import COUNT, ECT, OTHERS, classes
from fabricgen.operate.lab.traffic.congestion import RATE, SECONDS, SENDERS, congestion
from fabricgen.operate.lab.traffic.ecmp import FLOWS_PER_UPLINK, ecmp, jumbo
from fabricgen.operate.lab.traffic.proof import Proof, Verdict
from fabricgen.operate.lab.traffic.reachability import reachability
from fabricgen.operate.lab.traffic.registry import gateways


class AskedError(Exception):
    """There is no answer left: what was asked is all that the test wants to know."""


@dataclass
class Engine:
    """What a lab was asked for, and what it has to say."""

    asked: list[dict[str, Any]] = field(default_factory=list)
    answers: list[Any] = field(default_factory=list)
    bench: Bench = field(default_factory=bench_of)

    def call(self, op: str, **words: Any) -> Any:
        self.asked.append({"op": op, **words})
        if not self.answers:
            raise AskedError
        return self.answers.pop(0)

    def first(self, proof: Callable[[Bench], Iterable[Any]]) -> dict[str, Any]:
        """Return what a proof asks first."""
        with pytest.raises(AskedError):
            list(proof(self.bench))
        (asked,) = self.asked
        assert asked["op"] == "probe"
        ask: dict[str, Any] = asked["ask"]
        return ask


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    """Stand in for the lab of the example site `lab`."""
    engine = Engine()
    monkeypatch.setattr(LabClient, "call", lambda _, op, **words: engine.call(op, **words))
    return engine


def test_a_small_packet_goes_from_each_host_to_every_other(engine: Engine) -> None:
    ask = engine.first(reachability)
    ends = list(enumerate(bench_of().plan.endpoints))
    assert sorted(ask["pairs"]) == [
        (source, target) for source, one in ends for target, two in ends if one.host != two.host
    ]
    del ask["pairs"]
    assert ask == {"kind": "matrix", "rounds": 4, "wait": 1, "size": 100, "dscp": 0}


def test_every_host_asks_its_gateway(engine: Engine) -> None:
    assert engine.first(gateways) == {"kind": "echo", "wait": 1}


def test_jumbo_frames_are_as_large_as_their_sender_may_send(engine: Engine) -> None:
    ask, plan = engine.first(jumbo), bench_of().plan
    assert (ask["kind"], ask["rounds"], ask["wait"], ask["dscp"]) == ("matrix", 2, 1, 0)
    assert ask["size"] == [plan.endpoints[source].mtu for source, _ in ask["pairs"]]
    assert min(ask["size"]) > 9000


def test_every_class_goes_round_the_leafs_of_each_fabric(engine: Engine) -> None:
    """And where nothing was heard of any DSCP, nothing is wrong with one."""
    engine.answers = [{}, {}]
    proofs = list(classes(engine.bench))
    assert [proof.name for proof in proofs] == [
        "frontend: DSCP to class",
        "backend: DSCP to class",
    ]
    for fabric, asked in zip(engine.bench.fabrics, engine.asked, strict=True):
        ask = asked["ask"]
        ring = engine.bench.ring(fabric.name)
        assert ask["kind"] == "classes"
        assert ask["pairs"] == [(pair.source, pair.target) for pair in ring]
        assert (ask["count"], ask["ecn"]) == (COUNT, ECT)
        assert set(OTHERS) < set(ask["dscps"])
        assert set(ask["ports"]) == {
            switch.name for switch in engine.bench.plan.switches if switch.fabric == fabric.name
        }


def test_flows_are_sprayed_between_loopbacks_where_there_are_tunnels(engine: Engine) -> None:
    counted = defaultdict[str, Any](lambda: defaultdict(lambda: {"bytes": 64_000}))
    uplinks = {"frontend": 2, "backend": 4}
    flows = {fabric: FLOWS_PER_UPLINK * count for fabric, count in uplinks.items()}
    engine.answers = [{"answer": [count] * 4, "counted": counted} for count in flows.values()]
    proofs = list(ecmp(engine.bench))
    assert [proof.name for proof in proofs] == ["frontend: ECMP", "backend: ECMP"]
    assert [proof.faults for proof in proofs] == [(), ()]
    tunnels, plain = (asked["ask"] for asked in engine.asked)
    assert tunnels["ways"][0] == [("fe-leaf01", "10.64.0.1"), ("fe-leaf02", "10.64.0.2")]
    hosts = {(end.host, end.address): end.leaf for end in engine.bench.plan.endpoints}
    leafs = engine.bench.leafs("backend")
    assert [tuple(hosts[end] for end in way) for way in plain["ways"]] == list(
        zip(leafs, leafs[1:] + leafs[:1], strict=True)
    )
    for ask, fabric in ((tunnels, "frontend"), (plain, "backend")):
        assert (ask["kind"], ask["flows"]) == ("spray", flows[fabric])
        assert set(ask["watch"]) == set(engine.bench.leafs(fabric))
        assert {len(ports) for ports in ask["watch"].values()} == {uplinks[fabric]}


@pytest.mark.parametrize("proof", [ecmp, convergence.convergence])
def test_where_there_is_one_way_only_nothing_is_asked(
    engine: Engine, proof: Callable[[Bench], Iterable[Proof]]
) -> None:
    (said,) = proof(bench_of("rail-only"))
    assert said.verdict is Verdict.NOT_ASKED
    assert said.sentence == "no leaf has more than one path to another in this lab"
    assert engine.asked == []


def test_an_incast_meets_at_one_port_that_is_slowed(engine: Engine) -> None:
    """Three hosts fill its queue past the highest mark and not to its end, four times as much."""
    silent = {"answer": {"heard": {}, "sent": [0] * 5}, "counted": {}}
    engine.answers = [{"status": 0, "stdout": "as rendered", "stderr": ""}, silent]
    frontend, backend = congestion(engine.bench)
    assert (frontend.verdict, frontend.sentence) == (
        Verdict.NOT_ASKED,
        "no class has ECN marking, so no queue can be tested",
    )
    read, asked = engine.asked
    ask, ends = asked["ask"], engine.bench.plan.endpoints
    switch, port = ask["slowed"]["switch"], ask["slowed"]["port"]
    assert (read["op"], read["name"]) == ("exec", switch)
    assert ask["slowed"] == {"switch": switch, "port": port, "rate": RATE, "batch": "as rendered"}
    assert ask["watch"] == {switch: [port]}
    (target,) = {flow["pair"][1] for flow in ask["flows"]}
    assert engine.bench.last(ends[target]) == [(switch, port)]
    assert backend.sentence == f"to {ends[target].name}"
    assert len({ends[flow["pair"][0]].host for flow in ask["flows"]}) == SENDERS
    assert [flow["tos"] >> 2 for flow in ask["flows"]] == [26, 26, 26, 48, 0]
    assert {flow["tos"] & 3 for flow in ask["flows"]} == {ECT}
    sent = sum(flow["rate"] * flow["size"] for flow in ask["flows"])
    marks = engine.bench.queues[switch, port]
    (highest,) = {int(each[1]) for name, each in marks.items() if name.startswith("marking")}
    left = SECONDS * (sent - RATE / 8)
    assert highest < left < 4 * highest


def test_something_breaks_while_flows_run(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """The flows begin first, and what became of them comes with how long they ran."""
    begun, slept, order = threading.Event(), list[float](), list[str]()
    engine.answers = [{"flows": ["as they went"]}]

    def call(_: LabClient, op: str, **words: Any) -> Any:
        order.append("flows")
        begun.set()
        return engine.call(op, **words)

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        begun.wait()

    monkeypatch.setattr(LabClient, "call", call)
    monkeypatch.setattr(time, "sleep", sleep)
    flows = [{"pair": (0, 1)}]
    said = convergence.meanwhile(engine.bench, flows, "cable", lambda: order.append("cut"))
    seconds = convergence.BEFORE + convergence.AFTER["cable"]
    assert order == ["flows", "cut"]
    assert slept == [convergence.BEFORE]
    assert said == {"flows": ["as they went"], "seconds": seconds}
    assert [one["ask"] for one in engine.asked] == [
        {"kind": "flows", "flows": flows, "seconds": seconds}
    ]


def test_the_busiest_uplink_is_looked_for_during_a_second(engine: Engine) -> None:
    engine.answers = [{"counted": {"leaf1": {"swp1": {"bytes": 7}, "swp2": {"bytes": 9}}}}]
    uplinks = [("leaf1", "swp1"), ("leaf1", "swp2")]
    counted = convergence._counted(engine.bench, uplinks, [])
    (asked,) = engine.asked
    watch = {"leaf1": ["swp1", "swp2"]}
    assert asked["ask"] == {"kind": "flows", "flows": [], "seconds": 1, "watch": watch}
    assert convergence.busiest(counted) == ("leaf1", "swp2")


def test_flows_of_a_failure_go_both_ways_between_two_leafs() -> None:
    bench = bench_of()
    fabric = bench.fabrics[0].name
    leafs = bench.two_ways(fabric)
    assert leafs is not None
    flows = convergence._flows(bench, fabric, leafs)
    ways = [tuple(bench.endpoint(end).leaf for end in flow["pair"]) for flow in flows]
    half = len(flows) // 2
    assert half == convergence.FLOWS
    assert ways == [leafs] * half + [leafs[::-1]] * half
    assert {flow["tos"] for flow in flows} == {0}
    assert len({flow["pair"] for flow in flows[:half]}) > 1

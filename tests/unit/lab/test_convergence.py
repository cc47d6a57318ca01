"""From the losses of steady flows: one that does not recover is named; no clock is judged."""

from typing import Any

from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic.convergence import busiest, judge
from fabricgen.operate.lab.traffic.proof import Proof, Verdict

BENCH = bench_of()
PAIRS = BENCH.between("backend", "be-su01-leaf1", "be-su01-leaf2")
FLOWS: list[dict[str, Any]] = [{"pair": (each.source, each.target)} for each in PAIRS[:3]]
SECONDS = 10.0


def judged(*lost: list[list[int]], budget: int | None = 900) -> Proof:
    said = {"lost": lost, "seconds": SECONDS}
    return judge(BENCH, "backend: cut be-su01-leaf1:swp29", FLOWS, said, budget)


def test_flows_that_recover_hold_and_their_losses_are_said() -> None:
    proof = judged([[1500, 180]], [], [[1500, 20], [1600, 40]])
    assert proof.verdict is Verdict.HOLDS
    assert "2 of 3 flows lose packets, for 60 to 180 ms in this lab" in proof.sentence
    assert "whose FRR has no ASIC (BFD budget 900 ms)" in proof.sentence
    assert proof.figures["lost_ms"] == [180, 0, 60]


def test_a_loss_longer_than_the_budget_is_no_fault() -> None:
    assert judged([[1500, 5000]], [], []).verdict is Verdict.HOLDS


def test_a_flow_that_still_loses_at_the_end_is_named() -> None:
    proof = judged([], [[1500, 8500]], [])
    source, target = (BENCH.endpoint(end).name for end in FLOWS[1]["pair"])
    assert proof.faults == (f"{source} → {target}: still loses packets at the end",)


def test_a_flow_that_loses_nothing_but_its_last_packets_has_not_recovered() -> None:
    assert judged([[9500, 40]], [], []).verdict is Verdict.FAILS


def test_the_cable_to_break_is_the_one_in_use() -> None:
    counted = {"leaf1": {"swp29": {"bytes": 500}, "swp30": {"bytes": 90_000}}}
    assert busiest(counted) == ("leaf1", "swp30")

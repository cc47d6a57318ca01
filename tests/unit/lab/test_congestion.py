"""From an incast: no mark, a mark too many, a loss or a wait of the strict class is named."""

from typing import Any

import pytest
from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic.congestion import Incast, judge
from fabricgen.operate.lab.traffic.proof import Proof, Verdict

SPOT = ("be-su01-leaf1", "swp1")
INCAST = Incast(
    spot=SPOT,
    plan=bench_of().queues[SPOT],
    marked=26,
    strict=48,
    target="gpu0001/rdma0",
)
STRICT, PLAIN = "3", "4"  # flows after those of the three senders


def flow(count: int, wait: float, marked: int = 0) -> dict[str, Any]:
    return {"count": count, "marked": marked, "p50_ms": wait, "p99_ms": 2 * wait}


def said(**queues: Any) -> dict[str, Any]:
    heard = {str(place): flow(300, 200.0 - 9 * place, 250) for place in range(3)}
    heard |= {STRICT: flow(150, 0.5), PLAIN: flow(80, 3.0)}
    counted = {SPOT[0]: {SPOT[1]: {"queues": queues}}}
    return {"answer": {"heard": heard, "sent": [300, 300, 300, 150, 80]}, "counted": counted}


def judged(found: dict[str, Any]) -> Proof:
    return judge("backend: incast", INCAST, found)


def test_marks_and_a_short_wait_hold_and_the_slowing_is_said() -> None:
    proof = judged(said())
    assert proof.verdict is Verdict.HOLDS
    assert "750 of 900 packets of DSCP 26 are CE-marked" in proof.sentence
    assert "DSCP 48 waits 0.5 ms (p99 1.0 ms) while DSCP 26 waits 200.0 ms" in proof.sentence
    assert "be-su01-leaf1:swp1 was slowed to 20 Mbit/s" in proof.sentence


def test_a_queue_that_marks_nothing_is_named() -> None:
    found = said()
    for place in range(3):
        found["answer"]["heard"][str(place)]["marked"] = 0
    (fault,) = judged(found).faults
    assert fault.startswith("be-su01-leaf1:swp1: no packet of DSCP 26 is CE-marked")


@pytest.mark.parametrize(("place", "dscp"), [(STRICT, 48), (PLAIN, 0)])
def test_a_mark_outside_the_class_is_named(place: str, dscp: int) -> None:
    found = said()
    found["answer"]["heard"][place]["marked"] = 2
    (fault,) = judged(found).faults
    assert f"2 packets of DSCP {dscp} are CE-marked" in fault


def test_a_loss_in_the_strict_class_is_named() -> None:
    found = said()
    found["answer"]["heard"][STRICT]["count"] = 147
    (fault,) = judged(found).faults
    assert "3 of 150 packets of DSCP 48 are lost" in fault


def test_a_strict_class_that_waits_with_the_others_is_named() -> None:
    found = said()
    found["answer"]["heard"][STRICT] |= {"p50_ms": 150.0}
    (fault,) = judged(found).faults
    assert "DSCP 48 waits 150.0 ms" in fault


def test_a_class_of_which_nothing_arrives_is_named() -> None:
    found = said()
    del found["answer"]["heard"][STRICT]
    assert judged(found).faults == ("no packet of DSCP 48 arrives at gpu0001/rdma0",)


def test_drops_of_the_strict_queue_are_counted() -> None:
    proof = judged(said(**{"1:2": {"drops": 4}}))
    assert proof.verdict is Verdict.FAILS
    assert "4 packets of the strict class are dropped" in proof.sentence

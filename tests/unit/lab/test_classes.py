"""From what each queue sent: a DSCP in the wrong class is named with its switch and port."""

from typing import Any

import pytest
from tests.nos.tenants import classed
from tests.unit.lab.bench import bench_of, bench_of_text

from fabricgen.operate.lab.traffic.bench import Spot
from fabricgen.operate.lab.traffic.classes import (
    COUNT,
    SIZE,
    asked,
    class_of,
    classes,
    judge,
    steps,
)
from fabricgen.operate.lab.traffic.proof import Proof, Verdict

BENCH = bench_of()
PATH = list(steps(BENCH, "backend"))
QUEUES = BENCH.queues


def queue(packets: int) -> dict[str, int]:
    """Return what a queue counted: packets of the measurement, and some of BFD's."""
    return {"bytes": packets * (SIZE + 14) + 400, "packets": packets + 5}


def counted(dscp: int) -> dict[str, Any]:
    """Return counters of packets that go where they must: by the first port of each step."""
    found: dict[str, Any] = {}
    for step in PATH:
        for place, (switch, port) in enumerate(step.spots):
            handle = class_of(QUEUES[switch, port], dscp)
            sent = {handle: queue(step.count if place == 0 else 0)}
            found.setdefault(switch, {})[port] = {"queues": sent}
    return found


def said(*dscps: int) -> dict[str, Any]:
    total = COUNT * len(BENCH.ring("backend"))
    return {str(d): {"heard": total, "kept": total, "counted": counted(d)} for d in dscps}


def judged(found: dict[str, Any]) -> Proof:
    return judge("backend: DSCP to class", PATH, QUEUES, found)


def first(where: str) -> Spot:
    return next(step.spots[0] for step in PATH if where in step.where)


def test_dscps_in_their_classes_hold() -> None:
    proof = judged(said(0, 26, 48))
    assert proof.verdict is Verdict.HOLDS
    assert "3 DSCPs (0, 26, 48)" in proof.sentence


@pytest.mark.parametrize("where", ["leaf1 up", "the spines", "to gpu"])
@pytest.mark.parametrize(("dscp", "wrong"), [(26, "1:4"), (48, "1:3"), (0, "1:1")])
def test_a_dscp_in_another_class_is_named_with_its_port(where: str, dscp: int, wrong: str) -> None:
    found = said(0, 26, 48)
    switch, port = first(where)
    queues = found[str(dscp)]["counted"][switch][port]["queues"]
    right = class_of(QUEUES[switch, port], dscp)
    queues[wrong] = queues.pop(right)
    faults = judged(found).faults
    assert f"{switch}:{port}: " in faults[0]
    assert f"of DSCP {dscp} are in class {wrong}, expected class {right}" in faults[0]
    assert f"packets of DSCP {dscp} are in their class" in faults[1]
    assert len(faults) == 2


def test_packets_that_pass_no_queue_at_all_are_missed() -> None:
    found = said(26)
    switch, port = first("the spines")
    found["26"]["counted"][switch][port]["queues"] = {}
    (fault,) = judged(found).faults
    assert fault.startswith("the spines: 0 of ")


def test_a_dscp_that_arrives_as_another_is_counted() -> None:
    found = said(26)
    found["26"]["kept"] -= 3
    assert judged(found).faults == ("DSCP 26: rewritten in 3 packets",)


def test_every_switch_of_the_fabric_is_passed() -> None:
    passed = {switch for step in PATH for switch, _ in step.spots}
    fabric = {each.name for each in BENCH.plan.switches if each.fabric == "backend"}
    assert passed == fabric


def test_without_spines_every_leaf_is_passed_by_its_own_hosts() -> None:
    bench = bench_of("rail-only")
    (fabric,) = bench.fabrics
    passed = [step.spots[0][0] for step in steps(bench, fabric.name)]
    assert passed == bench.leafs(fabric.name)


def test_every_dscp_with_a_class_of_its_own_is_asked_and_those_beside_it() -> None:
    qos = next(each.qos for each in BENCH.fabrics if each.name == "backend")
    assert qos is not None
    assert {25, 26, 27, 47, 48, 49, 55, 56, 57, 0} <= set(asked(qos))


def test_only_hosts_whose_dscps_are_taken_send() -> None:
    bench = bench_of_text(classed("7050CX3-32S", "linux"))
    assert {bench.endpoint(pair.source).host for pair in bench.ring("frontend")} == {"vm0004"}
    trusting = bench_of_text(classed("7050CX3-32S", "linux", trust=True))
    assert {trusting.endpoint(pair.source).leaf for pair in trusting.ring("frontend")} == {
        "fe-leaf01",
        "fe-leaf02",
    }


def test_where_ports_write_every_dscp_nothing_is_asked() -> None:
    text = classed("7050CX3-32S", "linux").replace(", trust: true}", "}")
    (proof,) = classes(bench_of_text(text))
    assert proof.verdict is Verdict.NOT_ASKED
    assert "ports rewrite the DSCP" in proof.sentence

"""From how many routers answer each endpoint: one answer holds, all others are named."""

from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic.proof import Verdict
from fabricgen.operate.lab.traffic.registry import judge

PLAN = bench_of().plan
ONCE = [1] * len(PLAN.endpoints)


def test_one_answer_from_each_gateway_holds() -> None:
    proof = judge(PLAN, ONCE)
    assert (proof.verdict, proof.faults) == (Verdict.HOLDS, ())
    assert proof.sentence.startswith(f"{len(ONCE)} of {len(ONCE)} endpoints")


def test_no_answer_and_two_answers_are_faults_of_their_endpoints() -> None:
    proof = judge(PLAN, [0, 2, *ONCE[2:]])
    assert proof.faults == tuple(
        f"{PLAN.endpoints[at].name}: {count} answers from its gateway"
        f" {PLAN.endpoints[at].gateway}, expected one"
        for at, count in enumerate((0, 2))
    )
    assert proof.sentence.startswith(f"{len(ONCE) - 2} of {len(ONCE)} endpoints")

"""An ICMP echo from every endpoint to its gateway in; that exactly one router answers out."""

from collections.abc import Iterator, Sequence

from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.proof import Proof, judged


def gateways(bench: Bench) -> Iterator[Proof]:
    """Ask each endpoint's gateway; the leafs learn every host's address from it, too."""
    yield judge(bench.plan, bench.probe("echo", wait=1))


def judge(plan: LabPlan, counts: Sequence[int]) -> Proof:
    """Compare the number of answers with one each."""
    faults = (
        f"{each.name}: {count} answers from its gateway {each.gateway}, one is right"
        for each, count in zip(plan.endpoints, counts, strict=True)
        if count != 1
    )
    once = sum(count == 1 for count in counts)
    sentence = f"{once} of {len(counts)} endpoints get exactly one answer from their gateway"
    return judged("gateway answers once", sentence, faults, once=once)

"""Run every proof in the order of the list."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.plan import LabPlan
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.classes import classes
from fabricgen.operate.lab.traffic.congestion import congestion
from fabricgen.operate.lab.traffic.convergence import convergence
from fabricgen.operate.lab.traffic.ecmp import ecmp, jumbo
from fabricgen.operate.lab.traffic.outside import outside
from fabricgen.operate.lab.traffic.proof import Proof, judged
from fabricgen.operate.lab.traffic.reachability import reachability
from fabricgen.operate.lab.traffic.running import running
from fabricgen.operate.lab.traffic.ways_out import ways_out


def gateways(bench: Bench) -> Iterator[Proof]:
    """Ping each endpoint's gateway, so that the leafs also learn every host's address."""
    yield judge(bench.plan, bench.probe("echo", wait=1))


def judge(plan: LabPlan, counts: Sequence[int]) -> Proof:
    """Compare the number of answers with one each."""
    faults = (
        f"{each.name}: {count} answers from its gateway {each.gateway}, expected one"
        for each, count in zip(plan.endpoints, counts, strict=True)
        if count != 1
    )
    once = sum(count == 1 for count in counts)
    sentence = f"{once} of {len(counts)} endpoints get exactly one answer from their gateway"
    return judged("gateway answers once", sentence, faults, once=once)


Asking = Callable[[Bench], Iterable[Proof]]

# Gateways are first: a leaf advertises a host route only after a packet of the host, and before
# that the path has one router less.
PROOFS: tuple[Asking, ...] = (
    running,
    gateways,
    reachability,
    outside,
    jumbo,
    ecmp,
    classes,
    congestion,
)
FAILURES: tuple[Asking, ...] = (convergence, ways_out)


def proofs(
    client: LabClient,
    site: Site,
    plan: LabPlan,
    *,
    failures: bool = False,
    tell: Callable[[Proof], None] | None = None,
) -> list[Proof]:
    """Run all proofs in sequence; `tell` gets each line as soon as it exists.

    failures: also fail cables and switches, and restore them.
    """
    bench, results = Bench(client, site, plan), []
    for asking in (*PROOFS, *(FAILURES if failures else ())):
        for proof in asking(bench):
            results.append(proof)
            if tell is not None:
                tell(proof)
    return results

"""Every proof of a lab, in its order: those that break something only where they are asked for."""

from collections.abc import Callable, Iterator

import pytest
from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic import registry
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.proof import Proof, judged
from fabricgen.operate.lab.traffic.registry import FAILURES, PROOFS, proofs


def giving(*names: str) -> Callable[[Bench], Iterator[Proof]]:
    def ask(bench: Bench) -> Iterator[Proof]:
        own = bench_of()
        assert (bench.client, bench.site, bench.plan) == (own.client, own.site, own.plan)
        yield from (judged(name, "", ()) for name in names)

    return ask


def test_gateways_are_asked_before_packets_are_counted() -> None:
    names = [ask.__name__ for ask in PROOFS]
    assert names.index("gateways") < names.index("reachability")
    assert [ask.__name__ for ask in FAILURES] == ["convergence", "ways_out"]


@pytest.mark.parametrize(
    ("failures", "names"), [(False, ["a", "b", "c"]), (True, ["a", "b", "c", "d"])]
)
def test_each_proof_is_told_when_it_is_there(
    monkeypatch: pytest.MonkeyPatch, *, failures: bool, names: list[str]
) -> None:
    monkeypatch.setattr(registry, "PROOFS", (giving("a", "b"), giving("c")))
    monkeypatch.setattr(registry, "FAILURES", (giving("d"),))
    bench, told = bench_of(), list[str]()

    def tell(proof: Proof) -> None:
        told.append(proof.name)

    found = proofs(bench.client, bench.site, bench.plan, failures=failures, tell=tell)
    assert [proof.name for proof in found] == told == names
    quiet = proofs(bench.client, bench.site, bench.plan, failures=failures)
    assert quiet == found
    assert len(proofs(bench.client, bench.site, bench.plan)) == 3

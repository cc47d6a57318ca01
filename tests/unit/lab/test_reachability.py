"""From what hosts heard of each other: the pair that is wrong is named, and in the right line."""

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic.pairs import FULL_TTL, Apart, Pair, expected_pairs
from fabricgen.operate.lab.traffic.proof import Proof, Verdict
from fabricgen.operate.lab.traffic.reachability import judge
from fabricgen.operate.lab.traffic.registry import judge as judge_gateways

Heard = dict[str, dict[str, Any]]
BENCH = bench_of()


def as_designed() -> Heard:
    return {
        str(place): {"ttl": FULL_TTL - pair.routers}
        for place, pair in enumerate(BENCH.pairs)
        if pair.routers is not None
    }


def place_of(wanted: Callable[[Pair], bool]) -> int:
    return next(place for place, pair in enumerate(BENCH.pairs) if wanted(pair))


def lines(heard: Heard) -> dict[str, Proof]:
    return {proof.name: proof for proof in judge(BENCH.plan, BENCH.pairs, heard)}


def names(place: int) -> tuple[str, str]:
    pair = BENCH.pairs[place]
    return BENCH.endpoint(pair.source).name, BENCH.endpoint(pair.target).name


def test_every_line_holds_when_each_pair_is_as_designed() -> None:
    found = lines(as_designed())
    assert list(found) == ["reachability", "apart: fabrics", "apart: tenants"]
    assert {proof.verdict for proof in found.values()} == {Verdict.HOLDS}


def test_every_ordered_pair_of_two_hosts_is_asked() -> None:
    hosts = [each.host for each in BENCH.plan.endpoints]
    own = sum(count * count for count in Counter(hosts).values())
    assert len({(p.source, p.target) for p in BENCH.pairs}) == len(hosts) ** 2 - own
    assert len(BENCH.pairs) == len(hosts) ** 2 - own


def test_a_pair_that_hears_nothing_is_named() -> None:
    heard = as_designed()
    place = place_of(lambda pair: pair.routers == 2)
    del heard[str(place)]
    (fault,) = lines(heard)["reachability"].faults
    assert all(name in fault for name in names(place))
    assert "no packet arrives, expected over 2 routers" in fault


def test_a_pair_with_a_router_too_many_is_named() -> None:
    heard = as_designed()
    place = place_of(lambda pair: pair.routers == 1)
    heard[str(place)]["ttl"] -= 1
    (fault,) = lines(heard)["reachability"].faults
    assert "2 routers on the path, expected 1" in fault


@pytest.mark.parametrize("apart", [Apart.FABRICS, Apart.TENANTS])
def test_a_pair_that_must_be_apart_and_is_not_is_named_in_its_own_line(apart: Apart) -> None:
    heard = as_designed()
    place = place_of(lambda pair: pair.apart is apart)
    heard[str(place)] = {"ttl": 62}
    found = lines(heard)
    wrong = [proof for proof in found.values() if proof.verdict is Verdict.FAILS]
    (fault,) = (fault for proof in wrong for fault in proof.faults)
    assert [proof.name for proof in wrong] == [f"apart: {apart.name.lower()}"]
    assert all(name in fault for name in names(place))


def test_rails_that_no_spine_joins_are_apart() -> None:
    bench = bench_of("rail-only")
    endpoints = bench.plan.endpoints
    for pair in expected_pairs(bench.site, bench.plan):
        same = endpoints[pair.source].group == endpoints[pair.target].group
        assert (pair.routers is not None) == same
        assert pair.apart is (None if same else Apart.RAILS)


@pytest.mark.parametrize("count", [0, 2, 7])
def test_a_gateway_that_answers_not_once_is_named(count: int) -> None:
    counts = [1] * len(BENCH.plan.endpoints)
    assert judge_gateways(BENCH.plan, counts).verdict is Verdict.HOLDS
    counts[3] = count
    (fault,) = judge_gateways(BENCH.plan, counts).faults
    assert fault.startswith(f"{BENCH.endpoint(3).name}: {count} answers from its gateway")

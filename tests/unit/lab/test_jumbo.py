"""From what became of the largest packets: the pair and the size that are wrong are named."""

from itertools import product
from typing import Any

from tests.unit.lab.bench import bench_of

from fabricgen.operate.lab.traffic.ecmp import judge_largest, judge_oversize, refusable, sample
from fabricgen.operate.lab.traffic.pairs import Pair
from fabricgen.operate.lab.traffic.proof import Verdict

BENCH = bench_of()
PLAN = BENCH.plan
PAIRS = sample(PLAN, list(BENCH.reachable("frontend")))
CHECKED = [pair for pair in PAIRS if refusable(PLAN, pair)]
MTU = 9164


def largest() -> dict[str, dict[str, Any]]:
    return {str(place): {"size": MTU} for place in range(len(PAIRS))}


def refused() -> list[dict[str, Any]]:
    return [{"heard": False, "by": "10.10.10.1", "mtu": MTU} for _ in CHECKED]


def test_the_sample_covers_every_two_leafs_bridged_and_routed() -> None:
    leafs = BENCH.leafs("frontend")
    covered = {
        (BENCH.endpoint(p.source).leaf, BENCH.endpoint(p.target).leaf, bool(p.routers))
        for p in PAIRS
    }
    assert {(a, b, True) for a, b in product(leafs, leafs)} <= covered
    assert {(a, b, False) for a, b in product(leafs, leafs) if a != b} <= covered


def test_only_two_ports_of_one_bridge_are_not_asked_for_a_byte_more() -> None:
    assert len(CHECKED) == len(PAIRS)  # in this site no two hosts of a leaf share a VLAN
    one, other = 0, 1
    bridged = Pair(source=one, target=other, routers=0)
    assert BENCH.endpoint(one).leaf == BENCH.endpoint(other).leaf
    assert not refusable(PLAN, bridged)
    assert refusable(PLAN, Pair(source=one, target=other, routers=1))


def test_the_largest_packets_hold_and_say_what_the_tunnel_adds() -> None:
    proof = judge_largest(PLAN, "frontend", PAIRS, largest(), 50)
    assert proof.verdict is Verdict.HOLDS
    assert "9164 bytes" in proof.sentence
    assert "they have 9214 bytes" in proof.sentence


def test_a_largest_packet_that_does_not_arrive_is_named() -> None:
    heard = largest()
    del heard["5"]
    (fault,) = judge_largest(PLAN, "frontend", PAIRS, heard, 50).faults
    source, target = (BENCH.endpoint(end).name for end in (PAIRS[5].source, PAIRS[5].target))
    assert fault == f"{source} → {target}: a packet of 9164 bytes does not arrive"


def test_a_packet_that_passes_though_it_is_too_large_is_named() -> None:
    said = refused()
    assert judge_oversize(PLAN, "frontend", CHECKED, said).verdict is Verdict.HOLDS
    said[2] = {"heard": True, "by": "", "mtu": 0}
    (fault,) = judge_oversize(PLAN, "frontend", CHECKED, said).faults
    assert BENCH.endpoint(CHECKED[2].source).name in fault
    assert "9165 bytes arrives, which exceeds the MTU" in fault


def test_a_router_with_another_mtu_is_named() -> None:
    said = refused()
    said[0]["mtu"] = 1450
    (fault,) = judge_oversize(PLAN, "frontend", CHECKED, said).faults
    assert "10.10.10.1 accepts up to 1450 bytes, expected 9164" in fault

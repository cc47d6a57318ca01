"""Hops, latency and bisection are those of the longest path that the links have."""

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.plan.sizing.candidates import candidate
from fabricgen.plan.sizing.designs import design_of


@pytest.mark.parametrize(
    ("name", "servers", "hops", "joined"),
    [
        ("rail-only", 16, 1, False),
        ("rails-apart", 200, 3, False),
        ("rail-optimized", 128, 3, True),
        ("three-tier", 64, 3, True),
        ("three-tier", 2048, 5, True),
    ],
)
def test_a_packet_takes_as_many_switches_as_there_are_tiers_to_cross(
    name: str, servers: int, hops: int, joined: object
) -> None:
    far = candidate(needs("--servers", str(servers)), design_of(name)).backend.far
    assert far is not None
    assert (far.hops, far.joined) == (hops, joined)
    assert far.meters == 2 * 5 + (hops - 1) * 30
    assert far.switches == hops * 700
    assert far.nanoseconds == hops * 700 + 5 * far.meters


def test_latency_is_not_known_where_that_of_a_switch_is_not() -> None:
    said = ("--servers", "16", "--spine", "SN5600")
    far = candidate(needs(*said), design_of("rail-optimized")).backend.far
    assert far is not None
    assert far.nanoseconds is None


def test_bisection_is_half_of_the_tier_with_least_bandwidth() -> None:
    said = ("--servers", "128", "--leaf-ratio", "3", "--unit", "32")
    backend = candidate(needs(*said), design_of("rail-optimized")).backend
    assert backend.bisection == backend.up // 2
    assert backend.up < backend.down == 128 * 8 * 400 * 10**9


def test_rail_only_is_bounded_by_its_nics() -> None:
    backend = candidate(needs("--servers", "16"), design_of("rail-only")).backend
    assert backend.bisection == 16 * 8 * 400 * 10**9 // 2
    assert backend.ratios == {}

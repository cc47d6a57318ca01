"""What does not fit is refused with what is needed and what there is, at the key to change."""

import pytest
from tests.unit.design.sites import (
    R32,
    R64,
    R128,
    Keys,
    backend,
    findings,
    frontend,
    only,
    refused,
    switches,
)

from fabricgen.core.diagnostics import Code

TIERS = {"spine": switches(R128, count=2), "scalable_unit": {"servers": 1}}


def rail_only(servers: int, **pools: str) -> Keys:
    """One leaf per GPU, so `gpus` is the number of leafs: 7 of them."""
    return backend("rail-only", R32, servers, gpus=7, addressing=pools)


def two_tiers(leafs: int, **more: object) -> Keys:
    return backend("rail-optimized", R128, leafs, gpus=1, **{**TIERS, **more})


def three_tiers(leafs: int, **pools: str) -> Keys:
    tops = {"superspine": switches(R128, count=2), "addressing": pools}
    return backend("three-tier", R128, leafs, gpus=1, **TIERS, **tops)


@pytest.mark.parametrize(
    ("keys", "needed", "available"),
    [
        (rail_only(4, loopbacks="10.0.0.0/29"), "", ""),
        (rail_only(4, loopbacks="10.0.0.0/30"), "8 addresses", "has 4"),
        (two_tiers(3, addressing={"loopbacks": "10.0.0.0/29"}), "", ""),
        (two_tiers(4, addressing={"loopbacks": "10.0.0.0/29"}), "9 addresses", "has 8"),
        (three_tiers(6, loopbacks="10.0.0.0/28"), "", ""),
        (three_tiers(7, loopbacks="10.0.0.0/28"), "17 addresses", "has 16"),
        (two_tiers(4, addressing={"links": "10.0.0.0/28"}), "", ""),
        (two_tiers(5, addressing={"links": "10.0.0.0/28"}), "20 addresses for links", "has 16"),
        (rail_only(32, nics="10.0.0.0/23"), "", ""),
        (rail_only(32, nics="10.0.0.0/24"), "64 NIC addresses", "gives 32 each"),
    ],
)
def test_a_pool_may_be_full_but_not_too_small_by_one(
    keys: Keys, needed: str, available: str
) -> None:
    if not needed:
        assert not findings(keys)
        return
    found = only(keys)
    assert found.code is Code.POOL_TOO_SMALL
    assert found.path[:2] == ("backend", "addressing")
    assert needed in found.message
    assert available in found.message


def test_a_pool_holds_what_growth_reserves() -> None:
    addressing = {"loopbacks": "10.0.0.0/29"}
    found = only(two_tiers(3, addressing=addressing, growth={"servers": 4}))
    assert found.code is Code.POOL_TOO_SMALL
    assert "9 addresses are needed, including growth, but the pool has 8" in found.message


@pytest.mark.parametrize("pool", ["10.0.0.0/8", "0.0.0.0/0"])
def test_a_large_pool_costs_nothing(pool: str) -> None:
    assert not findings(rail_only(4, nics=pool))


def asns(last: int) -> Keys:
    """Five leafs count up from the first, two spines take every other number below the last."""
    return two_tiers(5, underlay={"asn": {"first": 4_200_000_000, "last": last}})


def test_the_asn_range_may_be_full() -> None:
    assert not findings(asns(4_200_000_007))


def test_the_asn_range_may_not_be_too_small_by_one() -> None:
    found = only(asns(4_200_000_006))
    assert found.code is Code.ASN_RANGE_TOO_SMALL
    assert found.path == ("backend", "underlay", "asn")
    assert found.message == "8 ASNs are needed, but 4200000000-4200000006 has 7"


def test_two_bytes_hold_1023_private_asns() -> None:
    asn = {"first": 64_512, "last": 65_534}
    found = only(backend("three-tier", R32, 1024, underlay={"asn": asn, "links": "unnumbered"}))
    assert found.code is Code.ASN_RANGE_TOO_SMALL
    assert found.message == "1,535 ASNs are needed, but 64512-65534 has 1,023"


def test_tiers_that_share_asns_need_fewer() -> None:
    asn = {"first": 4_200_000_000, "last": 4_200_000_006, "scheme": "rfc7938"}
    assert not findings(two_tiers(5, underlay={"asn": asn}))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        (
            backend("rail-optimized", R64, 64, scalable_unit={"servers": 48}),
            "a leaf needs 48 cages down and 48 up; Z9664F-ON has 64",
        ),
        (
            backend("rail-optimized", R64, 64, scalable_unit={"servers": 65}),
            "a unit of 65 servers needs 65 leaf ports, but Z9664F-ON has 64 of 400G",
        ),
        (
            backend("rail-only", R64, 33, rails_per_leaf=2),
            "a Z9664F-ON leaf has 64 ports of 400G, room for 32 servers",
        ),
    ],
)
def test_ports_that_are_lacking_are_counted(keys: Keys, said: str) -> None:
    found = refused(keys)
    assert found.code is Code.PORTS_EXHAUSTED
    assert found.message.endswith(said)


def test_a_spine_that_is_full_says_what_it_has() -> None:
    found = refused(backend("rail-optimized", R128, 64 * 9, spine=switches(R128, count=32)))
    assert found.code is Code.RADIX_EXCEEDED
    assert found.path == ("backend", "spine", "count")
    assert "72 switches with 2 link(s) to each spine need 144 ports on it" in found.message
    assert "it has 128 of 400G" in found.message


@pytest.mark.parametrize(
    ("more", "path", "said"),
    [
        ({"links": {"speed": "200G"}}, ("links", "speed"), "do not both have 200G links"),
        ({"leaf": switches(R32, breakout="2x400G")}, ("leaf", "breakout"), "has no mode 2x400G"),
        ({"leaf": switches(R32, breakout="4x100G")}, ("leaf", "breakout"), "does not provide"),
        ({"leaf": switches("SN3700")}, ("servers", "nic_speed"), "SN3700 has no 400G ports"),
        (
            {"leaf": switches("7280R4-32QF-32DF"), "spine": switches("SN4600C"), "links": {}},
            ("spine",),
            "in common: none",
        ),
    ],
)
def test_a_speed_that_a_model_lacks_is_refused(
    more: Keys, path: tuple[str, ...], said: str
) -> None:
    design = "rail-only" if set(more) == {"leaf"} else "rail-optimized"
    found = refused(backend(design, R32, 8, **more))
    assert found.code is Code.SPEED_NOT_ON_MODEL
    assert found.path == ("backend", *path)
    assert said in found.message


def test_uplinks_that_do_not_divide_are_refused() -> None:
    found = refused(backend("three-tier", R32, 8, superspine=switches(R32, count=3)))
    assert found.code is Code.UPLINKS_NOT_DIVISIBLE
    assert found.path == ("backend", "superspine", "count")
    assert found.message == "16 uplinks cannot be divided evenly over 3 superspines"


@pytest.mark.parametrize(
    ("growth", "said"),
    [
        ({"servers": 63}, "growth reserves 63 servers, but the intent already has 64"),
        ({"rails": 7}, "growth reserves 7 rails, but the intent already has 8"),
    ],
)
def test_growth_below_what_there_is_is_refused(growth: dict[str, int], said: str) -> None:
    found = refused(backend("rail-optimized", R128, 64, growth=growth))
    assert found.code is Code.GROWTH_TOO_SMALL
    assert found.message == said


def test_all_wrong_counts_are_told_at_once() -> None:
    growth = {"servers": 1, "rails": 1}
    found = findings(backend("rail-optimized", R128, 64, growth=growth, sites=["a", "b"]))
    assert [item.code for item in found] == [
        Code.GROWTH_TOO_SMALL,
        Code.GROWTH_TOO_SMALL,
        Code.BACKEND_SPANS_SITES,
    ]


def test_the_errors_of_both_fabrics_are_told_at_once() -> None:
    keys = backend("rail-only", R32, 33) | frontend(leaf=switches("7050CX3"))
    assert [item.code for item in findings(keys)] == [Code.UNKNOWN_REFERENCE, Code.PORTS_EXHAUSTED]


def test_a_model_that_is_not_in_the_catalog_is_offered_the_nearest() -> None:
    found = refused(backend("rail-only", "Z9332F", 4))
    assert found.code is Code.UNKNOWN_REFERENCE
    assert found.hint == "did you mean 'Z9332F-ON'?"


def test_planes_need_a_nic_port_each() -> None:
    found = refused(backend("rail-optimized", R128, 8, planes=2))
    assert found.code is Code.BAD_VALUE
    assert found.message == "1 ports per NIC cannot be divided over 2 planes"


@pytest.mark.parametrize("design", ["rail-optimized", "three-tier"])
def test_a_tier_that_is_not_given_is_missing(design: str) -> None:
    keys = backend(design, R128, 8)
    top = "spine" if design == "rail-optimized" else "superspine"
    del keys["backend"][top]
    found = refused(keys)
    assert found.code is Code.MISSING_KEY
    assert f"needs `{top}`" in found.message


def test_a_site_without_a_fabric_is_told() -> None:
    assert only({}).code is Code.MISSING_KEY


def test_tenants_without_a_fabric_for_them_are_told() -> None:
    sides = {side: {"servers": {"count": 4, "speed": "400G"}} for side in ("compute", "storage")}
    storage = {"kind": "routed", "leaf": switches(R32), "spine": switches(R32), "sides": sides}
    keys: Keys = {"fabrics": {"storage": storage}, "tenants": {"red": {}}}
    assert Code.UNKNOWN_REFERENCE in {item.code for item in findings(keys)}

"""What is said of a tier: links per pair, speed, ratio and pods, each on its own or derived."""

from typing import Any

import pytest
from tests.unit.design.sites import (
    R64,
    R128,
    Keys,
    backend,
    fabric,
    frontend,
    of_role,
    only,
    pairs,
    sized,
    switches,
    uplinks,
)

from fabricgen.compile.design.wiring.tiers import Tier
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.topology import Role, Topology


def rails(**more: Any) -> Keys:
    """64 servers in units of 32 at 400G: a leaf has 32 ports down."""
    return backend("rail-optimized", R64, 64, scalable_unit={"servers": 32}, **more)


def pods(servers: int, **more: Any) -> Keys:
    """Three tiers with units of 16 servers and one rail, so that a unit is a leaf."""
    unit = {"servers": 16}
    return backend("three-tier", R64, servers, gpus=1, scalable_unit=unit, **more)


def spines(keys: Keys) -> Tier:
    tier = sized(keys).spines
    assert tier is not None
    return tier


def test_links_per_pair_decide_how_many_spines_there_are() -> None:
    assert [spines(rails(spine=switches(R64, links=n))).count for n in (1, 2, 4)] == [32, 16, 8]


def test_links_and_count_together_may_be_more_than_the_ratio_needs() -> None:
    keys = rails(spine=switches(R64, links=2, count=16), oversubscription=2)
    assert sized(keys).uplinks == 32


def test_a_ratio_of_the_spines_takes_the_place_of_the_general_one() -> None:
    assert sized(rails(spine=switches(R64, ratio=2.0))).uplinks == 16
    assert sized(rails(spine=switches(R64, ratio=2.0), oversubscription=4)).uplinks == 16


def test_tiers_may_have_links_of_their_own_speed() -> None:
    slow = switches(R128, speed="400G")
    made = fabric(
        backend(
            "three-tier",
            R128,
            128,
            gpus=1,
            links={"speed": "800G"},
            superspine=slow,
            roce={"enabled": False},
        )
    ).topology
    speeds = {(link.upper.role, str(link.speed)) for link in uplinks(made)}
    assert speeds == {(Role.SPINE, "800G"), (Role.SUPERSPINE, "400G")}


def test_a_pod_has_the_units_that_are_said() -> None:
    size = sized(pods(160, pod={"units": 4}))
    assert (size.units_per_pod, size.pods, size.units) == (4, 3, 10)


def test_a_pod_that_is_said_leaves_a_spine_the_uplinks_of_its_ratio() -> None:
    whole = sized(pods(160, pod={"units": 8}, spine=switches(R64, count=16)))
    half = sized(
        pods(
            160,
            pod={"units": 8},
            spine=switches(R64, count=16),
            superspine=switches(R64, ratio=2.0),
        )
    )
    assert (whole.spine_uplinks, half.spine_uplinks) == (8, 4)


def moved(less: Topology, more: Topology) -> set[tuple[str, str, str, str]]:
    return _cables(less) - _cables(more)


def _cables(made: Topology) -> set[tuple[str, str, str, str]]:
    return {
        (link.lower.name, link.lower_port.label, link.upper.name, link.upper_port.label)
        for link in made.links
    }


def test_a_further_pod_moves_no_cable() -> None:
    growth = {"pods": 4, "servers": 128}
    more: Keys = {"pod": {"units": 4}, "spine": switches(R64, count=16), "growth": growth}
    two, three = (fabric(pods(count, **more)).topology for count in (64, 128))
    assert not moved(two, three)


REFUSED = [
    (
        rails(spine=switches(R64, links=1, count=16)),
        Code.OVERSUBSCRIBED,
        ("spine", "links"),
        (
            "32 ports of 400G at 1 to 1 need 32 uplinks of 400G, but 16 spines "
            "with 1 link(s) to each "
            "take 16"
        ),
        "`spine.links: 2`",
    ),
    (
        pods(160, pod={"units": 40}),
        Code.RADIX_EXCEEDED,
        ("pod", "units"),
        (
            "a pod of 40 units has 40 leafs in a plane, which need 40 ports of a "
            "spine, but at 1 to "
            "1 it has 32 of 400G"
        ),
        "`pod.units: 32`",
    ),
    (
        pods(160, pod={"units": 4}, superspine=switches(R64, links=1, count=2)),
        Code.OVERSUBSCRIBED,
        ("superspine", "links"),
        (
            "32 ports of 400G at 1 to 1 need 32 uplinks of 400G, but 2 superspines "
            "with 1 link(s) to "
            "each take 2"
        ),
        "`superspine.links: 16`",
    ),
]


@pytest.mark.parametrize(("keys", "code", "path", "said", "fits"), REFUSED)
def test_what_does_not_fit_is_refused_with_what_does(
    keys: Keys, code: Code, path: tuple[str, ...], said: str, fits: str
) -> None:
    found = only(keys)
    assert (found.code, found.path, found.message) == (code, ("backend", *path), said)
    assert fits in found.hint


def test_a_leaf_spine_has_links_per_pair_and_speeds_by_tier() -> None:
    top = switches("7050CX3-32S", count=2, links=2)
    made = fabric(frontend(design="superspine", leafs_per_pod=1, superspine=top)).topology
    assert pairs(made) == {1, 2}
    assert len(of_role(made, Role.SUPERSPINE)) == 2


def test_two_keys_for_the_links_of_a_leaf_must_agree() -> None:
    spine = switches("7050CX3-32S", count=2, links=2)
    found = only(frontend(links_per_spine=4, spine=spine))
    assert (found.code, found.path) == (Code.BAD_VALUE, ("frontend", "spine", "links"))

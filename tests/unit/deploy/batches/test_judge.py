"""Batches made by hand that must not be sent: each is refused in the right words."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from tests.property.batch_sites import frontend, paired, rail_only, railed, three_tier, two_sites
from tests.unit.checks.sites import designed

from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.batches.groups import same_pair
from fabricgen.operate.deploy.batches.judge import Joins, joins_of, judge_batch


@cache
def both() -> Site:
    """A frontend whose leafs are pairs, with ways out, and a rail-optimized backend."""
    one = paired(frontend(8, 4, None, {"red": [1, 3], "blue": [5, 7]}))
    return replace(one, fabrics=(*one.fabrics, *railed(4, 2, 4).fabrics))


BOTH_PLANES = "be-p1-su01-leaf1 and be-p2-su01-leaf1"
BAD: list[tuple[Callable[[], Site], list[str], tuple[str, ...]]] = [
    (both, ["fe-leaf99"], ("fe-leaf99 is not a switch of the site",)),
    (both, ["fe-leaf01", "fe-leaf01"], ("fe-leaf01 is listed 2 times in the batch",)),
    (
        both,
        ["fe-leaf01", "be-su01-leaf1"],
        ("frontend and backend are separate fabrics and change in separate batches",),
    ),
    (
        both,
        ["fe-leaf01", "fe-leaf02"],
        ("fe-leaf01 and fe-leaf02 are leafs of one server, fe-leaf01-s01 and 7 more servers",),
    ),
    (
        both,
        ["fe-leaf01", "fe-spine1"],
        (
            (
                "fe-spine1 (spine) and fe-leaf01 (leaf) belong to different tiers: both ends of a "
                "session would be in the batch"
            ),
        ),
    ),
    (
        both,
        ["fe-spine1", "fe-spine2"],
        (
            "plane 1 has only 2 of 4 spines left (--min-available is 75 %)",
            "fe-leaf01 has only 2 of 4 upper switches left (--min-available is 75 %)",
        ),
    ),
    (
        both,
        ["fe-leaf01", "fe-leaf03"],
        (
            "the site has only 2 of 4 border leafs left (--min-available is 75 %)",
            "VRF red has only 0 of 2 exits left (--min-available is 75 %)",
        ),
    ),
    (
        both,
        ["be-su01-leaf1", "be-su02-leaf1"],
        ("rail 1 has only 2 of 4 leafs left (--min-available is 75 %)",),
    ),
    (
        lambda: railed(8, 2, 4, planes=2),
        ["be-p1-su01-leaf1", "be-p2-su01-leaf1"],
        (f"{BOTH_PLANES} are leafs of one server, gpu0001 and 1 more server",),
    ),
    (
        lambda: railed(3, 2, 4, planes=2),
        ["be-p1-su01-leaf1", "be-p2-su02-leaf1"],
        ("rail 1 has only 4 of 6 leafs left (--min-available is 75 %)",),
    ),
    (
        lambda: rail_only(gpus=8),
        ["be-leaf1", "be-leaf2"],
        ("be-leaf1 and be-leaf2 are leafs of one server, gpu0001 and 3 more servers",),
    ),
    (
        lambda: three_tier(4, 2, 4, 4),
        ["be-pod01-spine1", "be-pod02-spine2"],
        ("pods 1 and 2 have only 8 of 16 superspines between them left (--min-available is 75 %)",),
    ),
]


@pytest.mark.parametrize(
    ("site", "names", "said"), BAD, ids=[" ".join(names) for _, names, _ in BAD]
)
def test_a_bad_batch_is_refused_with_its_sentence(
    site: Callable[[], Site], names: list[str], said: tuple[str, ...]
) -> None:
    assert judge_batch(site(), names) == said


def test_leafs_of_an_mlag_pair_go_apart_also_where_no_server_has_both() -> None:
    site = designed(
        """
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 4}
  leaf_groups: {racks: {leafs: 1-8, multihoming: {kind: mlag}}}
"""
    )
    (fabric,) = site.fabrics
    leafs = [switch.name for switch in fabric.topology.switches if switch.is_leaf]
    said = {pair: judge_batch(site, [*pair], 75) for pair in combinations(leafs, 2)}
    assert {pair: words for pair, words in said.items() if words} == {
        pair: (f"{pair[0]} and {pair[1]} are an MLAG pair",)
        for pair in zip(leafs[::2], leafs[1::2], strict=True)
    }
    pairs = [sorted(group.parts) for group in same_pair(fabric)]
    assert pairs == [[f"fe-leaf0{n}", f"fe-leaf0{n + 1}"] for n in (1, 3, 5, 7)]


def test_a_lower_floor_lets_more_go() -> None:
    assert judge_batch(both(), ["fe-spine1", "fe-spine2"], floor=50) == ()


def test_leafs_of_a_rail_in_other_units_go_together_as_the_floor_allows() -> None:
    """They serve other servers; of eight two may go, in two planes of sixteen four."""
    one, two = railed(8, 2, 4), railed(8, 2, 4, planes=2)
    assert judge_batch(one, ["be-su01-leaf1", "be-su02-leaf1"]) == ()
    four = [f"be-p{plane}-su0{unit}-leaf1" for unit, plane in ((1, 1), (2, 2), (3, 1), (4, 2))]
    assert judge_batch(two, four) == ()


def test_one_switch_is_never_too_much() -> None:
    site = both()
    for fabric in site.fabrics:
        for switch in fabric.topology.switches:
            assert judge_batch(site, [switch.name], floor=100) == ()


def test_rails_are_read_off_the_cables_not_off_the_coordinates() -> None:
    """Cable the second unit's rail 2 where its coordinates say rail 1."""
    (fabric,) = railed(4, 2, 4).fabrics
    crossed = {"be-su02-leaf1": "be-su02-leaf2", "be-su02-leaf2": "be-su02-leaf1"}
    by_name = {switch.name: switch for switch in fabric.topology.switches}
    links = tuple(
        replace(link, upper=by_name[crossed[link.upper.name]])
        if link.to_server and link.upper.name in crossed
        else link
        for link in fabric.topology.links
    )
    made = replace(fabric, topology=replace(fabric.topology, links=links))
    site = replace(both(), fabrics=(made,))
    assert judge_batch(site, ["be-su01-leaf1", "be-su02-leaf2"]) == (
        "rail 1 has only 2 of 4 leafs left (--min-available is 75 %)",
    )


def test_a_reload_goes_beside_no_other() -> None:
    names = [switch.name for switch in rail_only(gpus=2).fabrics[0].topology.switches]
    said = judge_batch(rail_only(gpus=2), names, 0, {names[1]})
    assert f"{names[1]} changes by a reload and must be alone in its batch" in said
    assert not judge_batch(rail_only(gpus=2), names[1:2], 0, {names[1]})


VLANS = Joins(vlans={101}, vrfs=set(), cables=False)
CABLES = Joins(vlans=set(), vrfs=set(), cables=True)
NOT_ITS = "shares no object of this window with the other switches"
WINDOWS: dict[str, tuple[Joins, list[str], tuple[str, ...]]] = {
    "leafs of the VLAN": (VLANS, ["fe-leaf01", "fe-leaf02", "fe-leaf03"], ()),
    "both ends of sessions": (CABLES, ["fe-spine1", "fe-leaf01", "fe-leaf02"], ()),
    "a leaf without the VLAN": (VLANS, ["fe-leaf01", "fe-leaf02", "fe-leaf09"], ("fe-leaf09",)),
    "a spine among leafs": (VLANS, ["fe-leaf01", "fe-leaf02", "fe-spine1"], ("fe-spine1",)),
    "leafs without their spines": (CABLES, ["fe-leaf01", "fe-leaf02"], ("fe-leaf01", "fe-leaf02")),
    "one switch": (CABLES, ["fe-spine1"], ("fe-spine1",)),
    "another VLAN": (
        Joins(vlans={999}, vrfs=set(), cables=False),
        ["fe-leaf01", "fe-leaf02"],
        ("fe-leaf01", "fe-leaf02"),
    ),
    "two windows in one": (
        Joins(vlans={101, 102}, vrfs=set(), cables=False),
        ["fe-leaf01", "fe-leaf02", "fe-leaf09", "fe-leaf10"],
        ("fe-leaf09", "fe-leaf10"),
    ),
}


def two_tenants() -> Site:
    """VLAN 101 on leafs 1 to 8, VLAN 102 on leafs 9 and 10; every leaf has every spine."""
    (fabric,) = frontend(10, 2, None, {"red": [1], "blue": [9]}).fabrics
    assert fabric.overlay is not None
    carried = [each for ports in fabric.overlay.ports.values() for each in ports.values()]
    red, blue = (
        next(each for each in carried if each.vlans[0].id == number) for number in (101, 102)
    )
    ports = {f"fe-leaf{number:02}": {1: red if number < 9 else blue} for number in range(1, 11)}
    overlay = replace(fabric.overlay, ports=ports, external={})
    return replace(both(), fabrics=(replace(fabric, overlay=overlay),))


@pytest.mark.parametrize("case", WINDOWS)
def test_a_window_holds_the_ends_of_what_it_is_about_and_nobody_else(case: str) -> None:
    """Whatever they stand in for; who shares nothing with the others by the site is refused."""
    joins, names, lonely = WINDOWS[case]
    said = judge_batch(two_tenants(), names, window=joins)
    assert said == tuple(f"{name} {NOT_ITS}" for name in lonely)


def test_without_a_window_the_same_batch_is_refused() -> None:
    """And what may join a window is not more than the site has."""
    site = two_tenants()
    leafs = ["fe-leaf01", "fe-leaf02", "fe-leaf03", "fe-leaf04"]
    assert judge_batch(site, leafs)
    assert judge_batch(site, leafs, window=joins_of(site)) == ()
    assert joins_of(site).vlans == {101, 102}


def test_two_ways_to_another_site_go_one_after_the_other() -> None:
    """Also where each is the way of another VRF, and whatever the floor is."""
    told = judge_batch(two_sites(), ["one-leaf01", "one-leaf09"], 0)
    assert told == (
        "one-leaf01 and one-leaf09 connect to other sites and must change one at a time",
    )
    assert "are an MLAG pair" in judge_batch(two_sites(), ["one-leaf09", "one-leaf10"], 0)[0]
    assert judge_batch(two_sites(), ["one-leaf02", "one-leaf09"], 0) == ()


@pytest.mark.parametrize(
    ("links", "names", "gone", "told"),
    [
        (1, ["one-leaf09"], ["two-leaf10"], ["VLAN 7:10100", "VRF red"]),
        (1, ["one-leaf09"], ["two-leaf09"], []),  # the other ends of the same cable
        (1, ["one-leaf09"], ["two-leaf09", "two-leaf10"], []),  # nothing was left before
        (2, ["two-leaf02"], ["one-leaf01"], ["VRF blue"]),
        (3, ["two-leaf02"], ["one-leaf01"], []),
        (1, ["two-leaf01"], ["one-leaf10"], []),  # a lone border has to change at some time
    ],
)
def test_no_network_loses_another_site_from_both_ends(
    links: int, names: list[str], gone: list[str], told: list[str]
) -> None:
    """What did not answer is reckoned as gone."""
    said = judge_batch(two_sites(links), names, gone=gone)
    assert said == tuple(
        f"no path for {what} between one and two during this batch, "
        f"because {gone[0]} did not answer"
        for what in told
    )

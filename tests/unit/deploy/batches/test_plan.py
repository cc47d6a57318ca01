"""Plans of batches: their order, their sizes, what is said of them and what is refused."""

from collections import Counter
from dataclasses import replace

import pytest
from tests.property.batch_sites import (
    everything,
    frontend,
    paired,
    rail_only,
    railed,
    three_tier,
    two_sites,
)

from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.batches.plan import BatchRequest, _diagonals, plan_batches
from fabricgen.operate.deploy.batches.sizes import Refused, sizes
from fabricgen.operate.deploy.coordination.window import Window


def both() -> Site:
    one = frontend(4, 2)
    return replace(one, fabrics=(*one.fabrics, *rail_only(gpus=2).fabrics))


def test_tiers_go_from_the_top_and_each_begins_with_one_switch() -> None:
    site = frontend(8, 4, (4, 4))
    batches = plan_batches(site, everything(site))
    assert [(batch.role.value, len(batch.switches)) for batch in batches] == [
        *[("superspine", 1)] * 4,
        *[("spine", 1)] * 2,
        *[("spine", 2)] * 3,
        *[("leaf", 1)] * 2,
        *[("leaf", 2)] * 3,
    ]


def test_upwards_turns_the_tiers_round() -> None:
    site = frontend(2, 2)
    roles = [
        batch.role.value
        for batch in plan_batches(site, everything(site), BatchRequest(upwards=True))
    ]
    assert roles == ["leaf", "leaf", "spine", "spine"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1,10%,50%", [1, 2, 10, 7]),
        ("1", [1] * 20),
        ("50%", [1, 10, 9]),
        ("100%", [1, 19]),
        ("3,8", [1, 3, 8, 8]),
        ("1%", [1] * 20),
    ],
)
def test_the_sizes_are_those_that_were_asked_for(words: str, expected: list[int]) -> None:
    site = frontend(20, 1)
    names = [name for name in everything(site) if "leaf" in name]
    batches = plan_batches(site, names, BatchRequest(sizes=sizes(words), floor=0))
    assert [len(batch.switches) for batch in batches] == expected


@pytest.mark.parametrize("words", ["", "0", "-1", "101%", "0%", "ten", "1,,2", "1.5", "1 0", "٣"])
def test_a_size_that_is_none_is_refused(words: str) -> None:
    with pytest.raises(Refused, match="is not a batch size: use 1, 10% or 1,10%,50%"):
        sizes(words)


def test_units_go_together_one_leaf_of_each_and_of_each_rail_what_the_floor_allows() -> None:
    """Of 24 leafs of a rail 6 may go, so four batches hold 96 leafs; the canary costs two more."""
    site = railed(24, 4, 1)
    names = [name for name in everything(site) if "leaf" in name]
    batches = plan_batches(site, names, BatchRequest(sizes=sizes("100%")))
    assert len(batches) == 4 + 2
    leafs = {switch.name: switch for fabric in site.fabrics for switch in fabric.topology.switches}
    for batch in batches:
        mine = [leafs[name] for name in batch.switches]
        assert max(Counter(leaf.unit for leaf in mine).values()) == 1
        assert max(Counter(leaf.rails for leaf in mine).values()) <= 6


@pytest.mark.parametrize(("units", "rails"), [(6, 4), (3, 8), (4, 4)])
def test_switches_that_are_neighbors_in_the_order_share_neither_unit_nor_rail(
    units: int, rails: int
) -> None:
    """So a batch that takes the next ones of the order leaves every unit and every rail others."""
    (fabric,) = railed(units, rails, 1).fabrics
    order = _diagonals([switch for switch in fabric.topology.switches if switch.is_leaf])
    assert len(order) == units * rails
    size = min(units, rails)
    for first in range(0, len(order), size):
        near = order[first : first + size]
        assert len({switch.unit for switch in near}) == len(near)
        assert len({switch.index for switch in near}) == len(near)


def test_leafs_of_a_frontend_are_counted_from_their_pod() -> None:
    """Their index counts through all pods: the first of a pod is its place 0."""
    (fabric,) = frontend(8, 2, (4, 2)).fabrics
    leafs = [switch for switch in fabric.topology.switches if switch.is_leaf]
    places = [(switch.pod, switch.index) for switch in _diagonals(leafs)]
    assert places == [(pod, 4 * (pod - 1) + place) for place in range(1, 5) for pod in (1, 2)]


def test_a_pair_of_leafs_is_split() -> None:
    site = paired(frontend(8, 4))
    names = ["fe-leaf01", "fe-leaf03", "fe-leaf04"]
    batches = plan_batches(site, names, BatchRequest(sizes=sizes("100%")))
    assert [batch.switches for batch in batches] == [("fe-leaf01",), ("fe-leaf03",), ("fe-leaf04",)]
    assert (
        batches[1].why == "one at a time of the 2 leafs of server fe-leaf03-s01 and 7 more servers"
    )


def test_a_plan_says_what_stays() -> None:
    site = three_tier(4, 2, 4, 4)
    batches = plan_batches(site, ["be-pod01-spine1", "be-pod02-spine1", "be-pod01-spine2"])
    assert [batch.why for batch in batches] == [
        "the first of 3 spines",
        "10 % of 3 spines",
        "50 % of 3 spines",
    ]
    assert batches[0].stays == (
        "spines: 7 of 8 stay",
        "spines of pod 1: 3 of 4 stay",
        "spine rows: 3 of 4 stay",
    )


def test_the_only_spine_may_change_and_it_is_said() -> None:
    site = frontend(4, 1)
    (batch,) = plan_batches(site, ["fe-spine1"])
    assert batch.why == "the only changing spine"
    assert batch.stays == ("spines: 0 of 1 stay",)
    assert batch.warnings == ("no redundancy for the spines while fe-spine1 changes",)


def test_one_of_two_spines_is_no_warning() -> None:
    batches = plan_batches(frontend(4, 2), ["fe-spine1", "fe-spine2"])
    assert [batch.switches for batch in batches] == [("fe-spine1",), ("fe-spine2",)]
    assert not any(batch.warnings for batch in batches)


def test_frontend_and_backend_are_not_planned_together_unless_asked() -> None:
    site = both()
    with pytest.raises(Refused, match="one plan changes frontend and backend"):
        plan_batches(site, ["fe-leaf01", "be-leaf1"])
    batches = plan_batches(site, ["fe-leaf01", "be-leaf1"], BatchRequest(together=True))
    assert [batch.fabric for batch in batches] == ["frontend", "backend"]


def test_a_name_that_is_no_switch_is_refused() -> None:
    with pytest.raises(Refused, match="fe-leaf77 is not a switch of the site"):
        plan_batches(both(), ["fe-leaf01", "fe-leaf77"])


@pytest.mark.parametrize("floor", [-1, 101])
def test_a_floor_that_is_no_percentage_is_refused(floor: int) -> None:
    with pytest.raises(Refused, match="use a percentage from 0 to 100"):
        plan_batches(both(), ["fe-leaf01"], BatchRequest(floor=floor))


def test_nothing_to_change_is_no_batch() -> None:
    assert plan_batches(both(), []) == ()


def test_a_switch_that_goes_by_a_reload_is_the_last_batch_of_its_tier_and_beside_no_other() -> None:
    site = frontend(8, 1)
    names = [name for name in everything(site) if "leaf" in name]
    wish = BatchRequest(sizes=sizes("1,100%"), floor=0, alone=frozenset(names[:2]))
    batches = plan_batches(site, names, wish)
    assert [batch.switches for batch in batches[-2:]] == [(names[0],), (names[1],)]
    assert {batch.why for batch in batches[-2:]} == {"by a reload, alone in its batch"}
    assert sum(len(batch.switches) for batch in batches) == len(names)
    assert not {*names[:2]} & {name for batch in batches[:-2] for name in batch.switches}


def test_a_reload_says_which_servers_it_cuts_off_and_which_lose_a_rail() -> None:
    railed_site = rail_only(gpus=2)
    leaf = next(name for name in everything(railed_site) if "leaf" in name)
    [batch] = plan_batches(railed_site, [leaf], BatchRequest(alone=frozenset({leaf})))
    said = " ".join(batch.warnings)
    assert f"while {leaf} is down, " in said
    assert "lose their NICs on rail 1 and keep other links" in said

    site = frontend(2, 1)
    leaf = next(name for name in everything(site) if "leaf" in name)
    [batch] = plan_batches(site, [leaf], BatchRequest(alone=frozenset({leaf})))
    assert f"while {leaf} is down, no other switch of frontend reaches" in " ".join(batch.warnings)


def test_the_last_way_between_two_sites_is_a_warning() -> None:
    """In a batch as in a window, which takes both gateways at once."""
    site = two_sites()
    warnings = {
        batch.switches: batch.warnings
        for batch in plan_batches(site, ["one-leaf01", "one-leaf09"], BatchRequest())
    }
    told = "blue: no path between one and two during this batch"
    assert told in warnings["one-leaf01",]
    assert warnings["one-leaf09",] == ()
    pair = ("one-leaf09", "one-leaf10")
    window = Window(fabric="one", switches=pair, vlans=(), vrfs=("red",), cables=False)
    (batch,) = plan_batches(site, pair, BatchRequest(), [window])
    assert batch.warnings == ("red: no path between one and two during this batch",)

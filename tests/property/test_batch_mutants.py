"""Each rule taken out of the planner, or bent: the second look must say so, in the right words."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

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

from fabricgen.operate.deploy.batches import groups, plan
from fabricgen.operate.deploy.batches.judge import judge_batch
from fabricgen.operate.deploy.batches.plan import BatchRequest, plan_batches
from fabricgen.operate.deploy.batches.sizes import sizes

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from fabricgen.model.fabric.switch import Fabric, Site
    from fabricgen.model.fabric.topology import Switch

    Mutation = Callable[[pytest.MonkeyPatch], None]
    Mutant = tuple[Mutation, Callable[[], Site], Callable[[Site], list[str]], str]

BIG = BatchRequest(sizes=sizes("100%"), together=True)


def drop(rule: groups.Rule) -> partial[None]:
    return partial(_drop, rule)


def _drop(rule: groups.Rule, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(groups, "RULES", tuple(item for item in groups.RULES if item is not rule))


def one_more(patch: pytest.MonkeyPatch) -> None:
    """Let every group of capacity give one part more than the floor allows."""
    limit = groups.Group.limit
    patch.setattr(groups.Group, "limit", lambda group, floor: limit(group, floor) + group.capacity)


def pairs_by_floor(patch: pytest.MonkeyPatch) -> None:
    """Take what must go one at a time for capacity."""
    made = groups.groups_of

    def groups_of(fabric: Fabric, changing: Collection[Switch]) -> tuple[groups.Group, ...]:
        return tuple(replace(group, capacity=True) for group in made(fabric, changing))

    patch.setattr(plan, "groups_of", groups_of)


def whole_pairs(patch: pytest.MonkeyPatch) -> None:
    """Take all leafs of a server for one part."""
    made = groups.groups_of

    def groups_of(fabric: Fabric, changing: Collection[Switch]) -> tuple[groups.Group, ...]:
        return tuple(
            group if group.capacity else replace(group, parts=dict.fromkeys(group.parts, "one"))
            for group in made(fabric, changing)
        )

    patch.setattr(plan, "groups_of", groups_of)


def tiers_together(patch: pytest.MonkeyPatch) -> None:
    def tiers(changing: list[Switch], *, upwards: bool) -> Iterator[list[Switch]]:
        yield changing

    patch.setattr(plan, "_tiers", tiers)


def of_rail_1(site: Site) -> list[str]:
    return [name for name in everything(site) if name.endswith("leaf1")]


OUT = {"red": [2, 3], "blue": [1, 4, 5, 6, 7, 8]}
EACH = {"red": [1], "blue": [2], "green": [3], "black": [4]}
MUTANTS: dict[str, Mutant] = {
    "servers of a rail-only backend": (
        drop(groups.same_server),
        rail_only,
        everything,
        "one server",
    ),
    "servers of a pair of leafs": (
        drop(groups.same_server),
        lambda: paired(frontend(16, 4)),
        everything,
        "fe-leaf03 and fe-leaf04 are leafs of one server, fe-leaf03-s01 and 7 more servers",
    ),
    "MLAG pairs without a server of both": (
        drop(groups.same_pair),
        lambda: frontend(16, 4, mlag=True),
        everything,
        "fe-leaf03 and fe-leaf04 are an MLAG pair",
    ),
    "rails": (
        drop(groups.same_rail),
        lambda: railed(8, 2, 2),
        of_rail_1,
        "rail 1 has only 4 of 8 leafs left (--min-available is 75 %)",
    ),
    "rails of two planes": (
        drop(groups.same_rail),
        lambda: railed(8, 2, 2, planes=2),
        of_rail_1,
        "rail 1 has only 8 of 16 leafs left (--min-available is 75 %)",
    ),
    "both planes of a server": (
        drop(groups.same_server),
        lambda: railed(8, 1, 2, planes=2),
        everything,
        "are leafs of one server",
    ),
    "spines of a plane": (
        drop(groups.same_plane),
        lambda: frontend(4, 4),
        everything,
        "plane 1 has only 1 of 4 spines left",
    ),
    "leafs of a plane": (
        drop(groups.same_plane),
        lambda: frontend(8, 4),
        everything,
        "of 8 leafs left",
    ),
    "superspines of a plane": (
        drop(groups.same_plane),
        lambda: three_tier(8, 2, 8, 1),
        everything,
        "plane 1 has only 1 of 8 superspines left",
    ),
    "spines of a pod": (
        drop(groups.same_pod),
        lambda: frontend(8, 4, (2, 2)),
        lambda site: [name for name in everything(site) if "pod01-spine" in name],
        "has only 1 of 4 upper switches left (--min-available is 75 %)",
    ),
    "leafs of a pod": (
        drop(groups.same_pod),
        lambda: frontend(16, 4, (4, 2)),
        lambda _: [f"fe-leaf0{number}" for number in range(1, 5)],
        "has only 1 of 4 leafs left (--min-available is 75 %)",
    ),
    "superspines of a group": (
        drop(groups.same_pod),
        lambda: three_tier(8, 2, 4, 4),
        lambda site: [name for name in everything(site) if "g01-superspine" in name],
        "has only 1 of 4 upper switches left (--min-available is 75 %)",
    ),
    "spine rows": (
        drop(groups.same_row),
        lambda: three_tier(4, 2, 4, 4),
        lambda _: ["be-pod01-spine1", "be-pod02-spine1", "be-pod01-spine2"],
        "pods 1 and 2 have only 8 of 16 superspines between them",
    ),
    "border leafs": (
        drop(groups.borders),
        lambda: frontend(16, 4, None, EACH),
        everything,
        "border leafs left",
    ),
    "ways out": (
        drop(groups.ways_out),
        lambda: frontend(16, 4, None, OUT),
        everything,
        "VRF red has only 0 of 2",
    ),
    "ways to other sites": (
        drop(groups.other_sites),
        lambda: two_sites(2),
        lambda _: ["one-leaf01", "one-leaf02", "one-leaf09"],
        "one-leaf02 and one-leaf09 connect to other sites and must change one at a time",
    ),
    "the floor": (one_more, lambda: frontend(16, 4), everything, "plane 1 has only 2 of 4"),
    "one leaf of a server at a time": (pairs_by_floor, rail_only, everything, "of one server"),
    "each leaf for itself": (whole_pairs, rail_only, everything, "of one server"),
    "tiers apart": (tiers_together, lambda: frontend(8, 4), everything, "different tiers"),
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_a_rule_taken_out_of_the_planner_is_found_by_the_second_look(
    mutant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutation, site_of, changing, sentence = MUTANTS[mutant]
    site = site_of()
    names = changing(site)

    def said() -> list[str]:
        batches = plan_batches(site, names, BIG)
        return [word for batch in batches for word in judge_batch(site, batch.switches)]

    assert said() == []
    mutation(monkeypatch)
    assert any(sentence in word for word in said()), said()


def test_every_rule_has_a_mutant() -> None:
    dropped = {mutant[0].args[0] for mutant in MUTANTS.values() if isinstance(mutant[0], partial)}
    assert dropped == set(groups.RULES)

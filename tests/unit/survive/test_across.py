"""What is kept of the ways between two sites, held against a second judge without common code."""

import json
import random
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from tests.keys.sites import SITES
from tests.unit.survive.naive_between import NaiveBetween

from fabricgen.compile.design.site import design_site
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.between import outward, ways_between
from fabricgen.model.fabric.failures import Fails, Together
from fabricgen.model.fabric.switch import Fabric
from fabricgen.prove.failures.across import Crossed, lost_between, surveyed_between
from fabricgen.prove.failures.failures import Failure
from fabricgen.prove.failures.groups import FABRIC, groups_of


def twice() -> dict[str, Any]:
    """Return two halls with two links on leafs of their own, one for a VRF more."""
    site = deepcopy(SITES["joined"])
    site["dci"]["second"] = {
        "ends": {
            "east": {"leaf": 2, "cages": "20", "asn": 64801},
            "west": {"leaf": 1, "cages": "22", "asn": 64802},
        },
        "vrfs": {"red": 101, "green": 7},
        "pool": "10.251.0.0/19",
    }
    for hall, subnet in (("east", "172.22.0.0/24"), ("west", "172.23.0.0/24")):
        vlans = {"spare": {"id": 300, "subnet": subnet}}
        site["tenants"][f"red-{hall}"]["vrfs"]["green"] = {"id": 9, "vlans": vlans}
    return site


TWO = {
    "a bundle": SITES["joined"],
    "two links": twice(),
    "tunnels": SITES["tunneled"],
    "gateways": SITES["gated"],
}


def fabrics_of(site: dict[str, Any]) -> tuple[Fabric, Fabric]:
    loaded = load_texts({"site.yaml": json.dumps(site)})
    assert loaded.intent is not None, loaded.findings
    designed, findings = design_site(loaded.intent)
    one, other = designed.fabrics
    assert not [each for each in findings if each.severity == "error"]
    return one, other


def slower(fabric: Fabric, seed: int) -> Fabric:
    """Return a fabric whose links are slow, so that they decide, and some are not there."""
    draw = random.Random(seed)
    links = tuple(
        replace(link, speed=BitsPerSecond(link.speed // draw.choice([8, 10, 16])))
        if isinstance(link.lower, type(link.upper))
        else link
        for link in fabric.topology.links
        if draw.random() < 4 / 5
    )
    return replace(fabric, topology=replace(fabric.topology, links=links))


def judged(fabrics: tuple[Fabric, Fabric], within: tuple[str, str] | None, failure: Failure) -> Any:
    """Return what the second judge says."""
    wanted = [(FABRIC, "")] * 2 if within is None else [("tenant", name) for name in within]
    links = [
        next((g.links for g in groups_of(fabric) if (g.kind, g.within) == each), ())
        for fabric, each in zip(fabrics, wanted, strict=True)
    ]
    vrf = within[0] if within is not None else None
    if vrf is not None and vrf.endswith("wire"):
        vrf = "red"  # the VLAN goes where the VRF goes
    ends = {end for cable in failure.cables for end in cable.ends}

    def asked(dead: set[str], cut: set[int], ends: set[tuple[str, str]]) -> NaiveBetween:
        both = links[0], links[1]
        return NaiveBetween(fabrics, both, vrf, dead=dead, cut=cut, ends=ends)

    whole = asked(set(), set(), set()).flow(whole=True)
    return asked(set(failure.switches), set(map(id, failure.links)), ends).kept(whole)


def held_against(fabrics: tuple[Fabric, Fabric], rows: list[Crossed]) -> int:
    compared = 0
    for row in rows:
        for failure in row.failures:
            for what, kept in row.kept.items():
                told = judged(fabrics, what.within, failure)
                assert (kept.share, kept.lost) == told, (failure.name, what.label)
                compared += 1
    return compared


@pytest.mark.parametrize("name", TWO)
def test_every_failure_costs_what_the_second_judge_says(name: str) -> None:
    fabrics = fabrics_of(TWO[name])
    (rows,) = surveyed_between(fabrics, ()).values()
    assert held_against(fabrics, rows) > 20


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", TWO)
def test_so_it_does_where_the_sites_are_slower_than_the_ways(name: str, seed: int) -> None:
    one, other = fabrics_of(TWO[name])
    fabrics = slower(one, seed), slower(other, seed + 10)
    for rows in surveyed_between(fabrics, ()).values():
        assert held_against(fabrics, rows)


@pytest.mark.parametrize("name", TWO)
def test_double_failures_cost_what_the_second_judge_says(name: str) -> None:
    fabrics = fabrics_of(TWO[name])
    switches = [switch.name for each in fabrics for switch in each.topology.switches]
    ends = [cable.ends[0] for cable in outward(ways_between(fabrics))]
    for seed in range(6):
        draw = random.Random(seed)
        named = Together(
            kind=Fails.DOUBLE,
            name="both",
            switches=tuple(draw.sample(switches, 2)),
            ports=tuple(draw.sample(ends, 1)),
        )
        (rows,) = lost_between(fabrics, named).values()
        assert held_against(fabrics, rows)


def test_a_leaf_with_the_only_way_is_a_single_point() -> None:
    (rows,) = surveyed_between(fabrics_of(TWO["two links"]), ()).values()
    lost = {
        (failure.name, what.label)
        for row in rows
        for failure in row.failures
        for what, kept in row.kept.items()
        if kept.lost
    }
    assert lost == {
        ("east-leaf02", "green"),
        ("west-leaf01", "green"),
        ("east-leaf02:20 -- west-leaf01:22", "green"),
    }


def test_a_cable_of_a_bundle_costs_its_part() -> None:
    (rows,) = surveyed_between(fabrics_of(TWO["two links"]), ()).values()
    cables = [row for row in rows if row.failures[0].kind is Fails.SITE_LINK]
    names = {failure.name for row in cables for failure in row.failures}
    assert names == {
        "east-leaf01:20 -- west-leaf02:22",
        "east-leaf01:21 -- west-leaf02:23",
        "east-leaf02:20 -- west-leaf01:22",
    }

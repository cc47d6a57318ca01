"""Who sends beside whom, who has a way to whom, and by which leafs a VRF leaves."""

from fractions import Fraction
from pathlib import Path

import pytest
from tests.unit.checks import sites
from tests.unit.survive.test_survey import MLAG, fabric_of

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.failures import Fails
from fabricgen.model.fabric.switch import Fabric
from fabricgen.prove.failures.failures import Failure
from fabricgen.prove.failures.groups import TENANT, groups_of
from fabricgen.prove.failures.survey import Outcome, Survey

INTENT = Path(__file__).parents[3] / "intent"
TENANTS_ON_RAILS = """
tenants:
  blue:
    fabric: backend
    vrfs: {blue: {id: 1, local: true}}
    attachments: [{numbers: 1-3, vrf: blue}]
  red:
    fabric: backend
    vrfs: {red: {id: 2, local: true}}
    attachments: [{numbers: 4-6, vrf: red}]
"""


def example(site: str, fabric: str) -> Fabric:
    made = compile_site(load_site(INTENT / site)).site
    assert made is not None
    return next(each for each in made.fabrics if each.name == fabric)


def without(survey: Survey, *switches: str, ends: tuple[str, ...] = ()) -> dict[str, Outcome]:
    """Return what each group keeps without some switches and the links between some switches."""
    links = tuple(
        link
        for link in survey.fabric.topology.links
        if f"{link.lower.name} {link.upper.name}" in ends
    )
    failure = Failure(kind=Fails.DOUBLE, name="some", switches=switches, links=links)
    found = {one.group.label: one.outcome(failure) for one in survey.groups}
    return {label: each for label, each in found.items() if each is not None}


def test_rails_of_one_leaf_share_its_uplinks() -> None:
    outcomes = without(Survey(example("full", "backend")), "be-spine1")
    assert {out.keeps for label, out in outcomes.items() if label.startswith("rail")} == {
        Fraction(7, 8)
    }


def test_a_vrf_that_is_each_leafs_own_has_no_spines() -> None:
    fabric = fabric_of(sites.RAIL_OPTIMIZED + TENANTS_ON_RAILS)
    tenants = [group for group in groups_of(fabric) if group.kind == TENANT]
    assert [group.name for group in tenants] == ["blue", "red"]
    assert not any(group.joined for group in tenants)
    outcomes = without(Survey(fabric), "be-spine1", "be-spine2")
    kept = {label: out.keeps for label, out in outcomes.items()}
    assert kept["tenant blue"] == kept["tenant red"] == 1
    assert kept["backend"] == 0


@pytest.mark.parametrize("shut_in", [True, False])
def test_a_vrf_without_its_border_leafs_has_no_way_out(shut_in: bool) -> None:  # noqa: FBT001
    survey = Survey(example("full", "frontend"))
    (group,) = (one.group for one in survey.groups if one.group.name == "training")
    assert len(group.exits) > 1
    gone = tuple(sorted(group.exits)) if shut_in else sorted(group.exits)[:1]
    told = without(survey, *gone)[group.label]
    assert bool(told.shut_in) is shut_in


@pytest.mark.parametrize("cut", ["uplinks", "all"])
def test_the_way_out_of_one_leaf_of_a_pair_is_the_others_too(cut: str) -> None:
    """Over the peer link, by iBGP in the VRF; without that the other leaf has no way left."""
    peer = "{leaf: 1, cage: 26, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}"
    survey = Survey(fabric_of(MLAG.replace("{id: 1,", f"{{id: 1, external: {{isp: {peer}}},")))
    (group,) = (one.group for one in survey.groups if one.group.name == "one")
    assert group.exits == {"fe-leaf01"}
    uplinks = tuple(f"fe-leaf02 fe-spine{n}" for n in (1, 2))
    between = ("fe-leaf01 fe-leaf02", "fe-leaf02 fe-leaf01")
    told = without(survey, ends=(*uplinks, *(between if cut == "all" else ())))[group.label]
    assert not told.shut_in
    assert bool(told.lost) is (cut == "all")


@pytest.mark.parametrize(
    ("scheme", "meet"),
    [("", True), ("  underlay: {links: numbered-v6, asn: {scheme: rfc7938}}\n", False)],
)
def test_spines_of_one_asn_do_not_take_a_detour_over_superspines(scheme: str, meet: bool) -> None:  # noqa: FBT001
    """Leaf 1 has one spine left, leaf 2 the other: they meet if the own ASN may come back."""
    text = sites.SUPERSPINES
    if scheme:
        text = text.replace("  underlay: {links: numbered-v6}\n", scheme)
    fabric = fabric_of(text.replace("leafs: 1-4", "leafs: 1-2"))
    leafs = sorted(each.name for each in fabric.topology.switches if each.is_leaf)
    spines = sorted(each.name for each in fabric.topology.switches if each.role.value == "spine")
    ends = (f"{leafs[0]} {spines[1]}", f"{leafs[1]} {spines[0]}")
    told = without(Survey(fabric), ends=ends)["frontend"]
    assert (told.lost == ()) is meet

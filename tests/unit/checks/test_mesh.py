"""From missing, extra and crooked links: that each tier reaches the next completely (FG311)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    RAIL_ONLY,
    RAIL_OPTIMIZED,
    THREE_TIER,
    TWO_PLANES,
    changed,
    designed,
    examine,
    fabric_of,
    first_red,
    reds,
    relinked,
)

from fabricgen.compile.checks.shape import Mesh
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Link, Role, Switch

CODE = Code.MESH_INCOMPLETE
SITE = designed(RAIL_OPTIMIZED)


def switches(site: Site, role: Role, name: str = "backend") -> list[Switch]:
    return [s for s in fabric_of(site, name).topology.switches if s.role is role]


def links(site: Site) -> tuple[Link, ...]:
    return site.fabrics[0].topology.links


def with_extra(site: Site, lower: Switch, upper: Switch) -> Site:
    extra = replace(
        links(site)[-1],
        lower=lower,
        lower_port=lower.ports[-1],
        upper=upper,
        upper_port=upper.ports[-1],
    )
    return relinked(site, "backend", (*links(site), extra))


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Mesh, designed(EVERY[shape])), CODE) == []


def test_a_pair_with_one_link_less_is_found() -> None:
    said = reds(examine(Mesh, relinked(SITE, "backend", links(SITE)[:-1])), CODE)
    assert said == [
        "be-su02-leaf4 has 1 link(s) to be-spine2, but be-su01-leaf1 to be-spine1 has 2"
    ]


def test_a_leaf_that_misses_a_spine_is_found() -> None:
    fewer = [
        link
        for link in links(SITE)
        if (link.lower.name, link.upper.name) != ("be-su01-leaf3", "be-spine2")
    ]
    assert reds(examine(Mesh, relinked(SITE, "backend", fewer)), CODE) == [
        "be-su01-leaf3 has no link to be-spine2"
    ]


def test_a_leaf_leaf_link_is_found() -> None:
    leafs = switches(SITE, Role.LEAF)
    said = reds(examine(Mesh, with_extra(SITE, leafs[0], leafs[1])), CODE)
    assert len(said) == 1
    assert "it connects a leaf to a leaf" in said[0]


def test_a_spine_spine_link_is_found() -> None:
    spines = switches(SITE, Role.SPINE)
    assert "it connects a spine to a spine" in first_red(
        examine(Mesh, with_extra(SITE, spines[0], spines[1])), CODE
    )


def test_a_link_that_skips_a_tier_is_found() -> None:
    site = designed(THREE_TIER)
    said = examine(
        Mesh, with_extra(site, switches(site, Role.LEAF)[0], switches(site, Role.SUPERSPINE)[0])
    )
    assert "it connects a leaf to a superspine" in first_red(said, CODE)


def test_a_spine_linked_to_the_superspines_of_another_index_is_found() -> None:
    site = designed(THREE_TIER)
    spine = next(s for s in switches(site, Role.SPINE) if s.index == 1)
    top = next(s for s in switches(site, Role.SUPERSPINE) if s.unit == 2)
    said = first_red(examine(Mesh, with_extra(site, spine, top)), CODE)
    assert f"{spine.name} has links to {top.name}, which serve other switches" in said


def test_a_link_between_planes_is_found() -> None:
    site = designed(TWO_PLANES)
    leaf = next(s for s in switches(site, Role.LEAF) if s.plane == 1)
    spine = next(s for s in switches(site, Role.SPINE) if s.plane == 2)
    assert "it connects plane 1 to plane 2" in first_red(
        examine(Mesh, with_extra(site, leaf, spine)), CODE
    )


def test_rail_only_has_no_links_between_switches() -> None:
    site = designed(RAIL_ONLY)
    leafs = switches(site, Role.LEAF)
    assert "rail-only has no links between switches" in first_red(
        examine(Mesh, with_extra(site, leafs[0], leafs[1])), CODE
    )


def test_leafs_without_any_spine_are_found() -> None:
    said = reds(examine(Mesh, changed(designed(RAIL_ONLY), "backend", design="three-tier")), CODE)
    assert "be-leaf1 has no spine above it" in said
    assert len(said) == 4


def test_many_of_a_kind_are_told_as_five_and_a_number() -> None:
    bare = [link for link in links(SITE) if link.to_server]
    said = reds(examine(Mesh, relinked(SITE, "backend", bare)), CODE)
    assert len(said) == 6
    assert said[-1] == "3 more switches that miss some above"

"""From switches with too few uplinks: that bandwidth up is compared with bandwidth down (FG312)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_OPTIMIZED,
    THREE_TIER,
    changed,
    designed,
    examine,
    first_red,
    reds,
    relinked,
)

from fabricgen.compile.checks.shape import Oversubscription
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.topology import Role

CODE = Code.OVERSUBSCRIBED
SITE = designed(RAIL_OPTIMIZED)
LINKS = SITE.fabrics[0].topology.links


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Oversubscription, designed(EVERY[shape])), CODE) == []


def test_every_switch_is_counted() -> None:
    assert examine(Oversubscription, SITE).objects == 10


def test_a_leaf_that_lost_uplinks_is_found_with_its_numbers() -> None:
    lost = [link for link in LINKS if link.lower.name == "be-su01-leaf1"][1:]
    kept = [link for link in LINKS if link not in lost]
    said = reds(examine(Oversubscription, relinked(SITE, "backend", kept)), CODE)
    assert said == ["be-su01-leaf1 has 1.6T down and 400G up: 4 to 1, but the intent allows 1"]


def test_a_spine_that_lost_uplinks_is_found() -> None:
    site = designed(THREE_TIER)
    links = site.fabrics[0].topology.links
    first = next(link for link in links if link.upper.role is Role.SUPERSPINE)
    top = [link for link in links if link.lower.name == first.lower.name]
    down = sum(link.upper.name == first.lower.name for link in links)
    kept = [link for link in links if link not in top[: len(top) - down + 1]]
    said = first_red(examine(Oversubscription, relinked(site, "backend", kept)), CODE)
    assert f"{first.lower.name} has {down * 4 / 10:g}T down" in said


def test_bandwidth_is_compared_and_not_ports() -> None:
    # a frontend leaf: 6 ports of 100G down, 2 of 400G up
    site = designed(FRONTEND)
    assert (
        reds(examine(Oversubscription, changed(site, "frontend", oversubscription=0.75)), CODE)
        == []
    )
    said = reds(examine(Oversubscription, changed(site, "frontend", oversubscription=0.74)), CODE)
    assert said == ["fe-leaf03 has 600G down and 800G up: 0.75 to 1, but the intent allows 0.74"]


def test_a_ratio_that_is_met_exactly_passes() -> None:
    third = replace(SITE.fabrics[0], oversubscription=0.1 + 0.2)
    assert third.oversubscription != 0.3
    site = changed(SITE, "backend", oversubscription=1 - 1e-12)
    assert reds(examine(Oversubscription, site), CODE) == []


def test_a_tier_has_the_ratio_that_is_said_of_it() -> None:
    finding = examine(Oversubscription, changed(SITE, "backend", ratios={Role.LEAF: 0.5}))
    assert "has 1.6T down and 1.6T up: 1 to 1, but the intent allows 0.5" in first_red(
        finding, CODE
    )
    assert finding.findings[0].path == ("backend", "spine", "ratio")
    assert (
        reds(examine(Oversubscription, changed(SITE, "backend", ratios={Role.LEAF: 1.0})), CODE)
        == []
    )


def test_spines_of_a_frontend_are_judged_where_their_ratio_is_said() -> None:
    site = designed(EVERY["superspines"])
    assert reds(examine(Oversubscription, site), CODE) == []
    said = examine(Oversubscription, changed(site, "frontend", ratios={Role.SPINE: 0.01}))
    assert "spine" in first_red(said, CODE)

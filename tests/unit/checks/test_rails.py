"""From NICs that land elsewhere: that NIC k stays on rail k (FG310)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_OPTIMIZED,
    TWO_PLANES,
    designed,
    examine,
    first_red,
    reds,
    relinked,
)

from fabricgen.compile.checks.shape import Rails
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.topology import Nic

CODE = Code.NIC_OFF_ITS_RAIL
SITE = designed(RAIL_OPTIMIZED)
LINKS = SITE.fabrics[0].topology.links


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Rails, designed(EVERY[shape])), CODE) == []


def test_every_leaf_and_nic_is_counted() -> None:
    assert examine(Rails, SITE).objects == 8 + 24
    assert examine(Rails, designed(FRONTEND)).objects == 3


def test_two_swapped_cables_are_found() -> None:
    one = replace(LINKS[0], upper=LINKS[1].upper, upper_port=LINKS[1].upper_port)
    other = replace(LINKS[1], upper=LINKS[0].upper, upper_port=LINKS[0].upper_port)
    said = reds(examine(Rails, relinked(SITE, "backend", (one, other, *LINKS[2:]))), CODE)
    assert len(said) == 2
    assert "gpu0001 port rdma0 is rail 1 of unit 1, but its cable goes to be-su01-leaf2" in said[1]
    assert "which has rails 2 of unit 1" in said[1]


def test_a_cable_to_the_right_rail_of_another_unit_is_found() -> None:
    far = next(link for link in LINKS if link.lower.name == "gpu0005")
    odd = replace(LINKS[0], upper=far.upper, upper_port=far.upper.ports[9])
    said = first_red(examine(Rails, relinked(SITE, "backend", (odd, *LINKS[1:]))), CODE)
    assert "its cable goes to be-su02-leaf1" in said
    assert "of unit 2" in said


def test_a_missing_nic_is_found() -> None:
    said = reds(examine(Rails, relinked(SITE, "backend", LINKS[1:])), CODE)
    assert said == [
        (
            "gpu0001 in plane 1 has cables to rails 2 x1, 3 x1, 4 x1; each of 1 to "
            "4 needs the same number"
        )
    ]


def test_a_plane_that_a_server_misses_is_found() -> None:
    site = designed(TWO_PLANES)
    links = [
        link
        for link in site.fabrics[0].topology.links
        if link.lower.name != "gpu0002" or link.upper.plane != 2
    ]
    assert "gpu0002 in plane 2 has cables to rails none" in first_red(
        examine(Rails, relinked(site, "backend", links)), CODE
    )


def test_a_nic_port_with_two_cables_is_found() -> None:
    site = designed(TWO_PLANES)
    links = site.fabrics[0].topology.links
    nic = links[0].lower_port
    assert isinstance(nic, Nic)
    odd = replace(links[1], lower_port=replace(nic))
    assert links[1].upper.plane == 2
    said = reds(examine(Rails, relinked(site, "backend", (links[0], odd, *links[2:]))), CODE)
    assert said == ["gpu0001 has 8 cables on 7 NIC ports"]


def test_a_server_without_any_nic_is_found() -> None:
    links = [link for link in LINKS if link.lower.name != "gpu0006"]
    assert "gpu0006 in plane 1 has cables to rails none" in first_red(
        examine(Rails, relinked(SITE, "backend", links)), CODE
    )

"""From interfaces and cables that do not match: that none is lost or invented (FG308)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_ONLY,
    cut,
    designed,
    examine,
    fabric_of,
    first_red,
    piece_of,
    reds,
    relinked,
    told,
    with_interface,
)

from fabricgen.compile.checks.cables import Cables
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice

CODE = Code.CABLE_WITHOUT_INTERFACE
SITE = designed(RAIL_ONLY)
FRONT = designed(FRONTEND)
LEAF = "be-leaf1"


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Cables, designed(EVERY[shape])), CODE) == []


def test_a_cabled_port_that_is_shut_is_found() -> None:
    """Catch a bug of a peer: ports of some types silently dropped from the configuration."""
    pieces = told(
        cut(SITE),
        LEAF,
        lambda switch_slice: with_interface(
            switch_slice, lambda i: i.use is Use.NIC, use=Use.UNUSED
        ),
    )
    said = reds(examine(Cables, SITE, pieces), CODE)
    assert "be-leaf1 port 1 has the cable gpu0001 port rdma0" in said[0]
    assert said[1] == "the switches of the backend have 32 cable ends, but 31 interfaces in use"


def test_a_cabled_port_that_is_left_out_is_found() -> None:
    pieces = told(
        cut(SITE),
        LEAF,
        lambda switch_slice: replace(switch_slice, interfaces=switch_slice.interfaces[1:]),
    )
    assert "but no interface in use" in first_red(examine(Cables, SITE, pieces), CODE)


def test_an_interface_without_a_cable_is_found() -> None:
    pieces = cut(SITE)
    links = fabric_of(SITE, "backend").topology.links
    site = relinked(SITE, "backend", links[1:])
    pieces = [(site.fabrics[0], switch_slice) for _, switch_slice in pieces]
    assert "be-leaf1 port 1 has an interface in use, but no cable" in first_red(
        examine(Cables, site, pieces), CODE
    )


def test_an_interface_told_twice_is_found() -> None:
    def twice(switch_slice: SwitchSlice) -> SwitchSlice:
        return replace(
            switch_slice, interfaces=(*switch_slice.interfaces, switch_slice.interfaces[0])
        )

    pieces = told(cut(SITE), LEAF, twice)
    assert "be-leaf1 port 1 is configured 2 times" in first_red(examine(Cables, SITE, pieces), CODE)


def test_a_slice_that_never_came_is_found() -> None:
    pieces = [item for item in cut(SITE) if item[1].switch.name != LEAF]
    assert reds(examine(Cables, SITE, pieces), CODE) == [
        "the switches of the backend have 32 cable ends, but 24 interfaces in use"
    ]


def test_a_bundle_across_two_servers_is_found() -> None:
    pieces = cut(FRONT)
    lags = piece_of(pieces, "fe-leaf03").lags
    mixed = replace(lags[0], members=(lags[0].members[0], lags[1].members[0]))
    pieces = told(
        pieces, "fe-leaf03", lambda switch_slice: replace(switch_slice, lags=(mixed, *lags[1:]))
    )
    said = reds(examine(Cables, FRONT, pieces), CODE)
    assert any(
        "is in the LAG of fe-leaf03-s01, but its cable goes to fe-leaf03-s02" in text
        for text in said
    )


def test_a_member_without_its_bundle_is_found() -> None:
    pieces = told(
        cut(FRONT),
        "fe-leaf03",
        lambda switch_slice: replace(switch_slice, lags=switch_slice.lags[1:]),
    )
    assert "and LAG 1 do not name each other" in first_red(examine(Cables, FRONT, pieces), CODE)

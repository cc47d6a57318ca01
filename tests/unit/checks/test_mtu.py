"""From one interface with another MTU: that the largest frame crosses every link (FG315)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_OPTIMIZED,
    cut,
    designed,
    examine,
    piece_of,
    reds,
    told,
    with_interface,
)

from fabricgen.compile.checks.links import Mtu
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.interface import Use

CODE = Code.MTU_BROKEN


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Mtu, designed(EVERY[shape])), CODE) == []


def test_interfaces_in_use_are_counted() -> None:
    site = designed(RAIL_OPTIMIZED)
    links = site.fabrics[0].topology.links
    assert examine(Mtu, site).objects == sum(1 if link.to_server else 2 for link in links)


@pytest.mark.parametrize("use", [Use.FABRIC, Use.NIC])
def test_a_backend_port_with_another_mtu_is_found(use: Use) -> None:
    site = designed(RAIL_OPTIMIZED)
    pieces = told(
        cut(site),
        "be-su01-leaf1",
        lambda switch_slice: with_interface(switch_slice, lambda i: i.use is use, mtu=9000),
    )
    said = reds(examine(Mtu, site, pieces), CODE)
    assert len(said) == 1
    assert f"({use}) has MTU 9000, but it must be 9214, like the rest of the backend" in said[0]


def test_an_edge_port_leaves_room_for_vxlan() -> None:
    site = designed(FRONTEND)
    for mtu, found in ((9165, 1), (9164, 0), (1500, 0)):
        pieces = told(
            cut(site),
            "fe-leaf01",
            lambda switch_slice, m=mtu: with_interface(
                switch_slice, lambda i: i.use is Use.EDGE, mtu=m
            ),  # type: ignore[misc]
        )
        said = reds(examine(Mtu, site, pieces), CODE)
        assert len(said) == found
        assert all("at most 9164 so that VXLAN fits into 9214" in text for text in said)


def test_without_an_overlay_an_edge_port_may_have_all_of_the_mtu() -> None:
    site = designed(FRONTEND)
    bare = replace(site, fabrics=(replace(site.fabrics[0], overlay=None),))
    for mtu, found in ((9215, 1), (9214, 0)):
        pieces = [
            (bare.fabrics[0], with_interface(switch_slice, lambda i: i.use is Use.EDGE, mtu=mtu))
            if switch_slice.switch.name == "fe-leaf01"
            else (bare.fabrics[0], switch_slice)
            for _, switch_slice in cut(site)
        ]
        said = reds(examine(Mtu, bare, pieces), CODE)
        assert len(said) == found
        assert all(text.endswith("it must be at most 9214") for text in said)


def test_an_unused_port_is_neither_counted_nor_judged() -> None:
    site = designed(FRONTEND)
    pieces = told(
        cut(site),
        "fe-leaf01",
        lambda switch_slice: with_interface(switch_slice, lambda i: i.use is Use.UNUSED, mtu=1),
    )
    used = sum(
        port.use is not Use.UNUSED for _, switch_slice in pieces for port in switch_slice.interfaces
    )
    examined = examine(Mtu, site, pieces)
    assert reds(examined, CODE) == []
    assert examined.objects == used


def test_one_member_with_another_mtu_than_its_bundle_is_found() -> None:
    site = designed(FRONTEND)
    pieces = cut(site)
    lags = piece_of(pieces, "fe-leaf03").lags
    first, *rest = lags[0].members
    assert rest
    odd = replace(lags[0], members=(replace(first, mtu=1500), *rest))
    pieces = told(
        pieces, "fe-leaf03", lambda switch_slice: replace(switch_slice, lags=(odd, *lags[1:]))
    )
    assert reds(examine(Mtu, site, pieces), CODE) == [
        "fe-leaf03 LAG 1 has MTU 9164, but a member has another"
    ]


def test_a_bundle_with_another_mtu_than_its_members_is_found() -> None:
    site = designed(FRONTEND)
    pieces = cut(site)
    lags = piece_of(pieces, "fe-leaf03").lags
    odd = (replace(lags[0], mtu=1500), *lags[1:])
    pieces = told(pieces, "fe-leaf03", lambda switch_slice: replace(switch_slice, lags=odd))
    assert reds(examine(Mtu, site, pieces), CODE) == [
        "fe-leaf03 LAG 1 has MTU 1500, but a member has another"
    ]

"""From one interface with another MTU: that the largest frame crosses every link (FG315)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    RAIL_OPTIMISED,
    cut,
    designed,
    examine,
    piece_of,
    reds,
    told,
    with_interface,
)

from fabricgen.checks.mtu import Mtu
from fabricgen.diagnostics import Code
from fabricgen.fabric.switch import Use

CODE = Code.MTU_BROKEN


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Mtu, designed(EVERY[shape])), CODE) == []


def test_interfaces_in_use_are_counted() -> None:
    site = designed(RAIL_OPTIMISED)
    links = site.fabrics[0].topology.links
    assert examine(Mtu, site).objects == sum(1 if link.to_server else 2 for link in links)


@pytest.mark.parametrize("use", [Use.FABRIC, Use.NIC])
def test_a_backend_port_with_another_mtu_is_found(use: Use) -> None:
    site = designed(RAIL_OPTIMISED)
    pieces = told(
        cut(site),
        "be-su01-leaf1",
        lambda piece: with_interface(piece, lambda i: i.use is use, mtu=9000),
    )
    said = reds(examine(Mtu, site, pieces), CODE)
    assert len(said) == 1
    assert f"({use}) has MTU 9000; it must be 9214 as all of the backend" in said[0]


def test_an_edge_port_leaves_room_for_vxlan() -> None:
    site = designed(FRONTEND)
    for mtu, found in ((9165, 1), (9164, 0), (1500, 0)):
        pieces = told(
            cut(site),
            "fe-leaf01",
            lambda piece, m=mtu: with_interface(piece, lambda i: i.use is Use.EDGE, mtu=m),  # type: ignore[misc]
        )
        said = reds(examine(Mtu, site, pieces), CODE)
        assert len(said) == found
        assert all("at most 9164 so that VXLAN fits into 9214" in text for text in said)


def test_a_bundle_with_another_mtu_than_its_members_is_found() -> None:
    site = designed(FRONTEND)
    pieces = cut(site)
    lags = piece_of(pieces, "fe-leaf03").lags
    odd = (replace(lags[0], mtu=1500), *lags[1:])
    pieces = told(pieces, "fe-leaf03", lambda piece: replace(piece, lags=odd))
    assert reds(examine(Mtu, site, pieces), CODE) == [
        "fe-leaf03 bundle 1 has MTU 1500, a member another"
    ]

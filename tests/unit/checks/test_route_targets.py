"""From overlays with clashing targets: that each RD is unique and each RT means one VNI (FG304)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    EVERY,
    FRONTEND,
    changed,
    cut,
    designed,
    examine,
    fabric_of,
    first_red,
    piece_of,
    reds,
    told,
)

from fabricgen.checks.route_targets import RouteTargets
from fabricgen.diagnostics import Code

CODE = Code.ROUTE_TARGET_CLASH
SITE = designed(FRONTEND)


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(RouteTargets, designed(EVERY[shape])), CODE) == []


def test_route_distinguishers_are_counted() -> None:
    instances = sum(len(piece.vlans) + len(piece.vrfs) for _, piece in cut(SITE))
    assert instances > 0
    assert examine(RouteTargets, SITE).objects == len(cut(SITE)) + instances


def test_two_vnis_behind_one_route_target_are_found() -> None:
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    vlans = {**overlay.vlans, 120: replace(overlay.vlans[120], vni=10_110)}
    site = changed(SITE, "frontend", overlay=replace(overlay, vlans=vlans))
    assert "64999:10110 is the route target of VLAN 110 and of VLAN 120" in first_red(
        examine(RouteTargets, site), CODE
    )


def test_a_route_target_without_room_for_a_vni_is_found() -> None:
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    assert overlay.rules is not None
    wide = replace(overlay, rules=replace(overlay.rules, route_target_asn=4_200_000_000))
    site = changed(SITE, "frontend", overlay=wide)
    assert "needs 4 bytes" in first_red(examine(RouteTargets, site), CODE)


def test_one_route_distinguisher_of_a_vlan_and_a_vrf_is_found() -> None:
    pieces = told(
        cut(SITE),
        "fe-leaf01",
        lambda piece: replace(piece, vrfs=(replace(piece.vrfs[0], transit_vlan=110),)),
    )
    assert "10.64.0.1:110 is the route distinguisher of VLAN red-web and of VRF red" in first_red(
        examine(RouteTargets, SITE, pieces), CODE
    )


@pytest.mark.parametrize(
    ("number", "fits"), [(0, False), (1, True), (2, True), (65_535, True), (65_536, False)]
)
def test_the_second_half_has_16_bits_and_is_not_zero(number: int, *, fits: bool) -> None:
    pieces = told(
        cut(SITE),
        "fe-leaf01",
        lambda piece: replace(piece, vrfs=(replace(piece.vrfs[0], transit_vlan=number),)),
    )
    wrong = f"10.64.0.1:{number} of VRF red on fe-leaf01: the second half has 16 bits"
    said = reds(examine(RouteTargets, SITE, pieces), CODE)
    assert said == ([] if fits else [wrong])


def test_two_leafs_with_the_same_route_distinguishers_are_found() -> None:
    pieces = cut(SITE)
    taken = piece_of(pieces, "fe-leaf01").loopback
    pieces = told(pieces, "fe-leaf02", lambda piece: replace(piece, loopback=taken))
    assert "fe-leaf01 and fe-leaf02 both make route distinguishers from 10.64.0.1" in first_red(
        examine(RouteTargets, SITE, pieces), CODE
    )


def test_a_leaf_told_another_route_target_asn_is_found() -> None:
    pieces = cut(SITE)
    rules = piece_of(pieces, "fe-leaf01").overlay
    assert rules is not None
    odd = replace(rules, route_target_asn=64_998)
    pieces = told(pieces, "fe-leaf01", lambda piece: replace(piece, overlay=odd))
    said = reds(examine(RouteTargets, SITE, pieces), CODE)
    assert said == ["fe-leaf01 is told other EVPN rules than the frontend has"]

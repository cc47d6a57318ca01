"""From overlays with clashing targets: that each RD is unique and each RT means one VNI (FG304)."""

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

from fabricgen.compile.checks.route_targets import RouteTargets
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.model.fabric.pinned import Pinned
from fabricgen.model.fabric.switch import SwitchSlice

CODE = Code.ROUTE_TARGET_CLASH
SITE = designed(FRONTEND)


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(RouteTargets, designed(EVERY[shape])), CODE) == []


def test_route_distinguishers_are_counted() -> None:
    instances = sum(
        len(switch_slice.vlans) + len(switch_slice.vrfs) for _, switch_slice in cut(SITE)
    )
    assert instances > 0
    assert examine(RouteTargets, SITE).objects == len(cut(SITE)) + instances


def test_two_vnis_behind_one_route_target_are_found() -> None:
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    vlans = {**overlay.vlans, 120: replace(overlay.vlans[120], vni=10_110)}
    site = changed(SITE, "frontend", overlay=replace(overlay, vlans=vlans))
    assert (
        "64999:10110 is the route target of VLAN 110 (tenants.red.vrfs.red.vlans.web) "
        "and of VLAN 120" in first_red(examine(RouteTargets, site), CODE)
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
        lambda switch_slice: replace(
            switch_slice, vrfs=(replace(switch_slice.vrfs[0], transit_vlan=110),)
        ),
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
        lambda switch_slice: replace(
            switch_slice, vrfs=(replace(switch_slice.vrfs[0], transit_vlan=number),)
        ),
    )
    wrong = f"10.64.0.1:{number} of VRF red on fe-leaf01: the second number has only 16 bits"
    said = reds(examine(RouteTargets, SITE, pieces), CODE)
    assert said == ([] if fits else [wrong])


def test_two_leafs_with_the_same_route_distinguishers_are_found() -> None:
    pieces = cut(SITE)
    taken = piece_of(pieces, "fe-leaf01").loopback
    pieces = told(pieces, "fe-leaf02", lambda switch_slice: replace(switch_slice, loopback=taken))
    assert "fe-leaf01 and fe-leaf02 both derive route distinguishers from 10.64.0.1" in first_red(
        examine(RouteTargets, SITE, pieces), CODE
    )


def test_a_leaf_told_another_route_target_asn_is_found() -> None:
    pieces = cut(SITE)
    rules = piece_of(pieces, "fe-leaf01").overlay
    assert rules is not None
    odd = replace(rules, route_target_asn=64_998)
    pieces = told(pieces, "fe-leaf01", lambda switch_slice: replace(switch_slice, overlay=odd))
    said = reds(examine(RouteTargets, SITE, pieces), CODE)
    assert said == ["fe-leaf01 has other EVPN rules than the frontend"]


def pinned(**vrf: Pinned) -> Examined:
    """Examine the frontend with pins of its VRFs."""
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    vrfs = {
        name: replace(each, pinned=vrf.get(name, each.pinned))
        for name, each in overlay.vrfs.items()
    }
    return examine(RouteTargets, changed(SITE, "frontend", overlay=replace(overlay, vrfs=vrfs)))


def test_a_vrf_that_imports_what_another_exports_is_found_with_both_places() -> None:
    pins = Pinned(imports=("65000:1", "64999:10110"), exports=("65000:1",))
    said = first_red(pinned(red=pins), CODE)
    assert "64999:10110 is the route target of VLAN 110 (tenants.red.vrfs.red.vlans.web)" in said
    assert "and of VRF red" in said


def test_a_vrf_that_imports_nothing_of_its_own_is_found() -> None:
    pins = Pinned(imports=("65000:2",), exports=("65000:1",))
    assert "its leafs do not import each other's routes" in first_red(pinned(red=pins), CODE)


def test_one_whole_distinguisher_on_several_leafs_is_a_warning() -> None:
    def told_of(switch_slice: SwitchSlice) -> SwitchSlice:
        return replace(
            switch_slice, vrfs=(replace(switch_slice.vrfs[0], pinned=Pinned(rd="65000:1")),)
        )

    pieces = cut(SITE)
    for leaf in ("fe-leaf01", "fe-leaf02"):
        pieces = told(pieces, leaf, told_of)
    findings = [
        found for found in examine(RouteTargets, SITE, pieces).findings if found.code is CODE
    ]
    assert [found.severity for found in findings] == [Severity.WARNING]
    assert findings[0].hint == "set `rd: 1` to use that number with each leaf's loopback"

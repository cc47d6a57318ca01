"""From overlays with clashing numbers: that VNIs and VLAN ids are used once (FG303)."""

from dataclasses import replace
from typing import Any

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
    reds,
    told,
)

from fabricgen.compile.checks.vnis import Vnis
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.switch import Site, SwitchSlice

CODE = Code.VNI_CLASH
SITE = designed(FRONTEND)


def with_vlan(number: int, **facts: Any) -> Site:
    overlay = fabric_of(SITE, "frontend").overlay
    assert overlay is not None
    vlans = {**overlay.vlans, number: replace(overlay.vlans[number], **facts)}
    return changed(SITE, "frontend", overlay=replace(overlay, vlans=vlans))


def with_transit(switch_slice: SwitchSlice, number: int) -> SwitchSlice:
    return replace(
        switch_slice,
        vrfs=(replace(switch_slice.vrfs[0], transit_vlan=number), *switch_slice.vrfs[1:]),
    )


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Vnis, designed(EVERY[shape])), CODE) == []


def test_a_vni_of_two_vlans_is_found() -> None:
    said = reds(examine(Vnis, with_vlan(120, vni=10_110)), CODE)
    assert "the VNI 10110 is used by VLAN 110 and by VLAN 120" in said


def test_a_vlan_with_the_vni_of_a_vrf_is_found() -> None:
    said = reds(examine(Vnis, with_vlan(120, vni=50_001)), CODE)
    assert any("50001 is used by VLAN 120 and by VRF red" in text for text in said)


@pytest.mark.parametrize("vni", [0, 1 << 24])
def test_a_vni_of_more_than_24_bits_is_found(vni: int) -> None:
    assert f"VLAN 120 has the VNI {vni}" in first_red(examine(Vnis, with_vlan(120, vni=vni)), CODE)


def test_one_vlan_has_one_vni_on_all_leafs() -> None:
    pieces = told(
        cut(SITE),
        "fe-leaf03",
        lambda switch_slice: replace(
            switch_slice,
            vlans=(replace(switch_slice.vlans[0], vni=10_999), *switch_slice.vlans[1:]),
        ),
    )
    assert "VLAN 110 has the VNI 10110 on one switch and 10999 on another" in first_red(
        examine(Vnis, SITE, pieces), CODE
    )


def test_a_transit_vlan_that_is_a_vlan_of_the_leaf_is_found() -> None:
    pieces = told(cut(SITE), "fe-leaf01", lambda switch_slice: with_transit(switch_slice, 110))
    said = first_red(examine(Vnis, SITE, pieces), CODE)
    assert said == "on fe-leaf01 the VLAN id 110 is used by VLAN red-web and by transit VLAN of red"


@pytest.mark.parametrize(
    ("number", "fits"), [(0, False), (1, True), (2, True), (4094, True), (4095, False)]
)
def test_ids_of_vlans_go_from_1_to_4094(number: int, *, fits: bool) -> None:
    pieces = told(cut(SITE), "fe-leaf01", lambda switch_slice: with_transit(switch_slice, number))
    wrong = f"transit VLAN of red has the id {number} on fe-leaf01, but the largest id is 4094"
    assert reds(examine(Vnis, SITE, pieces), CODE) == ([] if fits else [wrong])


def test_a_vlan_that_a_leaf_is_told_twice_is_found() -> None:
    pieces = told(
        cut(SITE),
        "fe-leaf01",
        lambda switch_slice: replace(
            switch_slice, vlans=(*switch_slice.vlans, switch_slice.vlans[0])
        ),
    )
    assert "the VLAN id 110 is used by VLAN red-web and by VLAN red-web" in first_red(
        examine(Vnis, SITE, pieces), CODE
    )

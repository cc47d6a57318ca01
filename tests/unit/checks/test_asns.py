"""From slices with wrong ASNs: that clashes, reserved and public numbers are found (FG302)."""

from dataclasses import replace

import pytest
from tests.unit.checks.sites import (
    BOTH,
    EVERY,
    RAIL_OPTIMIZED,
    THREE_TIER,
    cut,
    designed,
    examine,
    first_red,
    piece_of,
    reds,
    told,
    with_session,
)

from fabricgen.compile.checks.asns import Asns
from fabricgen.core.diagnostics import Code

CODE = Code.ASN_CLASH
SITE = designed(RAIL_OPTIMIZED)
SHARED = THREE_TIER + "  underlay: {asn: {scheme: rfc7938}}\n"


@pytest.mark.parametrize("shape", EVERY)
def test_a_designed_site_passes(shape: str) -> None:
    assert reds(examine(Asns, designed(EVERY[shape])), CODE) == []


def test_a_shared_plan_passes() -> None:
    assert reds(examine(Asns, designed(SHARED)), CODE) == []


def test_two_leafs_with_one_asn_are_found() -> None:
    pieces = told(
        cut(SITE), "be-su01-leaf2", lambda switch_slice: replace(switch_slice, asn=4_200_000_000)
    )
    said = reds(examine(Asns, SITE, pieces), CODE)
    assert said == ["be-su01-leaf1 and be-su01-leaf2 both have the ASN 4200000000"]


def test_a_leaf_with_the_asn_of_shared_spines_is_found() -> None:
    site = designed(SHARED)
    pieces = cut(site)
    spine = piece_of(pieces, "be-pod01-spine1").asn
    assert spine == piece_of(pieces, "be-pod01-spine2").asn
    pieces = told(pieces, "be-su01-leaf1", lambda switch_slice: replace(switch_slice, asn=spine))
    assert f"be-su01-leaf1 both have the ASN {spine}" in first_red(
        examine(Asns, site, pieces), CODE
    )


def test_spines_of_a_pod_share_one_asn() -> None:
    site = designed(SHARED)
    pieces = told(
        cut(site), "be-pod01-spine2", lambda switch_slice: replace(switch_slice, asn=4_200_009_999)
    )
    assert "but the ASN of the spines of pod 1 is" in first_red(examine(Asns, site, pieces), CODE)


@pytest.mark.parametrize(
    ("asn", "word"),
    [(0, "reserved"), (23456, "reserved"), (65535, "reserved"), (4294967295, "reserved"),
     (64511, "public"), (3320, "public"), (65536, "public")],
)  # fmt: skip
def test_reserved_and_public_asns_are_found(asn: int, word: str) -> None:
    pieces = told(cut(SITE), "be-spine1", lambda switch_slice: replace(switch_slice, asn=asn))
    assert reds(examine(Asns, SITE, pieces), CODE) == [f"be-spine1 has the {word} ASN {asn}"]


def test_a_session_inside_one_asn_is_found() -> None:
    pieces = told(
        cut(SITE),
        "be-spine1",
        lambda switch_slice: with_session(switch_slice, lambda _: True, peer_asn=switch_slice.asn),
    )
    assert "would not be eBGP" in first_red(examine(Asns, SITE, pieces), CODE)


def test_fabrics_that_share_asns_must_not_be_joined() -> None:
    site = designed(BOTH)
    pieces = cut(site)
    leaf = piece_of(pieces, "fe-leaf01").switch
    pieces = told(
        pieces,
        "be-spine1",
        lambda switch_slice: with_session(switch_slice, lambda _: True, peer=leaf),
    )
    said = first_red(examine(Asns, site, pieces), CODE)
    assert "backend and frontend both use" in said
    assert "be-spine1 to fe-leaf01" in said


def test_fabrics_with_ranges_of_their_own_may_be_joined() -> None:
    apart = "  underlay: {asn: {first: 4205000000, last: 4205999999}}\ntenants:\n"
    site = designed(BOTH.replace("tenants:\n", apart, 1))
    pieces = cut(site)
    leaf = piece_of(pieces, "fe-leaf01").switch
    joined = told(
        pieces,
        "be-spine1",
        lambda switch_slice: with_session(switch_slice, lambda _: True, peer=leaf),
    )
    found = examine(Asns, site, joined).findings
    assert not any("both use" in finding.message for finding in found)

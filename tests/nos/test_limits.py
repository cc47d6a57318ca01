"""How many equal paths a platform takes, and what is said of a design that needs more."""

from dataclasses import replace
from functools import cache

import pytest
from tests.nos.claims import pieces

from fabricgen.core.diagnostics import Code
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.lowering import Gaps, accepted_features
from fabricgen.nos.registry import OURS, nos

PATHS = {"eos": 600, "sonic": 512, "linux": 256}
"""pyavd 6.4.0, router_bgp.maximum_paths; sonic-buildimage pulls 20744 and 22796; FRR of Debian 12
(`show version`: --enable-multipath=256)."""
WIDE = Code.ECMP_TOO_WIDE


@cache
def leaf(platform: str) -> SwitchSlice:
    return next(
        switch_slice for _, switch_slice, _ in pieces(platform) if switch_slice.routing.ecmp
    )


def needing(switch_slice: SwitchSlice, paths: int) -> SwitchSlice:
    return replace(switch_slice, routing=replace(switch_slice.routing, ecmp=paths))


def said(*needed: SwitchSlice) -> list[str]:
    gaps = Gaps(frozenset(), lifted=True)
    for switch_slice in needed:
        gaps.see(switch_slice)
    return [gap.message for gap in gaps.findings() if gap.code is WIDE]


@pytest.mark.parametrize("platform", OURS)
def test_a_platform_takes_as_many_equal_paths_as_it_is_known_to_take(platform: str) -> None:
    assert nos(platform).max_ecmp == PATHS[platform]
    switch_slice, most = leaf(platform), PATHS[platform]
    assert said(needing(switch_slice, most)) == []
    (only,) = said(needing(switch_slice, most + 1))
    words = f"the design needs {most + 1} ECMP paths, but {platform} supports {most} (1 switch,"
    assert only.startswith(words)


def test_a_gap_is_said_once_with_how_many_switches_have_it() -> None:
    switch_slice = needing(leaf("eos"), 601)
    other = replace(switch_slice, switch=replace(switch_slice.switch, name="another"))
    (only,) = said(switch_slice, other)
    assert only.endswith(f"(2 switches, first {switch_slice.switch.name})")


def test_another_fabric_says_it_for_itself() -> None:
    switch_slice = needing(leaf("eos"), 601)
    elsewhere = replace(switch_slice, switch=replace(switch_slice.switch, fabric="elsewhere"))
    assert len(said(switch_slice, elsewhere)) == 2


def test_a_model_that_does_not_run_the_platform_is_said_and_nothing_more() -> None:
    switch_slice = needing(leaf("eos"), 601)
    gaps = Gaps(frozenset(), lifted=False)
    known = SHIPPED.known("SN5600")
    for model in (known, replace(known, platforms={}, name="Box-9")):
        fabric = model.name
        gaps.see(
            replace(switch_slice, switch=replace(switch_slice.switch, model=model, fabric=fabric))
        )
    first, second = gaps.findings()
    assert {first.code, second.code} == {Code.MODEL_NOT_ON_PLATFORM}
    assert first.message.startswith("SN5600 does not run eos (1 switch, first ")
    assert (first.hint, second.hint) == (
        "this model runs sonic, linux",
        "this model runs no known OS",
    )


def test_words_that_are_no_features_are_told_from_those_that_are() -> None:
    assert accepted_features(["pfc", "warp", "ecn"]) == (frozenset({"pfc", "ecn"}), ["warp"])


def test_another_platform_in_one_fabric_says_it_for_itself() -> None:
    eos, linux = leaf("eos"), leaf("linux")
    beside = replace(linux, switch=replace(linux.switch, fabric=eos.switch.fabric))
    found = said(needing(eos, 10_000), needing(beside, 10_000))
    assert [text.split(", but ")[1].split()[0] for text in found] == ["eos", "linux"]


def test_each_lack_of_a_switch_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    switch_slice, linux = leaf("linux"), nos("linux")
    answers = {each: linux.answer(each, switch_slice.switch.release) for each in Feature}
    lacks = [each for each, answer in answers.items() if isinstance(answer, Unsupported)]
    monkeypatch.setattr("fabricgen.nos.lowering.needs", lambda _: dict.fromkeys(lacks, ()))
    gaps = Gaps(frozenset(), lifted=True)
    gaps.see(switch_slice)
    found = [each.message for each in gaps.findings() if each.code is Code.UNSUPPORTED]
    assert len(found) == len(lacks) > 1

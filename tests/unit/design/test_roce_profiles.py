"""A profile fills what the intent leaves out, and only that; what it cannot give is said."""

from typing import Any

import pytest
from tests.unit.design.sites import R32, R128, Keys, backend, intent

from fabricgen.compile.design.roce_profiles import PROFILES, adopted
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.qos import Roce
from fabricgen.model.fabric.qos import Kind, Marking, Qos
from fabricgen.model.fabric.topology import Role

SPEED = BitsPerSecond.parse("400G")


def roce(**words: object) -> Keys:
    return backend("rail-only", R32, 4, roce=words)


def said(code: Code, keys: Keys) -> list[Diagnostic]:
    return [item for item in design_site(intent(keys))[1] if item.code is code]


def qos(keys: Keys) -> Qos:
    made = design_site(intent(keys))[0].fabrics[0].qos
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("profile", "data", "cnp"),
    [
        ("computed", 26, 48),
        ("nvidia-roce", 26, 48),
        ("sonic-default", 3, 48),
        ("arista-ai", 24, 48),
        ("arista-ai-leaf", 24, 48),
        ("cisco-nexus-ai", 24, 48),
        ("juniper-jvd", 26, 48),
        ("hpcc-scaled", 26, 48),
    ],
)
def test_a_profile_brings_its_code_points(profile: str, data: int, cnp: int) -> None:
    made = qos(roce(profile=profile))
    assert (made.class_of(data).kind, made.class_of(data).paused) == (Kind.LOSSLESS, 3)
    assert (made.class_of(cnp).kind, made.class_of(cnp).number) == (Kind.CNP, 6)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ({"dscp": 26}, {"dscp": 26, "priority": 3}),  # the intent's default, but written
        ({"priority": 4}, {"dscp": 24, "priority": 4}),
        ({"cnp": {"priority": 5}}, {"cnp": {"dscp": 48, "priority": 5}}),
        ({}, {"dscp": 24, "watchdog": {"poll": 100, "detection": 200, "restoration": 200}}),
    ],
)
def test_what_is_written_wins(words: dict[str, Any], wanted: dict[str, Any]) -> None:
    made = adopted(Roce.model_validate({"profile": "cisco-nexus-ai", **words})).model_dump()
    for key, value in wanted.items():
        inner = {name: made[key][name] for name in value} if isinstance(value, dict) else made[key]
        assert inner == value


def test_one_timer_that_is_written_keeps_the_others_of_the_profile() -> None:
    words = {"profile": "sonic-default", "watchdog": {"poll": 100}}
    watch = adopted(Roce.model_validate(words)).watchdog
    assert (watch.poll, watch.detection, watch.restoration) == (100, 200, 200)


@pytest.mark.parametrize("name", PROFILES)
def test_a_profile_speaks_the_words_of_the_intent(name: str) -> None:
    made = adopted(Roce.model_validate({"profile": name}))
    assert Roce.model_validate(made.model_dump()) == made
    assert PROFILES[name].source


def test_a_profile_without_points_has_the_computed_ones_and_says_so() -> None:
    (one,) = qos(roce(profile="juniper-jvd")).lossless
    (other,) = qos(roce(profile="computed")).lossless
    assert one.marking
    assert one.marking == other.marking
    (found,) = said(Code.PROFILE_GAP, roce(profile="juniper-jvd"))
    assert found.severity is Severity.WARNING
    assert found.path == ("backend", "roce", "profile")
    assert found.message.endswith("; the computed points are used")


@pytest.mark.parametrize(
    "ecn", [{"minimum": 200_000, "maximum": 800_000}, {"enabled": False}], ids=["written", "off"]
)
def test_a_profile_without_points_says_nothing_where_none_are_needed(ecn: object) -> None:
    assert not said(Code.PROFILE_GAP, roce(profile="juniper-jvd", ecn=ecn))


def tiers(**words: object) -> Keys:
    return backend("rail-optimized", R128, 4, gpus=1, scalable_unit={"servers": 2}, roce=words)


def test_spines_mark_as_the_profile_has_spines() -> None:
    fabric = design_site(intent(tiers(profile="arista-ai")))[0].fabrics[0]
    told = {
        switch_slice.switch.role: switch_slice.qos.lossless[0].marking
        for switch_slice in Slicer(fabric).slices()
        if switch_slice.qos is not None
    }
    assert told == {
        Role.LEAF: {SPEED: Marking(256_000, 512_000, 100)},  # type: ignore[arg-type]
        Role.SPINE: {SPEED: Marking(512_000, 768_000, 100)},  # type: ignore[arg-type]
    }
    assert not said(Code.PROFILE_GAP, tiers(profile="arista-ai"))
    lower, upper = fabric.qos_of(Role.LEAF), fabric.qos_of(Role.SPINE)
    assert lower is not None
    assert upper is not None
    for one, other in zip(lower.classes, upper.classes, strict=True):
        assert (one.kind, one.dscps) == (other.kind, other.dscps)
        assert (one.number, one.share, one.paused) == (other.number, other.share, other.paused)


@pytest.mark.parametrize(
    "words",
    [
        {"profile": "arista-ai", "ecn": {"minimum": 200_000, "maximum": 800_000}},
        {"profile": "arista-ai-leaf"},
        {"profile": "computed"},
    ],
)
def test_otherwise_spines_mark_as_leafs(words: dict[str, Any]) -> None:
    fabric = design_site(intent(tiers(**words)))[0].fabrics[0]
    assert fabric.qos_of(Role.SPINE) is fabric.qos_of(Role.LEAF) is fabric.qos


def test_a_rule_that_only_spines_break_names_them() -> None:
    found = said(Code.MARKING_RULE, tiers(profile="arista-ai", alpha=-6))
    assert any(item.message.startswith("ECN of spines on 400G ports: ") for item in found)


def test_values_of_leafs_are_said_where_there_are_spines() -> None:
    assert not said(Code.PROFILE_GAP, roce(profile="arista-ai-leaf"))
    (found,) = said(Code.PROFILE_GAP, tiers(profile="arista-ai-leaf"))
    assert "spines have ECN 512,000 to 768,000 bytes there" in found.message


def test_published_timers_that_break_a_rule_are_a_warning_and_written_ones_an_error() -> None:
    published = said(Code.WATCHDOG_RULE, roce(profile="sonic-default"))
    assert [item.severity for item in published] == [Severity.WARNING, Severity.WARNING]
    assert published[0].message.endswith("detection spans two polls: 200 >= 2 x 200 ms")
    written = said(Code.WATCHDOG_RULE, roce(profile="sonic-default", watchdog={"detection": 300}))
    assert {item.severity for item in written} == {Severity.ERROR}


def test_points_of_a_published_profile_hold_for_the_ports_speed() -> None:
    (lossless,) = qos(roce(profile="hpcc-scaled")).lossless
    assert lossless.marking is not None
    assert lossless.marking[SPEED] == Marking(1_600_000, 6_400_000, 20)  # type: ignore[arg-type]

"""Marking points of a backend: computed, published or written, and where a broken rule is told."""

from typing import Any

import pytest
from tests.unit.design.sites import R128, Keys, backend, intent

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.lossless.marking import Points

FAST = BitsPerSecond.parse("400G")
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def keys(meters: int = 5, **roce: Any) -> Keys:
    near = {"count": 8, "gpus": 8, "nic_speed": "400G", "cable_length": meters}
    return backend("rail-only", R128, 8, servers=near, roce=roce)


def points(kind: Kind = Kind.LOSSLESS, **roce: Any) -> Points:
    site, _ = design_site(intent(keys(**roce)))
    plan = site.fabrics[0].lossless
    assert plan is not None
    return plan.marking[kind][FAST]


def told(**roce: Any) -> list[Diagnostic]:
    """Return what is said of marking rules, but not of faster ingresses."""
    _, found = design_site(intent(keys(**roce)))
    rules = [item for item in found if item.code is Code.MARKING_RULE]
    return [item for item in rules if "one faster ingress" not in item.message]


def three(plan: Points) -> tuple[int, int, int]:
    return plan.minimum, plan.maximum, plan.probability


def test_left_out_the_points_are_computed_with_their_terms() -> None:
    plan = points()
    assert plan.holds
    kmin = sum(term.value for term in plan.terms if term.name.startswith("Kmin"))
    kmax = sum(term.value for term in plan.terms if term.name.startswith("Kmax"))
    assert (kmin, kmax) == (plan.minimum, plan.maximum)


@pytest.mark.parametrize("key", ["minimum", "maximum", "probability"])
def test_a_point_that_is_written_stands_beside_the_computed_ones(key: str) -> None:
    computed = points()
    value = {"minimum": 100_000, "maximum": 1_400_000, "probability": 7}[key]
    assert getattr(computed, key) != value
    plan = points(ecn={key: value})
    wanted = {name: getattr(computed, name) for name in ("minimum", "maximum", "probability")}
    assert three(plan) == tuple({**wanted, key: value}.values())
    assert plan.terms == ()


def test_a_profile_has_its_own_points_unless_they_are_written() -> None:
    assert three(points(profile="sonic-default")) == (1_048_576, 2_097_152, 5)
    ecn = {"maximum": 1_500_000}
    assert three(points(profile="sonic-default", ecn=ecn)) == (1_048_576, 1_500_000, 5)
    assert three(points(profile="hpcc-scaled")) == (1_600_000, 6_400_000, 20)


def test_storage_has_points_of_its_own() -> None:
    storage = {"ecn": {"minimum": 200_000, "maximum": 900_000, "probability": 3}}
    assert three(points(Kind.STORAGE, storage=storage)) == (200_000, 900_000, 3)
    assert three(points(storage=storage)) == three(points(storage={}))


INGRESSES = "set roce.congested_ingresses: {}, if at least that many feed a queue in equal parts"
BACKWARD = {"minimum": 900_000, "maximum": 200_000}
TOO_LATE = {"minimum": 100_000_000, "maximum": 200_000_000}


@pytest.mark.parametrize(
    ("roce", "severity", "path", "words", "hint"),
    [
        (
            {"ecn": BACKWARD},
            ERROR,
            ("ecn",),
            "ECN on 400G ports: Kmin below Kmax: 900,000 < 200,000",
            "remove roce.ecn.minimum and maximum",
        ),
        (
            {"storage": {"ecn": BACKWARD}},
            ERROR,
            ("storage", "ecn"),
            "ECN of storage on 400G ports: Kmin below Kmax: 900,000 < 200,000",
            "remove roce.storage.ecn.minimum and maximum; or remove roce.storage",
        ),
        (
            {"profile": "sonic-default", "ecn": BACKWARD},
            ERROR,
            ("ecn",),
            "ECN on 400G ports: Kmin below Kmax: 900,000 < 200,000",
            "remove roce.ecn.minimum and maximum",
        ),
        (
            {"profile": "hpcc-scaled"},
            WARNING,
            ("profile",),
            "ECN on 400G ports: marking before pause: Kmax 6,400,000 <= ",
            f"set roce.profile: computed; or {INGRESSES.format(7)}",
        ),
        (
            {"alpha": -8, "meters": 500},
            ERROR,
            ("profile",),
            "ECN on 400G ports: Kmin below Kmax: ",
            f"{INGRESSES.format(3)}; or set roce.alpha: -7; or use cables of at most 300 m",
        ),
    ],
)
def test_a_broken_rule_is_told_where_the_points_come_from(
    roce: dict[str, Any], severity: Severity, path: tuple[str, ...], words: str, hint: str
) -> None:
    found = told(**roce)[0]
    assert found.message.startswith(words)
    assert (found.severity, found.path) == (severity, ("backend", "roce", *path))
    assert found.hint == hint


def test_without_pause_marking_is_to_come_before_loss() -> None:
    found = told(pfc=False, watchdog={"enabled": False}, ecn=TOO_LATE)
    assert {item.severity for item in found} == {ERROR}
    assert any("marking before loss" in item.message for item in found)
    assert not any("marking before pause" in item.message for item in found)


def test_ingresses_that_fill_a_queue_together_allow_later_marking() -> None:
    one, many = (points(congested_ingresses=number, alpha=-8) for number in (1, 16))
    assert one.maximum < many.maximum


@pytest.mark.parametrize(
    ("nics", "links", "feeding"),
    [
        ("400G", "400G", {"400G": 2}),
        ("400G", "200G", {"400G": 1, "200G": 1}),  # spines have 200G alone, leafs do not
    ],
)
def test_two_ingresses_are_assumed_only_where_no_switch_has_a_faster_port(
    nics: str, links: str, feeding: dict[str, int]
) -> None:
    """Where one would be marked too late: two groups share little memory over long cables."""
    servers = {"count": 64, "gpus": 8, "nic_speed": nics, "cable_length": 100}
    words: Keys = {"links": {"speed": links, "length": 300}, "oversubscription": 64.0}
    words["roce"] = {"storage": {}, "over_subscription": 8}
    site, _ = design_site(intent(backend("rail-optimized", R128, 64, servers=servers, **words)))
    assert site is not None
    plan = site.fabrics[0].lossless
    assert plan is not None
    assert {str(one.speed): one.feeding for _, one in plan.plans} == feeding

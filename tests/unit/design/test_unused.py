"""From the keys of tiers that a design does not have: that each is said, and none that is used."""

import pytest
from tests.unit.design.sites import R128, Keys, backend, frontend, intent, switches

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import IntentPath


def said(keys: Keys) -> set[IntentPath]:
    findings = design_site(intent(keys))[1]
    return {item.path for item in findings if "this key has no effect" in item.message}


@pytest.mark.parametrize(
    ("keys", "paths"),
    [
        (backend("rail-only", R128, 4, spine=switches(R128)), {("backend", "spine")}),
        (backend("rail-only", R128, 4, links={"length": 5}), {("backend", "links")}),
        (
            backend("rail-only", R128, 4, growth={"servers": 8, "spines": 2}),
            {("backend", "growth", "spines")},
        ),
        (
            backend("rail-optimized", R128, 4, names={"superspine": "x-{index}"}),
            {("backend", "names", "superspine")},
        ),
        (
            backend("rail-optimized", R128, 4, growth={"servers": 8, "pods": 2}),
            {("backend", "growth", "pods")},
        ),
        (
            backend("rail-optimized", R128, 4, load_balancing={"seeds": {"superspine": 1}}),
            {("backend", "load_balancing", "seeds", "superspine")},
        ),
        (frontend(leafs_per_pod=2), {("frontend", "leafs_per_pod")}),
    ],
)
def test_a_key_of_a_tier_that_is_not_there_is_said(keys: Keys, paths: set[IntentPath]) -> None:
    assert said(keys) == paths


def test_a_key_of_a_tier_that_is_there_is_not() -> None:
    assert not said(backend("three-tier", R128, 16, growth={"pods": 2}))
    assert not said(backend("rail-optimized", R128, 4, names={"spine": "x-{index}"}))

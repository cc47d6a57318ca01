"""How far each design reaches, and the counts at its limit; one server more is refused.

With R ports of NIC speed on every switch, n rails, half of a leaf down: rail-only n*R GPUs,
two tiers R^2/2, oversubscribed by o R^2*o/(1+o), three tiers R^3/4, with 2N/R leafs, as many spines
and N/R superspines (fat-tree arithmetic: Al-Fares et al., SIGCOMM 2008).
"""

import pytest
from tests.unit.design.sites import R32, R64, R128, backend, refused, sized

from fabricgen.core.diagnostics import Code

RAIL_ONLY = [(R32, 256), (R64, 512), (R128, 1_024)]
TWO_TIERS = [(R32, 512), (R64, 2_048), (R128, 8_192)]
THREE_TIERS = [(R32, 32, 8_192), (R64, 64, 65_536), (R128, 128, 524_288)]


@pytest.mark.parametrize(("model", "gpus"), RAIL_ONLY)
def test_rail_only_reaches_n_times_r(model: str, gpus: int) -> None:
    size = sized(backend("rail-only", model, gpus // 8))
    assert size.groups(1) == 8
    assert len(size.leaf.down) == gpus // 8


@pytest.mark.parametrize(("model", "gpus"), RAIL_ONLY)
def test_rail_only_refuses_one_server_more(model: str, gpus: int) -> None:
    found = refused(backend("rail-only", model, gpus // 8 + 1))
    assert found.code is Code.PORTS_EXHAUSTED
    assert f"{gpus // 8 + 1} servers" in found.message
    assert f"room for {gpus // 8} servers" in found.message


@pytest.mark.parametrize(("model", "gpus"), TWO_TIERS)
def test_two_tiers_reach_half_of_r_squared(model: str, gpus: int) -> None:
    size = sized(backend("rail-optimized", model, gpus // 8))
    assert size.spines is not None
    leafs = size.units * size.groups(1)
    radix = len(size.spines.face.down)
    assert leafs * size.uplinks == size.spines.count * radix == gpus
    assert size.spines.per_pair == 1


@pytest.mark.parametrize(("model", "gpus"), TWO_TIERS)
def test_two_tiers_refuse_one_server_more(model: str, gpus: int) -> None:
    found = refused(backend("rail-optimized", model, gpus // 8 + 1))
    assert found.code is Code.RADIX_EXCEEDED
    assert found.path == ("backend", "spine")
    assert "add a tier" in found.hint


def test_two_tiers_with_3_to_1_reach_three_quarters_of_r_squared() -> None:
    size = sized(backend("rail-optimized", R32, 96, oversubscription=3))
    assert size.spines is not None
    assert (len(size.leaf.down), size.uplinks, size.spines.count) == (24, 8, 8)


def test_two_tiers_with_3_to_1_refuse_one_server_more() -> None:
    found = refused(backend("rail-optimized", R32, 97, oversubscription=3))
    assert found.code is Code.RADIX_EXCEEDED


@pytest.mark.parametrize(("model", "ports", "gpus"), THREE_TIERS)
def test_three_tiers_reach_a_quarter_of_r_cubed(model: str, ports: int, gpus: int) -> None:
    size = sized(backend("three-tier", model, gpus // 8))
    assert size.spines is not None
    assert size.superspines is not None
    spines = size.spines.count * size.pods
    assert size.pods == ports
    assert size.units * size.groups(1) == spines == 2 * gpus // ports
    assert size.spines.count * size.superspines.count == gpus // ports


@pytest.mark.parametrize(("model", "ports", "gpus"), THREE_TIERS)
def test_three_tiers_refuse_one_server_more(model: str, ports: int, gpus: int) -> None:
    found = refused(backend("three-tier", model, gpus // 8 + 1))
    assert found.code is Code.RADIX_EXCEEDED
    assert found.path == ("backend", "superspine")
    assert f"{ports + 1} switches" in found.message


@pytest.mark.parametrize("units", range(1, 17))
def test_spines_are_the_fewest_that_divide_the_uplinks(units: int) -> None:
    """Check the rule by its words: the smallest s >= leafs * up / radix that divides up."""
    size = sized(backend("rail-optimized", R128, 64 * units))
    assert size.spines is not None
    leafs, up, radix = 8 * units, size.uplinks, 128
    enough = [s for s in range(1, up + 1) if s * radix >= leafs * up and up % s == 0]
    assert size.spines.count == min(enough)


def test_what_growth_reserves_is_sized_in_but_not_bought() -> None:
    now = sized(backend("rail-optimized", R128, 64, growth={"servers": 1024}))
    later = sized(backend("rail-optimized", R128, 1024))
    assert now.units == 1
    assert now.spines is not None
    assert later.spines is not None
    assert (now.spines.count, now.spines.per_pair) == (later.spines.count, later.spines.per_pair)


def test_a_given_number_of_spines_is_kept() -> None:
    spine = {"model": R128, "platform": "linux", "count": 16}
    size = sized(backend("rail-optimized", R128, 64, spine=spine))
    assert size.spines is not None
    assert (size.spines.count, size.spines.per_pair) == (16, 4)


def test_uplinks_are_rounded_up_to_the_given_spines() -> None:
    spine = {"model": R128, "platform": "linux", "count": 6}
    unit = {"servers": 32}
    size = sized(backend("rail-optimized", R128, 32, scalable_unit=unit, spine=spine))
    assert size.uplinks == 36


def test_rails_may_share_a_leaf() -> None:
    size = sized(backend("rail-optimized", R128, 64, rails_per_leaf=2))
    assert (size.per_unit, size.groups(1), size.units) == (32, 4, 2)

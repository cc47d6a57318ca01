"""From few large flows: the least number of queue pairs that spreads them is named."""

import pytest

from fabricgen.compile.checks.balancing import _hint
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.balancing import UNEVEN, Flows


def flows(pairs: int, uplinks: int = 64, nics: int = 8) -> Flows:
    return Flows(
        nics=nics,
        uplinks=uplinks,
        queue_pairs=pairs,
        nic_speed=BitsPerSecond(400 * 10**9),
        uplink_speed=BitsPerSecond(400 * 10**9 * nics // uplinks),
    )


@pytest.mark.parametrize("uplinks", [4, 8, 16, 32, 64, 100])
def test_the_pairs_that_are_named_are_the_least_power_of_two_that_is_enough(uplinks: int) -> None:
    enough = next(
        pairs
        for pairs in (2**power for power in range(1, 8))
        if flows(pairs, uplinks).shares(queue_pairs=True) < UNEVEN
    )
    assert _hint(flows(1, uplinks), apart=True).startswith(
        f"`load_balancing.queue_pairs: {enough}`"
    )


def test_pairs_that_the_hash_does_not_tell_apart_have_to_be_hashed_too() -> None:
    assert ", hashed, or" in _hint(flows(1, 8), apart=False)
    assert "hashed" not in _hint(flows(1, 8), apart=True)


def test_where_128_pairs_are_too_few_only_flowlets_are_left() -> None:
    assert _hint(flows(1, 4096, nics=1), apart=True) == "mode: flowlet"

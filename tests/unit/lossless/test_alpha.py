"""From alpha: how it is printed, the parts of a pool, and the occupancy at which pause is sent."""

from fractions import Fraction

import pytest

from fabricgen.core.units import Bytes
from fabricgen.model.lossless.budget import Alpha, group_limit, pause_threshold

CONGESTED = (1, 2, 8, 32)


@pytest.mark.parametrize(
    ("exponent", "printed"), [(-8, "1/256"), (-4, "1/16"), (0, "1"), (3, "8"), (7, "128")]
)
def test_it_is_printed_as_what_it_is(exponent: int, printed: str) -> None:
    assert str(Alpha(exponent)) == printed


@pytest.mark.parametrize(
    ("exponent", "expected"),
    [
        (-4, (0.0588, 0.0556, 0.0417, 0.0208)),
        (-3, (0.1111, 0.1000, 0.0625, 0.0250)),
        (-2, (0.2000, 0.1667, 0.0833, 0.0278)),
        (-1, (0.3333, 0.2500, 0.1000, 0.0294)),
        (0, (0.5000, 0.3333, 0.1111, 0.0303)),
        (3, (0.8889, 0.4706, 0.1231, 0.0311)),
    ],
)
def test_parts_of_a_pool(exponent: int, expected: tuple[float, ...]) -> None:
    parts = [float(group_limit(Alpha(exponent), groups)) for groups in CONGESTED]
    assert parts == pytest.approx(expected, abs=5e-5)


def test_groups_at_their_limit_leave_what_the_limit_was_taken_of() -> None:
    alpha, groups = Alpha(-2), 17
    each = group_limit(alpha, groups)
    assert each == alpha.ratio * (1 - groups * each)


def test_32_congested_ports_of_120_mb() -> None:
    assert pause_threshold(Bytes(120_000_000), Alpha(0), 32, 1) == 3_636_363
    assert pause_threshold(Bytes(120_000_000), Alpha(0), 32, 2) == 1_846_153
    assert group_limit(Alpha(0), 1) == Fraction(1, 2)

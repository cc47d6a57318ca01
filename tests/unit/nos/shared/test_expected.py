"""What frr.conf must say of timers and paths, and what it does not say since FRR does it so."""

from __future__ import annotations

import pytest

from fabricgen.fabric.routing import Bfd
from fabricgen.nos.shared.frr.expected import timers
from fabricgen.units import Milliseconds


def bfd(interval: int = 300, multiplier: int = 3) -> Bfd:
    return Bfd(Milliseconds(interval), multiplier)


@pytest.mark.parametrize(
    ("profile", "said"),
    [
        (bfd(), {}),
        (bfd(multiplier=4), {"multiplier": "4"}),
        (bfd(interval=100), {"receive": "100", "transmit": "100"}),
        (
            bfd(interval=50, multiplier=5),
            {"multiplier": "5", "receive": "50", "transmit": "50"},
        ),
    ],
)
def test_a_profile_says_the_timers_that_are_not_frrs_own(
    profile: Bfd, said: dict[str, str]
) -> None:
    expected = (tuple(sorted({"profile": "true", **said}.items())),)
    assert timers(profile) == expected

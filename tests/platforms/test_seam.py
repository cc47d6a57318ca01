"""What every platform owes: an answer for each feature, a name for each port, one registry."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabricgen.cli.saying import PLATFORMS as OFFERED
from fabricgen.platforms.eos.platform import Eos
from fabricgen.platforms.features import Feature, Supported
from fabricgen.platforms.linux.platform import Linux
from fabricgen.platforms.lowering import PLATFORMS, platform
from fabricgen.platforms.sonic.platform import Sonic

if TYPE_CHECKING:
    from fabricgen.platforms.platform import Platform

ALL: tuple[Platform, ...] = (Eos(), Sonic(), Linux())  # mypy proves that each fits the seam


def test_the_registry_names_every_platform() -> None:
    assert tuple(item.name for item in ALL) == PLATFORMS == OFFERED


@pytest.mark.parametrize("name", PLATFORMS)
def test_every_feature_has_an_answer_in_words(name: str) -> None:
    for feature in Feature:
        answer = platform(name).capabilities[feature]
        said = answer.how if isinstance(answer, Supported) else answer.why
        assert said
        assert "\n" not in said

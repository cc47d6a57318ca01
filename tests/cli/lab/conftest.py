"""Labs that nobody booted, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.unit.lab.stand_in import StandIn, labs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], StandIn]]:
    """Make labs that answer, in a folder of the test."""
    with labs(monkeypatch) as make:
        yield make

"""Labs that nobody booted, by name."""

from collections.abc import Callable, Iterator

import pytest
from tests.unit.lab.stand_in import StandIn, labs


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], StandIn]]:
    """Make labs that answer, in a folder of the test."""
    with labs(monkeypatch) as make:
        yield make

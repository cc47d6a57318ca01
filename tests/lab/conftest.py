"""Grounds for labs: one of each test, and the one lab of the whole suite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.lab.machinery import Ground, need_a_lab, new_ground
from tests.lab.running import Running, boot

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def ground() -> Iterator[Ground]:
    """Give a test a ground of its own."""
    yield from new_ground()


@pytest.fixture
def machine() -> None:
    """Ask for a machine on which a lab can boot."""
    need_a_lab()


@pytest.fixture(scope="session")
def lab() -> Iterator[Running]:
    """Boot the whole example site once; each test leaves it as it found it."""
    need_a_lab()
    for ground in new_ground():
        running = boot(ground)
        yield running
        done = ground.call("lab", "down")
        assert done.returncode == 0, done.stderr

"""Grounds for labs: one of each test."""

from collections.abc import Iterator

import pytest
from tests.lab.machinery import Ground, need_a_lab, new_ground


@pytest.fixture
def ground() -> Iterator[Ground]:
    """Give a test a ground of its own."""
    yield from new_ground()


@pytest.fixture
def machine() -> None:
    """Ask for a machine on which a lab can boot."""
    need_a_lab()

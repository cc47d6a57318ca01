"""The one lab of these tests: it boots for the first of them and ends with the last."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from tests.lab.machinery import need_a_lab, new_ground
from tests.lab.running import Running, boot

UP = ExitStack()
"""Ends the lab. A fixture of the session would: after all other tests, whose CPU the lab takes."""


@contextmanager
def booted() -> Iterator[Running]:
    """Boot the whole example site, and end it."""
    for ground in new_ground():
        yield boot(ground)
        done = ground.call("lab", "down")
        assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def lab() -> Iterator[Running]:
    """Boot once; each test leaves the lab as it found it. After Ctrl-C it ends here."""
    need_a_lab()
    with UP:
        yield UP.enter_context(booted())


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """End the lab after the last of its tests, and what that one tears down."""
    if nextitem is None or not nextitem.path.is_relative_to(Path(__file__).parent):
        UP.close()

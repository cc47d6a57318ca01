"""How the suite is shared out: labs come first, on two workers."""

from __future__ import annotations

import os
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that they start
# would inherit that; some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is, and nothing about what is tested.
settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What is known of trees that tests render is kept beside them, not in the user's cache.

    The programs that were unpacked into that cache for the lab stay at hand.
    """
    cache = tmp_path_factory.mktemp("cache")
    own = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fabricgen"
    (cache / "fabricgen").mkdir()
    for each in own.glob("*"):
        if each.name != "trees":
            (cache / "fabricgen" / each.name).symlink_to(each)
    os.environ["XDG_CACHE_HOME"] = str(cache)


MODELS = "FABRICGEN_TEST_SONIC_YANG"
"""Where the tests find what FABRICGEN_SONIC_YANG named: no other test shall see that."""
if "FABRICGEN_SONIC_YANG" in os.environ:
    os.environ[MODELS] = os.environ.pop("FABRICGEN_SONIC_YANG")

LABS = "tests/lab/"
RUNNING = f"{LABS}site/"
"""The tests of one running lab. It takes longest, so nothing may wait until it is free."""
NOT_RUN = "no lab on this machine"
NO_POSTGRESQL = "no PostgreSQL on this machine"
_LOUD = {NOT_RUN: "THE LAB WAS NOT TESTED", NO_POSTGRESQL: "A SHARED JOURNAL WAS NOT TESTED"}


class _TwoLabs(LoadFileScheduling):  # type: ignore[misc]
    """A file stays on one worker, the running lab on another than all the other labs.

    So two labs at most are up at a time: each takes a whole CPU for as long as it does not wait.
    """

    def _split_scope(self, nodeid: str) -> str:
        whole = (each for each in (RUNNING, LABS) if nodeid.startswith(each))
        return next(whole, str(super()._split_scope(nodeid)))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Share the tests out by `_TwoLabs`."""
    return _TwoLabs(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the running lab first, then the other labs, then the files with the most tests."""
    files = Counter(item.nodeid.partition("::")[0] for item in items)

    def place(item: pytest.Item) -> tuple[bool, bool, int]:
        file = item.nodeid.partition("::")[0]
        return not file.startswith(RUNNING), not file.startswith(LABS), -files[file]

    items.sort(key=place)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say loudly what was not tested: a skip among thousands of tests is not read."""
    reasons = {
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", ())
        if isinstance(report.longrepr, tuple)
    }
    for reason in sorted(reasons):
        for mark, what in _LOUD.items():
            if mark in reason:
                terminalreporter.write_sep("!", f"{what}: {reason}", red=True, bold=True)

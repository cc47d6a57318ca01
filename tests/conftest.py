"""How the suite is shared out: labs come first, on two workers."""

from __future__ import annotations

import gc
import os
import signal
import sys
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

# Hundreds of processes would each compile what they import. Where the tree shall have no bytecode,
# it is in the cache of pytest.
if sys.dont_write_bytecode:
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(Path(__file__).resolve().parents[1] / ".pytest_cache" / "bytecode")
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

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
LONG = (
    "tests/keys/test_every_key.py",
    "tests/ci/test_pipelines.py",
    "tests/property/test_growth_law.py",
    "tests/cli/test_render_again.py",
    "tests/deploy/fakes/test_killed.py",
    "tests/deploy/sonic/test_reload.py",
    "tests/hostile/test_hostile.py",
    "tests/unit/judge/test_judge.py",
    "tests/deploy/sonic/test_routing.py",
    "tests/deploy/journal/test_processes.py",
    "tests/unit/adopt/test_structure.py",
    "tests/unit/hosts/test_scripts.py",
    "tests/unit/lossless/test_incast.py",
    "tests/deploy/sonic/test_commit.py",
    "tests/unit/invariants/test_laws.py",
    "tests/unit/adopt/test_work.py",
    "tests/unit/output/test_tree.py",
    "tests/unit/reach/test_engines.py",
    "tests/unit/adopt/test_sections.py",
    "tests/nos/frr/test_versions.py",
    "tests/deploy/fakes/test_push.py",
    "tests/unit/reports/test_containerlab.py",
    "tests/designs/test_every_command.py",
    "tests/property/test_render_again.py",
    "tests/cli/test_verbs.py",
    "tests/unit/hosts/test_firmware.py",
    "tests/deploy/verbs/test_from_switches.py",
    "tests/unit/checks/test_deadlock_brute.py",
    "tests/unit/adopt/test_switch_numbers.py",
    "tests/unit/adopt/test_tenants.py",
    "tests/deploy/verbs/test_bypasses.py",
    "tests/unit/proof/qos/test_designed_sites.py",
    "tests/property/test_plan.py",
    "tests/deploy/eapi/test_death.py",
    "tests/cli/test_explain.py",
    "tests/property/test_determinism.py",
    "tests/unit/adopt/test_round_trip.py",
    "tests/hostile/test_mutations.py",
    "tests/unit/survive/test_survey.py",
    "tests/cli/test_lossless.py",
    "tests/unit/adopt/test_cables.py",
    "tests/deploy/verbs/test_choreography.py",
    "tests/unit/adopt/test_tenant_keys.py",
    "tests/property/test_tiers.py",
    "tests/unit/proof/qos/test_mutations.py",
    "tests/unit/proof/test_written.py",
    "tests/unit/adopt/test_edits.py",
    "tests/cli/test_size.py",
    "tests/property/test_whole_sites.py",
    "tests/deploy/verbs/test_notify.py",
    "tests/deploy/verbs/test_push.py",
    "tests/deploy/verbs/test_resumed_kills.py",
    "tests/unit/adopt/test_lldp.py",
)
"""Files of few tests and many seconds, the dearest first: the last would leave a CPU idle."""
BEHIND_LABS = 10
"""How nice tests without a lab are: a ninth of what a guest gets where both want a CPU."""
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
    """Put the running lab first, then the other labs, then what is long by time or by number."""
    files = Counter(item.nodeid.partition("::")[0] for item in items)
    long = {file: number for number, file in enumerate(LONG)}

    def place(item: pytest.Item) -> tuple[bool, bool, int, int]:
        file = item.nodeid.partition("::")[0]
        labs = not file.startswith(RUNNING), not file.startswith(LABS)
        return *labs, long.get(file, len(LONG)), -files[file]

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Collect garbage as rarely as the command line does, and never look at the tests for it."""
    gc.freeze()
    gc.set_threshold(500_000, 50, 100)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Look for garbage once: pytest does it five times, over all that the tests have kept."""
    gc.collect()
    gc.freeze()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Let labs have the CPUs first: what a worker does beside them can wait, and they cannot."""
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    if not alone and not item.nodeid.startswith(LABS) and os.nice(0) < BEHIND_LABS:
        os.nice(BEHIND_LABS - os.nice(0))


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

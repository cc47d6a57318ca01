"""A copy of the tree and test files in; the first test that fails, or how the run ended, out.

A process imports pytest and the libraries once, never fabricgen, and forks a child for every run.
A child may use so many CPU seconds: how busy the machine is does not matter. A child that uses
none, and all of whose processes sleep, hangs.
"""

import os
import resource
import shutil
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.mutants.rooms import ROOT

CPU_SECONDS = 150
"""What one process of a run may use; the slowest room's tests take a third of it."""
MEMORY = 4 << 30
NOT_STARTED = 70
PASSED = 71
"""Not 0: a mutant that lets a fork take the wrong side ends the run with 0 before its tests did."""
TICK = 0.1
STILL = 600
"""So many ticks in a row in which all processes of a run sleep and use no CPU: it hangs."""


class Outcome(NamedTuple):
    """failed: the first test that failed, or how else the run ended; empty when all passed."""

    failed: str
    cpu: float


class _Reporter:
    """Keeps the order of the files asked for, and writes down what fails."""

    def __init__(self, files: list[str], report: Path) -> None:
        self._files = {file: at for at, file in enumerate(files)}
        self._report = report

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self._files.get(item.nodeid.partition("::")[0], 0))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._note(report.nodeid, failed=report.failed)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        self._note(report.nodeid, failed=report.failed)

    def _note(self, nodeid: str, *, failed: bool) -> None:
        if failed:
            with self._report.open("a", encoding="utf-8") as file:
                file.write(nodeid + "\n")


def run_tests(copy: Path, tests: list[str]) -> Outcome:
    """Run tests in a child that stands in the copy, up to the first that fails."""
    report = copy.with_suffix(".failed")
    report.unlink(missing_ok=True)
    pid = _fork(copy, tests, report)
    try:
        status, cpu = _wait(pid)
    finally:
        _end(pid)
        with suppress(ChildProcessError):  # it was waited for, unless this worker is to end
            os.waitpid(pid, 0)
        shutil.rmtree(_temporary(copy), ignore_errors=True)
    if status == PASSED:
        return Outcome("", cpu)
    if report.exists():
        return Outcome(report.read_text(encoding="utf-8").splitlines()[0], cpu)
    if status in (NOT_STARTED, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise RuntimeError(f"no tests ran: {copy.with_suffix('.out').read_text()[-2000:]}")
    return Outcome(f"({_ending(status)})", cpu)


def _ending(status: int) -> str:
    if status == pytest.ExitCode.OK:
        return "ended before its tests did"
    if status >= 0:
        return f"ended with {status}, as pytest or in its place"
    if -status in (signal.SIGXCPU, signal.SIGKILL):
        return f"more than {CPU_SECONDS} CPU seconds, or it hung"
    return f"ended by {signal.Signals(-status).name}"


def _fork(copy: Path, tests: list[str], report: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    status = NOT_STARTED
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _stand_in(copy)
        _limit()
        status = pytest.main(_arguments(copy, tests), plugins=[_Reporter(tests, report)]) or PASSED
    except BaseException:  # noqa: BLE001 - a forked child must not return into its parent's code
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _limit() -> None:
    limits = {
        resource.RLIMIT_CPU: CPU_SECONDS,
        resource.RLIMIT_AS: MEMORY,
        resource.RLIMIT_CORE: 0,
    }
    for what, most in limits.items():
        resource.setrlimit(what, (most, most))


def _stand_in(copy: Path) -> None:
    """Stand in the copy: nothing of the working tree may be imported, or found by a child."""
    sys.path[:] = [
        str(copy / "src"),
        *(path for path in sys.path if Path(path).resolve() not in (ROOT, ROOT / "src")),
    ]
    os.chdir(copy)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    words = os.open(copy.with_suffix(".out"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(words, 1)
    os.dup2(words, 2)
    os.environ["PYTHONPATH"] = str(copy / "src")
    for name in list(sys.modules):
        if name.partition(".")[0] in {"tests", "fabricgen"}:
            del sys.modules[name]
    sys.path_importer_cache.clear()


def _arguments(copy: Path, tests: list[str]) -> list[str]:
    own = ["-x", "-q", "-n0", "--tb=no", "-p", "no:cacheprovider", "--hypothesis-seed=0"]
    quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is there already
    return [*own, *quiet, f"--rootdir={copy}", f"--basetemp={_temporary(copy)}", *tests]


def _temporary(copy: Path) -> Path:
    """Return the folder of tmp_path: beside the copy, since paths below it are spelled shorter."""
    return copy.with_suffix(".tmp")


def _wait(pid: int) -> tuple[int, float]:
    """Wait for a child; return its exit code, negative for a signal, and its CPU seconds."""
    still, before = 0, -1
    while True:
        ended, status, usage = os.wait4(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime
        awake, used = _activity(pid)
        still = 0 if awake or used != before else still + 1
        before = used
        if still > STILL:
            os.killpg(pid, signal.SIGKILL)
        time.sleep(TICK)


def _activity(session: int) -> tuple[bool, int]:
    """Return whether a process of a session wants the CPU, and the ticks they used together."""
    awake, used = False, 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        if int(fields[3]) == session:
            awake |= fields[0] == "R"
            used += sum(map(int, fields[11:15]))
    return awake, used


def _end(session: int) -> None:
    """End what a run has left behind."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                os.kill(int(path.parent.name), signal.SIGKILL)
        except OSError:
            continue

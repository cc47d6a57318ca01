"""Run a push as a Nornir runner that returns a result for every host in every case.

Nornir's ThreadedRunner continues with all hosts after Ctrl-C and waits forever for a host that
hangs. It loses all results when a BaseException other than Exception is raised.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nornir.core.task import AggregatedResult, MultiResult, Result

if TYPE_CHECKING:
    from nornir.core.inventory import Host
    from nornir.core.task import Task

_TICK = 0.1  # seconds between two checks for a stop request


@dataclass(slots=True)
class Stop:
    """Number of stop requests. First: no new host starts. Second: running hosts are abandoned."""

    asked: int = 0


class NotRun(Exception):  # noqa: N818 - a result, not a fault
    """A host that was skipped because the operator stopped."""


class TimedOut(Exception):  # noqa: N818 - a result
    """A host that did not answer in time; its state is unknown."""


@dataclass(slots=True, kw_only=True)
class CarefulRunner:
    """Runs a task on hosts in threads.

    Attributes:
        patience: Seconds that one host may take.
        level: Number of stop requests after which waiting hosts are skipped; 2 for a rollback.
        grace: Seconds for running hosts after that.
    """

    workers: int
    patience: float
    stop: Stop
    level: int = 1
    grace: float = 5.0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, task: Task, hosts: list[Host]) -> AggregatedResult:
        """Run a task; the results are in the order of the hosts."""
        work = _Work(task, deque(hosts), self)
        for _ in range(min(self.workers, len(hosts))):
            work.start()
        work.wait()
        result = AggregatedResult(task.name)
        for host in hosts:
            result[host.name] = work.result_of(host)
        return result


class _Work:
    """One run of a task: waiting, running and finished hosts."""

    def __init__(self, task: Task, waiting: deque[Host], runner: CarefulRunner) -> None:
        self.task, self.waiting, self.runner = task, waiting, runner
        self.running: dict[str, float] = {}
        self.done: dict[str, MultiResult] = {}
        self.late: set[str] = set()
        self.changed = threading.Condition()

    def start(self) -> None:
        """Start one worker as a daemon thread, so that a slow host does not block the exit."""
        threading.Thread(target=self._works, daemon=True).start()

    def _works(self) -> None:
        while (host := self._next()) is not None:
            try:
                result = self.task.copy().start(host)
            except BaseException as error:  # noqa: BLE001 - SystemExit, too, must affect one host only
                result = _failed(host, self.task, error)
            with self.changed:
                self.running.pop(host.name, None)
                replaced = host.name in self.late
                if not replaced:
                    self.done[host.name] = result
                self.changed.notify()
            if replaced:  # another worker has replaced this one
                return

    def _next(self) -> Host | None:
        with self.changed:
            if not self.waiting or self.runner.stop.asked >= self.runner.level:
                return None
            host = self.waiting.popleft()
            self.running[host.name] = time.monotonic()
            return host

    def wait(self) -> None:
        """Wait until all hosts finished or timed out."""
        stopped: float | None = None
        with self.changed:
            while self.running or (self.waiting and stopped is None):
                self.changed.wait(_TICK)
                now = time.monotonic()
                if stopped is None and self.runner.stop.asked >= self.runner.level:
                    stopped = now
                over = stopped is not None and now > stopped + self.runner.grace
                for name, since in list(self.running.items()):
                    if over or now > since + self.runner.patience:
                        del self.running[name]
                        self.late.add(name)
                        self.start()

    def result_of(self, host: Host) -> MultiResult:
        """Return the result of a host."""
        with self.changed:
            if host.name in self.done:
                return self.done[host.name]
            late = host.name in self.late
        error = TimedOut("did not answer in time") if late else NotRun("stopped before its turn")
        return _failed(host, self.task, error)


def _failed(host: Host, task: Task, error: BaseException) -> MultiResult:
    results = MultiResult(task.name)
    results.append(Result(host, failed=True, exception=error))
    return results

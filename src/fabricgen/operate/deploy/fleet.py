"""Run one action on many switches and return an outcome for each."""

import logging
import threading
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from napalm.base.exceptions import (
    CommandErrorException,
    CommandTimeoutException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
    ConnectTimeoutError,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)
from nornir.core import Nornir
from nornir.core.configuration import Config, LoggingConfig
from nornir.core.inventory import Inventory
from nornir.core.plugins.connections import ConnectionPluginRegister
from nornir.core.task import Task

from fabricgen.core.pace import Pace
from fabricgen.nos.driver import Busy, NoCheckpoint, OnlyByReload, Transport
from fabricgen.operate.deploy.connection import Connection, NoDriver
from fabricgen.operate.deploy.inventory.plugin import CONNECTION
from fabricgen.operate.deploy.runner import CarefulRunner, NotRun, Stop, TimedOut
from fabricgen.operate.deploy.targets import Target

T = TypeVar("T")
ConnectionPluginRegister.register(CONNECTION, Connection)
# Nornir logs the traceback of a failed task with the text of the exception.
logging.getLogger("nornir").addHandler(logging.NullHandler())
logging.getLogger("nornir").propagate = False


class Fault(StrEnum):
    """Reason why an action returned no value. UNKNOWN: the switch may have executed it."""

    UNREACHABLE = "unreachable"
    BUSY = "busy"
    REFUSED = "refused"
    FAILED = "failed"
    STALE = "stale"
    UNKNOWN = "unknown"
    CANCELED = "canceled"


class Stopped(Exception):  # noqa: N818 - an outcome
    """Raised by an action to end with a specific fault."""

    def __init__(self, fault: Fault, reason: str) -> None:
        """Take the fault and a sentence for the user."""
        super().__init__(reason)
        self.fault = fault


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """Result of an action on one switch: a value, or a fault and a sentence."""

    value: T | None = None
    fault: Fault | None = None
    said: str = ""


@dataclass(frozen=True, slots=True)
class Late(Outcome[T]):
    """A timeout. A retry with fewer simultaneous switches may succeed."""


_FAULTS: tuple[tuple[type[BaseException], Fault], ...] = (
    (NotRun, Fault.CANCELED),
    (TimedOut, Fault.UNKNOWN),
    (Busy, Fault.BUSY),
    (NoCheckpoint, Fault.FAILED),
    (OnlyByReload, Fault.REFUSED),
    (ReplaceConfigException, Fault.REFUSED),
    (MergeConfigException, Fault.REFUSED),
    (CommitConfirmException, Fault.FAILED),
    (CommitError, Fault.FAILED),
    (ConnectionException, Fault.UNREACHABLE),
    (CommandErrorException, Fault.FAILED),
    (NapalmException, Fault.FAILED),
    (NoDriver, Fault.FAILED),
)


_LATE = (TimedOut, CommandTimeoutException, ConnectTimeoutError)


class Fleet:
    """The switches of an inventory. Connections stay open between actions."""

    def __init__(
        self,
        inventory: Inventory,
        stop: Stop,
        hide: Callable[[str], str],
        *,
        workers: int,
        patience: float,
    ) -> None:
        """Prepare Nornir. hide: removes secrets from messages. patience: seconds of one action."""
        self.stop, self.hide, self._patience = stop, hide, patience
        self._pace = Pace(workers)
        self.inventory = inventory
        config = Config(logging=LoggingConfig(enabled=False))
        self._nornir = Nornir(inventory=inventory, config=config)

    def target(self, name: str) -> Target:
        """Return the target data of a switch."""
        target: Target = self.inventory.hosts[name].data["target"]
        return target

    def look(
        self,
        names: Collection[str],
        action: Callable[[Transport, str], T],
        report: Callable[[str, Outcome[T]], None] | None = None,
        *,
        undoing: bool = False,
    ) -> dict[str, Outcome[T]]:
        """Run an action that changes nothing, so that it can be repeated.

        After many timeouts the switches are asked again, fewer at a time. report: called once per
        switch.
        """
        late = dict[str, Outcome[T]]()

        def heard(name: str, outcome: Outcome[T]) -> None:
            late.pop(name, None)
            if isinstance(outcome, Late):
                late[name] = outcome
            elif report is not None:
                report(name, outcome)

        def ask(left: tuple[str, ...]) -> dict[str, Outcome[T]]:
            self.close(late)  # an old connection may hang
            return self.each(left, action, heard, undoing=undoing)

        found = self._pace.rounds(names, ask, lambda outcome: isinstance(outcome, Late))
        if report is not None:
            for name, outcome in late.items():
                report(name, outcome)
        return found

    def each(
        self,
        names: Collection[str],
        action: Callable[[Transport, str], T],
        report: Callable[[str, Outcome[T]], None] | None = None,
        *,
        undoing: bool = False,
    ) -> dict[str, Outcome[T]]:
        """Run an action on each of the named switches.

        Args:
            names: Names of the switches.
            action: Receives the connected driver and the name of the switch.
            report: Called with each outcome at once, from several threads.
            undoing: Continue after the operator's first stop request; only the second one ends it.
        """
        runner = CarefulRunner(
            workers=self._pace.now,
            patience=self._patience,
            stop=self.stop,
            level=2 if undoing else 1,
        )
        wanted = frozenset(names)
        nornir = self._nornir.filter(filter_func=lambda host: host.name in wanted)
        heard: dict[str, Outcome[T]] = {}
        over = threading.Event()

        def act(task: Task) -> None:
            outcome = self._acted(task, action)
            if over.is_set():  # too late: its timeout was already reported
                return
            heard[task.host.name] = outcome
            if report is not None:
                report(task.host.name, outcome)

        results = nornir.with_runner(runner).run(act) if wanted else {}
        over.set()
        self._nornir.data.reset_failed_hosts()
        outcomes: dict[str, Outcome[T]] = {}
        for name in names:
            error = results[name][0].exception
            outcomes[name] = heard[name] if error is None else self._faulted(error)
            if name not in heard and report is not None:
                report(name, outcomes[name])
        return outcomes

    def _acted(self, task: Task, action: Callable[[Transport, str], T]) -> Outcome[T]:
        """Return a fault instead of raising, because Nornir would log the exception."""
        try:
            driver = task.host.get_connection(CONNECTION, task.nornir.config)
            return Outcome(action(driver, task.host.name))
        except Exception as error:  # noqa: BLE001 - an error of one switch; the others continue
            return self._faulted(error)

    def _faulted(self, error: BaseException) -> Outcome[T]:
        reason = self.hide(" ".join(str(error).split())) or type(error).__name__
        if isinstance(error, Stopped):
            return Outcome(None, error.fault, reason)
        for kind, fault in _FAULTS:
            if isinstance(error, kind):
                return (Late if isinstance(error, _LATE) else Outcome)(None, fault, reason)
        return Outcome(None, Fault.UNKNOWN, f"{type(error).__name__}: {reason}")

    def close(self, names: Collection[str]) -> None:
        """Disconnect from switches; ignore failures."""
        wanted = frozenset(names)
        for host in self._nornir.inventory.hosts.values():
            if host.name in wanted:
                try:
                    host.close_connections()
                except Exception:  # noqa: BLE001 - the connection is unusable in any case
                    host.connections.clear()

"""Runs work on items in this process or in forked ones and returns the results in order.

A forked process shares all that was designed before it without a copy. Only results come back,
through a pipe that holds few of them, so memory stays bounded. The death of a process is a reported
error. No process outlives its parent.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, BinaryIO, Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class WorkerDied(Exception):  # noqa: N818 - it carries the sentence a person reads
    """A process ended before its work did."""


def usable_cores() -> int:
    """Return how many processes can run at once."""
    return len(os.sched_getaffinity(0))


class Forked(Generic[R]):
    """A process that produces results; iteration waits for them, one by one."""

    def __init__(
        self, results: Callable[[], Iterable[R]], beside: Sequence[Forked[Any]] = ()
    ) -> None:
        """Start it. `beside`: earlier processes, whose pipes it must close."""
        reader, writer = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if not self._pid:
            for descriptor in (reader, *(each.reader.fileno() for each in beside)):
                os.close(descriptor)
            _serve(results, writer)
        os.close(writer)
        self.reader: BinaryIO = os.fdopen(reader, "rb")
        self._unpickler = pickle.Unpickler(self.reader)  # noqa: S301 - our own process wrote it

    def __iter__(self) -> Iterator[R]:
        """Return itself."""
        return self

    def __next__(self) -> R:
        """Wait for the next result. An exception of the work is raised here."""
        try:
            kind, value = self._unpickler.load()
        except (EOFError, pickle.UnpicklingError):
            raise self._death() from None
        if kind == "failure":
            raise value
        if kind == "end":
            self._wait()
            raise StopIteration
        result: R = value
        return result

    def stop(self) -> None:
        """End it at any point."""
        if self._pid:
            os.kill(self._pid, signal.SIGKILL)
            self._wait()

    def _wait(self) -> int:
        self.reader.close()
        _, status = os.waitpid(self._pid, 0)
        self._pid = 0
        return os.waitstatus_to_exitcode(status)

    def _death(self) -> WorkerDied:
        """Return the reason of a process that ended without a message."""
        pid, code = self._pid, self._wait()
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with {code}"
        return WorkerDied(f"the worker process {pid} {how}")


def _serve(results: Callable[[], Iterable[Any]], writer: int) -> None:
    """Run the forked process: send every result, or the exception, and end."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends it immediately and silently
        with os.fdopen(writer, "wb") as stream:
            pickler = pickle.Pickler(stream)  # one for all results: shared parts are sent once
            try:
                for result in results():
                    pickler.dump(("result", result))
                    stream.flush()
                pickler.dump(("end", None))
            except Exception as error:  # noqa: BLE001 - whatever it is, it is raised again there
                pickler.dump(("failure", _sendable(error)))
        code = 0
    finally:
        os._exit(code)


def _sendable(error: Exception) -> Exception:
    """Return the error, or its text if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    except Exception:  # noqa: BLE001 - an exception may break in any way when it is made again
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error


def mapped(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Return work(item) of every item, in order; the processes start before this returns."""
    if jobs < 2:
        return map(work, items)
    crew: list[Forked[R]] = []
    for number in range(jobs):
        mine = items[number::jobs]
        crew.append(Forked(lambda mine=mine: map(work, mine), crew))  # type: ignore[misc]
    return _in_turn(crew, len(items))


def _in_turn(crew: list[Forked[R]], count: int) -> Iterator[R]:
    try:
        for number in range(count):
            yield next(crew[number % len(crew)])
        for each in crew:
            next(each, None)  # waits for its end
    finally:
        for each in crew:
            each.stop()

"""Reports how far long work is to a watcher, if there is one.

The work names its stages and counts what is done. It does not know whether anybody watches, so a
pipe, a test and a forked process pay only for the counting.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import length_hint
from typing import Protocol, TypeVar

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Stage:
    """One stage of long work.

    Attributes:
        name: What is being done. It may change.
        total: Number of things to do. 0 if it is unknown.
        done: Number of things that are done.
    """

    name: str
    total: int = 0
    done: int = 0

    def advance(self, count: int = 1) -> None:
        """Count things that are done."""
        self.done += count


class Progress(Protocol):
    """A watcher of long work."""

    def begin(self, stage: Stage) -> None:
        """Show a stage inside the stages that have begun."""

    def end(self, stage: Stage) -> None:
        """Forget a stage."""

    def hide(self) -> None:
        """Make room for other output."""


_watchers: list[Progress] = []


@contextmanager
def watched_by(progress: Progress) -> Iterator[None]:
    """Report the stages of this process to a watcher, from every thread."""
    _watchers.append(progress)
    try:
        yield
    finally:
        _watchers.remove(progress)


def watcher() -> Progress | None:
    """Return the watcher."""
    return _watchers[-1] if _watchers else None


def make_room() -> None:
    """Make room for other output where the watcher shows something."""
    if (progress := watcher()) is not None:
        progress.hide()


@contextmanager
def stage(name: str, total: int = 0) -> Iterator[Stage]:
    """Report one stage while the block runs."""
    one, progress = Stage(name, total), watcher()
    if progress is None:
        yield one
        return
    progress.begin(one)
    try:
        yield one
    finally:
        progress.end(one)


def tracked(name: str, items: Iterable[T], total: int = 0) -> Iterator[T]:
    """Yield items and report how many are done. total: needed where the items have no length."""
    with stage(name, total or length_hint(items)) as one:
        for item in items:
            yield item
            one.advance()

"""Reports how far long work is to a watcher, if there is one.

The work names its stages and counts what is done. A pipe and a test have no watcher.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from operator import length_hint
from typing import Protocol, TypeVar

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class Stage:
    """One stage of long work, and what is `done` of its `total`, which is 0 if it is unknown."""

    name: str
    total: int = 0
    done: int = 0

    def advance(self, count: int = 1) -> None:
        self.done += count


class Progress(Protocol):
    """A watcher. It shows a stage until its end, and hides it before other output."""

    def begin(self, stage: Stage) -> None: ...
    def end(self, stage: Stage) -> None: ...
    def hide(self) -> None: ...


_watchers: list[Progress] = []


@contextmanager
def watched_by(progress: Progress) -> Iterator[None]:
    """Report the stages of every thread to a watcher."""
    _watchers.append(progress)
    try:
        yield
    finally:
        _watchers.remove(progress)


def watcher() -> Progress | None:
    return _watchers[-1] if _watchers else None


def make_room() -> None:
    """Hide the progress before other output."""
    if (progress := watcher()) is not None:
        progress.hide()


@contextmanager
def stage(name: str, total: int = 0) -> Iterator[Stage]:
    """Report one stage while the block runs."""
    one, progress = Stage(name, total), watcher()
    if progress is not None:
        progress.begin(one)
    try:
        yield one
    finally:
        if progress is not None:
            progress.end(one)


def tracked(name: str, items: Iterable[T], total: int = 0) -> Iterator[T]:
    """Yield items and report how many are done. total: needed where the items have no length."""
    with stage(name, total or length_hint(items)) as one:
        for item in items:
            yield item
            one.advance()

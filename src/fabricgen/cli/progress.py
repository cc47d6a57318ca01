"""Shows on a terminal how far long work is.

One line is below all other output. It appears after two seconds and is erased at the end. A thread
draws it, so the work only counts. The thread ends before the process forks and starts again after.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from threading import Event, RLock, Thread
from typing import TYPE_CHECKING, TextIO

from fabricgen.core.plain_text import clean
from fabricgen.core.progress import watched_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen.core.progress import Stage

AFTER = 2.0
"""Seconds until work is long."""
_EVERY = 0.2
"""Seconds between two drawings."""
_ERASE = "\r\x1b[2K"
_WIDTH = 30
_LINES = ("━", "─"), ("#", "-")
"""Done and open parts of a bar, the second pair for terminals without Unicode."""


def is_terminal(stream: TextIO | None) -> bool:
    """Check whether a person watches a stream, which may be absent. A CI job has no watcher."""
    is_job = os.environ.get("TERM") == "dumb" or os.environ.get("CI")
    return not is_job and bool(getattr(stream, "isatty", bool)())


class Bar:
    """The line of progress of a terminal."""

    def __init__(
        self, stream: TextIO, clock: Callable[[], float] = time.monotonic, after: float = AFTER
    ) -> None:
        """Start the time. after: seconds until the first drawing."""
        self._lock = RLock()
        self._stream, self._clock, self._start = stream, clock, clock()
        self._next = self._start + after
        self._stages: list[Stage] = []
        self._over: Event
        self._thread: Thread
        self._is_drawn = self._is_closed = False

    def begin(self, stage: Stage) -> None:
        """Show a stage, at once if the work is long already."""
        with self._lock:
            before = self._shown()
            self._stages.append(stage)
            if self._shown() is not before:
                self.tick()

    def end(self, stage: Stage) -> None:
        """Forget a stage. The line of the last one is erased."""
        with self._lock:
            self._stages = [each for each in self._stages if each is not stage]
            if not self._stages:
                self._erase()

    def hide(self) -> None:
        """Erase the line before other output, which is written before the next drawing."""
        with self._lock:
            self._erase()
            self._next = max(self._next, self._clock() + _EVERY)

    def tick(self) -> None:
        """Draw the line if it is time."""
        with self._lock:
            stage, now = self._shown(), self._clock()
            if stage is not None and now >= self._next and not self._is_closed:
                self._is_drawn = True
                self._write(_ERASE + self._line(stage, int(now - self._start)))

    def start(self) -> None:
        """Start the thread that draws."""
        self._over = Event()
        self._thread = Thread(target=self._draw, args=(self._over,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the thread that draws."""
        self._over.set()
        self._thread.join()

    def _draw(self, over: Event) -> None:
        while not over.wait(_EVERY):
            self.tick()

    def close(self) -> None:
        """Erase the line for good."""
        with self._lock:
            self._erase()
            self._is_closed = True

    def silence(self) -> None:
        """Draw nothing in a forked process. The line belongs to its parent."""
        self._lock, self._is_closed, self._is_drawn = RLock(), True, False

    def _shown(self) -> Stage | None:
        """Return the innermost stage with a total, else the outermost one."""
        totals = (stage for stage in reversed(self._stages) if stage.total)
        return next(totals, self._stages[0] if self._stages else None)

    def _line(self, stage: Stage, seconds: int) -> str:
        """Return the line. It is shorter than the terminal, so it never wraps."""
        parts = [clean(stage.name)]
        if stage.total:
            done = min(stage.done, stage.total)
            full, rest = _LINES[not _encodes(self._stream, "━─")]
            length = _WIDTH * done // stage.total
            parts += [full * length + rest * (_WIDTH - length), f"{done:,} of {stage.total:,}"]
        line = "  ".join((*parts, f"{seconds} s"))
        line = line if _encodes(self._stream, line) else ascii(line)[1:-1]
        return line[: _columns(self._stream) - 1]

    def _erase(self) -> None:
        if self._is_drawn:
            self._is_drawn = False
            self._write(_ERASE)

    def _write(self, text: str) -> None:
        """Write to the terminal. A closed terminal is no error of the work."""
        try:
            self._stream.write(text)
            self._stream.flush()
        except OSError:
            self._is_closed, self._is_drawn = True, False


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:  # not a terminal of the operating system
        return 80


def _encodes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


_bars: list[Bar] = []
"""The bar of this process, if it has one."""


def _each(act: Callable[[Bar], None]) -> Callable[[], None]:
    def do() -> None:
        for bar in _bars:
            act(bar)

    return do


os.register_at_fork(
    before=_each(Bar.stop), after_in_parent=_each(Bar.start), after_in_child=_each(Bar.silence)
)


@contextmanager
def shown_progress() -> Iterator[None]:
    """Show the progress of long work on stderr while the block runs, if it is a terminal."""
    if not is_terminal(sys.stderr):
        yield
        return
    bar = Bar(sys.stderr, after=AFTER)
    _bars.append(bar)
    bar.start()
    try:
        with watched_by(bar):
            yield
    finally:
        _bars.remove(bar)
        bar.stop()
        bar.close()

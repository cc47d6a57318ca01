"""What a reader of strangers' input may not do: write, start a program, speak to anybody, go on.

Python's audit hooks cannot be taken away again, so there is one, which looks only while a guard is
up.
"""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

SECONDS = 10.0
"""Of the CPU, for one input: a busy machine changes nothing."""
_CHANGES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_ACTS = frozenset(
    ("mkdir", "rename", "remove", "rmdir", "chmod", "chown", "link", "symlink", "truncate", "exec")
)
_STARTS = ("subprocess.", "os.system", "os.fork", "os.posix_spawn", "socket.connect", "shutil.")

_seen: list[str] | None = None
_hooked: list[bool] = []


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if _seen is None:
        return
    opens = event == "open" and isinstance(arguments[2], int) and arguments[2] & _CHANGES
    acts = event.startswith("os.") and event[3:] in _ACTS
    if opens or acts or event.startswith(_STARTS):
        _seen.append(f"{event} {arguments[:2]}")


@contextmanager
def guarded() -> Iterator[None]:
    """Fail when what happens inside writes, starts or connects, or takes more than SECONDS."""
    global _seen  # noqa: PLW0603 - there is one hook for the process
    if not _hooked:
        sys.addaudithook(_note)
        _hooked.append(True)
    before = signal.signal(signal.SIGPROF, _over)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    acts: list[str] = []
    _seen = acts
    try:
        yield
    finally:
        _seen = None
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    assert not acts


def _over(_number: int, _frame: FrameType | None) -> None:
    raise AssertionError(f"no answer within {SECONDS} s of the CPU")

"""The moments of a push, counted: what happened at each, in which a process can be made to die.

A driver and its switch pass a moment with each request and with each file that is replaced. A kill
at a moment is the same kill on a slow machine.
"""

import os
import signal
import threading
from dataclasses import dataclass, field

ANY = "any"


@dataclass(slots=True)
class Moments:
    """The process kills itself at moment `number` (from 1) of those called `what`, or of any."""

    what: str = ANY
    number: int = 0
    passed: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def note(self, what: str) -> None:
        """Count a moment; die if it is the one."""
        if self.what not in (ANY, what):
            return
        with self._lock:
            self.passed += 1
            if self.passed == self.number:
                os.kill(os.getpid(), signal.SIGKILL)


moments = Moments()
"""Those of this process; nobody dies until it is told when."""


def die_at(what: str, number: int) -> None:
    """Count anew, and die at a moment; at number 0 never."""
    moments.what, moments.number, moments.passed = what, number, 0

"""A process that starts pushes and kills them: `SECONDS FOLDER` in, how the push ended out.

It has imported everything, so that a push begins at once in a process of its own. It kills that
process itself, before it waits for it: until then the number cannot be another process'.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

from tests.deploy.fakes.ground import Fakes


def push(folder: Path) -> int:
    """Push to twelve switches in three batches; the exit code is 0 when all are done."""
    fakes = Fakes.there(folder)
    names = fakes.names
    outcome = fakes.push([names[:1], names[1:5], names[5:]])
    return 0 if outcome.result == "done" else 1


def main() -> None:
    """Serve until the input ends; without a number of seconds nothing is killed."""
    for line in sys.stdin:
        seconds, _, folder = line.strip().partition(" ")
        child = os.fork()
        if child == 0:
            os._exit(push(Path(folder)))
        if seconds != "-":
            time.sleep(float(seconds))
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 - its answer


if __name__ == "__main__":
    main()

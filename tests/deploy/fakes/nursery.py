"""A process that starts pushes which die: `WHAT NUMBER FOLDER` in; how the push ended out.

It has imported everything, so that a push begins at once in a process of its own. That process
kills itself, at the moment that it was told. The answer is the exit code, negative for a signal,
and how many moments a push that ended had.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from tests.deploy.fakes.ground import Fakes
from tests.deploy.fakes.moments import die_at, moments


def push(folder: Path) -> int:
    """Push to twelve switches in three batches; the exit code is 0 when all are done."""
    fakes = Fakes.there(folder)
    names = fakes.names
    outcome = fakes.push([names[:1], names[1:5], names[5:]])
    (folder / "moments").write_text(str(moments.passed))
    return 0 if outcome.result == "done" else 1


def main() -> None:
    """Serve until the input ends; at moment 0 nothing dies."""
    for line in sys.stdin:
        what, number, folder = line.strip().split("|")
        child = os.fork()
        if child == 0:
            die_at(what, int(number))
            os._exit(push(Path(folder)))
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 - its answer


if __name__ == "__main__":
    main()

"""A process that starts pushes which die: `WHAT NUMBER FOLDER WORDS` in; how each ended out.

It has imported everything, so that a push begins at once in a process of its own. That process
kills itself, at the moment that it was told. The answer is the exit code, negative for a signal,
and how many moments a push that ended had.
"""

import gc
import importlib
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from tests.deploy.fakes.ground import Fakes
from tests.deploy.fakes.moments import ANY, die_at, moments
from tests.deploy.fakes.temper import installed

from fabricgen.cli.main import run
from fabricgen.operate.deploy.connection import drivers
from fabricgen.operate.deploy.push import gate


class Nursery:
    """The process, from outside."""

    def __init__(self) -> None:
        """Start it."""
        command = (sys.executable, "-m", "tests.deploy.fakes.nursery")
        self.process = subprocess.Popen(
            command,
            env=installed(os.environ),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def push(self, folder: Path, what: str = ANY, number: int = 0, words: str = "") -> int:
        """Push, and die at moment `number` of a kind; return the exit code, negative for that.

        words: of a verb that is called in the folder, instead of a push to the fakes there.
        """
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{what}|{number}|{folder}|{words}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def push(folder: Path) -> int:
    """Push to twelve switches in three batches; the exit code is 0 when all are done."""
    fakes = Fakes.there(folder)
    names = fakes.names
    outcome = fakes.push([names[:1], names[1:5], names[5:]])
    return 0 if outcome.result == "done" else 1


def called(folder: Path, words: list[str]) -> int:
    """Call a verb in a folder; fakes are as healthy two seconds later as they are now."""
    os.chdir(folder)
    with (folder / "said").open("w") as said:
        os.dup2(said.fileno(), sys.stdout.fileno())
        os.dup2(said.fileno(), sys.stderr.fileno())
    quick = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: time.sleep(0.01))
    gate.time = quick  # type: ignore[assignment,attr-defined]
    return run(words)


def main() -> None:
    """Serve until the input ends; at moment 0 nothing dies."""
    for room in ("fabricgen.cli.maintenance", "fabricgen.cli.resume", "sqlalchemy.dialects.sqlite"):
        importlib.import_module(room)
    drivers()  # loads each platform
    gc.freeze()
    for line in sys.stdin:
        what, number, folder, words = line.rstrip("\n").split("|")
        child = os.fork()
        if child == 0:
            die_at(what, int(number))
            code = called(Path(folder), words.split()) if words else push(Path(folder))
            (Path(folder) / "moments").write_text(str(moments.passed))
            os._exit(code)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201 - its answer


if __name__ == "__main__":
    main()

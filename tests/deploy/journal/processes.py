"""Processes of the tests that use a journal at the same time, and are killed while they do.

`python -m tests.deploy.journal.processes writers|contender ADDRESS`: told what to do by lines of
standard input, it says by lines what came of it.
"""

import os
import signal
import subprocess
import sys
from typing import IO

from sqlalchemy import Engine, event

from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.records import Kind, LockHeld, Phase, Step

SITE = "berlin1"
BATCH = 40
"""Steps of one transaction."""


class Talk:
    """A process that answers lines."""

    def __init__(self, role: str, address: str) -> None:
        """Start it."""
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.deploy.journal.processes", role, address],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        """Wait for a line."""
        assert self.process.stdout
        return self.process.stdout.readline().rstrip("\n")

    def end(self) -> None:
        """End it: the end of its input."""
        self.process.communicate(timeout=60)


def say(*words: object) -> None:
    """Say a line in one write, so that lines of two processes never mix."""
    os.write(1, f"{' '.join(map(str, words))}\n".encode())


def writers(address: str, told: IO[str]) -> None:
    """For each line, `MOMENT [ADDRESS]`, start a process that dies then; say when it is gone.

    It writes to the journal of that line, or when there is none to the one we were started with.
    """
    for line in told:
        moment, _, other = line.strip().partition(" ")
        pid = os.fork()
        if not pid:
            die_at(int(moment))
            write(other or address)
        os.waitpid(pid, 0)
        say("gone")


def die_at(moment: int) -> None:
    """Have this process kill itself before or after a statement: one of the things SQL is told."""
    passed = 0

    def note(*_: object) -> None:
        nonlocal passed
        passed += 1
        if passed == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    for name in ("begin", "before_cursor_execute", "after_cursor_execute", "commit"):
        event.listen(Engine, name, note)


def write(address: str) -> None:
    """Push until it dies; say each thing only after the journal has acknowledged it."""
    with Journal.open(address) as journal, journal.lock(SITE, "plan", "writer") as held:
        push = held.start(Kind.PUSH, "0.1.0", "x")
        say("started", push)
        count = 0
        while True:
            count += 1
            steps = [
                Step(switch=f"leaf{each}", phase=Phase.ARMED, batch=count) for each in range(BATCH)
            ]
            held.record(push, steps)
            say("wrote", push, count)


def contend(address: str, told: IO[str]) -> None:
    """For each line try to get the lock; who has it keeps it until the next line."""
    with Journal.open(address) as journal:
        say("ready")
        for _ in told:
            try:
                with journal.lock(SITE, "plan", f"contender {os.getpid()}"):
                    say("won")
                    told.readline()
                say("released")
            except LockHeld as held:
                say("held", held.who)


if __name__ == "__main__":
    {"writers": writers, "contender": contend}[sys.argv[1]](sys.argv[2], sys.stdin)

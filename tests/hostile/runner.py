"""Runs the command line many times, each time in a process of its own with little time and memory.

Starting Python and importing fabricgen takes longer than any case, so this file is started once as
a program: it imports, then forks for each call that it reads, as JSON, from its standard input.
"""

import gc
import importlib
import json
import os
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricgen.cli.main import run
from fabricgen.nos.registry import nos, platforms

ROOT = Path(__file__).resolve().parents[2]
SECONDS, BYTES = 10, 1_500 * 2**20  # seconds of the CPU: a busy machine changes nothing


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a call; a negative code is the signal that ended it."""

    code: int
    out: str
    err: str

    @property
    def said(self) -> str:
        return self.out + self.err


class Runner:
    """The near side: hands over calls and reads what came of them."""

    def __init__(self, scratch: Path, most: int = BYTES) -> None:
        self.scratch, self.most = scratch, most
        self.program = subprocess.Popen(
            [sys.executable, __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
            text=True,
        )

    def __call__(self, folder: Path, *words: str) -> Done:
        """Run `fabricgen` with these words in a folder."""
        assert self.program.stdin is not None
        assert self.program.stdout is not None
        out, err = self.scratch / "out", self.scratch / "err"
        call: dict[str, Any] = {
            "folder": str(folder),
            "words": words,
            "out": str(out),
            "err": str(err),
        }
        call |= {"most": self.most}
        self.program.stdin.write(json.dumps(call) + "\n")
        self.program.stdin.flush()
        code = int(self.program.stdout.readline())
        return Done(code, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8"))

    def end(self) -> None:
        self.program.communicate()


def serve() -> None:
    """The far side: fork for each call, and answer with its exit code."""
    for room in (
        "cli.check",
        "cli.render",
        "cli.formats.findings",
        "compile.compiler",
        "compile.output.tree",
    ):
        importlib.import_module(f"fabricgen.{room}")
    for name in platforms():
        nos(name)
    gc.freeze()
    for line in sys.stdin:
        child = os.fork()
        if not child:
            _call(json.loads(line))
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()


def _call(call: dict[str, Any]) -> None:
    """Run one call in this process, which it ends."""
    for number, path in ((1, call["out"]), (2, call["err"])):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    os.chdir(call["folder"])
    resource.setrlimit(resource.RLIMIT_AS, (call["most"], call["most"]))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    code = 70  # what an exception leaves, beside its traceback
    try:
        code = run(call["words"])
    finally:
        if code == 70:
            sys.excepthook(*sys.exc_info())
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


if __name__ == "__main__":
    serve()

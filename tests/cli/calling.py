"""Calls the command line in this process, as a shell would: words in, exit code and texts out."""

import contextlib
import io
from dataclasses import dataclass
from pathlib import Path

from fabricgen.cli.main import run

ROOT = Path(__file__).resolve().parents[2]
LAB = str(ROOT / "intent" / "lab")
TENANTS = str(ROOT / "intent" / "tenants")


@dataclass(frozen=True, slots=True)
class Said:
    """What a call came to."""

    code: int
    out: str
    err: str


def call(*words: str) -> Said:
    """Run `fabricgen` with these words."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(list(words))
    return Said(code, out.getvalue(), err.getvalue())

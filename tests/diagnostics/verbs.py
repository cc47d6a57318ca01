"""Cases of diagnostics that need two sites, or configurations of another network."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

from tests.unit.judge import published

from fabricgen.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fabricgen.diagnostics import Code

JOINED = """site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {cpu: {leafs: 1-2, servers: {per_leaf: 4, speed: 25G}}}
"""


def two_sites(folder: Path) -> str:
    """Check a site beside another that was copied from it; of each kind, show what is first."""
    for name in ("one", "other"):
        (folder / name).mkdir()
        (folder / name / "site.yaml").write_text(JOINED.replace("lab", name), encoding="utf-8")
    heard = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(heard):
        run(["check", "one", "--beside", "other"])
    return heard.getvalue()


def configured(code: Code) -> Callable[[Path], str]:
    """Return what is said of configurations that nobody here wrote, with the faults of a code."""

    def printed(folder: Path) -> str:
        published.written(folder / "configs", code)
        heard = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(heard):
            run(["judge", "configs"])
        return heard.getvalue()

    return printed

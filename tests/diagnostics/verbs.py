"""Cases of diagnostics that need two sites, or configurations of another network."""

from __future__ import annotations

import contextlib
import io
from typing import TYPE_CHECKING

from tests.unit.adopt.strangers import SITE
from tests.unit.judge import published

from fabricgen.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fabricgen.core.diagnostics import Code


def two_sites(folder: Path) -> str:
    """Check a site beside another that was copied from it; of each kind, show what is first."""
    for name in ("one", "other"):
        (folder / name).mkdir()
        (folder / name / "site.yaml").write_text(SITE.replace("lab", name), encoding="utf-8")
    heard = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(heard):
        run(["check", "one", "--with-site", "other"])
    return heard.getvalue()


def configured(code: Code) -> Callable[[Path], str]:
    """Return what is said of configurations that nobody here wrote, with the faults of a code."""

    def printed(folder: Path) -> str:
        published.written(folder / "configs", code)
        heard = io.StringIO()
        with contextlib.chdir(folder), contextlib.redirect_stdout(heard):
            run(["audit", "configs"])
        return heard.getvalue()

    return printed

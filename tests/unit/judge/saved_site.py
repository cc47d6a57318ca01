"""Saves the configurations of a site with faults, and compares them with the site."""

import contextlib
import io
from pathlib import Path

from fabricgen.cli.main import run
from fabricgen.core.diagnostics import Code

CODES = (Code.SAVED_DIFFERS, Code.SAVED_MISSING)


def compared(site: str, odd: str, gone: str, folder: Path) -> str:
    """Compare a site with saved configurations: a line of one switch differs, one is missing."""
    (folder / "site").mkdir()
    (folder / "site" / "site.yaml").write_text(site, encoding="utf-8")
    heard = io.StringIO()
    with contextlib.chdir(folder):
        with contextlib.redirect_stdout(io.StringIO()):
            run(["render", "site", "-o", "tree"])
        (folder / "saved").mkdir()
        for path in sorted((folder / "tree" / "backend").glob("*/eos.cfg")):
            text = path.read_text(encoding="utf-8").replace("min-rx 300 multi", "min-rx 400 multi")
            name = path.parent.name
            if name != gone:
                other = text if name == odd else path.read_text(encoding="utf-8")
                (folder / "saved" / f"{name}.cfg").write_text(other, encoding="utf-8")
        with contextlib.redirect_stdout(heard):
            run(["check", "site", "--against", "saved"])
    return heard.getvalue()

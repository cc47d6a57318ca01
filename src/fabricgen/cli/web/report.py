"""Writes the pages of a site into a folder that a browser opens from disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fabricgen.cli.web.chunk import as_script, file_name
from fabricgen.cli.web.chunks import chunks
from fabricgen.core.progress import tracked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen import Site

STATIC = Path(__file__).parent / "static"


def report_files(site: Site) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files of a report: the application, then one script for each chunk of data."""
    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            name = path.relative_to(STATIC).as_posix()
            yield name, path.read_text()
    every = list(chunks(site))
    for name, make in tracked("making pages", every):
        yield f"data/{file_name(name)}", as_script(name, make())

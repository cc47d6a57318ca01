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
    from fabricgen.compile.compiler import File
    from fabricgen.review.model import Review

STATIC = Path(__file__).parent / "static"


def report_files(site: Site, change: Review | None = None) -> Iterator[File]:
    """Yield the files of a report: the application, then one script for each chunk of data.

    Args:
        site: The site.
        change: The review of its change, for a page of its own.
    """
    from fabricgen.compile.compiler import File

    for path in sorted(STATIC.rglob("*")):
        if path.is_file():
            name = path.relative_to(STATIC).as_posix()
            yield File(name, path.read_text(), executable=False)
    every = list(chunks(site, change))
    for name, make in tracked("making pages", every):
        yield File(f"data/{file_name(name)}", as_script(name, make()), executable=False)
